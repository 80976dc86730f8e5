# SPDX-License-Identifier: GPL-3.0-or-later
"""Value noise against a slow blend of its corners."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from noise_core import Grid
from noise_core.lattice.hash import hash_indices
from noise_core.noises import Value

FADES = {
    "linear": lambda t: t,
    "cubic": lambda t: t * t * (3 - 2 * t),
    "quintic": lambda t: t * t * t * (t * (t * 6 - 15) + 10),
}


def corner(index, seed):
    """Return the number that stands at one lattice point: the hash's upper 24 bits, signed."""
    (value,) = hash_indices([np.array([i], np.int32) for i in index], seed).tolist()
    signed = value - (1 << 32) if value >= 1 << 31 else value
    return (signed >> 8) / 2.0**23


def slow(point, seed, fade):
    cell = [math.floor(axis) for axis in point]
    weights = [fade(axis - low) for axis, low in zip(point, cell)]
    total = 0.0
    for bits in itertools.product((0, 1), repeat=len(point)):
        share = math.prod(w if bit else 1.0 - w for w, bit in zip(weights, bits))
        total += share * corner([low + bit for low, bit in zip(cell, bits)], seed)
    return total


@pytest.mark.parametrize("fade", list(FADES))
@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_points_blend_the_corners_of_their_cell(dimension, fade):
    points = np.random.default_rng(dimension).uniform(-50.0, 50.0, (60, dimension))
    noise = Value(frequency=1.5, fade=fade)
    expected = [slow(point, 77, FADES[fade]) for point in (points * 1.5).tolist()]
    np.testing.assert_allclose(noise.sample(points, 77), expected, rtol=0, atol=2e-6)


def test_a_grid_blends_the_same_corners():
    grid = Grid(9, 13, origin=(-2.0, 5.0))
    axes = grid.axes()
    expected = [[slow((4 * x, 4 * y), 5, FADES["quintic"]) for x in axes.x] for y in axes.y]
    field = Value(frequency=4.0).sample_grid(grid, 5)
    np.testing.assert_allclose(field, expected, rtol=0, atol=2e-6)


def test_lattice_points_have_their_number_to_the_bit():
    cells = np.random.default_rng(8).integers(-1000, 1000, (300, 2))
    expected = np.array([corner(cell, 3) for cell in cells.tolist()], np.float32)
    field = Value(frequency=1.0).sample(cells.astype(np.float64), 3)
    assert field.tobytes() == expected.tobytes()


def test_corners_fill_the_range_evenly():
    cells = np.stack(np.meshgrid(np.arange(100.0), np.arange(100.0)), axis=-1)
    field = Value(frequency=1.0).sample(cells, 1)
    assert -1.0 <= field.min() < -0.999
    assert 0.999 < field.max() <= 1.0
    counts, _ = np.histogram(field, 10, (-1.0, 1.0))
    assert counts.min() > 900
    assert counts.max() < 1100


def test_wrapping_uses_the_same_corners_again():
    field = Value(frequency=4.0, fade="linear").sample_grid(Grid(16, 16, wrap=True), 2)
    corners = [[corner((i % 4, j % 4), 2) for i in range(5)] for j in range(5)]
    np.testing.assert_allclose(field[::4, ::4], np.array(corners)[:4, :4], atol=2e-6)
    # Half-way between the last corner and the first.
    middle = (np.array(corners)[:4, 3] + np.array(corners)[:4, 0]) / 2.0
    np.testing.assert_allclose(field[::4, 14], middle, atol=2e-6)
