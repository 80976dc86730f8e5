# SPDX-License-Identifier: GPL-3.0-or-later
"""Lakes: filled to the brim, to the bit; limited, dried up and flooded as asked."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

from noise_core import Grid
from noise_core.modifiers import FillLakes
from noise_core.rasters.connected import label_components
from tests.core.contract_modifiers import WIDTH, grid_of, terrain


def priority_flood(height: np.ndarray, outlets: np.ndarray, wrap: bool) -> np.ndarray:
    """Fill depressions one cell at a time, the lowest first (Barnes, Lehman & Mulla 2014)."""
    rows, columns = height.shape
    filled = np.full(height.shape, np.inf, np.float32)
    waiting = []
    for row, column in zip(*np.nonzero(outlets)):
        filled[row, column] = height[row, column]
        heapq.heappush(waiting, (height[row, column], row, column))
    while waiting:
        level, row, column = heapq.heappop(waiting)
        for dr, dc in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
            r, c = row + dr, column + dc
            if wrap:
                r, c = r % rows, c % columns
            elif not (0 <= r < rows and 0 <= c < columns):
                continue
            if filled[r, c] == np.inf:
                filled[r, c] = max(level, height[r, c])
                heapq.heappush(waiting, (filled[r, c], r, c))
    return filled


def rim(shape: tuple[int, int]) -> np.ndarray:
    mask = np.zeros(shape, bool)
    mask[[0, -1]] = mask[:, [0, -1]] = True
    return mask


@pytest.mark.parametrize("stairs", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (2, 9), (40, 57)])
def test_equals_a_priority_flood(shape, stairs):
    height = terrain(*shape)
    if stairs:
        height = np.floor(height / np.float32(40.0)) * np.float32(40.0)
    relief = FillLakes().apply(height, grid_of(height))
    expected = priority_flood(height, rim(shape), False)
    assert relief.height.tobytes() == expected.tobytes()
    np.testing.assert_array_equal(relief.maps["lake"], expected - height)
    again = FillLakes().apply(relief.height, grid_of(height))
    np.testing.assert_array_equal(again.height, relief.height)
    assert not again.maps["lake"].any()


def test_a_torus_drains_to_its_lowest_place():
    height = terrain(40, 30, True)
    result = FillLakes().apply(height, grid_of(height, True)).height
    expected = priority_flood(height, height == height.min(), True)
    assert result.tobytes() == expected.tobytes()


@pytest.mark.parametrize("wrap", [False, True])
def test_the_sea_is_level_and_lakes_drain_into_it(wrap):
    height = terrain(50, 44, wrap)
    level = float(np.float32(np.percentile(height, 35.0)))
    relief = FillLakes(sea=True, level=level).apply(height, grid_of(height, wrap))
    sea = height <= np.float32(level)
    assert (relief.height[sea] == np.float32(level)).all()
    outlets = sea if wrap else sea | rim(height.shape)
    expected = priority_flood(np.maximum(height, np.float32(level)), outlets, wrap)
    assert relief.height.tobytes() == expected.tobytes()
    np.testing.assert_array_equal(relief.maps["lake"], expected - height)


@pytest.mark.parametrize("wrap", [False, True])
def test_lakes_are_no_deeper_than_allowed_and_level(wrap):
    height = terrain(80, 70, wrap)
    grid = grid_of(height, wrap)
    full = FillLakes().apply(height, grid)
    deepest = 0.3 * float(full.maps["lake"].max())
    relief = FillLakes(deepest=deepest).apply(height, grid)
    assert relief.maps["lake"].max() == pytest.approx(deepest, rel=1e-4)
    assert (relief.height <= full.height).all() and (relief.height >= height).all()
    labels, count = label_components(full.maps["lake"] > 0.0, wrap)
    for lake in range(count):
        here = labels == lake
        wet = here & (relief.maps["lake"] > 0.0)
        assert np.ptp(relief.height[wet]) == 0.0
        depth = float(full.maps["lake"][here].max())
        assert relief.maps["lake"][here].max() == pytest.approx(min(depth, deepest), rel=1e-3)


def test_small_hollows_stay_dry():
    height = terrain(80, 70)
    grid = grid_of(height)
    full = FillLakes().apply(height, grid).maps["lake"]
    relief = FillLakes(smallest=150.0).apply(height, grid)
    labels, count = label_components(full > 0.0, False)
    area = np.bincount(labels.ravel(), minlength=count + 1)[:count] * grid.spacing**2
    kept = np.isin(labels, np.nonzero(area >= np.pi / 4.0 * 150.0**2)[0])
    assert 0 < (area < np.pi / 4.0 * 150.0**2).sum() < count
    np.testing.assert_array_equal(relief.maps["lake"], np.where(kept, full, 0.0))


def test_the_shore_is_where_water_ends():
    grid = Grid(101, 101, size=WIDTH)
    y, x = np.mgrid[:101, :101] - 50.0
    bowl = np.minimum(x**2 + y**2, 900.0).astype(np.float32)
    relief = FillLakes(shore=400.0).apply(bowl, grid)
    away = np.abs(np.hypot(x, y) - 30.0) * grid.spacing
    shore = relief.maps["shore"]
    assert shore[away < 20.0].min() > 0.7
    assert shore[away > 450.0].max() < 0.1
    assert 0.1 < shore[(away > 150.0) & (away < 200.0)].mean() < 0.9
