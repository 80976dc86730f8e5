# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances are exact, and the shore lies where the water ends."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from noise_core import Grid
from noise_core.maps import sea, sea_mask
from noise_core.rasters import distance_field
from noise_core.rasters.distance_field import distance_transform, distance_within


def brute_force(targets: np.ndarray, wrap: bool) -> np.ndarray:
    """Return distances by trying every target for every sample."""
    rows, columns = targets.shape
    ys, xs = np.nonzero(targets)
    if not len(ys):
        return np.full(targets.shape, np.inf, np.float32)
    y, x = np.mgrid[:rows, :columns]
    dy, dx = np.abs(y[..., None] - ys), np.abs(x[..., None] - xs)
    if wrap:
        dy, dx = np.minimum(dy, rows - dy), np.minimum(dx, columns - dx)
    return np.sqrt((dy**2 + dx**2).min(axis=-1).astype(np.float32))


@pytest.mark.parametrize("near", [0, 1, 3, 64])
@pytest.mark.parametrize("wrap", [False, True])
def test_distances_equal_brute_force(near, wrap):
    """By trying offsets and by envelopes."""
    random = np.random.default_rng(near)
    with mock.patch.object(distance_field, "_NEAR", near):
        for share in (0.0, 0.003, 0.01, 0.1, 0.5, 1.0):
            for _ in range(12):
                targets = random.random(random.integers(1, 40, 2)) < share
                distance = distance_transform(targets, wrap)
                assert distance.dtype == np.float32
                np.testing.assert_array_equal(distance, brute_force(targets, wrap))


@pytest.mark.parametrize("wrap", [False, True])
def test_one_far_target(wrap):
    targets = np.zeros((150, 400), bool)
    targets[7, 390] = True
    np.testing.assert_array_equal(distance_transform(targets, wrap), brute_force(targets, wrap))


@pytest.mark.parametrize("wrap", [False, True])
def test_far_rows_in_several_batches(wrap):
    targets = np.zeros((60, 200), bool)
    targets[30, 3], targets[2, 180], targets[31, 90] = True, True, True
    with (
        mock.patch.object(distance_field, "ROWS_PER_ENVELOPE", 7),
        mock.patch.object(distance_field, "_SAMPLES_PER_BLOCK", 900),
    ):
        np.testing.assert_array_equal(distance_transform(targets, wrap), brute_force(targets, wrap))


def test_depth():
    grid = Grid(4, 6, size=100.0)
    height = np.linspace(-5.0, 7.0, 24).reshape(4, 6)
    np.testing.assert_allclose(sea(height, grid, level=1.0), np.maximum(1.0 - height, 0), atol=1e-6)
    np.testing.assert_array_equal(sea_mask(height, grid, 0.001) == 1, height.astype(np.float32) < 0)


def test_a_straight_shore():
    grid = Grid(12, 21, size=200.0)  # samples 10 m apart
    x = np.tile(np.arange(21) * 10.0, (12, 1))
    shore = sea(x - 95.0, grid, kind="shore")  # the water ends at 95 m
    np.testing.assert_allclose(shore, x - 95.0, atol=1e-4)
    beach = sea_mask(x - 95.0, grid, -10.0, 20.0, 20.0, kind="shore")
    assert beach[0].tolist() == [
        *(0.0 for at in x[0] if at < 70.0),
        *(pytest.approx(0.15625), pytest.approx(0.84375)),
        *(1.0 for at in x[0] if 85.0 <= at <= 115.0),
        *(pytest.approx(0.84375), pytest.approx(0.15625)),
        *(0.0 for at in x[0] if at > 135.0),
    ]


def test_no_shore_at_all():
    grid = Grid(30, 40, size=390.0)
    far = np.hypot(390.0, 290.0)
    for height, sign in ((5.0, 1), (-5.0, -1)):
        shore = sea(np.full((30, 40), height), grid, kind="shore")
        np.testing.assert_allclose(shore, sign * far, rtol=1e-6)


def test_an_island_on_a_torus():
    grid = Grid(40, 40, size=40.0, wrap=True)
    height = np.full((40, 40), -1.0)
    height[0, 0] = 1.0
    shore = sea(height, grid, kind="shore")
    assert (
        shore[0, 0] == 0.5
        and shore[0, 39] == -0.5
        and shore[20, 20] == pytest.approx(0.5 - np.hypot(20, 20))
    )


@pytest.mark.parametrize("reach", [0.0, 1.0, 1.7, 2.9, 3.0, 4.5])
@pytest.mark.parametrize("wrap", [False, True])
def test_distances_within_a_reach_are_those_of_the_transform(reach, wrap):
    random = np.random.default_rng(3)
    for _ in range(20):
        targets = random.random(random.integers(1, 30, 2)) < 0.05
        expected = distance_transform(targets, wrap)
        expected[expected > np.float32(reach)] = np.inf
        np.testing.assert_array_equal(distance_within(targets, reach, wrap), expected)
