# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves that a recipe names have in tiles the bits that they have in memory, in paths and in masks."""

from __future__ import annotations

from pathlib import Path as FilePath

import pytest

from noise_core import CurvePoint, LandCurve, Modifier, Recipe
from noise_core.maps import CurveDistance
from noise_core.masks import MapMask
from noise_core.modifiers import Blur, DebrisFlow, GlacialErosion, Meanders, Path
from noise_core.noises import Fractal, Perlin
from terrane_worlds import World

ROAD = LandCurve(
    points=[
        CurvePoint(at=(0.05, 0.3), width=60.0, right=(0.2, 0.3)),
        CurvePoint(at=(0.5, 0.6), width=40.0, left=(0.4, 0.4), right=(0.6, 0.8)),
        CurvePoint(at=(0.95, 0.55), width=60.0, left=(0.8, 0.5)),
    ]
)
LAKE = LandCurve(
    points=[CurvePoint(at=at, z=20.0) for at in ((0.6, 0.1), (0.9, 0.15), (0.75, 0.35))],
    closed=True,
)
NEAR = MapMask(map=CurveDistance(curves=["Lake"]), limits="below", high=30.0, falloff=60.0)


@pytest.mark.parametrize("wrap", [False, True])
def test_named_curves_have_the_bits_of_the_whole(wrap: bool, tmp_path: FilePath) -> None:
    recipe = Recipe(
        layers=(
            Fractal(source=Perlin(frequency=3.0), octaves=7),
            Path.of_kind("road", curves=["Road"], reach=200.0, most_cut=8.0, detail=0.3),
            Path.of_kind("pad", curves=["Lake"], heights="given", reach=150.0),
            Blur(radius=60.0, mask=NEAR),
        ),
        curves={"Road": ROAD, "Lake": LAKE},
        height=200.0,
        size=3000.0,
        seed=8,
    )
    world = World(recipe, 301, 301, tile=64, wrap=wrap)
    world.build(tmp_path / "land.zarr")
    height = world.region(tmp_path / "land.zarr", 0, 0, 301, 301)
    expected = recipe.evaluate(world.grid)
    assert height.tobytes() == expected.height.tobytes()
    assert (expected.maps["gap"] > 0.0).any() and (expected.maps["bed"] == 1.0).any()


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("modifier", [DebrisFlow, GlacialErosion, Meanders])
def test_drawn_rivers_have_the_bits_of_the_whole(
    modifier: type[Modifier], wrap: bool, tmp_path: FilePath
) -> None:
    branch = LandCurve(points=[CurvePoint(at=at) for at in ((0.9, 0.9), (0.6, 0.7), (0.5, 0.6))])
    recipe = Recipe(
        layers=(
            Fractal(source=Perlin(frequency=3.0), octaves=7),
            modifier(rivers=["Road", "Branch"]),
        ),
        curves={"Road": ROAD, "Branch": branch},
        height=900.0 if modifier is not Meanders else 40.0,
        size=5000.0,
        seed=8,
    )
    world = World(recipe, 301, 301, tile=64, wrap=wrap)
    world.build(tmp_path / "land.zarr")
    height = world.region(tmp_path / "land.zarr", 0, 0, 301, 301)
    assert height.tobytes() == recipe.evaluate(world.grid).height.tobytes()
