# SPDX-License-Identifier: GPL-3.0-or-later
"""Ice wears its bed down where it slides, and makes valleys as wide as it needs.

Wear grows with the speed of sliding (Hallet 1979), up to a limit: fast thin ice has little debris. Speeds of
neighbors pull at each other over some thicknesses of ice (Kamb & Echelmeyer 1986), which shallow ice leaves
out, so they are averaged. Walls hold ice back at the bottom of narrow valleys, and slower ice wears it less
than its sides: the constriction of Braun and others (1999), here by how far the bed lies above or below the
mean bed under the ice around. So a V becomes a U. Walls that stand too steeply above the ice fall on it and
are carried away.

References
----------
Bernard Hallet (1979). A theoretical model of glacial abrasion. Journal of Glaciology 23.
Barclay Kamb, Keith A. Echelmeyer (1986). Stress-gradient coupling in glacier flow. Journal of Glaciology 32.
Jonathan M. Harbor (1992). Numerical modeling of the development of U-shaped valleys by glacial erosion. GSA
Bulletin 104.
Jean Braun, Dan Zwartz, Jonathan H. Tomkin (1999). A new surface-processes model combining glacial and
fluvial erosion. Annals of Glaciology 28.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...rasters import boxes
from ...rasters.level import Level
from ..slides import talus
from .flow import Ice

_COUPLING = 3.0
"""Deviation of the Gaussian over which speeds and beds are averaged, in units of thickness (Kamb & Echelmeyer
give one to three)."""

_FULL = 1.0
"""Speed of sliding at which ice wears half as fast as it can."""

_THIN = 1.2
"""Thickness, in its unit, at which ice wears half as fast as thick ice."""

_CONSTRICTION = 9.0
"""Times the unit of thickness: the radius of curvature at which the bottom of a valley is not worn."""

_MOST = 3.0
"""How much faster the sides of a valley wear than level ground, at most."""

_BARE = 1e-3
"""Averaged speed below which no ice is near."""

_LITTLE = np.float32(1e-3)
"""Thickness that ice counts as at least where beds are averaged."""

_WALL_PASSES = 4
"""In which walls fall, after each step."""


@dataclass(frozen=True)
class Abrasion:
    """Law by which ice wears its bed.

    Attributes
    ----------
    relief, unit : float
        Of heights and of thickness, in meters.
    widening : float
        How much wider valleys get, 1 as ice does it; at 0 they keep their shape.
    wall : float
        Steepest slope of rock above the ice, rise over run.
    """

    relief: float
    unit: float
    widening: float
    wall: float

    def abrade(self, ice: Ice, level: Level, most: float) -> None:
        """Wear the bed of some ice down by one step.

        Parameters
        ----------
        ice : Ice
            In a steady state, or near it.
        level : Level
            Its samples.
        most : float
            Wear of level ground below thick and fast ice, in reliefs.
        """
        deviation = _COUPLING * self.unit
        speed = ice.sliding()
        speed /= speed + np.float32(_FULL)
        speed = boxes.blur(speed, level, deviation)
        far = speed < np.float32(_BARE)
        thickness = ice.thickness
        speed *= thickness / (thickness + np.float32(_THIN))
        speed *= self._spreading(ice, level, deviation)
        speed *= np.float32(most)
        bed = ice.bed
        bed -= speed
        steepest = self.wall / self.relief
        fallen = talus.wear_down(np.ascontiguousarray(bed), level, steepest, _WALL_PASSES, far)
        np.minimum(bed, fallen, out=bed)

    def _spreading(self, ice: Ice, level: Level, deviation: float) -> Field:
        """Return how fast places are worn, compared with a level bed: bottoms less, sides more."""
        weight = ice.thickness + _LITTLE
        mean = boxes.blur(weight * ice.bed, level, deviation)
        mean /= boxes.blur(weight, level, deviation)
        result: Field = ice.bed - mean
        # The mean of a parabola lies by the variance over the radius of curvature above its bottom.
        gain = _CONSTRICTION * self.widening * self.unit * self.relief
        result *= np.float32(2.0 * gain / (deviation * deviation))
        result += np.float32(1.0)
        np.clip(result, np.float32(0.0), np.float32(_MOST), out=result)
        return result
