# SPDX-License-Identifier: GPL-3.0-or-later
"""Stamps have in tiles the bits that they have in memory."""

from __future__ import annotations

from pathlib import Path as FilePath

import pytest

from noise_core import Placement, Recipe
from noise_core.modifiers import Stamp
from noise_core.noises import Fractal, Perlin
from terrane_worlds import World

PLACES = (
    Placement(at=(0.3, 0.4), z=40.0, rotation=25.0),
    Placement(at=(0.95, 0.9), z=10.0, rotation=-140.0, scale=(1.4, -0.7, 0.6)),
    Placement(at=(0.6, 0.6), scale=(0.1, 0.1, 2.0)),
)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("mode", ["add", "smooth_max"])
def test_stamps_have_the_bits_of_the_whole(wrap: bool, mode: str, tmp_path: FilePath) -> None:
    hills = Fractal(source=Perlin(frequency=3.0), octaves=7)
    recipe = Recipe(
        layers=(hills, Stamp(placements=PLACES, size=1200.0, mode=mode)),
        height=200.0,
        size=3000.0,
        seed=8,
    )
    world = World(recipe, 301, 301, tile=64, wrap=wrap)
    world.build(tmp_path / "land.zarr")
    height = world.region(tmp_path / "land.zarr", 0, 0, 301, 301)
    expected = recipe.evaluate(world.grid).height
    assert height.tobytes() == expected.tobytes()
    plain = Recipe(layers=(hills,), height=200.0, size=3000.0, seed=8).evaluate(world.grid).height
    assert (expected != plain).mean() > 0.1
