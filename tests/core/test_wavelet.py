# SPDX-License-Identifier: GPL-3.0-or-later
"""Wavelet noise: its band, its coefficients, and the same values however they are asked for."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from noise_core import Grid, ParameterError
from noise_core.lattice import random_splines, spline_wavelets
from noise_core.noises import Wavelet


def test_energy_lies_in_one_octave():
    fields = [
        Wavelet(frequency=32.0).sample_grid(Grid(256, 256, wrap=True), seed) for seed in range(3)
    ]
    energy = np.mean(np.abs(np.fft.fft2(fields)) ** 2, axis=0)
    along = np.fft.fftfreq(256, 1.0 / 256)
    waves = np.hypot(along[:, np.newaxis], along) / 32.0
    energy /= energy.sum()
    assert energy[waves < 0.25].sum() < 0.001
    assert energy[waves > 2.0].sum() < 0.002
    assert energy[(waves > 0.5) & (waves <= 1.0)].sum() > 0.75


def test_factors_are_those_of_the_best_approximation():
    count = 128
    up = np.zeros((count, count // 2))
    for k in range(count // 2):
        for step, factor in enumerate(spline_wavelets._UP):
            up[(2 * k + step) % count, k] += factor
    products = sum(
        factor / 120.0 * np.roll(np.eye(count), step, axis=0)
        for step, factor in zip(range(-2, 3), (1.0, 26.0, 66.0, 26.0, 1.0))
    )
    best = np.linalg.solve(up.T @ products @ up, up.T @ products)[32, 64 - 14 : 64 + 18]
    np.testing.assert_allclose(spline_wavelets._DOWN, best, atol=1e-3)
    assert sum(spline_wavelets._DOWN) == pytest.approx(1.0, abs=1e-12)


def test_deviation_is_as_stated():
    fields = [Wavelet(frequency=32.0).sample_grid(Grid(128, 128), seed) for seed in range(4)]
    assert np.std(fields) == pytest.approx(0.3, rel=0.05)


def test_points_in_blocks_have_the_bits_of_one_rectangle():
    points = np.random.default_rng(1).uniform(-3.0, 3.0, (400, 2))
    whole = Wavelet(frequency=20.0).sample(points, 3)
    with mock.patch.object(random_splines, "_FEW", 0):
        assert Wavelet(frequency=20.0).sample(points, 3).tobytes() == whole.tobytes()


def test_a_grid_has_the_values_of_its_points():
    grid = Grid(33, 47, wrap=True)
    points = tuple(axis.copy() for axis in grid.axes().points(0, 33))
    field = Wavelet().values(points, 5, grid.torus)
    np.testing.assert_allclose(Wavelet().sample_grid(grid, 5), field, atol=1e-6)


def test_space_is_refused():
    with pytest.raises(ParameterError, match="points must have 2 coordinates; got 3"):
        Wavelet().sample(np.zeros((1, 3)))
