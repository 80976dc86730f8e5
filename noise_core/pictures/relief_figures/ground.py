# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of the ground: how its heights, slopes and ways and the power of its waves are distributed.

References
----------
Strahler, A. N. (1952). Hypsometric (area-altitude) analysis of erosional topography. Geological Society
of America Bulletin 63.
Perron, J. T., Kirchner, J. W., Dietrich, W. E. (2008). Spectral signatures of characteristic spatial scales
and nonfractal structure in landscapes. Journal of Geophysical Research 113.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.blocks import checkpoint
from ...base.elementary import arctangent
from ...flow_routing.directions import Mask, row_blocks
from ...rasters.differences import add_frame, gradient
from ...rasters.level import Level
from .fits import Line, fit_line

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

RINGS = 19
"""Rings of frequencies, equally wide as logarithms."""

LONGEST, SHORTEST = 4.0, 4.0
"""The longest waves go that often into the land, the shortest have that many samples."""

FEWEST_RINGS = 5
"""With waves in them: fewer say nothing of a power law."""


@dataclass(frozen=True, eq=False)
class Hypsometry:
    """Distribution of heights between the lowest and the highest point of a land.

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
        Samples that count.
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
    """Distribution of the slopes and aspects of a land.

    Attributes
    ----------
    mean, percentile_95 : float or None
        In degrees; None if there is no land.
    steep_share : float or None
        Share of ground steeper than dry sand comes to rest, in per cent.
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
        Samples that count.
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
    slopes = slope[land]
    checkpoint()
    bias = abs(ways) / facing if facing else None
    bars = round(90.0 / BAR)
    if not slopes.size:
        return Slopes(None, None, None, bias, np.zeros(bars))
    place = np.minimum((slopes / np.float32(BAR)).astype(np.intp), bars - 1)
    histogram: Curve = np.bincount(place, minlength=bars) * np.float64(100.0 / slopes.size)
    steep = 100.0 * int(np.count_nonzero(slopes > REPOSE)) / slopes.size
    checkpoint()
    mean = float(slopes.mean(dtype=np.float64))
    return Slopes(mean, float(np.percentile(slopes, 95.0)), steep, bias, histogram)


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Power by frequency, averaged over all directions.

    Attributes
    ----------
    frequency : ndarray of shape (rings,)
        Waves per kilometer, rising. Empty if the land is level or has too few samples.
    power : ndarray of shape (rings,)
        Spectral density in m^4, of two dimensions.
    fit : Line or None
        Through the logarithms to base 10 of both.
    """

    frequency: Curve
    power: Curve
    fit: Line | None

    @property
    def beta(self) -> float | None:
        """The exponent with which power falls with frequency; None if there is none."""
        return None if self.fit is None else -self.fit.slope


NOTHING = Spectrum(np.empty(0), np.empty(0), None)


def measure_spectrum(height: Field, level: Level) -> Spectrum:
    """Return the power spectrum of all heights, the bed of the sea included.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    level : Level
        Of that shape.
    """
    rows, columns = level.shape
    low = LONGEST / min(rows * level.step_y, columns * level.step_x)
    high = 1.0 / (SHORTEST * max(level.step_x, level.step_y))
    if high <= low or float(np.ptp(height)) == 0.0:
        return NOTHING
    edges = np.geomspace(low, high, RINGS + 1)
    power, count = _sum_rings(height, level, edges)
    full = count > 0.0
    if np.count_nonzero(full) < FEWEST_RINGS:
        return NOTHING
    middle = np.sqrt(edges[:-1] * edges[1:])
    frequency, mean = middle[full], power[full] / count[full]
    if not mean.min() > 0.0:
        return NOTHING
    frequency = frequency * 1000.0
    return Spectrum(frequency, mean, fit_line(np.log10(frequency), np.log10(mean)))


def _sum_rings(height: Field, level: Level, edges: Curve) -> tuple[Curve, Curve]:
    """Return the sum of the power in each ring, and how many waves it has."""
    rows, columns = level.shape
    down, along = np.hanning(rows), np.hanning(columns)
    land = height.astype(np.float64)
    land -= land.mean()
    land *= down[:, np.newaxis]
    land *= along
    checkpoint()
    waves = np.fft.rfft2(land)
    del land
    checkpoint()
    # A window takes away power, and a sample stands for its area.
    scale = (
        level.step_x * level.step_y / (float((down * down).sum()) * float((along * along).sum()))
    )
    x = np.fft.rfftfreq(columns, level.step_x)
    weights = np.full(len(x), 2.0)  # the other half of the waves is the same
    weights[0] = 1.0
    if columns % 2 == 0:
        weights[-1] = 1.0
    power, count = np.zeros(len(edges) + 1), np.zeros(len(edges) + 1)
    for row, y in enumerate(np.fft.fftfreq(rows, level.step_y)):
        if not row & 63:
            checkpoint()
        ring = np.digitize(np.hypot(x, y), edges)
        density = waves[row].real ** 2 + waves[row].imag ** 2
        power += np.bincount(ring, density * weights, len(edges) + 1)
        count += np.bincount(ring, weights, len(edges) + 1)
    return power[1:-1] * scale, count[1:-1]
