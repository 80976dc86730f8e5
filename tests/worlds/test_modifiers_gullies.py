# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies have in tiles the bits that they have in memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core import Grid, ParameterError
from noise_core.erosion.gullies.spline import Knots
from noise_core.modifiers import GullyErosion
from terrane_worlds.base.tiling import Window
from terrane_worlds.modifiers import REGISTRY
from terrane_worlds.rasters import level_fields

from .lands import assert_same_bits, cut, many, rough_field
from .tiled_modifiers import WIDTH, assert_exact, build_land, hills

MODIFIERS = {
    "default": GullyErosion(),
    "fine": GullyErosion(scale=120.0, smoothing=0.5, roughness=1.0, octaves=3.0),
    "at each sample": GullyErosion(smoothing=0.0),
    "flat": GullyErosion(depth=0.0),
}


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(("shape", "side"), [((257, 193), 64), ((130, 130), 20), ((141, 260), 100)])
@pytest.mark.parametrize("modifier", MODIFIERS.values(), ids=MODIFIERS)
def test_tiles_have_the_bits_of_the_whole(
    modifier: GullyErosion, shape: tuple[int, int], side: int, wrap: bool, tmp_path: Path
) -> None:
    grid = Grid(*shape, wrap=wrap, size=WIDTH)
    assert_exact(modifier, hills(grid), grid, side, tmp_path)


@pytest.mark.parametrize("wrap", [False, True])
def test_a_land_with_an_origin_too(wrap: bool, tmp_path: Path) -> None:
    grid = Grid(90, 122, origin=(2.3, -1.7), wrap=wrap, size=WIDTH)
    assert_exact(GullyErosion(), hills(grid), grid, 50, tmp_path)


@given(
    st.integers(1, 60), st.floats(0.5, 30.0), st.booleans(), st.floats(0.0, 9.0), st.data(),
    st.integers(0, 99),
)  # fmt: skip
@many
def test_averages_of_parts_are_those_of_the_whole(
    samples: int, distance: float, wrap: bool, origin: float, data: st.DataObject, seed: int
) -> None:
    knots = Knots.with_spacing(samples, distance, wrap, origin)
    field = rough_field((samples, 3), seed)
    start = data.draw(st.integers(0, knots.count - 1))
    stop = data.draw(st.integers(start + 1, knots.count))
    first, last = knots.needed(start, stop)
    part = cut(field, Window(first, 0, last - first, 3))
    whole = knots.average(field, 0)
    assert_same_bits(knots.average(part, 0, start, stop, first), whole[start:stop])


def test_ground_with_too_many_knots_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(level_fields, "MOST_SAMPLES", 1200)
    land = build_land(Grid(90, 122, size=WIDTH), 50, tmp_path)
    REGISTRY.check(GullyErosion(), "gullies", land.grid, land.tiling)
    with pytest.raises(
        ParameterError, match=r"^gullies: .* at most 1200 samples .*; got \d+ x \d+$"
    ):
        REGISTRY.check(GullyErosion(smoothing=0.1), "gullies", land.grid, land.tiling)
