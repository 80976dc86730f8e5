# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiles of a land, and windows around them."""

from __future__ import annotations

import functools
from dataclasses import dataclass


@dataclass(frozen=True)
class Window:
    """Rows and columns of a land.

    Attributes
    ----------
    row, column : int
        Of the first sample. On a land that wraps a window may begin before its edges and end beyond them.
    rows, columns : int
        At least 1 each.

    Examples
    --------
    >>> from terrane_worlds.base.tiling import Window
    >>> inner, outer = Window(10, 20, 4, 4), Window(8, 16, 16, 16)
    >>> inner.within(outer)
    (slice(2, 6, None), slice(4, 8, None))
    """

    row: int
    column: int
    rows: int
    columns: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return (self.rows, self.columns)

    def within(self, outer: Window) -> tuple[slice, slice]:
        """Return where this window lies in an array that holds another one around it."""
        row, column = self.row - outer.row, self.column - outer.column
        return slice(row, row + self.rows), slice(column, column + self.columns)


@dataclass(frozen=True)
class Tiling:
    """A land divided into tiles, row by row; those at its end may be smaller.

    Attributes
    ----------
    rows, columns : int
        Samples of the land.
    side : int
        Samples along both sides of a tile.
    wrap : bool
        Whether the last row and column of the land meet the first.

    Examples
    --------
    >>> from terrane_worlds.base.tiling import Tiling
    >>> tiling = Tiling(rows=100, columns=150, side=64)
    >>> tiling.across, len(tiling.tiles), tiling.tiles[-1].shape
    (3, 6, (36, 22))
    """

    rows: int
    columns: int
    side: int
    wrap: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the land."""
        return (self.rows, self.columns)

    @property
    def across(self) -> int:
        """Tiles in one row."""
        return -(-self.columns // self.side)

    @functools.cached_property
    def tiles(self) -> tuple[Window, ...]:
        """Windows of all tiles, without overlap."""
        return tuple(self.tiles_of(Window(0, 0, self.rows, self.columns)))

    def tiles_of(self, block: Window) -> list[Window]:
        """Return the windows of the tiles in a block of whole tiles."""
        return [
            Window(
                row,
                column,
                min(self.side, self.rows - row),
                min(self.side, self.columns - column),
            )
            for row in range(block.row, block.row + block.rows, self.side)
            for column in range(block.column, block.column + block.columns, self.side)
        ]
