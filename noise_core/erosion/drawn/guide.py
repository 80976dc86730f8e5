# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn, on each level of erosion."""

from __future__ import annotations

from dataclasses import dataclass

from ...base.arrays import Field
from ...flow_routing.directions import Mask
from .places import Frame
from .rivers import Rivers, Trenches


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
        return self.trenches.cut(height, fixed)


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
