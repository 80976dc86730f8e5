# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances to a contour between samples, against circles and lines that are known."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.rasters.contour_distance import signed_distance


def circle(side: int, radius: float) -> np.ndarray:
    """Return how far samples lie inside a circle."""
    y, x = np.mgrid[:side, :side]
    return radius - np.hypot(x - 0.47 * side, y - 0.51 * side)


@pytest.mark.parametrize("side", [129, 400])
def test_a_circle_is_right_within_a_tenth_of_a_sample(side):
    exact = circle(side, 0.3 * side)
    distance = signed_distance((3.0 * exact).astype(np.float32), 20.0, False)
    near = np.abs(exact) < 19.0
    assert np.abs(distance - exact)[near].max() < 0.1
    assert np.abs(distance - exact)[near].mean() < 0.02
    assert np.abs(distance).max() <= 20.0


@pytest.mark.parametrize("angle", [0.0, 13.0, 45.0, 60.0, 90.0])
def test_a_line_is_right(angle):
    y, x = np.mgrid[:90, :90] - 44.6
    exact = x * np.cos(np.radians(angle)) + y * np.sin(np.radians(angle)) + 0.3
    distance = signed_distance(exact.astype(np.float32), 12.0, False)
    inside = (np.abs(exact) < 11.0) & (np.maximum(np.abs(x), np.abs(y)) < 28.0)
    assert np.abs(distance - exact)[inside].max() < 0.06


def test_how_steep_a_field_is_does_not_matter():
    exact = circle(80, 25.0).astype(np.float32)
    one, other = (signed_distance(exact * np.float32(by), 9.0, False) for by in (1e-6, 1e6))
    np.testing.assert_allclose(one, other, atol=2e-4)


def test_a_torus_has_no_seam():
    exact = circle(64, 20.0).astype(np.float32)
    still = signed_distance(exact, 10.0, True)
    for shift in ((7, 40), (32, 1)):
        moved = signed_distance(np.roll(exact, shift, (0, 1)), 10.0, True)
        np.testing.assert_array_equal(moved, np.roll(still, shift, (0, 1)))


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (2, 2), (5, 7)])
@pytest.mark.parametrize("wrap", [False, True])
def test_without_a_contour_all_is_out_of_reach(shape, wrap):
    for value in (-2.0, 0.0, 3.0):
        distance = signed_distance(np.full(shape, value, np.float32), 4.0, wrap)
        np.testing.assert_array_equal(distance, np.float32(-4.0 if value < 0.0 else 4.0))


def test_a_single_row_has_distances_along_it():
    values = np.array([[-3.0, -2.0, -1.0, 1.0, 2.0, 3.0]], np.float32)
    expected = [[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]]
    np.testing.assert_allclose(signed_distance(values, 4.0, False), expected, atol=1e-6)
    np.testing.assert_allclose(signed_distance(values.T, 4.0, False).T, expected, atol=1e-6)
