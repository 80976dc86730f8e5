# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Power` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.noises import Constant, Perlin, Power

EXPONENTS = (0.0625, 0.5, 1.0, 1.5, 2.0, 3.0, 7.5, 16.0, 0.7, 2.2)


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_height_keeps_both_ends(exponent):
    source, grid = Perlin(frequency=5.0), Grid(40, 30)
    power = Power(source=source, exponent=exponent)
    unit = (source.sample_grid(grid, 3).astype(np.float64) + 1.0) / 2.0
    field = power.sample_grid(grid, 3)
    np.testing.assert_allclose(field, 2.0 * unit**exponent - 1.0, atol=2e-6)
    assert power.bounds() == (-1.0, 1.0)


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_signed_keeps_zero(exponent):
    source, grid = Perlin(frequency=5.0), Grid(40, 30)
    values = source.sample_grid(grid, 3).astype(np.float64)
    field = Power(source=source, exponent=exponent, mode="signed").sample_grid(grid, 3)
    np.testing.assert_allclose(field, np.sign(values) * np.abs(values) ** exponent, atol=2e-6)


@pytest.mark.parametrize("mode", ["height", "signed"])
def test_cuts_off_beyond_one(mode):
    for value, end in ((3.0, 1.0), (-3.0, -1.0)):
        power = Power(source=Constant(value=value), mode=mode, exponent=3.0)
        assert power.bounds() == (end, end)
        assert (power.sample_grid(Grid(2, 2)) == end).all()
