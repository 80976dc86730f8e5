# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion by rivers, lakes and maps of flow in tiles have the bits of the whole."""

from __future__ import annotations

import pytest

from noise_core import Grid
from noise_core.base.errors import ParameterError
from noise_core.maps import DrainageArea, Flow
from noise_core.modifiers import FillLakes, StreamErosion
from terrane_worlds import modifiers
from terrane_worlds.base.tiling import Tiling
from terrane_worlds.maps import REGISTRY
from terrane_worlds.rasters import level_fields

from .lands import assert_same_bits
from .tiled_modifiers import WIDTH, assert_exact, build_land, hills, read, store


@pytest.fixture(autouse=True)
def few_samples_in_memory(monkeypatch):
    """Let two levels of the lands here be worked on in tiles: one of them bent."""
    monkeypatch.setattr(level_fields, "MOST_SAMPLES", 20_000)


GRIDS = {
    "odd": Grid(521, 530, size=WIDTH),
    "powers": Grid(513, 513, size=WIDTH),
    "wraps": Grid(512, 524, size=WIDTH, wrap=True),
    "small": Grid(261, 270, size=WIDTH),  # for what takes many steps
}
CASES = {
    "defaults": {},
    "fixed": {"outlets": "fixed", "smoothing": 0.3},
    "sea": {"outlets": "sea", "sea_level": -60.0},
    "lowest": {"outlets": "lowest", "lakes": "fill"},
    "sediment": {"sediment": 0.5, "lake_depth": 0.01},
    "layers": {"layer_thickness": 40.0},
    "grow": {"mode": "grow", "outlets": "sea", "sea_level": 20.0, "sediment": 0.2},
    "plain": {"randomness": 0.0, "smoothing": 0.0},
    "finest": {"finest": 300, "quality": "preview"},
    "level floors": {"valley_fill": 0.0},
    "high fans": {"valley_fill": 0.2, "fan_angle": 12.0, "sediment": 0.3},
}


@pytest.mark.parametrize(
    "case, grid, side",
    [
        ("defaults", "odd", 128),
        ("fixed", "wraps", 300),
        ("sea", "powers", 300),
        ("lowest", "wraps", 200),
        ("sediment", "odd", 300),
        ("layers", "wraps", 300),
        ("grow", "small", 140),
        ("plain", "wraps", 128),
        ("finest", "odd", 300),
        ("level floors", "odd", 200),
        ("high fans", "wraps", 200),
    ],
)
def test_stream_erosion(case, grid, side, tmp_path):
    land = GRIDS[grid]
    assert_exact(StreamErosion(**CASES[case]), hills(land), land, side, tmp_path)


def test_a_tile_of_one_column(tmp_path):
    land = GRIDS["powers"]
    assert_exact(StreamErosion(), hills(land), land, 256, tmp_path)


def test_level_ground_and_no_strength_stay(tmp_path):
    land = Grid(130, 140, size=WIDTH)
    for number, (modifier, height) in enumerate(
        ((StreamErosion(strength=0.0), hills(land)), (StreamErosion(), hills(land) * 0))
    ):
        assert_exact(modifier, height, land, 50, tmp_path / str(number))


@pytest.mark.parametrize("name", ["rivers", "ridges"])
def test_drawn_rivers_and_ridges_are_refused(name):
    message = (
        rf"^Recipe.layers: StreamErosion\.{name} must be empty in tiles, since .*; got 1 curves$"
    )
    with pytest.raises(ParameterError, match=message):
        modifiers.REGISTRY.check(
            StreamErosion(**{name: ("Drawn",)}),
            "Recipe.layers",
            Grid(100, 100, size=100.0),
            Tiling(100, 100, 50),
        )


def test_rain_that_depends_on_all_land_upwind_is_refused():
    message = r"^Recipe.layers: StreamErosion\.orographic_rain must be 0 in tiles, since rain .*; got 0.5$"
    with pytest.raises(ParameterError, match=message):
        modifiers.REGISTRY.check(
            StreamErosion(orographic_rain=0.5),
            "Recipe.layers",
            Grid(100, 100, size=100.0),
            Tiling(100, 100, 50),
        )


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("options", [{}, {"sea": True, "level": 30.0}, {"shore": 90.0}])
def test_fill_lakes(options, wrap, tmp_path):
    land = Grid(130, 141, size=WIDTH, wrap=wrap)
    assert_exact(FillLakes(**options), hills(land), land, 50, tmp_path)


def test_lakes_that_are_told_apart_are_refused():
    grid, tiling = Grid(100, 100, size=100.0), Tiling(100, 100, 50)
    for modifier in (FillLakes(deepest=3.0), FillLakes(smallest=5.0)):
        with pytest.raises(
            ParameterError, match=r"^Recipe.layers: FillLakes\.\w+ must be 0 in tiles"
        ):
            modifiers.REGISTRY.check(modifier, "Recipe.layers", grid, tiling)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("one", [DrainageArea(), Flow()])
def test_maps_of_flow(one, wrap, tmp_path):
    grid = Grid(120, 133, size=WIDTH, wrap=wrap)
    land, height = build_land(grid, 47, tmp_path), hills(grid)
    result = REGISTRY.find(one, "map")(one, land.enter("map"), store(land, height))
    assert_same_bits(read(result), one.values(height, grid))
