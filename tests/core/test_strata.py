# SPDX-License-Identifier: GPL-3.0-or-later
"""Strata: ledges that follow the layers, not the contour lines."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noise_core import Grid
from noise_core.modifiers import Strata
from noise_core.modifiers.strata import CYCLE
from tests.core.contract_modifiers import RELIEF, grid_of, terrain
from tests.core.test_thermal_erosion import mountains

PLAIN = {"tilt": 0.0, "irregularity": 0.0, "exposure": 0.0}


def slope(rows: int = 5, columns: int = 2001) -> tuple[np.ndarray, Grid]:
    """Return a plane that rises by 600 m along 1000 m."""
    grid = Grid(rows, columns, size=1000.0)
    return np.tile(np.linspace(0.0, 600.0, columns, dtype=np.float32), (rows, 1)), grid


@pytest.mark.parametrize("wrap", [False, True])
def test_the_mean_height_stays(wrap):
    height, grid = mountains(100, wrap)
    for modifier in (Strata(), Strata(tilt=20.0, contrast=1.0, exposure=0.0)):
        result = modifier.apply(height, grid, 4).height
        assert np.abs(result - height).max() > 10.0
        assert result.mean(dtype=np.float64) == pytest.approx(
            height.mean(dtype=np.float64), abs=1e-3
        )


def test_no_contrast_changes_nothing():
    height, grid = mountains(80)
    np.testing.assert_allclose(Strata(contrast=0.0).apply(height, grid).height, height, atol=1e-3)


def test_level_layers_are_a_curve_of_the_height():
    height, grid = slope()
    modifier = Strata(thickness=40.0, contrast=0.9, **PLAIN)
    result = modifier.apply(height, grid, 3).height
    rise = np.diff(result[2].astype(np.float64))
    assert rise.min() > -1e-3, "a slope that rises must not fall"
    assert np.percentile(rise, 95) > 2.0 * 0.3 > 2.5 * np.percentile(rise, 40)
    # After a cycle of layers all repeats.
    change = (result - height)[2, 150:-150]  # the smooth copy bends at borders
    again = round(CYCLE * 40.0 / 0.3)
    np.testing.assert_allclose(change[again:], change[:-again], atol=1.5)
    assert np.ptp(change) > 15.0


def test_layers_follow_the_tilt():
    grid = Grid(201, 301, size=3000.0)
    flat = np.zeros(grid.shape, np.float32)
    flat[0, 0] = 1.0  # relief, or there would be nothing to carve
    modifier = Strata(
        thickness=50.0, tilt=20.0, direction=0.0, irregularity=0.0, exposure=0.0, contrast=0.9
    )
    change = modifier.apply(flat, grid, 3).height
    np.testing.assert_allclose(change[50:150], np.tile(change[100], (100, 1)), atol=1e-3)
    length = CYCLE * 50.0 / math.tan(math.radians(20.0)) / grid.spacing
    again = round(length)
    moved = np.abs(change[100, again:] - change[100, :-again])
    assert np.median(moved) < 0.1 * np.ptp(change)
    turned = modifier.with_values(direction=90.0).apply(flat, grid, 3).height
    np.testing.assert_allclose(turned[:, 20:280].std(axis=1), 0.0, atol=0.5)
    assert turned[:, 150].std() > 2.0


def test_a_tilt_on_a_torus_is_a_whole_number_of_cycles():
    grid = Grid(64, 96, wrap=True, size=3000.0)
    height = terrain(64, 96, True)
    for direction in (0.0, 37.0, 90.0):
        modifier = Strata(
            thickness=20.0, tilt=9.0, direction=direction, irregularity=0.0, exposure=0.0
        )
        first, second = (ramp.astype(np.float64) for ramp in modifier._dip(grid, 20.0))
        for ramp in (first, second):
            step = np.diff(ramp) % CYCLE
            last = (ramp[0] - ramp[-1]) % CYCLE
            gap = np.abs(step - last)
            assert np.minimum(gap, CYCLE - gap).max() < 1e-4
        result = modifier.apply(height, grid, 2).height
        assert np.isfinite(result).all()


def test_level_ground_keeps_its_soil():
    height, grid = slope(60, 401)
    height[:, :200] = height[0, 199]
    result = Strata(thickness=40.0).apply(height, grid, 2).height
    change = result - height
    level, bare = change[:, :150], change[:, 250:]
    assert np.ptp(level) < 0.02
    assert bare.std() > 1.0


def test_layers_are_bent_not_drawn_along_contours():
    height, grid = slope(400, 401)
    spread = []
    for irregularity in (0.0, 1.0):
        modifier = Strata(thickness=60.0, tilt=0.0, irregularity=irregularity)
        change = modifier.apply(height, grid, 2).height - height
        spread.append(change.std(axis=0)[50:-50].mean())
    assert spread[0] < 0.05, "without a bend the same height carries the same layer"
    assert spread[1] > 2.0


def test_the_default_thickness_is_a_tenth_of_the_relief():
    height = terrain(90, 90)
    grid = grid_of(height)
    change = Strata().apply(height, grid, 1).height - height
    larger = Strata().apply(height * np.float32(8.0), Grid(90, 90, size=8.0 * grid.size), 1).height
    np.testing.assert_allclose(larger - height * 8.0, 8.0 * change, atol=0.02)
    assert 0.01 * RELIEF < change.std() < 0.1 * RELIEF


def test_hardness_tells_cliffs_from_foots():
    height, grid = slope()
    relief = Strata(thickness=40.0, **PLAIN).apply(height, grid, 3)
    hardness = relief.maps["hardness"]
    assert 0.0 <= hardness.min() < 0.5 < hardness.max() <= 1.0
    assert len(np.unique(hardness)) == CYCLE
    # The hardest layer has the steepest brink.
    rise = np.diff(relief.height[2])
    assert hardness[2][np.argmax(rise)] > 0.5


def test_seeds_differ():
    height, grid = mountains(60)
    first, second = (Strata().apply(height, grid, seed).height for seed in (1, 2))
    assert np.abs(first - second).max() > 5.0
