# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of layers that are kept: the bits of the whole, nothing computed twice, little memory."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core import Grid, Recipe
from noise_core.base import blocks
from noise_core.base.errors import Cancelled
from noise_core.landscapes.preset_library import preset_names
from noise_core.noises import Blend, Fractal, Perlin, Transform, Warp
from noise_core.noises.evolution import Evolution
from noise_core.recipes import known_fields
from noise_core.recipes.known_fields import KnownFields

GRID = Grid(33, 40)


@pytest.fixture
def computed(monkeypatch):
    """Return a list to which each noise is added that is computed, on a grid or where a warp moves its samples."""
    seen = []
    compute = known_fields._FieldParts.compute

    def counting(self, copies, *given):
        seen.extend(noise for noise, _, _ in copies)
        return compute(self, copies, *given)

    monkeypatch.setattr(known_fields._FieldParts, "compute", counting)
    return seen


@pytest.mark.parametrize("name", preset_names())
def test_it_has_the_bits_of_the_whole(name):
    recipe, known = Recipe.from_preset(name), KnownFields()
    expected = recipe.ground(GRID)
    for _ in range(2):
        values = known.sample(recipe.noise, recipe.seed, GRID)
        np.testing.assert_array_equal(values, expected)
        values[:] = 0.0  # the caller's own


def test_what_has_not_changed_is_not_computed_again(computed):
    noise = Blend(first=Fractal(source=Perlin()), second=Perlin(frequency=3.0), factor=0.2)
    fields = KnownFields()
    fields.sample(noise, 4, GRID)
    assert len(computed) == 2
    for factor in (0.3, 0.4):
        variant = dataclasses.replace(noise, factor=factor)
        values = fields.sample(variant, 4, GRID)
        assert len(computed) == 2
        np.testing.assert_array_equal(values, variant.sample_grid(GRID, 4))
    fields.sample(dataclasses.replace(noise, second=Perlin(frequency=5.0)), 4, GRID)
    assert computed[2:] == [Perlin(frequency=5.0)]
    fields.sample(noise, 5, GRID)
    fields.sample(noise, 4, Grid(33, 40, origin=(1.0, 0.0)))
    assert len(computed) == 7


HILLS = Blend(first=Fractal(source=Perlin()), second=Perlin(frequency=3.0), factor=0.2)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(
    "noise",
    [
        Warp(source=HILLS, levels=2),
        Warp(source=HILLS, displacement=HILLS, scale=(0.0, 1.5, 1.0)),
        Warp(source=Warp(source=HILLS), displacement=Warp(), strength=0.3),
        Warp(source=HILLS, method="lookup", levels=2),
        Warp(source=HILLS, strength=0.0),
        Transform(source=HILLS, rotation=20.0, offset=(0.2, 0.0, 0.3)),
        Evolution(source=HILLS, position=0.3),
        Evolution(source=Warp(source=HILLS), position=0.3),
        Blend(first=Warp(source=Transform(source=HILLS, rotation=9.0)), second=Warp(source=HILLS)),
    ],
)
def test_moved_places_have_the_bits_of_the_whole(noise, wrap, monkeypatch):
    monkeypatch.setattr(blocks, "SAMPLES_PER_STRIP", 500)
    grid, known = Grid(33, 40, wrap=wrap, origin=(0.3, -2.0)), KnownFields()
    for _ in range(2):
        np.testing.assert_array_equal(known.sample(noise, 7, grid), noise.sample_grid(grid, 7))


def test_what_a_warp_moves_is_not_computed_again(computed):
    noise, known = Warp(source=HILLS), KnownFields()
    known.sample(noise, 4, GRID)
    # One displacement for each axis, and two noises where they move the samples.
    assert computed == [noise.displacement] * 2 + [HILLS.first, HILLS.second]
    faded = dataclasses.replace(noise, source=dataclasses.replace(HILLS, factor=0.7))
    values = known.sample(faded, 4, GRID)
    assert len(computed) == 4
    np.testing.assert_array_equal(values, faded.sample_grid(GRID, 4))
    computed.clear()
    known.sample(dataclasses.replace(noise, strength=0.2), 4, GRID)
    assert computed == [HILLS.first, HILLS.second], "the displacement is the same"


def test_copies_of_a_displacement_are_computed_together(monkeypatch):
    """They share their cells."""
    together, plan = [], Fractal.seeds_plan

    def counting(self, axes, seeds):
        together.append(len(seeds))
        return plan(self, axes, seeds)

    monkeypatch.setattr(Fractal, "seeds_plan", counting)
    displacement = Fractal(source=Perlin(frequency=2.0), octaves=2.0, rotation=31.0)
    noise = Warp(source=Perlin(frequency=5.0), displacement=displacement, strength=0.1)
    KnownFields().sample(dataclasses.replace(noise, method="exact"), 4, GRID)
    assert together == [2]


def test_a_turned_group_keeps_its_layers(computed):
    fields = KnownFields()
    for factor in (0.2, 0.4):
        source = dataclasses.replace(HILLS, factor=factor)
        fields.sample(Transform(source=source, rotation=20.0), 4, GRID)
    assert len(computed) == 2


def test_what_is_too_large_to_be_kept_in_parts_is_computed_whole(computed, monkeypatch):
    monkeypatch.setattr(known_fields, "_SAMPLES", 3 * 33 * 40)
    noise, known = Warp(source=HILLS), KnownFields()
    for _ in range(2):
        values = known.sample(noise, 4, GRID)
        assert computed == [noise]
    np.testing.assert_array_equal(values, noise.sample_grid(GRID, 4))


def test_the_oldest_go(computed, monkeypatch):
    monkeypatch.setattr(known_fields, "_SAMPLES", 2 * 33 * 40)
    fields = KnownFields()
    for seed in (1, 2, 3, 3, 2, 1):
        fields.sample(Perlin(), seed, GRID)
    assert len(computed) == 4


def test_a_cancel_is_heard_where_samples_are_moved():
    known, noise = KnownFields(), Warp(source=HILLS)
    known.sample(dataclasses.replace(noise, source=Perlin()), 1, GRID)  # the displacement is there
    with pytest.raises(Cancelled):
        known.sample(noise, 1, GRID, cancel=lambda: True)


def test_progress_and_cancel():
    noise, shares = Blend(first=Perlin(), second=Perlin(frequency=3.0)), []
    KnownFields().sample(noise, 1, Grid(400, 400), progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1.0
    with pytest.raises(Cancelled):
        KnownFields().sample(noise, 1, GRID, cancel=lambda: True)
