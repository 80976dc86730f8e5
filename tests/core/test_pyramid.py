# SPDX-License-Identifier: GPL-3.0-or-later
"""Restriction to coarser levels and prolongation to finer ones."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.noises import Perlin
from noise_core.rasters import pyramid
from noise_core.rasters.level import Level
from noise_core.rasters.pyramid import prolong, prolong_smoothly, restrict

SHAPES = [(64, 64), (65, 65), (33, 50), (7, 3), (2, 2), (1, 9), (1, 1)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("wrap", [False, True])
def test_a_constant_stays_itself(shape, wrap):
    fine = Level.from_grid(Grid(*shape, wrap=wrap, size=100.0))
    coarse = fine.coarser()
    down = restrict(np.full(shape, 7.25, np.float32), fine, coarse)
    assert down.shape == coarse.shape and down.dtype == np.float32
    np.testing.assert_allclose(down, 7.25, atol=2e-6)
    for refine in (prolong, prolong_smoothly):
        np.testing.assert_allclose(refine(down, coarse, fine), 7.25, atol=2e-6)


@pytest.mark.parametrize("shape", [(64, 64), (65, 65), (33, 50)])
def test_a_plane_comes_back_inside(shape):
    fine = Level.from_grid(Grid(*shape, size=shape[1] - 1.0))
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    plane = 2.0 * x - 3.0 * y
    coarse = fine.coarser()
    inner = (slice(6, -6), slice(6, -6))
    for refine in (prolong, prolong_smoothly):
        again = refine(restrict(plane, fine, coarse), coarse, fine)
        np.testing.assert_allclose(again[inner], plane[inner], atol=1e-3)


@pytest.mark.parametrize("shape", [(96, 64), (65, 65), (70, 45)])
@pytest.mark.parametrize("wrap", [False, True])
def test_smooth_fields_survive(shape, wrap):
    grid = Grid(*shape, wrap=wrap, size=100.0)
    field = Perlin(frequency=2.0).sample_grid(grid, 3)
    fine = Level.from_grid(grid)
    coarse = fine.coarser()
    again = prolong(restrict(field, fine, coarse), coarse, fine)
    assert np.abs(again - field).max() < 0.03


@pytest.mark.parametrize("shape", [(96, 64), (32, 34)])
def test_a_torus_has_no_border(shape):
    fine = Level.from_grid(Grid(*shape, wrap=True, size=100.0))
    coarse = fine.coarser()
    field = np.random.default_rng(5).normal(size=shape).astype(np.float32)
    down = restrict(field, fine, coarse)
    rolled = restrict(np.roll(field, (4, 6), (0, 1)), fine, coarse)
    np.testing.assert_array_equal(rolled, np.roll(down, (2, 3), (0, 1)))
    for refine in (prolong, prolong_smoothly):
        up = refine(down, coarse, fine)
        rolled = refine(np.roll(down, (2, 3), (0, 1)), coarse, fine)
        np.testing.assert_array_equal(rolled, np.roll(up, (4, 6), (0, 1)))


@pytest.mark.parametrize("refine", [prolong, prolong_smoothly])
def test_twice_the_samples_are_no_special_case(refine, monkeypatch):
    fine = Level.from_grid(Grid(48, 64, wrap=True, size=100.0))
    field = np.random.default_rng(6).normal(size=(24, 32)).astype(np.float32)
    fast = refine(field, fine.coarser(), fine)
    monkeypatch.setattr(pyramid, "_is_double", lambda fine, coarse: False)
    np.testing.assert_array_equal(fast, refine(field, fine.coarser(), fine))


@pytest.mark.parametrize("shape", [(64, 64), (65, 65), (33, 50)])
@pytest.mark.parametrize("wrap", [False, True])
def test_smooth_refinement_has_no_ripples_beside_edges(shape, wrap):
    fine = Level.from_grid(Grid(*shape, wrap=wrap, size=100.0))
    coarse = fine.coarser()
    step = np.zeros(coarse.shape, np.float32)
    step[:, 8:15] = 1.0
    up = prolong_smoothly(step, coarse, fine)
    assert up.min() == 0.0 and up.max() == pytest.approx(1.0, abs=1e-6)
    assert (np.diff(up[:, :22], axis=1) >= -1e-6).all()
    assert prolong(step, coarse, fine).min() < -0.01


def test_levels_keep_the_extent():
    level = Level.from_grid(Grid(70, 45, size=880.0))
    assert level.width == 880.0 and level.step_x == level.step_y == 20.0
    levels = level.pyramid(8)
    assert [one.shape for one in levels] == [(70, 45), (35, 23), (18, 12)]
    for one in levels:
        assert one.width == pytest.approx(880.0)
        assert one.depth == pytest.approx(1380.0)


def test_a_window_of_a_torus_has_borders():
    assert Level.from_grid(Grid(8, 8, wrap=True, size=100.0)).wrap
    assert not Level.from_grid(Grid(8, 8, wrap=True, size=100.0).window(0, 0, 4, 8)).wrap
