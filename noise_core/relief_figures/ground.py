# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of the ground: how its heights and its slopes are distributed, and which ways it faces.

References
----------
Strahler, A. N. (1952). Hypsometric (area-altitude) analysis of erosional topography. Geological Society
of America Bulletin 63.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.blocks import checkpoint
from ..base.elementary import arctangent
from ..flow_routing.directions import Mask, row_blocks
from ..rasters.differences import add_frame, gradient
from ..types.level import Level

Curve = npt.NDArray[np.float64]
"""Shape (points,)."""

SHARES = 51
"""Points of a hypsometric curve."""

BAR = 2.0
"""Degrees of slope that a bar of the histogram stands for."""

REPOSE = 34.0
"""Degrees at which dry sand comes to rest, at most."""

LEAST_SLOPE = 2.0
"""Degrees below which ground faces no way in particular."""


@dataclass(frozen=True, eq=False)
class Hypsometry:
    """How high land lies between its lowest and its highest point.

    Attributes
    ----------
    integral : float or None
        The mean, from 0 to 1; None if all of it is equally high.
    curve : ndarray of shape (SHARES,)
        The height, from 0 to 1, above which a share of the land lies; shares rise evenly from 0 to 1.
        Empty if all is equally high.
    """

    integral: float | None
    curve: Curve


def measure_hypsometry(height: Field, land: Mask) -> Hypsometry:
    """Return how heights are distributed.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    land : ndarray of that shape, bool
        What counts.
    """
    heights = height[land].astype(np.float64)
    relief = float(np.ptp(heights)) if heights.size else 0.0
    if relief == 0.0:
        return Hypsometry(None, np.empty(0))
    lowest = float(heights.min())
    checkpoint()
    levels = np.quantile(heights, np.linspace(1.0, 0.0, SHARES))
    return Hypsometry((float(heights.mean()) - lowest) / relief, (levels - lowest) / relief)


@dataclass(frozen=True, eq=False)
class Slopes:
    """How steep land is, and which ways it faces.

    Attributes
    ----------
    mean, percentile_95 : float or None
        In degrees; None if there is no land.
    steep_share : float or None
        What is steeper than dry sand comes to rest, in per cent.
    grid_bias : float or None
        How far slopes prefer the eight directions of the grid, from 0 to 1; None if none is
        steep enough to face any way.
    histogram : ndarray of shape (45,)
        Per cent of the land in steps of `BAR` degrees.
    """

    mean: float | None
    percentile_95: float | None
    steep_share: float | None
    grid_bias: float | None
    histogram: Curve


def measure_slopes(height: Field, level: Level, land: Mask) -> Slopes:
    """Return how slopes are distributed.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    level : Level
        Of that shape: spacing, and whether edges meet.
    land : ndarray of that shape, bool
        What counts.
    """
    slope = np.empty(level.shape, np.float32)
    ways, facing = 0.0 + 0.0j, 0
    for start, stop in row_blocks(level.shape):
        checkpoint()
        x, y = gradient(add_frame(height, level, start, stop), level)
        run = np.hypot(x, y)
        slope[start:stop] = arctangent(run)
        clear = land[start:stop] & (slope[start:stop] > LEAST_SLOPE)
        way = ((x[clear] + 1j * y[clear]) / run[clear]).astype(np.complex128)
        way *= way  # three times: eight times the angle, alike for the eight directions
        way *= way
        way *= way
        ways += complex(way.sum())
        facing += way.size
    own = slope[land]
    checkpoint()
    bias = abs(ways) / facing if facing else None
    bars = round(90.0 / BAR)
    if not own.size:
        return Slopes(None, None, None, bias, np.zeros(bars))
    place = np.minimum((own / np.float32(BAR)).astype(np.intp), bars - 1)
    histogram: Curve = np.bincount(place, minlength=bars) * np.float64(100.0 / own.size)
    steep = 100.0 * int(np.count_nonzero(own > REPOSE)) / own.size
    checkpoint()
    mean = float(own.mean(dtype=np.float64))
    return Slopes(mean, float(np.percentile(own, 95.0)), steep, bias, histogram)
