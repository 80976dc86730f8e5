# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Constant` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np

from noise_core import Grid
from noise_core.noises import Constant


def test_is_the_value_everywhere():
    constant = Constant(value=-0.75)
    assert (constant.sample_grid(Grid(5, 7)) == np.float32(-0.75)).all()
    assert (constant.sample(np.zeros((3, 4, 3))) == np.float32(-0.75)).all()
    assert constant.bounds() == (-0.75, -0.75)
