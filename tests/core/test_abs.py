# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Absolute` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np

from noise_core import Grid
from noise_core.noises import Absolute, Constant, Perlin, Remap


def test_is_the_absolute_value():
    source = Perlin(frequency=5.0)
    grid = Grid(40, 30)
    np.testing.assert_array_equal(
        Absolute(source=source).sample_grid(grid, 3), np.abs(source.sample_grid(grid, 3))
    )


def test_bounds_fold_at_zero():
    assert Absolute(source=Perlin()).bounds() == (0.0, 1.0)
    assert Absolute(source=Constant(value=-0.25)).bounds() == (0.25, 0.25)
    low = Remap(source=Perlin(), to_minimum=-3.0, to_maximum=-1.0)
    assert Absolute(source=low).bounds() == (1.0, 3.0)
