# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground of a tile as the flow over it needs it: heights, descents and outlets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from noise_core.base.arrays import Field
from noise_core.flow_routing.directions import OFFSETS, Mask
from noise_core.flow_routing.flat_marks import FLAT, WAY, Marks, best_ways
from noise_core.rasters.level import Level

from ..base.tiling import Window


@dataclass(frozen=True)
class Descent:
    """The ground of a tile, before depressions are removed.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    marks : ndarray of that shape, uint8
        Directions of descent, across the edges of the tile too, with flats marked: see
        `noise_core.flow_routing.descent.mark_descent`.
    outlets : ndarray of that shape, bool
        Where water leaves for good.
    hollows : ndarray of that shape, bool, optional
        Where it does too if descent ends there.
    """

    height: Field
    marks: Marks
    outlets: Mask
    hollows: Mask | None = None

    def inside(self, window: tuple[slice, slice]) -> Descent:
        """Return the ground of a part of this one: rows and columns."""
        return Descent(
            np.ascontiguousarray(self.height[window]),
            np.ascontiguousarray(self.marks[window]),
            np.ascontiguousarray(self.outlets[window]),
            None if self.hollows is None else np.ascontiguousarray(self.hollows[window]),
        )


@dataclass(frozen=True)
class WithOutlet:
    """A land without outlets, in which water leaves in a lowest cell.

    Attributes
    ----------
    descend : callable
        Gives the ground of a tile without it.
    cell : int
        Its number in the land.
    level : Level
        Of the land.
    closed : tuple of int
        Directions in which no water runs.
    """

    descend: Callable[[Window], Descent]
    cell: int
    level: Level
    closed: tuple[int, ...]

    def __call__(self, tile: Window) -> Descent:
        """Return the ground of a tile."""
        ground = self.descend(tile)
        marks = ground.marks
        if (place := self._place(tile, 0, 0)) is not None:
            marks[place], ground.outlets[place] = 0, True
        for way in best_ways(self.level, self.closed):
            down, right = OFFSETS[way - 1]
            beside = self._place(tile, -down, -right)
            # A flat is as high everywhere, and the cell was part of it.
            if beside is not None and marks[beside] >= FLAT and not marks[beside] & WAY:
                marks[beside] |= np.uint8(way)
        return ground

    def _place(self, tile: Window, down: int, right: int) -> tuple[int, int] | None:
        """Return the place in a tile of a neighbor of the cell; None if it lies elsewhere."""
        row, column = self.cell // self.level.columns + down, self.cell % self.level.columns + right
        if self.level.wrap:
            row, column = row % self.level.rows, column % self.level.columns
        row, column = row - tile.row, column - tile.column
        return (row, column) if 0 <= row < tile.rows and 0 <= column < tile.columns else None


@dataclass(frozen=True)
class MarksOnly:
    """Gives the marks of a tile alone.

    Attributes
    ----------
    descend : callable
        Gives the ground of a tile.
    """

    descend: Callable[[Window], Descent]

    def __call__(self, tile: Window) -> Marks:
        """Return the marks of a tile."""
        return self.descend(tile).marks
