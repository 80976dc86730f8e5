# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets of lattice points, their addresses in a table, and their random phases."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field, Index
from ..lattice.hash import hash_indices
from .octaves import GullyOctave
from .trigonometry import cosine_sine

Addresses = npt.NDArray[np.intp]

Phases = tuple[Field, Field]
"""Cosine and sine of phases."""

Around = Callable[[int, int], Phases]
"""Called with steps along x and y: returns the phases so far from some lattice points, of shape
(rows, width) in a box and (count,) else. Not to be written to."""

REACH = 2
"""The most steps that `Around` is called with."""

_CELLS_AT_ONCE = 1 << 15
"""So many phases are worked out together: with fewer, threads stand in each other's way."""


class CellSet:
    """A set of lattice points; subclasses define the points and their addresses in a table."""

    count: int
    """Number of lattice points."""
    row: int = 1
    """Parts of the table begin and end at multiples of this."""

    def addresses(self, i: Index, j: Index) -> Addresses:
        """Return the addresses of lattice points of the set."""
        raise NotImplementedError

    def corner_addresses(self, i: Index, j: Index) -> list[Addresses]:
        """Return the addresses of the corners of cells: at (0, 0), (1, 0), (0, 1), and (1, 1)."""
        one = np.int32(1)
        return [self.addresses(right, up) for up in (j, j + one) for right in (i, i + one)]

    def indices(self, start: int, stop: int) -> tuple[Index, Index]:
        """Return the lattice points of a part of the table, each wrapped to its representative."""
        raise NotImplementedError

    def around(self, start: int, stop: int) -> Around:
        """Return the function that gives the phases around a part of the table."""
        raise NotImplementedError

    @property
    def part(self) -> int:
        """Size of the parts of the table that are computed together."""
        return max(1, _CELLS_AT_ONCE // self.row) * self.row


class RectangleCells(CellSet):
    """All lattice points in a rectangle, which may be a whole torus.

    Parameters
    ----------
    octave : GullyOctave
    low : tuple of two ints
        The lattice point at the lowest x and y.
    width, depth : int
        Lattice points along x and y.
    """

    def __init__(self, octave: GullyOctave, low: tuple[int, int], width: int, depth: int) -> None:
        self._octave, self._low = octave, low
        self.count, self.row, self._depth = width * depth, width, depth

    @functools.cached_property
    def _phases(self) -> Phases:
        (left, low), reach = self._low, REACH
        x = np.arange(left - reach, left + self.row + reach, dtype=np.int32)
        y = np.arange(low - reach, low + self._depth + reach, dtype=np.int32)
        return _random_phases(self._octave, x[np.newaxis], y[:, np.newaxis])

    def corners(self) -> tuple[Index, Index]:
        """Return the four lattice points at the corners."""
        (left, low), ends = self._low, np.array([0, 1, 0, 1], np.int32)
        i, j = left + ends * (self.row - 1), low + np.sort(ends) * (self._depth - 1)
        return i.astype(np.int32), j.astype(np.int32)

    def addresses(self, i: Index, j: Index) -> Addresses:
        """See `CellSet.addresses`."""
        i, j = self._octave.lattice.wrap(i, j)
        rows = (j - np.int32(self._low[1])).astype(np.intp) * self.row
        address: Addresses = rows + (i - np.int32(self._low[0]))
        return address

    def corner_addresses(self, i: Index, j: Index) -> list[Addresses]:
        """See `CellSet.corner_addresses`: on an open plane they lie at fixed distances."""
        if self._octave.lattice.periods:
            return super().corner_addresses(i, j)
        first = self.addresses(i, j)
        return [first, *(first + np.intp(step) for step in (1, self.row, self.row + 1))]

    def indices(self, start: int, stop: int) -> tuple[Index, Index]:
        """See `CellSet.indices`."""
        j, i = np.divmod(np.arange(start, stop, dtype=np.int32), np.int32(self.row))
        i += np.int32(self._low[0])
        j += np.int32(self._low[1])
        return i, j

    def around(self, start: int, stop: int) -> Around:
        """See `CellSet.around`."""
        first, last, width = start // self.row + REACH, stop // self.row + REACH, self.row

        def phases(x: int, y: int) -> Phases:
            part = np.s_[first + y : last + y, REACH + x : REACH + x + width]
            cosine, sine = self._phases
            return cosine[part], sine[part]

        return phases


class ScatteredCells(CellSet):
    """Arbitrary lattice points, each once.

    Parameters
    ----------
    octave : GullyOctave
    i, j : ndarrays, int32
        May hold one several times.
    """

    def __init__(self, octave: GullyOctave, i: Index, j: Index) -> None:
        self._octave = octave
        self._keys = np.unique(self._key(i, j))
        self.count = len(self._keys)

    def addresses(self, i: Index, j: Index) -> Addresses:
        """See `CellSet.addresses`."""
        return np.searchsorted(self._keys, self._key(i, j))

    def indices(self, start: int, stop: int) -> tuple[Index, Index]:
        """See `CellSet.indices`."""
        keys = self._keys[start:stop]
        i = (keys & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
        return i, ((keys - i) >> 32).astype(np.int32)

    def around(self, start: int, stop: int) -> Around:
        """See `CellSet.around`."""
        i, j = self.indices(start, stop)
        return lambda x, y: _random_phases(self._octave, i + np.int32(x), j + np.int32(y))

    def _key(self, i: Index, j: Index) -> npt.NDArray[np.int64]:
        i, j = self._octave.lattice.wrap(i, j)
        return (j.astype(np.int64) << 32) + i


@dataclass(frozen=True)
class PhaseTable:
    """The phases at a set of lattice points: cosine and sine, each of shape (cells.count,)."""

    cells: CellSet
    phases: Phases


def _random_phases(octave: GullyOctave, i: Index, j: Index) -> Phases:
    """Return a random phase for each lattice point."""
    bits = hash_indices(octave.lattice.wrap(i, j), octave.seed)
    turns = (bits >> np.uint32(8)).astype(np.float32)
    turns *= np.float32(2.0**-24)
    turns -= np.float32(0.5)
    cosine, sine = np.empty_like(turns), np.empty_like(turns)
    cosine_sine(turns, cosine, sine, np.empty_like(turns))
    return cosine, sine
