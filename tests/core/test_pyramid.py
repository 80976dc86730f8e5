# SPDX-License-Identifier: GPL-3.0-or-later
"""Restriction to coarser levels and prolongation to finer ones."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.noises import Perlin
from noise_core.rasters.pyramid import prolong, restrict
from noise_core.types.level import Level

SHAPES = [(64, 64), (65, 65), (33, 50), (7, 3), (2, 2), (1, 9), (1, 1)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("wrap", [False, True])
def test_a_constant_stays_itself(shape, wrap):
    fine = Level.from_grid(Grid(*shape, wrap=wrap))
    coarse = fine.coarser()
    down = restrict(np.full(shape, 7.25, np.float32), fine, coarse)
    assert down.shape == coarse.shape and down.dtype == np.float32
    np.testing.assert_allclose(down, 7.25, atol=2e-6)
    np.testing.assert_allclose(prolong(down, coarse, fine), 7.25, atol=2e-6)


@pytest.mark.parametrize("shape", [(64, 64), (65, 65), (33, 50)])
def test_a_plane_comes_back_inside(shape):
    fine = Level.from_grid(Grid(*shape, size=shape[1] - 1.0))
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    plane = 2.0 * x - 3.0 * y
    coarse = fine.coarser()
    again = prolong(restrict(plane, fine, coarse), coarse, fine)
    inner = (slice(6, -6), slice(6, -6))
    np.testing.assert_allclose(again[inner], plane[inner], atol=1e-3)


@pytest.mark.parametrize("shape", [(96, 64), (65, 65), (70, 45)])
@pytest.mark.parametrize("wrap", [False, True])
def test_smooth_fields_survive(shape, wrap):
    grid = Grid(*shape, wrap=wrap)
    field = Perlin(frequency=2.0).sample_grid(grid, 3)
    fine = Level.from_grid(grid)
    coarse = fine.coarser()
    again = prolong(restrict(field, fine, coarse), coarse, fine)
    assert np.abs(again - field).max() < 0.03


@pytest.mark.parametrize("shape", [(96, 64), (32, 34)])
def test_a_torus_has_no_border(shape):
    fine = Level.from_grid(Grid(*shape, wrap=True))
    coarse = fine.coarser()
    field = np.random.default_rng(5).normal(size=shape).astype(np.float32)
    down = restrict(field, fine, coarse)
    rolled = restrict(np.roll(field, (4, 6), (0, 1)), fine, coarse)
    np.testing.assert_array_equal(rolled, np.roll(down, (2, 3), (0, 1)))
    up = prolong(down, coarse, fine)
    rolled = prolong(np.roll(down, (2, 3), (0, 1)), coarse, fine)
    np.testing.assert_array_equal(rolled, np.roll(up, (4, 6), (0, 1)))


def test_levels_keep_the_extent():
    level = Level.from_grid(Grid(70, 45, size=880.0))
    assert level.width == 880.0 and level.step_x == level.step_y == 20.0
    levels = level.pyramid(8)
    assert [one.shape for one in levels] == [(70, 45), (35, 23), (18, 12)]
    for one in levels:
        assert one.width == pytest.approx(880.0)
        assert one.depth == pytest.approx(1380.0)


def test_a_window_of_a_torus_has_borders():
    assert Level.from_grid(Grid(8, 8, wrap=True)).wrap
    assert not Level.from_grid(Grid(8, 8, wrap=True).window(0, 0, 4, 8)).wrap
