# SPDX-License-Identifier: GPL-3.0-or-later
"""A heap of shapes: which of them is seen where several lie upon each other.

Along a row of cells a place within a shape is a + b y, with a and b for each column; so on a grid
all that is costly is worked out once for each column and row of cells.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import Field, Index
from .instances import (
    BEND,
    COSINE,
    FIRST_SLAB,
    HALF,
    RANK,
    RANK_BITS,
    SINE,
    SLABS,
    Instances,
    X,
    Y,
)
from .shapes import OUTLINES

_CANDIDATE_BITS = 31 - RANK_BITS
"""Of a score, the lowest bits tell which candidate it belongs to; 0 is none."""

_CANDIDATE = np.int32((1 << _CANDIDATE_BITS) - 1)

_NUMBERS_AT_ONCE = 1 << 21
"""Of all candidates of some columns together: 8 MB."""

_CELLS_PER_SAMPLE = 4
"""Up to which all cells are worked out beforehand, instead of those alone that samples meet."""

_SAFE = np.float32(1.001)
"""Makes up for the cosine, which is right within 0.0004."""

_ALONG, _ACROSS, _NUMBER = slice(0, 2), slice(2, 4), 4
_BENT, _SLABS = 5, 6
"""Rows of what is known of a candidate: pairs of a and b, then what its shape needs besides."""


@dataclass(frozen=True)
class Heap:
    """Shapes of a kind, and how they overlap.

    Attributes
    ----------
    instances : Instances
    shape : str
        One of `OUTLINES`.
    copies : int
        Shapes per cell.
    width : float
        Of a shape, over its length.
    rounding : float
    is_ordered : bool
        Whether the larger number lies on top; otherwise that one whose middle is nearest.
    """

    instances: Instances
    shape: str
    copies: int
    width: float
    rounding: float
    is_ordered: bool

    def seen(self, cells: tuple[Index, Index], places: tuple[Field, Field]) -> Field:
        """Return what is seen at some places.

        Parameters
        ----------
        cells : tuple of two ndarrays, int32
        places : tuple of two ndarrays, float32
            Within these cells. If they are a row and a column, x and y of a grid's samples.

        Returns
        -------
        ndarray of shape (4, ...), float32
            Along and across the shape, how far inside of it, and its number; 0, 0, 0 and -1 where
            there is none.
        """
        (i, j), (right, up) = cells, places
        out = np.empty((4, *np.broadcast_shapes(i.shape, j.shape)), np.float32)
        if not out.size:
            return out
        table = _Table(self.instances, i, j, self._steps, self.copies, out[0].size)
        at_once = max(1, _NUMBERS_AT_ONCE // (len(self._candidates) * _SLABS))
        if right.ndim == up.ndim == 2 and right.shape[0] == up.shape[1] == 1:
            starts = np.flatnonzero(np.diff(j[:, 0], prepend=j[0, 0] - 1)).tolist()
            for start, stop in zip(starts, [*starts[1:], len(j)]):
                for part in _parts(i.shape[1], at_once):
                    self._see(table, (i[0, part], j[start]), (right[0, part], up[start:stop]), out[:, start:stop, part])  # fmt: skip
            return out
        i, j, right, up = (axis.ravel() for axis in np.broadcast_arrays(i, j, right, up))
        flat = out.reshape(4, -1)
        for part in _parts(len(i), at_once):
            self._see(table, (i[part], j[part]), (right[part], up[part]), flat[:, part])
        return out

    def _see(
        self,
        table: _Table,
        cells: tuple[Index, Index],
        places: tuple[Field, Field],
        out: Field,
    ) -> None:
        """Write what is seen at places one by one, or at those of one row of cells.

        Of a row there are cells and x for each column, and y as a column vector.
        """
        right, up = places
        place = table.places(*cells)
        ends: tuple[Any, Any] = (up.min(), up.max()) if up.ndim == 2 else (up, up)
        columns = out.shape[-1]
        best = np.zeros(out[0].size, np.int32)
        spare = np.empty((2 + SLABS) * best.size, np.float32)
        # Where the samples of the first column lie, or the first sample.
        starts = np.arange(0, best.size, columns)[:, np.newaxis][: None if up.ndim == 2 else 1]
        known = np.zeros((6 + 2 * self._slabs, len(self._candidates), columns), np.float32)
        for number, (across, along, copy) in enumerate(self._candidates):
            shapes = table.at(place, across, along, copy)
            shapes[X] += np.float32(across)
            shapes[Y] += np.float32(along)
            met = self._met(shapes, right, ends)
            if not met.size:
                continue
            shapes = shapes.take(met, axis=1)
            these = self._known(shapes, right.take(met))
            known[:, number, met] = these
            where = starts + met
            room = spare[: (2 + SLABS) * where.size].reshape(2 + SLABS, *where.shape)
            high = up if up.ndim == 2 else up.take(met)
            score = self._score(these, shapes[RANK], high, number + 1, room)
            best[where] = np.maximum(score, best.take(where), out=score)
        best &= _CANDIDATE
        self._describe(best.reshape(out.shape[1:]), known, up, out)

    def _met(self, shapes: Field, right: Field, ends: tuple[Any, Any]) -> npt.NDArray[np.intp]:
        """Return which columns (or places) shapes can come to, by circles and boxes around them."""
        half = shapes[HALF]
        circle = half * np.float32(self._stretch)
        wide = np.float32(self.width + self.instances.bend)
        # Cosine and sine are those over half the length.
        along, across = (np.abs(shapes[row]) * np.square(half) for row in (COSINE, SINE))
        beside = np.minimum(circle, (along + across * wide) * _SAFE)
        above = np.minimum(circle, (across + along * wide) * _SAFE)
        low, high = ends
        is_met = np.abs(right - shapes[X]) <= beside
        is_met &= shapes[Y] - above <= high
        is_met &= shapes[Y] + above >= low
        return np.flatnonzero(is_met)

    def _score(
        self, known: Field, rank: Field, up: Field, number: int, spare: Field
    ) -> npt.NDArray[np.int32]:
        """Return how far on top shapes lie where they are, with their number in the last bits.

        Outside of them it is negative.
        """
        bits: npt.NDArray[np.int32] = self._inside(known, up, spare)[0].view(np.int32)
        if not self.is_ordered:
            # Numbers from 0 on are in the same order as their bits; those below stay below.
            bits &= ~_CANDIDATE
            bits += np.int32(number)
            return bits
        order = rank.astype(np.int32)
        order <<= np.int32(_CANDIDATE_BITS)
        order += np.int32(number)
        # Outside the sign's bit is set: shifted down it is -1, and so is whatever is added.
        bits >>= np.int32(31)
        bits |= order
        return bits

    def _describe(self, best: Index, known: Field, up: Field, out: Field) -> None:
        """Write what is known of the candidates that were found; 0 is none."""
        hit = np.greater(best, np.int32(0)).astype(np.float32)
        cells = known.shape[-1]
        best -= np.int32(1)
        np.maximum(best, np.int32(0), out=best)
        best *= np.int32(cells)
        best += np.arange(cells, dtype=np.int32)
        chosen = known.reshape(len(known), -1).take(best, axis=1)
        spare = np.empty((2 + SLABS, *best.shape), np.float32)
        inside, along, across = self._inside(chosen, up, spare, out)
        np.clip(inside, np.float32(0.0), np.float32(1.0), out=inside)
        np.multiply(along, hit, out=out[0])
        np.multiply(across, hit, out=out[1])
        np.multiply(inside, hit, out=out[2])
        np.multiply(chosen[_NUMBER], np.float32(2.0 ** (1 - RANK_BITS)), out=out[3])
        out[3] *= hit
        out[3] -= np.float32(1.0)

    def _known(self, shapes: Field, right: Field) -> Field:
        """Return a and b of all coordinates of some shapes: shape (rows, columns)."""
        cosine, sine = shapes[COSINE], shapes[SINE]
        x, y = right - shapes[X], shapes[Y]
        over = np.float32(1.0 / self.width)
        lines = [x * cosine - y * sine, sine, (x * sine + y * cosine) * -over, cosine * over]
        result = [*lines, shapes[RANK], shapes[BEND] * over]
        for slab in range(self._slabs):
            first, second, middle = shapes[FIRST_SLAB + 3 * slab : FIRST_SLAB + 3 * slab + 3]
            result.append(lines[0] * first + lines[2] * second - middle)
            result.append(lines[1] * first + lines[3] * second)
        return np.stack(result)

    def _inside(
        self, known: Field, up: Field, spare: Field, places: Field | None = None
    ) -> tuple[Field, Field, Field]:
        """Return how far inside of shapes places lie, and where along and across.

        Parameters
        ----------
        known, up
        spare : ndarray of shape (2 + SLABS, ...), float32
            Written to.
        places : ndarray, float32, optional
            For the places along and across, if they are asked for.
        """
        along, across = spare[:2]
        _line(known[_ALONG], up, along)
        _line(known[_ACROSS], up, across)
        if self.instances.bend:
            aside = np.multiply(along, along, out=spare[2])
            aside *= known[_BENT]
            across += aside
        if places is not None:
            places[:2] = spare[:2]
        slabs = [
            _line(known[row : row + 2], up, out)
            for row, out in zip(range(_SLABS, len(known), 2), spare[2:])
        ]
        inside = OUTLINES[self.shape](along, across, slabs, self.width, self.rounding)
        return (inside, along, across) if places is None else (inside, places[0], places[1])

    @functools.cached_property
    def _steps(self) -> int:
        """How many cells away a shape that is met may lie."""
        return max(max(abs(across), abs(along)) for across, along, _ in self._candidates)

    @functools.cached_property
    def _stretch(self) -> float:
        """How much farther a shape reaches than half its length."""
        has_corners = self.shape in ("box", "blade") or self.instances.bend > 0.0
        return math.hypot(1.0, (self.width + self.instances.bend) * has_corners)

    @property
    def _slabs(self) -> int:
        return SLABS * self.instances.is_stone

    @functools.cached_property
    def _candidates(self) -> tuple[tuple[int, int, int], ...]:
        """Steps along x and y to cells, and which of their shapes: all that can come so far."""
        reach = self.instances.half[1] * self._stretch
        steps = range(-4, 5)  # of 3 cells' length, as wide as long, and bent: 3.4 cells' reach
        apart = 0.5 + 0.5 * self.instances.jitter
        return tuple(
            (across, along, copy)
            for across, along, copy in itertools.product(steps, steps, range(self.copies))
            if math.hypot(max(0.0, abs(across) - apart), max(0.0, abs(along) - apart)) < reach
        )


class _Table:
    """The shapes of all cells around some, or of those alone that are asked for."""

    def __init__(
        self, instances: Instances, i: Index, j: Index, steps: int, copies: int, samples: int
    ) -> None:
        self._instances, self._steps = instances, steps
        left, low = int(i.min()) - steps, int(j.min()) - steps
        wide, high = int(i.max()) + steps + 1 - left, int(j.max()) + steps + 1 - low
        self._corner, self._wide, self._cells = (left, low), wide, wide * high
        self._all: Field | None = None
        if self._cells <= _CELLS_PER_SAMPLE * samples + 16 * steps * steps:
            columns = np.arange(left, left + wide, dtype=np.int32)
            rows = np.arange(low, low + high, dtype=np.int32)[:, np.newaxis]
            grid = np.broadcast_arrays(columns, rows)
            fields = [instances.at(grid[0], grid[1], copy) for copy in range(copies)]
            self._all = np.stack(fields, axis=1).reshape(len(fields[0]), -1)

    def places(self, i: Index, j: Index) -> tuple[Index, Index] | Index:
        """Return how `at` wants to be told the cells."""
        i, j = np.broadcast_arrays(i, j)
        if self._all is None:
            return i, j
        left, low = self._corner
        place: Index = (j - np.int32(low)) * np.int32(self._wide) + (i - np.int32(left))
        return place

    def at(self, place: tuple[Index, Index] | Index, across: int, along: int, copy: int) -> Field:
        """Return what `Instances.at` does, for cells so many steps away."""
        if isinstance(place, tuple):
            i, j = place
            return self._instances.at(i + np.int32(across), j + np.int32(along), copy)
        assert self._all is not None
        shift = copy * self._cells + along * self._wide + across
        shapes: Field = self._all.take(place + np.int32(shift), axis=1)
        return shapes


def _line(pair: Field, up: Field, out: Field) -> Field:
    np.multiply(up, pair[1], out=out)
    out += pair[0]
    return out


def _parts(length: int, at_once: int) -> list[slice]:
    return [slice(start, start + at_once) for start in range(0, length, at_once)]
