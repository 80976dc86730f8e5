# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of layers that are kept: the bits of the whole, nothing computed twice, little memory."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core import Grid, Recipe
from noise_core.base.errors import Cancelled
from noise_core.noises import Blend, Fractal, Perlin
from noise_core.recipes import known_fields
from noise_core.recipes.known_fields import KnownFields
from noise_core.recipes.preset_library import preset_names
from noise_core.types.noise import Noise

GRID = Grid(33, 40)


@pytest.fixture
def computed(monkeypatch):
    """Return a list to which each noise is added that is computed on a grid."""
    seen = []
    called = Noise.sample_grid

    def counting(self, *given, **more):
        seen.append(self)
        return called(self, *given, **more)

    monkeypatch.setattr(Noise, "sample_grid", counting)
    return seen


@pytest.mark.parametrize("name", preset_names())
def test_it_has_the_bits_of_the_whole(name):
    recipe, known = Recipe.from_preset(name), KnownFields()
    wanted = recipe.ground(GRID)
    for _ in range(2):
        found = known.sample(recipe.noise, recipe.seed, GRID)
        np.testing.assert_array_equal(found, wanted)
        found[:] = 0.0  # the caller's own


def test_what_has_not_changed_is_not_computed_again(computed):
    noise = Blend(first=Fractal(source=Perlin()), second=Perlin(frequency=3.0), factor=0.2)
    known = KnownFields()
    known.sample(noise, 4, GRID)
    assert len(computed) == 2
    for factor in (0.3, 0.4):
        other = dataclasses.replace(noise, factor=factor)
        found = known.sample(other, 4, GRID)
        assert len(computed) == 2
        np.testing.assert_array_equal(found, other.sample_grid(GRID, 4))
        computed.pop()
    known.sample(dataclasses.replace(noise, second=Perlin(frequency=5.0)), 4, GRID)
    assert computed[2:] == [Perlin(frequency=5.0)]
    known.sample(noise, 5, GRID)
    known.sample(noise, 4, Grid(33, 40, origin=(1.0, 0.0)))
    assert len(computed) == 7


def test_the_oldest_go(computed, monkeypatch):
    monkeypatch.setattr(known_fields, "_SAMPLES", 2 * 33 * 40)
    known = KnownFields()
    for seed in (1, 2, 3, 3, 2, 1):
        known.sample(Perlin(), seed, GRID)
    assert len(computed) == 4


def test_progress_and_cancel():
    noise, shares = Blend(first=Perlin(), second=Perlin(frequency=3.0)), []
    KnownFields().sample(noise, 1, Grid(400, 400), progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1.0
    with pytest.raises(Cancelled):
        KnownFields().sample(noise, 1, GRID, cancel=lambda: True)
