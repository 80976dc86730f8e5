# SPDX-License-Identifier: GPL-3.0-or-later
"""Slope of the sight line to the horizon in a direction: shelter from wind, and shade.

References
----------
Adam Winstral, Kelly Elder, Robert E. Davis (2002). Spatial snow modeling of wind-redistributed snow
using terrain-based parameters. Journal of Hydrometeorology 3. (Sx, the largest upwind slope)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...base.arrays import Field
from ...base.elementary import cosine_sine_of
from ...rasters.taps import drop_weightless, shift_index, weighted_sum
from ...types.level import Level

_STEEPEST = np.float32(1e6)
"""Rise over run; steeper counts as that, so that squares stay finite."""


def steepest_rise(
    height: Field, level: Level, direction: float, distances: Sequence[float]
) -> Field:
    """Return the largest rise over run towards places in a direction; below 0 if all lie lower.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters. Beyond a border it goes on as it ends.
    level : Level
        Of that shape.
    direction : float
        In degrees counterclockwise from the x axis.
    distances : sequence of float
        Of the places, in meters, above 0.

    Returns
    -------
    ndarray of shape (rows, columns), float32
    """
    along, up = cosine_sine_of(direction)
    result = np.full(level.shape, -_STEEPEST)
    for distance in distances:
        rise = _shift(height, level, up * distance / level.step_y, 0)
        rise = _shift(rise, level, along * distance / level.step_x, 1)
        rise -= height
        rise *= np.float32(1.0 / distance)
        np.maximum(result, rise, out=result)
    return np.minimum(result, _STEEPEST, out=result)


def _shift(field: Field, level: Level, samples: float, axis: int) -> Field:
    """Return what lies so many samples further on along an axis; straight between samples."""
    count = level.shape[axis]
    whole = int(np.floor(samples))
    share = samples - whole
    index = np.arange(count, dtype=np.intp)
    taps = [
        (shift_index(index, whole + step, count, level.wrap), np.full(count, weight))
        for step, weight in ((0, 1.0 - share), (1, share))
    ]
    return weighted_sum(field, drop_weightless(taps), axis)
