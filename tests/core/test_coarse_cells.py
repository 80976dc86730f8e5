# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of a coarse measurement: which samples they have, their means, and how these are taken off."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.base import blocks
from noise_core.rasters.coarse_cells import CellLine, CoarseCells
from noise_core.rasters.level import Level

WORLDS = [
    (Grid(257, 257, size=2560.0), 80.0),
    (Grid(97, 160, size=2400.0), 53.7),
    (Grid(96, 80, size=800.0, wrap=True), 40.0),
    (Grid(96, 85, size=850.0, wrap=True), 63.0),
    (Grid(70, 90, size=1000.0, origin=(0.37, -2.21)), 77.7),
    (Grid(60, 60, size=590.0), 12.0),
    (Grid(9, 9, size=80.0), 1e5),
    (Grid(1, 40, size=400.0), 55.0),
]
"""Whole and broken cells, few samples and many, one cell alone, and places where cells are cut."""


def cell_numbers(grid: Grid, size: float) -> np.ndarray:
    """Return the number of the cell that each sample lies in, by its place in meters."""
    level = Level.from_grid(grid)
    lines = []
    for first, count in zip(level.first, grid.shape):
        length = count * grid.spacing
        width = length / max(1, round(length / size)) if grid.wrap else size
        place = (first + np.arange(count)) * grid.spacing / width
        _, line = np.unique(np.floor(place + 1e-6), return_inverse=True)
        lines.append(line)
    return lines[0][:, np.newaxis] * (lines[1].max() + 1) + lines[1]


def cell_means(field: np.ndarray, grid: Grid, size: float) -> np.ndarray:
    """Return the means of cells, in float64."""
    cells = cell_numbers(grid, size).ravel()
    return np.bincount(cells, field.ravel().astype(np.float64)) / np.bincount(cells)


@pytest.mark.parametrize(("grid", "size"), WORLDS)
def test_means_are_those_of_the_samples_in_each_cell(grid, size):
    field = np.random.default_rng(3).normal(800.0, 50.0, grid.shape).astype(np.float32)
    found = CoarseCells.over(Level.from_grid(grid), size).means(field)
    np.testing.assert_allclose(found.ravel(), cell_means(field, grid, size), rtol=1e-6)


@pytest.mark.parametrize(("grid", "size"), WORLDS)
def test_means_are_taken_off(grid, size):
    field = np.random.default_rng(3).normal(3.0, 2.0, grid.shape).astype(np.float32)
    rest = CoarseCells.over(Level.from_grid(grid), size).take_off_means(field)
    assert np.abs(cell_means(field, grid, size)).max() > 2.0
    assert np.abs(cell_means(rest, grid, size)).max() < 1e-4


def test_the_correction_has_no_steps_at_the_edges_of_cells():
    grid, size = Grid(256, 256, size=255.0), 16.0
    chance = np.random.default_rng(5).normal(0.0, 1.0, (16, 16)).astype(np.float32)
    field = np.repeat(np.repeat(chance, 16, axis=0), 16, axis=1)
    correction = field - CoarseCells.over(Level.from_grid(grid), size).take_off_means(field)
    steps = np.abs(np.diff(correction, axis=1)).mean(axis=0)
    at_edges = np.arange(255) % 16 == 15
    assert steps[at_edges].mean() < 1.6 * steps[~at_edges].mean()
    assert np.abs(np.diff(field, axis=1)).mean(axis=0)[at_edges].mean() > 1.0


def test_a_torus_has_no_first_cell():
    chance = np.random.default_rng(5).normal(0.0, 1.0, (64, 96)).astype(np.float32)
    cells = CoarseCells.over(Level.from_grid(Grid(64, 96, size=960.0, wrap=True)), 80.0)
    whole = cells.take_off_means(chance)
    moved = cells.take_off_means(np.roll(chance, (16, 24), (0, 1)))
    assert moved.tobytes() == np.roll(whole, (16, 24), (0, 1)).tobytes()


def test_means_do_not_depend_on_threads():
    field = np.random.default_rng(5).normal(0.0, 1.0, (700, 900)).astype(np.float32)
    cells = CoarseCells.over(Level.from_grid(Grid(700, 900, size=899.0)), 31.3)
    results = []
    for count in (1, 2, 3):
        with blocks.on_threads(count):
            results.append(cells.take_off_means(field).tobytes())
    assert results[0] == results[1] == results[2]


def test_cells_are_counted_from_the_origin_however_far():
    for first in (0, 17, -5, 10**9 + 7, -(10**300)):
        line = CellLine.along(first, 50, 8.0, wrap=False)
        inner = line.starts[1]
        assert (first + int(inner)) % 8 == 0
        np.testing.assert_array_equal(np.diff(line.starts[1:]), 8)
        assert line.counts.sum() == 50


def test_zeros_have_zero_means():
    cells = CoarseCells.over(Level.from_grid(Grid(20, 20, size=19.0)), 5.0)
    assert not cells.take_off_means(np.zeros((20, 20), np.float32)).any()


@pytest.mark.parametrize("grid, size", [world for world in WORLDS if not world[0].wrap])
def test_a_slope_has_even_steps_however_cells_are_cut(grid, size):
    y, x = np.mgrid[: grid.rows, : grid.columns].astype(np.float32)
    means = CoarseCells.over(Level.from_grid(grid), size).even_means(3.0 * x - 2.0 * y)
    for axis, slope in ((0, -2.0), (1, 3.0)):
        if means.shape[axis] > 1:
            steps = np.diff(means, axis=axis)
            np.testing.assert_allclose(steps, slope * size / grid.spacing, rtol=1e-3)
