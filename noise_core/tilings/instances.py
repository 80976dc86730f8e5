# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes in the cells of a lattice: random positions, rotations and sizes, and those around points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field, Hash, Index
from ..base.torus import Lattice
from ..base.waves import cosine
from ..lattice.hash import child_seed, hash_indices

RANK_BITS = 21
"""Of the number that says which of two shapes lies on top."""

SLABS = 3
"""Pairs of parallel sides of a stone."""

X, Y, COSINE, SINE, HALF, BEND, RANK, FIRST_SLAB = range(8)
"""Rows of what `Instances.at` returns, and where the slabs begin."""

_ABSENT = np.float32(1e3)
"""Cells away, where shapes lie that are left out: no point is inside of them."""

_CELLS_PER_SAMPLE = 4
"""Up to which all cells are worked out beforehand, instead of those alone that samples meet."""

_SHAPES_AT_ONCE = 1 << 17
"""Up to which the shapes around samples are worked out in one go (9 MB): there the calls cost more
than the numbers."""

Extents: TypeAlias = Callable[[Field], tuple[Field, Field]]
"""Gives how far shapes extend along x and y from their places: see `ShapeScatter.extents`."""

Nearby: TypeAlias = tuple[Field, Callable[[npt.NDArray[np.intp]], Field]]
"""X, y and extents of one shape for each sample, in rows; and what gives all rows of `Instances.at` for some
of the samples, as an array of its own."""

Around: TypeAlias = Callable[[int, int, int], Nearby]
"""Takes steps across and along and the number of a copy; gives the shapes of each sample's cell so many
steps away."""

_TURN, _CHANCE, _SLAB = 0x51, 0xA7, 0x1D3
"""Tell a shape's random words from one another."""

_SLAB_TURN, _SLAB_MIDDLE = 0.6, 0.16
_SLAB_HALF = (0.58, 0.94)
"""Sides of a stone: how far directions stray, in steps from one to the next; where their middle
and their distance lie, in halves of the stone. Chosen by eye after crushed granite."""


@dataclass(frozen=True)
class Instances:
    """Random shapes in the cells of a lattice.

    Parameters
    ----------
    lattice : Lattice
    seed : int
        Unsigned, 32 bits.
    jitter : float
        Deviation of shapes from the middle of their cell.
    density : float
        Probability of each shape.
    half : tuple of two floats
        Half the length of the smallest and of the largest shape, in cells.
    turn : tuple of two floats
        Rotation of all shapes, and the deviation of each to either side, in turns.
    bend : float
        Largest sideways bend of the ends, in halves of the length.
    is_stone : bool
        Whether the slabs of a stone are computed.
    """

    lattice: Lattice
    seed: int
    jitter: float
    density: float
    half: tuple[float, float]
    turn: tuple[float, float]
    bend: float
    is_stone: bool

    def at(self, i: Index, j: Index, copy: int) -> Field:
        """Return the shapes of some cells.

        Parameters
        ----------
        i, j : ndarray, int32
            Of the cells; of one shape.
        copy : int
            Which of the shapes in a cell.

        Returns
        -------
        ndarray of shape (rows, ...), float32
            Place within the cell along x and y, cosine and sine of the turn over half the length,
            that half, bend, rank (a whole number), and per slab: its direction over half its
            width, along and across the shape, and where its middle lies.
        """
        i, j = self.lattice.wrap(i, j)
        seed = child_seed(self.seed, copy)
        place, turn, chance = (_halves((i, j), seed ^ word) for word in (0, _TURN, _CHANCE))
        result = np.empty((FIRST_SLAB + 3 * SLABS * self.is_stone, *i.shape), np.float32)
        for axis in (X, Y):
            result[axis] = (place[axis] - np.float32(0.5)) * np.float32(self.jitter) + np.float32(
                0.5
            )
        if self.density < 1.0:
            result[X] += _ABSENT * np.greater_equal(chance[0], np.float32(self.density))
        small, large = self.half
        result[HALF] = np.float32(small) + np.float32(large - small) * turn[1]
        over = np.float32(1.0) / result[HALF]
        middle, spread = self.turn
        phase = (turn[0] * np.float32(2.0) - np.float32(1.0)) * np.float32(spread)
        phase += np.float32(middle)
        result[COSINE] = cosine(phase) * over
        result[SINE] = cosine(phase - np.float32(0.25)) * over
        result[BEND] = (chance[1] * np.float32(2.0) - np.float32(1.0)) * np.float32(self.bend)
        rank = hash_indices((i, j), seed ^ (_TURN + _CHANCE)) >> np.uint32(32 - RANK_BITS)
        result[RANK] = rank.astype(np.float32)
        for slab in range(SLABS * self.is_stone):
            result[FIRST_SLAB + 3 * slab : FIRST_SLAB + 3 * slab + 3] = _slab(slab, (i, j), seed)
        return result


def _slab(slab: int, indices: Sequence[Index], seed: int) -> Field:
    """Return the direction divided by the half width, along and across, and the middle of a slab."""
    stray, width = _halves(indices, seed ^ (_SLAB + 2 * slab))
    middle, _ = _halves(indices, seed ^ (_SLAB + 2 * slab + 1))
    phase = (stray - np.float32(0.5)) * np.float32(_SLAB_TURN) + np.float32(slab)
    phase *= np.float32(0.5 / SLABS)
    low, high = _SLAB_HALF
    over = np.float32(1.0) / (np.float32(low) + np.float32(high - low) * width)
    offset = (middle - np.float32(0.5)) * np.float32(2.0 * _SLAB_MIDDLE)
    return np.stack((cosine(phase) * over, cosine(phase - np.float32(0.25)) * over, offset * over))


def _halves(indices: Sequence[Index], seed: int) -> tuple[Field, Field]:
    """Return two random numbers within (0, 1) per cell, of 16 bits each."""
    bits: Hash = hash_indices(indices, seed)
    words = (bits >> np.uint32(16), bits & np.uint32(0xFFFF))
    first, second = (
        (word.astype(np.float32) + np.float32(0.5)) * np.float32(2.0**-16) for word in words
    )
    return first, second


class ShapeTable:
    """Shapes of all cells around some cells, or of the requested ones alone."""

    def __init__(
        self,
        instances: Instances,
        extents: Extents,
        cells: tuple[Index, Index],
        steps: int,
        copies: int,
        samples: int,
    ) -> None:
        self._instances, self._extents = instances, extents
        self._steps, self._copies = steps, copies
        i, j = cells
        first_column, low = int(i.min()) - steps, int(j.min()) - steps
        wide, high = int(i.max()) + steps + 1 - first_column, int(j.max()) + steps + 1 - low
        self._corner, self._wide, self._cells = (first_column, low), wide, wide * high
        self._all: Field | None = None
        if self._cells <= _CELLS_PER_SAMPLE * samples + 16 * steps * steps:
            columns = np.arange(first_column, first_column + wide, dtype=np.int32)
            rows = np.arange(low, low + high, dtype=np.int32)[:, np.newaxis]
            grid = np.broadcast_arrays(columns, rows)
            fields = [instances.at(grid[0], grid[1], copy) for copy in range(copies)]
            self._all = np.stack(fields, axis=1).reshape(len(fields[0]), -1)

    def around(self, i: Index, j: Index) -> Around:
        """Return the function that gives the shapes around the cells of some samples."""
        if self._all is not None:
            return self._looked_up(self._all, i, j)
        side = 2 * self._steps + 1
        if self._copies * side * side * i.size <= _SHAPES_AT_ONCE:
            return self._in_one_go(i, j)
        at = self._instances.at
        return lambda across, along, copy: self._nearby(
            at(i + np.int32(across), j + np.int32(along), copy)
        )

    def _boxes(self, shapes: Field) -> Field:
        return np.stack((shapes[X], shapes[Y], *self._extents(shapes)))

    def _nearby(self, shapes: Field) -> Nearby:
        return self._boxes(shapes), lambda chosen: shapes.take(chosen, axis=1)

    def _looked_up(self, shapes: Field, i: Index, j: Index) -> Around:
        first_column, low = self._corner
        place: Index = (j - np.int32(low)) * np.int32(self._wide) + (i - np.int32(first_column))
        boxes = self._boxes(shapes)

        def take(across: int, along: int, copy: int) -> Nearby:
            address = place + np.int32(copy * self._cells + along * self._wide + across)
            return (
                boxes.take(address, axis=1),
                lambda chosen: shapes.take(address.take(chosen), axis=1),
            )

        return take

    def _in_one_go(self, i: Index, j: Index) -> Around:
        steps = np.arange(-self._steps, self._steps + 1, dtype=np.int32)
        i, j = np.broadcast_arrays(i + steps[:, np.newaxis], j + steps[:, np.newaxis, np.newaxis])
        shapes = [self._instances.at(i, j, copy) for copy in range(self._copies)]
        return lambda across, along, copy: self._nearby(
            shapes[copy][:, along + self._steps, across + self._steps]
        )
