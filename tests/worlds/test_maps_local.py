# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps that look no further than a known distance have in tiles the bits of the whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core import Grid
from noise_core.base import blocks
from noise_core.maps import (
    AmbientOcclusion,
    Aspect,
    Cavity,
    Curvature,
    Height,
    HeightBands,
    Normal,
    Sea,
    Slope,
)
from noise_core.maps.bases.map import Map
from noise_core.rasters.height_field import HeightField
from terrane_worlds.maps import REGISTRY
from terrane_worlds.rasters.parts import grow, part

from .lands import assert_same_bits, cut, levels, many, rough_field, windows
from .tiled_modifiers import WIDTH, build_land, hills, read, store

MAPS = {
    "sky": AmbientOcclusion(),
    "sky from far": AmbientOcclusion(radius=900.0),
    "aspect": Aspect(),
    "cavity": Cavity(),
    "wide cavity": Cavity(radius=700.0),
    "curvature": Curvature(),
    "plan curvature": Curvature(kind="plan", radius=60.0),
    "profile curvature": Curvature(kind="profile", radius=900.0),
    "height": Height(),
    "bands": HeightBands(),
    "bands of a thickness": HeightBands(thickness=70.0, lowest=-100.0, blend=0.0),
    "normal": Normal(),
    "sea": Sea(),
    "slope": Slope(),
}
LOCAL = {name: one for name, one in MAPS.items() if name not in ("bands", "sky", "sky from far")}
TILED = {name: one for name, one in MAPS.items() if one.channels == 1}


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(
    ("shape", "side"), [((257, 193), 64), ((130, 130), 50), ((97, 210), 100), ((1, 9), 4)]
)
@pytest.mark.parametrize("one", TILED.values(), ids=TILED)
def test_tiles_have_the_bits_of_the_whole(
    one: Map, shape: tuple[int, int], side: int, wrap: bool, tmp_path: Path
) -> None:
    grid = Grid(*shape, wrap=wrap, size=WIDTH)
    land, height = build_land(grid, side, tmp_path), hills(grid)
    field = REGISTRY.find(one, "map")(one, land.enter("map"), store(land, height))
    assert_same_bits(read(field), one.values(height, grid))


@pytest.mark.parametrize("one", LOCAL.values(), ids=LOCAL)
@given(st.data(), st.integers(0, 999))
@many
def test_maps_reach_no_further_than_they_say(one: Map, data: st.DataObject, seed: int) -> None:
    level = data.draw(levels(least=1, most=40))
    field = rough_field(level.shape, seed)
    want = data.draw(windows(level))
    reach = one.reach(level)
    assert reach is not None
    have = grow(want, level, reach)
    surface = HeightField(cut(field, have), part(level, have))
    got = one.read(surface, blocks.unheard)[want.within(have)]
    whole = one.read(HeightField(field, level), blocks.unheard)
    for channel in range(one.channels):
        parts = (values.reshape(*values.shape[:2], -1)[..., channel] for values in (got, whole))
        mine, expected = map(np.ascontiguousarray, parts)
        assert_same_bits(mine, cut(expected, want))


def test_bands_of_level_ground(tmp_path: Path) -> None:
    grid = Grid(9, 7, size=WIDTH)
    land, height = build_land(grid, 4, tmp_path), np.full((9, 7), 3.0, np.float32)
    field = REGISTRY.find(HeightBands(), "map")(
        HeightBands(), land.enter("map"), store(land, height)
    )
    assert_same_bits(read(field), HeightBands().values(height, grid))
