# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Hexagons` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.noises import Hexagons

ROW = np.sqrt(0.75)
"""Distance of two rows of hexagons that are 1 wide."""


def values(points, **parameters):
    """Return values at points given in widths of a hexagon."""
    hexagons = Hexagons(frequency=4.0, **parameters)
    return hexagons.sample(np.asarray(points, np.float64) / 4.0, 3)


def test_middles_lie_on_a_triangular_lattice():
    found = values([[0, 0], [1, 0], [0.5, ROW], [1.5, -ROW], [0, 2 * ROW]], output="edge")
    np.testing.assert_allclose(found, 1.0, atol=1e-4)


@pytest.mark.parametrize("turn", range(6))
def test_border_is_a_regular_hexagon(turn):
    angle = np.radians(60.0 * turn)
    to_side = np.array([np.cos(angle), np.sin(angle)])
    ways = np.array([to_side * share for share in (0.0, 0.25, 0.4999)])
    np.testing.assert_allclose(
        values(ways, output="edge", rounding=0.0), [1.0, 0.0, -1.0], atol=1e-3
    )
    to_corner = np.array([np.cos(angle + np.pi / 6), np.sin(angle + np.pi / 6)]) / np.sqrt(3.0)
    near = values([to_corner * 0.98], output="edge", rounding=0.0)
    assert -1.0 < near[0] < -0.95
    assert values([to_corner * 0.98], output="edge", rounding=0.5)[0] == -1.0


def test_distance_is_that_to_the_nearest_side():
    points = np.random.default_rng(0).uniform(-0.28, 0.28, (200, 2))
    angles = np.radians(60.0 * np.arange(6))
    sides = np.stack([np.cos(angles), np.sin(angles)])
    expected = 1.0 - 2.0 * (points @ sides).max(axis=1)
    found = values(points, output="edge", rounding=0.0)
    np.testing.assert_allclose(found, 2.0 * expected - 1.0, atol=1e-4)


def test_one_number_for_each_hexagon_and_nearest_middles():
    points = np.random.default_rng(1).uniform(1.0, 5.0, (500, 2))
    rows = np.arange(0, 8)
    middles = np.array([[i + 0.5 * (j % 2), j * ROW] for j in rows for i in range(0, 7)])
    nearest = np.argmin(((points[:, None] - middles) ** 2).sum(-1), axis=1)
    numbers = values(points, output="value")
    own = values(middles, output="value")
    np.testing.assert_array_equal(numbers, own[nearest])
    assert len(np.unique(own)) == len(own)


def test_place_runs_from_side_to_side():
    np.testing.assert_allclose(
        values([[0.45, 0.1], [-0.45, 0.1]], output="x"), [0.9, -0.9], atol=1e-4
    )
    corner = 1.0 / np.sqrt(3.0)
    np.testing.assert_allclose(
        values([[0.0, 0.9 * corner], [0.0, -0.9 * corner]], output="y"), [0.9, -0.9], atol=1e-4
    )


def test_a_wrapping_grid_has_whole_hexagons():
    field = Hexagons(frequency=5.0, output="value").sample_grid(Grid(128, 128, wrap=True), 3)
    # 5 along x and the even number of rows next to 5 / ROW.
    assert len(np.unique(field)) == 5 * 6
