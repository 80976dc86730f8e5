# SPDX-License-Identifier: GPL-3.0-or-later
"""Power spectrum of heights: how much of the relief is in long waves, and how much in short ones.

References
----------
Perron, J. T., Kirchner, J. W., Dietrich, W. E. (2008). Spectral signatures of characteristic spatial scales
and nonfractal structure in landscapes. Journal of Geophysical Research 113.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.blocks import checkpoint
from ..types.level import Level
from .fits import Line, fit_line

Values = npt.NDArray[np.float64]

RINGS = 19
"""Rings of frequencies, equally wide as logarithms."""

LONGEST, SHORTEST = 4.0, 4.0
"""The longest waves go that often into the land, the shortest have that many samples."""

FEWEST_RINGS = 5
"""With waves in them: fewer say nothing of a power law."""


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

    frequency: Values
    power: Values
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


def _sum_rings(height: Field, level: Level, edges: Values) -> tuple[Values, Values]:
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
