# SPDX-License-Identifier: GPL-3.0-or-later
"""Blur: meters, amounts, and its effect on a terrain as a whole."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.modifiers import Blur
from tests.core.contract_modifiers import grid_of, terrain


def test_a_radius_is_in_meters():
    for columns, size in ((81, 80.0), (161, 80.0), (81, 8000.0)):
        grid = Grid(columns, columns, size=size)
        y, x = np.mgrid[:columns, :columns] / (columns - 1.0)
        # A wave of length l loses the share 1 - exp(-2 (pi r / l)^2) of its height.
        wave = np.sin(8.0 * np.pi * x).astype(np.float32)
        result = Blur(radius=size / 32.0).apply(wave, grid).height
        middle = slice(columns // 4, -columns // 4)
        ratio = np.abs(result[middle, middle]).max()
        assert ratio == pytest.approx(np.exp(-2.0 * (np.pi / 8.0) ** 2), abs=0.01)


def test_the_mean_stays_on_a_torus():
    field = terrain(60, 45, True)
    for radius in (10.0, 100.0, 1000.0):
        result = Blur(radius=radius).apply(field, grid_of(field, True)).height
        assert result.mean(dtype=np.float64) == pytest.approx(
            field.mean(dtype=np.float64), abs=1e-3
        )
        assert result.std() < field.std()


def test_wider_is_smoother_and_below_zero_is_crisper():
    field = terrain(80, 80)
    roughness = [
        np.abs(np.diff(blur.apply(field, grid_of(field)).height, 2)).mean()
        for blur in (
            Blur(radius=50.0, amount=-1.0),
            Blur(radius=50.0, amount=0.0),
            Blur(radius=50.0, amount=0.5),
            Blur(radius=50.0),
            Blur(radius=150.0),
        )
    ]
    assert roughness == sorted(roughness, reverse=True)
    unchanged = Blur(amount=0.0).apply(field, grid_of(field)).height
    np.testing.assert_allclose(unchanged, field, atol=1e-4)


def test_the_default_suits_any_size():
    field = terrain(101, 101)
    expected = Blur().apply(field, Grid(101, 101, size=100.0)).height
    np.testing.assert_allclose(
        Blur().apply(field, Grid(101, 101, size=9000.0)).height, expected, atol=1e-3
    )
    assert np.abs(expected - field).max() > 1.0
