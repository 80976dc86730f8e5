# SPDX-License-Identifier: GPL-3.0-or-later
"""Orographic rain: more falls where wind climbs and on heights, less in their lee.

Air that rises condenses water. Cloud becomes rain, and rain reaches the ground, each after a while in which
wind carries it on. Without waves in the air that is the linear theory of Smith and Barstad: the rain is the
condensation by ascent, delayed twice by an exponential. Where both delays are as long, it is the difference of two means
of the height upwind, of which one has been taken twice.

References
----------
Ronald B. Smith, Idar Barstad (2004). A linear theory of orographic precipitation. Journal of the Atmospheric
Sciences 61.
Gerard H. Roe (2005). Orographic precipitation. Annual Review of Earth and Planetary Sciences 33.
Alison M. Anders, Gerard H. Roe, Bernard Hallet, David R. Montgomery, Noah J. Finnegan, Jaakko Putkonen (2006).
Spatial patterns of precipitation and topography in the Himalaya. GSA Special Paper 398. (rain in the lee)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ... import rasters
from ...base.arrays import Field
from ...base.blocks import checkpoint
from ...base.elementary import cosine_sine_of, power_of

if TYPE_CHECKING:
    from ...rasters.level import Level

_COARSEST = 64
"""Samples along the shorter side of the level on which rain is worked out, and up to twice as many: it is smooth."""

AUTOMATIC = 1.0 / 12.0
"""Distance that wind carries rain as a share of the width, if none is given: the flank of a range is about as wide."""

_GAIN = 4.0
"""At amount 1 the rain doubles on the windward flanks of waves whose phase is as long as the distance, and
vanishes on their lee: such waves give a quarter of the relief."""

_LEAST = 1.0 / 16.0
"""Of the mean rain, that falls everywhere: in the lee of the wettest ranges a tenth to a twentieth was measured."""

_STEPS = 1 << 12
"""Weights are whole multiples of one over this, so that the sum over all cells upstream is exact."""

_REACH = 8.0
"""Distances upwind that are looked at: what is farther away has a weight of 0.0003."""


@dataclass(frozen=True)
class OrographicRain:
    """Rain over a relief.

    Attributes
    ----------
    amount : float
        From 0, the same everywhere.
    direction : float
        Where the wind blows to, in degrees counterclockwise from the x axis.
    distance : float
        That it carries rain, in meters; 0 for a share of the width.
    span : float
        The relief to which the amount relates, in meters, above 0.
    """

    amount: float
    direction: float
    distance: float
    span: float

    def fall(self, height: Field, level: Level) -> Field:
        """Return how much rain falls, as a multiple of the mean, in whole steps.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters. Beyond a border it goes on as it ends.
        level : Level
            Of that shape.

        Returns
        -------
        ndarray of that shape, float32
        """
        levels = level.pyramid(_COARSEST)
        coarse = rasters.pyramid.restrict_all(height, levels)[-1]
        rain = rasters.pyramid.prolong_all_smoothly(self._coarse(coarse, levels[-1]), levels)
        checkpoint()
        rain *= np.float32(_STEPS)
        np.rint(rain, out=rain)
        rain *= np.float32(1.0 / _STEPS)
        return rain

    def _coarse(self, height: Field, level: Level) -> Field:
        """Return the rain on a coarse level: its mean is 1."""
        lifted = self._upwind_mean(height, level)
        lifted -= self._upwind_mean(lifted, level)
        lifted *= np.float32(_GAIN * self.amount / self.span)
        lifted += np.float32(1.0)
        np.maximum(lifted, np.float32(_LEAST), out=lifted)
        lifted *= np.float32(1.0 / rasters.totals.mean(lifted))
        return np.maximum(lifted, np.float32(1.0 / _STEPS), out=lifted)

    def _upwind_mean(self, height: Field, level: Level) -> Field:
        """Return the mean of the height upwind, whose weights fall exponentially with the distance.

        The sum of a power series over equal steps is a product: with 1 step upwind, with 2 of the sums of that,
        with 4 and so on. The first sample has half its weight, as in the trapezoidal rule.
        """
        step = min(level.step_x, level.step_y)
        length = max(self.distance or AUTOMATIC * level.width, step)
        along, down = cosine_sine_of(self.direction)
        factor = power_of(math.e, -step / length)
        total, steps, weight = height, 1, factor
        while (steps - 1) * step < _REACH * length:
            checkpoint()
            beyond = rasters.shifts.shift(total, level, -along * steps * step, -down * steps * step)
            beyond *= np.float32(weight)
            beyond += total
            total, steps, weight = beyond, 2 * steps, weight * weight
        # The series ends after so many steps; its weights sum to 1 with that of the first halved.
        whole = (1.0 - weight) / (1.0 - factor) - 0.5
        total = total - np.float32(0.5) * height
        total *= np.float32(1.0 / whole)
        return total
