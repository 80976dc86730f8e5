# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of white noise beyond the contract of all noises."""

from __future__ import annotations

import numpy as np

from noise_core import Grid
from noise_core.base.torus import Torus
from noise_core.noises import White


def test_each_cell_is_flat_and_has_its_own_value():
    field = White(frequency=16.0).sample_grid(Grid(128, 128, wrap=True), 3)
    cells = field.reshape(16, 8, 16, 8)
    assert np.array_equal(cells, np.broadcast_to(cells[:, :1, :, :1], cells.shape))
    assert np.unique(field).size == 256


def test_values_are_uniform_and_independent():
    field = White(frequency=512.0).sample_grid(Grid(512, 512, wrap=True), 4)
    assert np.unique(field).size > 0.98 * field.size
    assert -1.0 <= field.min() < -0.999
    assert 0.999 < field.max() < 1.0
    share, _ = np.histogram(field, bins=8, range=(-1.0, 1.0))
    assert np.abs(share / field.size - 0.125).max() < 0.003
    for row, column in ((0, 1), (1, 0), (1, 1), (1, -1), (0, 2), (7, 3)):
        shifted = np.roll(field, (row, column), (0, 1))
        assert abs(np.corrcoef(field.ravel(), shifted.ravel())[0, 1]) < 0.01


def test_seeds_are_independent():
    grid = Grid(300, 300)
    one, other = (White().sample_grid(grid, seed).ravel() for seed in (1, 2))
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.015


def test_grid_equals_points_to_the_bit():
    for grid, frequency in (
        (Grid(60, 90), 7.3),
        (Grid(60, 90), 500.0),
        (Grid(70, 70, origin=(1000.0, -3.0)), 31.0),
        (Grid(40, 40), 0.001),
    ):
        noise = White(frequency=frequency)
        for evolution in ((), (0.3,), (0.3, -2.0)):
            points = np.stack(grid.axes(evolution).points(0, grid.rows), -1)
            field = noise.sample_grid(grid, 5, evolution=evolution)
            assert np.array_equal(field, noise.sample(points, 5))


def test_windows_equal_the_whole():
    noise, grid = White(frequency=33.0), Grid(100, 140)
    whole = noise.sample_grid(grid, 6)
    assert np.array_equal(noise.sample_grid(grid.window(13, 29, 50, 60), 6), whole[13:63, 29:89])


def test_coarse_and_fine_grids_agree():
    noise = White(frequency=40.0)
    fine = noise.sample_grid(Grid(257, 257), 7)
    assert np.array_equal(noise.sample_grid(Grid(65, 65), 7), fine[::4, ::4])


def test_a_slanted_torus_repeats():
    torus = Torus(((1.0, -0.5), (0.25, 1.0)))
    x, y = (np.arange(1, 2001) * 0.6180339887 % 1.0 * 4.0, np.arange(1, 2001) * 0.7548776662 % 1.0)
    noise = White(frequency=16.0)
    here = noise.values((x, y), 3, torus)
    there = noise.values((x + 1.0 - 0.5, y + 0.25 + 1.0), 3, torus)
    assert np.mean(here != there) < 0.002
