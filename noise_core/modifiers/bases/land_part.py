# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of lands, with the ground around them that their own values depend on."""

from __future__ import annotations

from dataclasses import dataclass

from ...base.arrays import Field
from ...base.grid import Grid
from ...rasters.level import Level


@dataclass(frozen=True, eq=False)
class LandPart:
    """A part of a land, or the whole, as a modifier sees it that has the same bits in both.

    Attributes
    ----------
    grid : Grid
        The part's own samples.
    level : Level
        The same.
    height : ndarray of shape (rows, columns), float32
        In meters, of the part and as far around it as needed. Not to be written to.
    around : Level
        The samples of these heights.
    """

    grid: Grid
    level: Level
    height: Field
    around: Level

    @classmethod
    def whole(cls, height: Field, grid: Grid) -> LandPart:
        """Return the whole of a land as a part."""
        level = Level.from_grid(grid)
        return cls(grid, level, height, level)

    @property
    def own(self) -> Field:
        """Heights of the part's own samples."""
        return self.height[self.level.within(self.around)]
