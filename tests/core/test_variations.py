# SPDX-License-Identifier: GPL-3.0-or-later
"""Other seeds and turned knobs: different from each other, the same each time, within limits."""

from __future__ import annotations

import dataclasses

import pytest

from noise_core import Grid, ParameterError, Recipe
from noise_core.landscapes.preset_library import PLAIN, preset, preset_names
from noise_core.modifiers import Terraces
from noise_core.noises import Constant, Fractal, Perlin
from noise_core.recipes.chain_keywords import values
from noise_core.recipes.chains import basis_types
from noise_core.recipes.layers import Group, NoiseLayer, flatten
from noise_core.recipes.variations import Variation, other_seeds, other_values

pytestmark = pytest.mark.newest

NAMES = (PLAIN, *preset_names())


@pytest.mark.parametrize("name", NAMES)
def test_other_seeds_differ_in_nothing_else(name: str) -> None:
    recipe = preset(name).recipe
    made = other_seeds(recipe, 3, 9)
    assert len({one.recipe.seed for one in made} | {recipe.seed}) == 10
    assert all(dataclasses.replace(one.recipe, seed=recipe.seed) == recipe for one in made)
    assert [one.changes for one in made] == [(("Seed", one.recipe.seed),) for one in made]


@pytest.mark.parametrize("name", NAMES)
def test_other_values_are_those_of_one_layer(name: str) -> None:
    recipe = preset(name).recipe
    flatten_before = [layer for _, layer in flatten(recipe.layers)]
    variations = other_values(recipe, 0, 9)
    assert len({one.recipe for one in variations} | {recipe}) == 10
    for one in variations:
        assert dataclasses.replace(one.recipe, layers=recipe.layers) == recipe and one.changes
        flatten_after = [layer for _, layer in flatten(one.recipe.layers)]
        pairs = [
            (a, b)
            for a, b in zip(flatten_before, flatten_after)
            if a != b and not isinstance(a, Group)
        ]
        assert len(flatten_after) == len(flatten_before) and len(pairs) == 1
        (old, new) = pairs[0]
        assert old == next(layer for layer in flatten_before if isinstance(layer, NoiseLayer))
        assert new == old.with_noise(new.noise)


def test_the_same_number_gives_the_same_and_another_others() -> None:
    recipe = preset("alps").recipe
    for make in (other_seeds, other_values):
        assert make(recipe, 5, 9) == make(recipe, 5, 9)
        assert not set(map(str, make(recipe, 5, 9))) & set(map(str, make(recipe, 6, 9)))


def test_values_stay_within_sensible_limits() -> None:
    recipe = Recipe(layers=Fractal(source=Perlin(frequency=4.0), octaves=8.0))
    for number in range(30):
        for one in other_values(recipe, number, 9):
            now = values(one.recipe.base.noise)
            assert 2.3 <= now["frequency"] <= 6.8 and 6 <= now["octaves"] <= 10
            assert 0.3 <= now["persistence"] <= 0.68 and 1.7 <= now["lacunarity"] <= 2.6
            assert 0.0 <= now["warp"] <= 0.25


def test_what_is_beyond_the_limits_already_is_not_pulled_in() -> None:
    recipe = Recipe(layers=Fractal(source=Perlin(frequency=4.0), persistence=0.9))
    drawn = {
        values(one.recipe.base.noise)["persistence"]
        for number in range(20)
        for one in other_values(recipe, number, 9)
    }
    assert max(drawn) == 0.9 and min(drawn) >= 0.75


@pytest.mark.parametrize("key", sorted(basis_types()))
def test_every_noise_can_be_varied_and_sampled(key: str) -> None:
    noise = Fractal(source=basis_types()[key](), octaves=2.0)
    for one in other_values(Recipe(layers=noise), 1, 9):
        one.recipe.noise.sample_grid(Grid(5, 5), 1)
        assert all(title and value is not None for title, value in one.changes)


def test_changes_tell_the_truth() -> None:
    recipe = preset("none").recipe
    for one in other_values(recipe, 2, 9):
        told = dict(one.changes)
        now, old = values(one.recipe.base.noise), values(recipe.base.noise)
        for name in ("frequency", "octaves", "persistence", "lacunarity", "warp"):
            assert told.get(name.title(), old[name]) == now[name]


class _Still(Constant):
    """A noise whose parameters cannot vary."""

    @classmethod
    def parameters(cls):  # type: ignore[no-untyped-def]
        return ()


def test_noises_without_values_are_passed_over() -> None:
    still = NoiseLayer(noise=_Still())
    with pytest.raises(ParameterError, match="no values to vary"):
        other_values(Recipe(layers=still), 0, 9)
    for one in other_values(Recipe(layers=(still, Perlin())), 0, 9):
        assert one.recipe.layers[0] == still and one.changes


# --- layers that are muted -----------------------------------------------------------------------


def layered(*muted: bool) -> Recipe:
    layers = [
        NoiseLayer(noise=Fractal(source=Perlin(frequency=4.0)), muted=one, seed_offset=place)
        for place, one in enumerate(muted)
    ]
    return Recipe(layers=(layers[0], Group(layers=layers[1:]), Terraces()), height=9.0)


def test_the_first_layer_that_takes_part_is_varied() -> None:
    recipe, grid = layered(True, False, False), Grid(24, 24)
    variations = other_values(recipe, 0, 9)
    grounds = {
        one.recipe.evaluate(grid).height.tobytes() for one in (*variations, Variation(recipe, ()))
    }
    assert len(grounds) == 10
    for one in variations:
        old, new = recipe.layers[1].layers, one.recipe.layers[1].layers
        assert one.recipe.layers[::2] == recipe.layers[::2]
        assert new[0] != old[0] and new[1:] == old[1:]
    assert variations == other_values(recipe, 0, 9)


def test_layers_that_others_leave_out_stay_as_they_are() -> None:
    recipe, acting = layered(False, False), layered(True, False)
    for one in other_values(recipe, 4, 9, acting):
        assert one.recipe.layers[0] == recipe.layers[0] and one.recipe != recipe
        assert not one.recipe.layers[0].muted


def test_without_any_noise_there_is_nothing_to_vary() -> None:
    muted = dataclasses.replace(recipe := layered(True, False), layers=recipe.layers[:1])
    with pytest.raises(ParameterError, match="No noise layer takes part"):
        other_values(muted, 0, 9)
    group = Group(layers=(NoiseLayer(),), muted=True)
    with pytest.raises(ParameterError, match="No noise layer takes part"):
        other_values(Recipe(layers=group), 0, 9)
