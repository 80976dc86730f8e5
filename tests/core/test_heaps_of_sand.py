# SPDX-License-Identifier: GPL-3.0-or-later
"""Heaps of sand: they stay round, rest at their angle, lose nothing, and have no seam."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noise_core import Grid
from noise_core.erosion.slides import talus
from noise_core.erosion.slides.talus import TalusParams, slide, wear_down
from noise_core.modifiers import SedimentErosion, ThermalErosion
from noise_core.rasters.level import Level

pytestmark = pytest.mark.newest

SIZE = 1000.0


def heap(side: int, degrees: float = 45.0, wrap: bool = False) -> tuple[np.ndarray, Grid]:
    """Return a cone amid a plain, 800 m wide."""
    grid = Grid(side, side, size=SIZE, wrap=wrap)
    y, x = np.mgrid[:side, :side] * grid.spacing - SIZE / 2.0
    height = (0.4 * SIZE - np.hypot(x, y)) * math.tan(math.radians(degrees))
    return np.maximum(height, 0.0).astype(np.float32), grid


def grid_bias(height: np.ndarray, spacing: float) -> float:
    """Return how far aspects prefer the eight directions of the grid: 0 on a cone, 1 on an octagon."""
    dy, dx = np.gradient(height.astype(np.float64), spacing)
    steep = np.hypot(dx, dy) > math.tan(math.radians(2.0))
    return float(abs(np.exp(8j * np.arctan2(dy, dx)[steep]).mean()))


def radii(height: np.ndarray, spacing: float, level: float) -> np.ndarray:
    """Return how far a contour lies from the middle, in meters, in many directions."""
    angles = np.linspace(0.0, 2.0 * math.pi, 256, endpoint=False)
    far = np.arange(0.0, 0.49 * SIZE, spacing / 4.0)
    across = (SIZE / 2.0 + far * np.sin(angles)[:, np.newaxis]) / spacing
    along = (SIZE / 2.0 + far * np.cos(angles)[:, np.newaxis]) / spacing
    row, column = across.astype(int), along.astype(int)
    down, right = across - row, along - column
    upper = height[row, column] * (1 - right) + height[row, column + 1] * right
    lower = height[row + 1, column] * (1 - right) + height[row + 1, column + 1] * right
    profile = upper * (1 - down) + lower * down
    after = (profile < level).argmax(axis=1)
    each = np.arange(len(angles))
    high, low = profile[each, after - 1], profile[each, after]
    return far[after - 1] + (high - level) / (high - low) * spacing / 4.0


@pytest.mark.parametrize("degrees", [45.0, 60.0])
@pytest.mark.parametrize("passes", [16, 64])
def test_a_heap_stays_round(degrees, passes):
    height, grid = heap(512, degrees)
    result = ThermalErosion(passes=passes).apply(height, grid).height
    assert np.abs(result - height).max() > 10.0
    assert grid_bias(result, grid.spacing) <= 0.02
    for share in (0.1, 0.25, 0.5, 0.75, 0.9):
        around = radii(result, grid.spacing, float(result.max()) * share)
        assert around.max() <= 1.01 * around.min()


def test_silt_comes_to_rest_round():
    height, grid = heap(256, 60.0)
    result = SedimentErosion(steps=20, talus_angle=37.0).apply(height, grid).height
    assert grid_bias(result, grid.spacing) <= 0.02
    around = radii(result, grid.spacing, float(result.max()) * 0.5)
    assert around.max() <= 1.01 * around.min()


def test_the_measures_see_an_octagon():
    side = 256
    y, x = np.abs(np.mgrid[:side, :side] * (SIZE / (side - 1)) - SIZE / 2.0)
    corner = (x + y) * math.sqrt(0.5)
    octagon = np.maximum(0.4 * SIZE - np.maximum(np.maximum(x, y), corner), 0.0)
    assert grid_bias(octagon, SIZE / (side - 1)) > 0.9
    around = radii(octagon, SIZE / (side - 1), 200.0)
    assert around.max() > 1.05 * around.min()


def test_a_heap_rests_at_its_angle():
    height, grid = heap(257)
    result = ThermalErosion(talus_angle=35.0, passes=400).apply(height, grid).height
    steepness = np.hypot(*np.gradient(result.astype(np.float64), grid.spacing))
    assert steepness.max() <= math.tan(math.radians(36.0))
    # Most of the flank has come to lie at it, in every direction.
    assert np.median(steepness[result > 30.0]) == pytest.approx(
        math.tan(math.radians(35.0)), rel=0.01
    )


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("degrees", [37.2, 45.0, 70.0])
def test_a_heap_loses_nothing(degrees, wrap):
    height, grid = heap(256, degrees, wrap)
    whole = float(height.sum(dtype=np.float64))
    for passes in (16, 200):
        result = ThermalErosion(passes=passes).apply(height, grid).height
        assert abs(float(result.sum(dtype=np.float64)) - whole) <= 5e-8 * whole


def test_a_heap_on_the_edge_of_a_torus_is_the_one_in_its_middle():
    height, grid = heap(128, 60.0, wrap=True)
    expected = ThermalErosion(passes=20).apply(height, grid).height
    moved = ThermalErosion(passes=20).apply(np.roll(height, (64, 64), (0, 1)), grid).height
    # What coarser levels change is balanced to the last bit by the sum over all samples.
    np.testing.assert_array_equal(np.roll(moved, (64, 64), (0, 1)), expected)


def test_a_heap_turned_or_mirrored_slides_alike():
    height, grid = heap(129, 60.0)
    height[40:50, 60:80] += np.float32(30.0)
    level = Level.from_grid(grid)
    repose = TalusParams.from_steepness(level, 0.6)
    expected = slide(height, level, repose, 12)
    for turn in (np.transpose, np.flipud, np.fliplr):
        slid = turn(slide(np.ascontiguousarray(turn(height)), level, repose, 12))
        np.testing.assert_allclose(slid, expected, atol=1e-3)


def test_a_heap_of_other_spacings_stays_round_in_meters():
    level = Level(100, 150, 9.0, 6.0, wrap=False)
    y, x = np.mgrid[:100, :150].astype(np.float64)
    far = np.hypot((y - 49.5) * 9.0, (x - 74.5) * 6.0)
    height = np.maximum(300.0 - far, 0.0).astype(np.float32)
    result = slide(height, level, TalusParams.from_steepness(level, 0.7), 300)
    ring = result[(far > 190.0) & (far < 190.6)]
    assert len(ring) > 10
    assert np.ptp(ring) < 2.0


class TestWearDown:
    def test_what_slides_leaves_and_nothing_rises(self):
        height, grid = heap(129, 60.0)
        kept = np.zeros(height.shape, bool)
        kept[60:70, 90:100] = True
        worn = wear_down(height, Level.from_grid(grid), 0.6, 30, kept)
        assert (worn <= height).all()
        assert (height - worn).max() > 10.0
        np.testing.assert_array_equal(worn[kept], height[kept])

    @pytest.mark.parametrize("wrap", [False, True])
    def test_what_loses_ground_stays_above_a_neighbor(self, wrap):
        chance = np.random.default_rng(3)
        height = chance.normal(0.0, 50.0, (40, 61)).astype(np.float32)
        level = Level(40, 61, 9.0, 10.0, wrap)
        steepness = chance.uniform(0.2, 2.0, height.shape).astype(np.float32)
        worn = wear_down(height, level, steepness, 3, np.zeros(height.shape, bool))
        framed = np.pad(worn, 1, mode="wrap" if wrap else "edge")
        around = (framed[:-2, 1:-1], framed[2:, 1:-1], framed[1:-1, :-2], framed[1:-1, 2:])
        lowest = np.minimum.reduce(around)
        assert (worn > lowest)[worn < height].all()

    def test_a_field_of_one_steepness_is_that_steepness(self):
        height, grid = heap(129, 60.0)
        level, kept = Level.from_grid(grid), np.zeros(height.shape, bool)
        field = np.full(height.shape, 0.625, np.float32)
        np.testing.assert_array_equal(
            wear_down(height, level, field, 7, kept), wear_down(height, level, 0.625, 7, kept)
        )

    @pytest.mark.parametrize("wrap", [False, True])
    def test_strips_do_not_show(self, wrap, monkeypatch):
        chance = np.random.default_rng(4)
        height = chance.normal(0.0, 50.0, (61, 40)).astype(np.float32)
        level = Level(61, 40, 10.0, 10.0, wrap)
        steepness = chance.uniform(0.2, 2.0, height.shape).astype(np.float32)
        kept = chance.random(height.shape) < 0.1
        expected = wear_down(height, level, steepness, 6, kept)
        monkeypatch.setattr(talus, "_SAMPLES", 100)
        np.testing.assert_array_equal(wear_down(height, level, steepness, 6, kept), expected)

    def test_no_passes_change_nothing(self):
        height, grid = heap(30)
        worn = wear_down(height, Level.from_grid(grid), 0.1, 0, np.zeros(height.shape, bool))
        np.testing.assert_array_equal(worn, height)
        assert not np.shares_memory(worn, height)
