# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn, on each level of erosion."""

from __future__ import annotations

from dataclasses import dataclass

from ...base.arrays import Field
from ...flow_routing.directions import Mask
from .places import Frame
from .rivers import Rivers, Trenches


_SHARE = 1.0
"""Of the height of a bank between two cells, by which trenches deepen in a step: without it rivers that are drawn along
a slope would stand on it like canals."""


@dataclass(frozen=True, eq=False)
class LevelGuide:
    """Drawn rivers and ridges on a level.

    Attributes
    ----------
    trenches : Trenches
    """

    trenches: Trenches

    def shape(self, height: Field, fixed: Mask) -> Field:
        """Return the ground that water is led over: with trenches along rivers.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters.
        fixed : ndarray of that shape, bool
            Cells that keep their height.
        """
        return self.trenches.cut(height, fixed, _SHARE)

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
    """

    rivers: Rivers

    def on(self, frame: Frame) -> LevelGuide:
        """Return them on a level."""
        return LevelGuide(self.rivers.on(frame))
