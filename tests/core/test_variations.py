# SPDX-License-Identifier: GPL-3.0-or-later
"""Other seeds and turned knobs: different from each other, the same each time, within limits."""

from __future__ import annotations

import dataclasses

import pytest

from noise_core import Grid, ParameterError, Recipe
from noise_core.modifiers import NoiseLayer, Terraces
from noise_core.noise import noise_types
from noise_core.noises import Constant, Fractal, Perlin
from noise_core.preset_library import PLAIN, preset, preset_names
from noise_core.spine import knobs, leaf_types
from noise_core.variations import Variation, other_seeds, turned_knobs

NAMES = (PLAIN, *preset_names())


@pytest.mark.parametrize("name", NAMES)
def test_other_seeds_differ_in_nothing_else(name: str) -> None:
    recipe = preset(name).recipe
    made = other_seeds(recipe, 3, 9)
    assert len({one.recipe.seed for one in made} | {recipe.seed}) == 10
    assert all(dataclasses.replace(one.recipe, seed=recipe.seed) == recipe for one in made)
    assert [one.changes for one in made] == [(("Seed", one.recipe.seed),) for one in made]


@pytest.mark.parametrize("name", NAMES)
def test_turned_knobs_keep_seed_height_and_modifiers(name: str) -> None:
    recipe = preset(name).recipe
    made = turned_knobs(recipe, 0, 9)
    noises = [one.recipe.noise for one in made]
    assert all(noise != recipe.noise for noise in noises)
    assert all(noises[i] != noises[j] for i in range(9) for j in range(i))
    assert all(
        dataclasses.replace(one.recipe, noise=recipe.noise) == recipe and one.changes
        for one in made
    )


def test_the_same_number_gives_the_same_and_another_others() -> None:
    recipe = preset("alps").recipe
    for make in (other_seeds, turned_knobs):
        assert make(recipe, 5, 9) == make(recipe, 5, 9)
        assert not set(map(str, make(recipe, 5, 9))) & set(map(str, make(recipe, 6, 9)))


def test_knobs_stay_within_sensible_limits() -> None:
    recipe = Recipe(noise=Fractal(source=Perlin(frequency=4.0), octaves=8.0))
    for number in range(30):
        for one in turned_knobs(recipe, number, 9):
            now = knobs(one.recipe.noise)
            assert 2.3 <= now.frequency <= 6.8 and 6 <= now.octaves <= 10
            assert 0.3 <= now.persistence <= 0.68 and 1.7 <= now.lacunarity <= 2.6
            assert 0.0 <= now.warp <= 0.25


def test_what_is_beyond_the_limits_already_is_not_pulled_in() -> None:
    recipe = Recipe(noise=Fractal(source=Perlin(frequency=4.0), persistence=0.9))
    values = {
        knobs(one.recipe.noise).persistence
        for number in range(20)
        for one in turned_knobs(recipe, number, 9)
    }
    assert max(values) == 0.9 and min(values) >= 0.75


@pytest.mark.parametrize("key", sorted(leaf_types()))
def test_every_noise_can_be_varied_and_sampled(key: str) -> None:
    noise = Fractal(source=leaf_types()[key](), octaves=2.0)
    for one in turned_knobs(Recipe(noise=noise), 1, 9):
        one.recipe.noise.sample_grid(Grid(5, 5), 1)
        assert all(title and value is not None for title, value in one.changes)


def test_changes_tell_the_truth() -> None:
    recipe = preset("none").recipe
    for one in turned_knobs(recipe, 2, 9):
        told = dict(one.changes)
        now, old = knobs(one.recipe.noise), knobs(recipe.noise)
        for name in ("frequency", "octaves", "persistence", "lacunarity", "warp"):
            assert told.get(name.title(), getattr(old, name)) == getattr(now, name)


def test_a_noise_without_knobs_is_refused() -> None:
    assert "constant" in noise_types()
    with pytest.raises(ParameterError, match="no knobs"):
        turned_knobs(Recipe(noise=_Still()), 0, 9)


class _Still(Constant):
    """A noise whose parameters cannot vary."""

    @classmethod
    def parameters(cls):  # type: ignore[no-untyped-def]
        return ()


# --- a muted base noise -------------------------------------------------------------------------


def layered(*muted: bool) -> Recipe:
    layers = tuple(
        NoiseLayer(noise=Fractal(source=Perlin(frequency=4.0)), muted=one) for one in muted
    )
    return Recipe(noise=Perlin(), modifiers=(*layers, Terraces()), height=9.0, noise_muted=True)


def test_the_layers_are_varied_where_the_base_noise_is_muted() -> None:
    recipe, grid = layered(False, True), Grid(24, 24)
    made = turned_knobs(recipe, 0, 9)
    grounds = {one.recipe.evaluate(grid).height.tobytes() for one in (*made, Variation(recipe, ()))}
    assert len(grounds) == 10
    for one in made:
        assert one.recipe.noise == recipe.noise and one.recipe.noise_muted and one.changes
        assert one.recipe.modifiers[1:] == recipe.modifiers[1:], "a muted layer was varied"
    assert made == turned_knobs(recipe, 0, 9)


def test_layers_that_others_leave_out_stay_as_they_are() -> None:
    recipe, acting = layered(False, False), layered(False, True)
    for one in turned_knobs(recipe, 4, 9, acting):
        assert one.recipe.modifiers[1] == recipe.modifiers[1]
        assert not one.recipe.modifiers[1].muted


def test_without_any_noise_there_is_nothing_to_vary() -> None:
    with pytest.raises(ParameterError, match="no layer of noise takes its place"):
        turned_knobs(layered(True), 0, 9)
