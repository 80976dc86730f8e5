# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Invert` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np

from noise_core import Grid
from noise_core.noises import Invert, Perlin, Remap


def test_changes_the_sign():
    source = Perlin(frequency=5.0)
    grid = Grid(40, 30)
    field = Invert(source=source).sample_grid(grid, 3)
    np.testing.assert_array_equal(field, -source.sample_grid(grid, 3))


def test_twice_is_the_source():
    source, grid = Perlin(frequency=5.0), Grid(20, 20)
    twice = Invert(source=Invert(source=source)).sample_grid(grid, 1)
    np.testing.assert_array_equal(twice, source.sample_grid(grid, 1))


def test_bounds_are_mirrored():
    assert Invert(source=Remap(to_minimum=0.25, to_maximum=2.0)).bounds() == (-2.0, -0.25)
