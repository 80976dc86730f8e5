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
from ...rasters.shifts import shift
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
        rise = shift(height, level, along * distance, up * distance)
        rise -= height
        rise *= np.float32(1.0 / distance)
        np.maximum(result, rise, out=result)
    return np.minimum(result, _STEEPEST, out=result)
