# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Evolution` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid, ParameterError
from noise_core.noises import Evolution, Perlin

SOURCE = Perlin(frequency=4.0)


def test_is_a_slice_of_one_dimension_more():
    grid = Grid(20, 30)
    moved = Evolution(source=SOURCE, position=0.37)
    np.testing.assert_array_equal(
        moved.sample_grid(grid, 3), SOURCE.sample_grid(grid, 3, evolution=(0.37,))
    )
    np.testing.assert_array_equal(
        moved.sample_grid(grid, 3, evolution=(0.2,)),
        SOURCE.sample_grid(grid, 3, evolution=(0.2, 0.37)),
    )


@pytest.mark.parametrize("count", [1, 2, 3])
def test_points_get_one_coordinate_more(count):
    points = np.random.default_rng(2).uniform(-1.0, 1.0, (50, count))
    raised = np.concatenate((points, np.full((50, 1), 0.37)), axis=1)
    field = Evolution(source=SOURCE, position=0.37).sample(points, 3)
    np.testing.assert_array_equal(field, SOURCE.sample(raised, 3))


def test_moves_smoothly():
    grid = Grid(20, 20)
    first, second, last = (
        Evolution(source=SOURCE, position=position).sample_grid(grid, 3)
        for position in (0.1, 0.101, 0.6)
    )
    assert np.abs(first - second).max() < 0.02
    assert np.abs(first - last).mean() > 0.1


def test_refuses_four_coordinates():
    with pytest.raises(ParameterError, match=r"points must have 1, 2, 3 coordinates; got 4"):
        Evolution().sample(np.zeros((3, 4)))
    with pytest.raises(ParameterError, match=r"one more for Evolution: points must have .*; got 4"):
        Evolution(source=Evolution(source=SOURCE)).sample(np.zeros((3, 3)))


def test_refuses_to_reach_where_cells_blur():
    with pytest.raises(
        ParameterError, match=r"^Evolution.position must move points by at most 268"
    ):
        Evolution(source=Perlin(frequency=1e6), position=300.0)
