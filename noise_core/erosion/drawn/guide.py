# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn, on each level of erosion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...flow_routing.directions import Mask
from ...rasters.level import Level
from .places import LevelFrame
from .ridges import Dams, Ridges
from .rivers import Rivers, Trenches


@dataclass(frozen=True, eq=False)
class LevelGuide:
    """Drawn rivers and ridges on a level.

    Attributes
    ----------
    trenches : Trenches
    dams : Dams
    """

    trenches: Trenches
    dams: Dams

    def shape(self, height: Field, fixed: Mask) -> Field:
        """Return the ground that water is led over: with dams along ridges, and trenches along rivers, which cut through.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters.
        fixed : ndarray of that shape, bool
            Cells that keep their height.
        """
        if len(self.dams.cells):
            height = self.dams.build(height, fixed)
        if len(self.trenches.cells):
            height = self.trenches.cut(height, fixed, to_lowest=True)
        return height

    def limit(self, gentlest: Field | float, flattest: float) -> Field:
        """Return the gentlest slopes of the ground, which are the flattest along rivers: these never fill up."""
        slopes = np.array(np.broadcast_to(np.float32(gentlest), self.trenches.frame.shape))
        slopes.reshape(-1)[self.trenches.cells] = flattest
        return slopes

    def spare(self, fixed: Mask) -> Mask:
        """Return the cells that slides leave as they are: those that keep their height, and rivers."""
        spared = fixed.copy()
        spared.reshape(-1)[self.trenches.cells] = True
        return spared


@dataclass(frozen=True, eq=False)
class Guide:
    """Rivers and ridges that are drawn on a land.

    Attributes
    ----------
    rivers : Rivers
    ridges : Ridges
    """

    rivers: Rivers
    ridges: Ridges

    def has_dams(self, level: Level) -> bool:
        """Return whether dams stand on land with these samples.

        Ground beside them takes some steps to stand as the law says.
        """
        return self.ridges.stand_on(level)

    def on(self, frame: LevelFrame) -> LevelGuide:
        """Return them on a level."""
        return LevelGuide(self.rivers.on(frame), self.ridges.on(frame))
