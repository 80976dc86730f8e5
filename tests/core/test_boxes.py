# SPDX-License-Identifier: GPL-3.0-or-later
"""Smoothing by boxes is smoothing by a Gaussian."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from noise_core import Grid
from noise_core.rasters import boxes
from noise_core.rasters.boxes import around, blur
from noise_core.rasters.level import Level


def gaussian(field: np.ndarray, deviations: tuple[float, float], mode: str) -> np.ndarray:
    """Smooth by the sampled Gaussian, in float64."""
    result = field.astype(np.float64)
    for axis, deviation in enumerate(deviations):
        reach = int(6 * deviation) + 1
        weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
        weights /= weights.sum()
        padding = [(reach, reach) if axis == other else (0, 0) for other in (0, 1)]
        padded = np.pad(result, padding, mode=mode)
        result = sum(
            weight * np.take(padded, np.arange(k, k + field.shape[axis]), axis=axis)
            for k, weight in enumerate(weights)
        )
    return result


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("deviation", [1.3, 2.0, 5.5])
def test_close_to_a_gaussian(deviation, wrap):
    field = np.zeros((60, 45), np.float32)
    field[3, 2], field[30, 43], field[59, 20] = 1.0, 2.0, -1.5
    level = Level(60, 45, 2.0, 3.0, wrap)
    result = blur(field, level, 3.0 * deviation)
    expected = gaussian(field, (1.5 * deviation, deviation), "wrap" if wrap else "symmetric")
    # Three boxes are within 6 % of a Gaussian's peak along each axis.
    assert np.abs(result - expected).max() < 0.13 * np.abs(expected).max()


@pytest.mark.parametrize("deviation", [0.05, 0.3, 0.5, 0.9, 1.0, 2.6, 7.3, 12.0])
def test_the_deviation_is_exact(deviation):
    field = np.zeros((1, 301), np.float32)
    field[0, 150] = 1.0
    result = blur(field, Level(1, 301, 1.0, 1.0, False), deviation)[0].astype(np.float64)
    places = np.arange(301) - 150.0
    assert result.sum() == pytest.approx(1.0, abs=1e-6)
    assert (result * places).sum() == pytest.approx(0.0, abs=1e-4)
    assert (result * places**2).sum() == pytest.approx(deviation**2, rel=2e-5, abs=1e-6)
    assert result.min() >= 0.0


def test_no_deviation_changes_nothing():
    field = np.random.default_rng(4).normal(size=(9, 12)).astype(np.float32)
    np.testing.assert_array_equal(blur(field, Level(9, 12, 1.0, 1.0, True), 0.0), field)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 3), (5, 64), (64, 5), (33, 33)])
def test_a_constant_stays_and_the_widest_is_the_mean(shape, wrap):
    level = Level.from_grid(Grid(*shape, wrap=wrap, size=100.0))
    for deviation in (1.0, 30.0, 1e4, 1e30):
        flat = blur(np.full(shape, -3.5, np.float32), level, deviation)
        np.testing.assert_allclose(flat, -3.5, rtol=1e-6)
    field = np.random.default_rng(6).normal(size=shape).astype(np.float32)
    widest = blur(field, level, 1e9)
    np.testing.assert_allclose(widest, field.mean(dtype=np.float64), atol=3e-6)


def test_nothing_drifts_behind_a_spike():
    field = np.zeros((3, 4000), np.float32)
    field[:, 10] = 1e7
    result = blur(field, Level(3, 4000, 1.0, 1.0, False), 5.0)
    assert not result[:, 100:].any()


def test_strips_do_not_show():
    field = np.random.default_rng(7).normal(size=(70, 90)).astype(np.float32)
    level = Level(70, 90, 1.0, 1.0, True)
    expected = blur(field, level, 3.7)
    with mock.patch.object(boxes, "_SAMPLES", 500):
        np.testing.assert_array_equal(blur(field, level, 3.7), expected)


def test_around_the_ends():
    assert around(3, 4, True).tolist() == [2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]
    assert around(3, 4, False).tolist() == [2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0]
    assert around(1, 2, False).tolist() == [0] * 5
