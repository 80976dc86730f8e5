# SPDX-License-Identifier: GPL-3.0-or-later
"""Thermal erosion: nothing is lost, steep slopes slide, gentle ones stay."""

from __future__ import annotations

import math
from unittest import mock

import numpy as np
import pytest

from noise_core import Grid
from noise_core.erosion.slides import talus
from noise_core.erosion.slides.balancing import balance
from noise_core.erosion.slides.talus import TalusParams, slide
from noise_core.modifiers import ThermalErosion
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest


def mountains(side: int, wrap: bool = False, size: float = 9000.0) -> tuple[np.ndarray, Grid]:
    """Return about 1500 m of relief on 9 km."""
    grid = Grid(side, side, wrap=wrap, size=size)
    noise = Fractal(source=Perlin(frequency=3.0), octaves=7, kind="ridged")
    return noise.sample_grid(grid, 2) * np.float32(size / 9.0), grid


def excess(height: np.ndarray, spacing: float, degrees: float, wrap: bool) -> np.ndarray:
    """Return by how much neighbors in a row or a column differ more than they may, in meters."""
    parts = []
    for axis in (0, 1):
        rise = np.roll(height, -1, axis) - height if wrap else np.diff(height, axis=axis)
        parts.append((np.abs(rise) - math.tan(math.radians(degrees)) * spacing).ravel())
    return np.maximum(np.concatenate(parts), 0.0)


def volume(height: np.ndarray) -> float:
    return float(height.sum(dtype=np.float64))


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(256, 256), (150, 203), (33, 90)])
def test_nothing_is_lost(rows, columns, wrap):
    grid = Grid(rows, columns, wrap=wrap, size=9000.0)
    height = Fractal(source=Perlin(frequency=4.0), octaves=7).sample_grid(grid, 2) * 2000.0
    for modifier in (ThermalErosion(), ThermalErosion(talus_angle=5.0, passes=60)):
        result = modifier.apply(height, grid).height
        assert np.abs(result - height).max() > 50.0
        whole = float(np.abs(height).sum(dtype=np.float64))
        assert abs(volume(result) - volume(height)) <= 1e-7 * whole


@pytest.mark.parametrize("wrap", [False, True])
def test_what_is_too_steep_gets_less_with_every_pass(wrap):
    height, grid = mountains(129, wrap)
    level = Level.from_grid(grid)
    repose = TalusParams.from_steepness(level, math.tan(math.radians(30.0)))
    shares, heights = [], []
    for _ in range(6):
        over = excess(height, grid.spacing, 30.0, wrap)
        shares.append((over > 0.01).mean())
        heights.append(over.sum())
        height = slide(height, level, repose, 10)
    assert shares == sorted(shares, reverse=True)
    assert heights == sorted(heights, reverse=True)
    assert heights[-1] < 0.5 * heights[0]


@pytest.mark.parametrize("side", [65, 257])
def test_the_default_takes_the_edge_off(side):
    height, grid = mountains(side)
    result = ThermalErosion().apply(height, grid)
    before = excess(height, grid.spacing, 37.0, False)
    after = excess(result.height, grid.spacing, 37.0, False)
    assert (after > 0.0).mean() < (before > 0.0).mean()
    assert after.sum() < 0.4 * before.sum()
    scree = result.maps["scree"]
    np.testing.assert_array_equal(scree, np.maximum(result.height - height, 0.0))
    assert scree.max() > 20.0


def test_what_is_gentle_stays_to_the_bit():
    grid = Grid(70, 70, size=69.0)
    y, x = np.mgrid[:70, :70].astype(np.float32)
    plane = 0.3 * x + 0.2 * y
    np.testing.assert_array_equal(ThermalErosion(talus_angle=30.0).apply(plane, grid).height, plane)
    cliff = plane + np.where(x > 60.0, 30.0, 0.0).astype(np.float32)
    result = ThermalErosion(talus_angle=30.0, passes=4).apply(cliff, grid).height
    assert (result[:, 52:58] > cliff[:, 52:58]).any()
    np.testing.assert_array_equal(result[:, :10], cliff[:, :10])


def test_a_cliff_comes_to_lie_at_the_angle_of_repose():
    grid = Grid(129, 129, size=128.0)
    x = np.mgrid[:129, :129][1]
    cliff = np.where(x >= 64, 20.0, 0.0).astype(np.float32)
    result = ThermalErosion(talus_angle=35.0, passes=400).apply(cliff, grid).height
    profile = result[64].astype(np.float64)
    slope = math.tan(math.radians(35.0))
    assert np.diff(profile).max() == pytest.approx(slope, rel=0.03)
    # As much lies below the middle as is missing above it.
    assert profile[64] == pytest.approx(10.0 + slope / 2.0, abs=0.3)
    expected = np.clip(10.0 + slope * (np.arange(129) - 63.5), 0.0, 20.0)
    np.testing.assert_allclose(profile, expected, atol=0.7)


def reference(height: np.ndarray, level: Level, steepness: float) -> np.ndarray:
    """Slide once, face by face, in float64."""
    rows, columns = level.shape
    ratio = (level.step_x / level.step_y) ** 2
    rates = (0.48 * ratio / (1.0 + ratio), 0.48 / (1.0 + ratio))

    def at(row: int, column: int) -> tuple[int, int]:
        if level.wrap:
            return row % rows, column % columns
        return min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)

    def rise(row: int, column: int, down: int, along: int) -> float:
        return float(height[at(row + down, column + along)]) - float(height[at(row, column)])

    def share(row: int, column: int) -> float:
        """Return the material that slides at the corner after a sample."""
        across = [(rise(row, column + k, 1, 0) / level.step_y) ** 2 for k in (0, 1)]
        along = [(rise(row + k, column, 0, 1) / level.step_x) ** 2 for k in (0, 1)]
        return 1.0 - steepness / max(math.sqrt((sum(across) + sum(along)) / 2.0), steepness)

    result = height.astype(np.float64)
    for row in range(-1, rows):
        for column in range(-1, columns):
            for axis, (down, along) in enumerate(((1, 0), (0, 1))):
                here, there = at(row, column), at(row + down, column + along)
                outside = [here != (row, column), there != (row + down, column + along)]
                if outside[0] or (outside[1] and not level.wrap):
                    continue
                mean = (share(row, column) + share(row - along, column - down)) / 2.0
                flow = rates[axis] * rise(row, column, down, along) * mean
                result[here] += flow
                result[there] -= flow
    return result


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (2, 2), (12, 9)])
def test_a_pass_is_what_it_says(shape, wrap):
    height = np.random.default_rng(8).normal(0.0, 10.0, shape).astype(np.float32)
    level = Level(*shape, 2.0, 3.0, wrap)
    result = slide(height, level, TalusParams.from_steepness(level, 0.8), 1)
    np.testing.assert_allclose(result, reference(height, level, 0.8), atol=2e-5)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("passes", [1, 3, 4, 7, 11])
def test_strips_do_not_show(passes, wrap):
    height, grid = mountains(61, wrap)
    level = Level.from_grid(grid)
    repose = TalusParams.from_steepness(level, 0.5)
    expected = slide(height, level, repose, passes)
    kept = height.copy()
    for samples in (100, 700, 1500):
        with mock.patch.object(talus, "_SAMPLES", samples):
            np.testing.assert_array_equal(slide(height, level, repose, passes), expected)
    np.testing.assert_array_equal(height, kept)


def test_no_passes_change_nothing():
    height, grid = mountains(40)
    result = slide(
        height, Level.from_grid(grid), TalusParams.from_steepness(Level.from_grid(grid), 0.5), 0
    )
    np.testing.assert_array_equal(result, height)
    assert not np.shares_memory(result, height)


def test_four_times_the_size_is_four_times_the_height_exactly():
    height, grid = mountains(130)
    result = ThermalErosion().apply(height, grid).height
    larger = ThermalErosion().apply(height * np.float32(4.0), Grid(130, 130, size=36000.0)).height
    np.testing.assert_array_equal(larger, result * np.float32(4.0))


def test_resolutions_agree():
    coarse, fine = (
        ThermalErosion().apply(*mountains(side)).height - mountains(side)[0] for side in (129, 257)
    )
    assert np.corrcoef(coarse.ravel(), fine[::2, ::2].ravel())[0, 1] > 0.85


def test_balanced_keeps_zeros_and_signs():
    change = np.random.default_rng(9).normal(1.0, 2.0, (50, 60)).astype(np.float32)
    change[10:20] = 0.0
    before = change.copy()
    after = balance(change)
    assert abs(volume(after)) < 1e-7 * np.abs(after).sum()
    assert not after[10:20].any()
    assert (np.sign(after) == np.sign(before)).all()
    assert not balance(np.ones((3, 3), np.float32)).any()


def steepest_fall(height: np.ndarray, grid: Grid) -> float:
    """Return the steepest slope between any of eight neighbors, in degrees."""
    heights = height.astype(np.float64)
    if grid.wrap:
        heights = np.pad(heights, ((0, 1), (1, 1)), mode="wrap")
    rises = (
        (np.diff(heights, axis=1), 1.0),
        (np.diff(heights, axis=0), 1.0),
        (heights[1:, 1:] - heights[:-1, :-1], math.sqrt(2.0)),
        (heights[1:, :-1] - heights[:-1, 1:], math.sqrt(2.0)),
    )
    steepness = max(float(np.abs(rise).max()) / (run * grid.spacing) for rise, run in rises)
    return math.degrees(math.atan(steepness))


def drawn_lands():
    """Yield random grids with mountains, walls or a needle on them, and talus angles."""
    chance = generator("talus")
    for _ in range(count_of(60)):
        rows, columns = (chance.randint(20, 150) for _ in range(2))
        size = 10.0 ** chance.uniform(1.0, 4.0)
        grid = Grid(rows, columns, size=size, wrap=chance.random() < 0.3)
        kind = chance.choice(("fbm", "ridged", "billow", "wall", "needle"))
        if kind == "wall":
            height = (np.mgrid[:rows, :columns][1] > chance.randint(5, 15)).astype(np.float32)
        elif kind == "needle":
            height = np.zeros(grid.shape, np.float32)
            height[chance.randrange(rows), chance.randrange(columns)] = 1.0
        else:
            noise = Fractal(source=Perlin(frequency=chance.randint(1, 6)), octaves=8, kind=kind)
            height = noise.sample_grid(grid, chance.getrandbits(32))
        yield (
            grid,
            height * np.float32(size * chance.uniform(0.05, 0.4)),
            chance.uniform(15.0, 60.0),
        )


def test_no_slope_is_steeper_than_talus_in_the_end():
    """Between any two neighbors, by half a degree at most."""
    for grid, height, angle in drawn_lands():
        result = ThermalErosion(talus_angle=angle, passes=2000).apply(height, grid).height
        assert steepest_fall(result, grid) <= angle + 0.5, (grid, angle)
        whole = float(np.abs(height).sum(dtype=np.float64))
        assert abs(volume(result) - volume(height)) <= 1e-6 * whole
