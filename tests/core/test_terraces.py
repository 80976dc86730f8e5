# SPDX-License-Identifier: GPL-3.0-or-later
"""Terraces: level treads on gentle slopes, nothing on steep ones."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.modifiers import Terraces
from tests.core.contract_modifiers import grid_of, terrain


def ramp(degrees: float, columns: int = 1001) -> tuple[np.ndarray, Grid]:
    """Return a plane that rises along 1000 m."""
    rise = np.tan(np.radians(degrees)) * 1000.0
    height = np.tile(np.linspace(0.0, rise, columns, dtype=np.float32), (7, 1))
    return height, Grid(7, columns, size=1000.0)


def test_treads_are_level_and_as_far_apart_as_asked():
    height, grid = ramp(5.0)
    modifier = Terraces(spacing=10.0, sharpness=1.0, irregularity=0.0)
    result = modifier.apply(height, grid).height[3, 100:-100]
    heights, counts = np.unique(np.round(result), return_counts=True)
    # Steps begin at whole multiples; treads lie at them.
    treads = heights[counts > 50]
    np.testing.assert_array_equal(np.diff(treads), 10.0)
    assert counts[counts > 50].sum() > 0.9 * result.size


@pytest.mark.parametrize("sharpness", [0.3, 0.7, 0.95])
def test_treads_keep_the_rest_of_the_slope(sharpness):
    height, grid = ramp(5.0, 4001)
    modifier = Terraces(spacing=20.0, sharpness=sharpness, irregularity=0.0)
    result = modifier.apply(height, grid).height[3, 500:-500].astype(np.float64)
    rise = np.diff(result) / np.diff(height[3, 500:-500].astype(np.float64))
    assert np.percentile(rise, 1) == pytest.approx(1.0 - sharpness, abs=0.03)
    assert rise.max() > 1.2
    assert np.abs(result - height[3, 500:-500]).max() < 10.0


def test_no_sharpness_changes_nothing():
    height = terrain(60, 60)
    result = Terraces(sharpness=0.0).apply(height, grid_of(height)).height
    np.testing.assert_allclose(result, height, atol=1e-3)


def test_the_steeper_the_less():
    left = []
    for degrees in (4.0, 20.0, 30.0, 45.0):
        height, grid = ramp(degrees)
        modifier = Terraces(spacing=15.0, irregularity=0.0, steepest=40.0)
        change = (modifier.apply(height, grid).height - height)[3, 100:-100]
        left.append(np.ptp(change))
    assert left == sorted(left, reverse=True)
    assert left[0] > 5.0 and left[-1] == 0.0


def test_count_divides_the_relief():
    height, grid = ramp(10.0)
    heights = []
    for count in (5, 10):
        modifier = Terraces(count=count, sharpness=1.0, irregularity=0.0)
        result = np.round(modifier.apply(height, grid).height[3, 50:-50], 1)
        values, counts = np.unique(result, return_counts=True)
        heights.append(np.diff(values[counts > 30]).mean())
    assert heights[0] == pytest.approx(2.0 * heights[1], rel=0.05)
    assert heights[0] == pytest.approx(height.max() / 5.0, rel=0.05)


def test_steps_rise_and_sink_along_a_slope():
    height, grid = ramp(5.0, 301)
    height = np.tile(height[0], (301, 1))
    grid = Grid(301, 301, size=1000.0)
    plain, bent = (
        Terraces(spacing=10.0, irregularity=value).apply(height, grid, 2).height - height
        for value in (0.0, 1.0)
    )
    assert plain[:, 150].std() < 1e-3 < 0.5 < bent[:, 150].std()


def test_the_default_suits_any_size():
    height = terrain(90, 90)
    grid = grid_of(height)
    change = Terraces().apply(height, grid, 1).height - height
    small = Terraces().apply(height * np.float32(0.125), Grid(90, 90, size=grid.size / 8.0), 1)
    np.testing.assert_allclose(small.height - height / 8.0, change / 8.0, atol=2e-3)
