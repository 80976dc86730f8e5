# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields moved by any distance, straight between samples."""

from __future__ import annotations

import math

import numpy as np

from ..base.arrays import Field
from .level import Level
from .taps import drop_weightless, shift_index, weighted_sum


def shift(field: Field, level: Level, along: float, down: float) -> Field:
    """Return the values so many meters further on along the rows and along the columns.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
        Beyond a border it goes on as it ends.
    level : Level
        Of that shape.
    along, down : float
        In meters, towards higher columns and rows.
    """
    shifted = _shift_axis(field, level, down / level.step_y, 0)
    return _shift_axis(shifted, level, along / level.step_x, 1)


def _shift_axis(field: Field, level: Level, samples: float, axis: int) -> Field:
    count = level.shape[axis]
    whole = math.floor(samples)
    share = samples - whole
    index = np.arange(count, dtype=np.intp)
    taps = [
        (shift_index(index, whole + step, count, level.wrap), np.full(count, weight))
        for step, weight in ((0, 1.0 - share), (1, share))
    ]
    return weighted_sum(field, drop_weightless(taps), axis)
