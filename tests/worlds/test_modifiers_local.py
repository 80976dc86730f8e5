# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers whose reach is known give in tiles the bits that they give in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core import Grid, Modifier
from noise_core.modifiers import Blur, Normalize, Strata, Terraces
from noise_core.rasters import totals
from terrane_worlds.stages.tiled_runner import TiledRunner

from .lands import many, rough_field
from .tiled_modifiers import WIDTH, assert_exact, build_land, hills, store

MOST_TILES = 8
"""Along each side of a land whose numbers are measured."""

MODIFIERS = {
    "blur": Blur(),
    "wide blur": Blur(radius=900.0, amount=-0.7),
    "terraces": Terraces(),
    "low terraces": Terraces(spacing=9.0, sharpness=1.0, irregularity=0.0),
    "strata": Strata(),
    "bare strata": Strata(thickness=11.0, exposure=0.0, tilt=30.0, irregularity=0.0),
    "normalize": Normalize(minimum=10.0, maximum=900.0),
    "normalize without outliers": Normalize(maximum=700.0, outliers=0.07),
}


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(("shape", "side"), [((257, 193), 64), ((130, 130), 50), ((97, 210), 100)])
@pytest.mark.parametrize("modifier", MODIFIERS.values(), ids=MODIFIERS)
def test_tiles_have_the_bits_of_the_whole(
    modifier: Modifier, shape: tuple[int, int], side: int, wrap: bool, tmp_path: Path
) -> None:
    grid = Grid(*shape, wrap=wrap, size=WIDTH)
    assert_exact(modifier, hills(grid), grid, side, tmp_path)


@pytest.mark.parametrize("modifier", MODIFIERS.values(), ids=MODIFIERS)
@pytest.mark.parametrize("value", [0.0, -0.0, -7.25])
def test_level_lands_too(modifier: Modifier, value: float, tmp_path: Path) -> None:
    grid = Grid(70, 41, size=WIDTH)
    assert_exact(modifier, np.full(grid.shape, value, np.float32), grid, 32, tmp_path)


@pytest.mark.parametrize("modifier", MODIFIERS.values(), ids=MODIFIERS)
def test_a_land_with_an_origin_too(modifier: Modifier, tmp_path: Path) -> None:
    grid = Grid(70, 65, origin=(2.0, -1.0), size=WIDTH)
    assert_exact(modifier, hills(grid), grid, 33, tmp_path)


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 70), st.integers(0, 999))
@many
def test_numbers_of_the_whole_are_found_in_tiles(
    tmp_path_factory: pytest.TempPathFactory, rows: int, columns: int, side: int, seed: int
) -> None:
    values = rough_field((rows, columns), seed)
    values[:] = np.round(values, seed % 4 - 2)
    # A tile is a file or two: tiles of one sample on small lands, at most 8 x 8 tiles on all.
    side = max(side, -(-max(rows, columns) // MOST_TILES))
    land = build_land(Grid(rows, columns, size=100.0), side, tmp_path_factory.mktemp("land"))
    field, order = store(land, values), np.sort(values, axis=None)
    ranks = sorted({0, values.size // 3, values.size // 2, values.size - 1})
    run = TiledRunner(land)
    source = run.take(field)
    assert list(run.values_at(source, ranks)) == [order[rank] for rank in ranks]
    assert run.typical_range(source) == totals.typical_range(values)
    assert run.total(source) == totals.total(values)
    assert run.mean(source) == totals.mean(values)
