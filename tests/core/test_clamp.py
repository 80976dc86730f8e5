# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Clamp` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.noises import Clamp, Perlin


@pytest.mark.parametrize("limits", [(-0.25, 0.5), (0.5, -0.25)])
def test_clips_whatever_the_order_of_the_limits(limits):
    source, grid = Perlin(frequency=5.0), Grid(40, 30)
    clamp = Clamp(source=source, minimum=limits[0], maximum=limits[1])
    expected = np.clip(source.sample_grid(grid, 3), -0.25, 0.5)
    np.testing.assert_array_equal(clamp.sample_grid(grid, 3), expected)
    assert clamp.bounds() == (-0.25, 0.5)


def test_bounds_do_not_widen():
    assert Clamp(source=Perlin(), minimum=-5.0, maximum=0.5).bounds() == (-1.0, 0.5)
    assert Clamp(source=Perlin(), minimum=2.0, maximum=3.0).bounds() == (2.0, 2.0)
