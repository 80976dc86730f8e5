# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Bricks` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.noises import Bricks


def values(points, **parameters):
    return Bricks(columns=4.0, rows=8.0, **parameters).sample(np.asarray(points, np.float64), 3)


def test_every_second_course_is_shifted():
    joints = values([[0.0, 0.0625], [0.125, 0.1875], [0.25, 0.0625]], output="edge")
    faces = values([[0.125, 0.0625], [0.25, 0.1875]], output="edge")
    np.testing.assert_allclose(joints, -1.0, atol=1e-5)
    np.testing.assert_allclose(faces, 1.0, atol=1e-5)


def test_distance_counts_in_halves_of_the_short_side():
    # A course is 1/8 high: half of its half is 1/32 from the border, along x as along y.
    found = values([[0.125, 1 / 32], [1 / 32, 1 / 16]], output="edge", rounding=0.0)
    np.testing.assert_allclose(found, 0.0, atol=1e-5)


def test_corners_are_rounded():
    corner = [[1 / 64 * 0.9, 1 / 64 * 0.9]]
    assert values(corner, output="edge", rounding=0.0)[0] > -1.0 + 0.4
    assert values(corner, output="edge", rounding=1.0)[0] == -1.0


def test_place_runs_from_side_to_side():
    x = values([[0.01, 0.03], [0.24, 0.03], [0.26, 0.03]], output="x")
    np.testing.assert_allclose(x, [-0.92, 0.92, -0.92], atol=1e-4)
    y = values([[0.01, 0.03], [0.01, 0.12], [0.01, 0.13]], output="y")
    np.testing.assert_allclose(y, [-0.52, 0.92, -0.92], atol=1e-4)


def test_one_number_for_each_brick():
    grid = Grid(64, 64, wrap=True)
    field = Bricks(columns=4.0, rows=8.0, output="value").sample_grid(grid, 3)
    assert len(np.unique(field)) == 32
    assert (field[:8, :16] == field[0, 0]).all()
    assert (field[8:16, 8:24] == field[8, 8]).all()
    # The brick that the seam cuts is one.
    np.testing.assert_array_equal(field[8:16, :8], field[8:16, -8:])


def test_a_wrapping_grid_takes_an_even_number_of_courses():
    grid = Grid(70, 64, wrap=True)
    for rows in (7.0, 6.4, 1.0):
        face = Bricks(columns=3.0, rows=rows, output="y").sample_grid(grid)
        courses = (np.diff(face[:, 0], prepend=face[-1, 0]) < 0.0).sum()
        assert courses % 2 == 0 and abs(courses - rows * 70 / 64) <= 1.5


def test_random_shift_parts_courses_and_closes():
    grid = Grid(64, 256, wrap=True)
    bricks = Bricks(columns=2.0, rows=32.0, shift=0.0, random_shift=1.0, output="x")
    field = bricks.sample_grid(grid, 5)
    joints = [int(np.argmin(np.diff(field[row * 8 + 4]))) % 128 for row in range(8)]
    assert len(set(joints)) >= 7
    aligned = Bricks(columns=2.0, rows=32.0, shift=0.0, output="x").sample_grid(grid, 5)
    assert (aligned == aligned[0]).all()


def test_face_has_joints_bevels_and_uneven_tops():
    grid = Grid(256, 256, wrap=True)
    flat = Bricks(joint=0.2, bevel=0.0, unevenness=0.0).sample_grid(grid)
    assert set(np.unique(flat)) == {-1.0, 1.0}
    uneven = Bricks(joint=0.2, bevel=0.0, unevenness=0.5).sample_grid(grid)
    tops = uneven[uneven > -1.0]
    assert tops.min() >= 0.5 and tops.max() <= 1.0 and len(np.unique(tops)) > 30
    # Joints take 2 x 1/2 x 0.2 of a course's height, and a third of that of a brick's width.
    assert (flat < 0.0).mean() == pytest.approx(1.0 - 0.8 * (1.0 - 0.2 / 3.0), abs=0.02)
