# SPDX-License-Identifier: GPL-3.0-or-later
"""Derivatives of noises by central differences, where no formula exists."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .. import blocks
from ..arrays import Coordinates, Field, Points
from ..torus import Torus
from .duals import Slopes

_CELL_PART = 2.0**-9
"""Step of a difference, in cells. The error of a difference over h to either side is h^2 / 6 of
the third derivative, up to about 100 in cells, plus 1e-7 / h of what float32 rounds away; here
both are about 5e-5 for slopes of about 3."""


def difference_step(finest: float, torus: Torus | None) -> float:
    """Return how far to either side a difference is taken, in tiles: a power of two.

    Parameters
    ----------
    finest : float
        How many of the finest cells lie along a tile.
    torus : Torus or None
        What repeats. At least one cell lies along each of its periods, and a lattice that closes
        on a skewed one may be as skewed.
    """
    if torus is not None:
        (a, b), (c, d) = torus.periods
        first, second = math.hypot(a, c), math.hypot(b, d)
        skew = first * second / abs(a * d - b * c)
        finest = max(finest, 1.0 / first, 1.0 / second) * skew
    return math.ldexp(_CELL_PART, -math.ceil(math.log2(max(finest, 1.0))))


def central_differences(evaluate: Callable[[Points], Field], points: Points, step: float) -> Slopes:
    """Return the derivatives of a function of position by central differences.

    Parameters
    ----------
    evaluate : callable
        Returns the function at points.
    points : tuple of d arrays of one shape
        Coordinates in tiles. The differences are taken in float64.
    step : float
        How far to either side.

    Returns
    -------
    tuple of d ndarrays of that shape, float32
    """
    wide = tuple(axis.astype(np.float64, copy=False) for axis in points)

    def beside(place: int, distance: float) -> Field:
        moved: Coordinates = wide[place] + distance
        return evaluate((*wide[:place], moved, *wide[place + 1 :]))

    slopes = []
    for place in range(len(wide)):
        blocks.checkpoint()
        slope = beside(place, step)
        slope -= beside(place, -step)
        slope *= np.float32(0.5 / step)
        slopes.append(slope)
    return tuple(slopes)
