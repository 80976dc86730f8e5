# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets of cells of one class, and the craters in them."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from ..base.arrays import Index
from .population import Impacts, Numbers, Positions, SizeClass

Keys = npt.NDArray[np.int64]
"""A number for each cell, in the order of rows."""

_CELLS_PER_POINT = 4
"""Up to which all cells in a rectangle are taken, instead of those alone that points need."""

_FEW_CELLS = 1 << 12
"""A rectangle of so many cells is taken in any case."""


class CellSelection(Protocol):
    """A set of cells; each has a number, and none is -1."""

    def members(self) -> tuple[Index, Index]:
        """Return the cells by number."""

    def number(self, i: Index, j: Index) -> Numbers:
        """Return the numbers of cells of the set."""

    def grow(self, steps: int) -> CellSelection:
        """Return the set with all cells around it up to so many steps away."""


class CellBlock:
    """All cells in a rectangle.

    Parameters
    ----------
    low : tuple of two ints
        The cell at the lowest x and y.
    width, depth : int
        Cells along x and y.
    """

    def __init__(self, low: tuple[int, int], width: int, depth: int) -> None:
        self.low, self.width, self.depth = low, width, depth

    def members(self) -> tuple[Index, Index]:
        """See `CellSelection.members`."""
        (left, bottom), shape = self.low, (self.depth, self.width)
        i = np.arange(left, left + self.width, dtype=np.int32)
        j = np.arange(bottom, bottom + self.depth, dtype=np.int32)[:, np.newaxis]
        return np.broadcast_to(i, shape).ravel(), np.broadcast_to(j, shape).ravel()

    def number(self, i: Index, j: Index) -> Numbers:
        """See `CellSelection.number`."""
        row = (j - np.int32(self.low[1])).astype(np.intp)
        row *= self.width
        row += i - np.int32(self.low[0])
        return row

    def grow(self, steps: int) -> CellBlock:
        """See `CellSelection.grow`."""
        low = (self.low[0] - steps, self.low[1] - steps)
        return CellBlock(low, self.width + 2 * steps, self.depth + 2 * steps)


class CellList:
    """Arbitrary cells, each once.

    Parameters
    ----------
    keys : ndarray, int64
        Keys of the cells, by `_key`; may hold one several times.
    """

    def __init__(self, keys: Keys) -> None:
        # NumPy's own `unique` takes ten times as long since 2.3.
        keys = np.sort(keys, kind="stable")
        is_new = np.ones(keys.size, np.bool_)
        np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
        self._keys = keys[is_new]

    def members(self) -> tuple[Index, Index]:
        """See `CellSelection.members`."""
        i = (self._keys & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
        return i, ((self._keys - i) >> 32).astype(np.int32)

    def number(self, i: Index, j: Index) -> Numbers:
        """See `CellSelection.number`."""
        return np.searchsorted(self._keys, _key(i, j))

    def grow(self, steps: int) -> CellList:
        """See `CellSelection.grow`."""
        steps_each_way = np.arange(-steps, steps + 1, dtype=np.int64)[:, np.newaxis]
        wide = CellList((self._keys + steps_each_way).ravel())
        return CellList((wide._keys + (steps_each_way << 32)).ravel())


def _key(i: Index, j: Index) -> Keys:
    return (j.astype(np.int64) << 32) + i


def cells_of(x: Positions, y: Positions) -> CellSelection:
    """Return the cells that points lie in: a rectangle if they lie close to one another.

    Parameters
    ----------
    x, y : ndarray of shape (n,), float64
        In cells; at least one.
    """
    rectangle = rectangle_of(x, y)
    if rectangle.width * rectangle.depth <= _CELLS_PER_POINT * x.size + _FEW_CELLS:
        return rectangle
    return CellList(_key(np.floor(x).astype(np.int32), np.floor(y).astype(np.int32)))


def rectangle_of(x: Positions, y: Positions) -> CellBlock:
    """Return all cells in the rectangle that contains some points, in cells."""
    left, bottom = int(np.floor(x.min())), int(np.floor(y.min()))
    right, top = int(np.floor(x.max())), int(np.floor(y.max()))
    return CellBlock((left, bottom), right + 1 - left, top + 1 - bottom)


def unite(first: CellSelection, second: CellSelection) -> CellSelection:
    """Return a set that has the cells of two sets: a rectangle around both if they are rectangles."""
    if isinstance(first, CellBlock) and isinstance(second, CellBlock):
        low_x, bottom = (min(a, b) for a, b in zip(first.low, second.low))
        right = max(each.low[0] + each.width for each in (first, second))
        top = max(each.low[1] + each.depth for each in (first, second))
        return CellBlock((low_x, bottom), right - low_x, top - bottom)
    return CellList(np.concatenate([_key(*cells.members()) for cells in (first, second)]))


class ImpactIndex:
    """The craters of one class in a set of cells, and the way from a cell to its crater.

    Parameters
    ----------
    size_class : SizeClass
    cells : CellSelection
    """

    def __init__(self, size_class: SizeClass, cells: CellSelection) -> None:
        i, j = cells.members()
        (chosen,) = size_class.is_hit(i, j).nonzero()
        self._cells = cells
        self._number_of_cell = np.full(i.size, -1, np.int32)
        self._number_of_cell[chosen] = np.arange(chosen.size, dtype=np.int32)
        self.impacts: Impacts = size_class.impacts(i[chosen], j[chosen])

    def find(self, i: Index, j: Index) -> Index:
        """Return the crater of each cell, -1 where there is none; the cells must be in the set."""
        numbers: Index = self._number_of_cell.take(self._cells.number(i, j))
        return numbers
