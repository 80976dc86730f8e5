# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of kernels, at any points and on a regular grid.

A kernel is a factor along y times one along the other axes. In a cell of the lattice the same few
impulses count for all samples, so that on a grid its samples are the product of two matrices: the factors
of the rows, and those of the columns. `einsum` adds up in the order of the impulses, so that a sample has
the same bits in every window.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..base import blocks
from ..base.arrays import Field, Index, Points
from ..base.gathering import gather
from ..base.grid import Axes
from ..lattice import lattice_cells
from .impulses import Impulses

_FEWEST_SAMPLES = 4.0
"""Samples along a cell from which on matrices pay."""

_POINTS_AT_ONCE = 1 << 13
"""So that what is computed for them stays in the cache."""

Nearby = Callable[[slice, Sequence[int]], Sequence[Field]]
"""Called with a part of the points and a step: the impulses of the cells so far from their own."""


class _ImpulseRow(NamedTuple):
    """The impulses of one row of cells around the samples of a grid.

    Attributes
    ----------
    place : ndarray of shape (layers, cells)
        Along y, within the cell.
    marks : list of ndarrays of that shape
    vectors : ndarray of shape (layers, products, steps, columns)
        The factors of the columns, for the impulses so many steps from a column's own cell.
    """

    place: Field
    marks: list[Field]
    vectors: Field


def can_serve(impulses: Impulses, axes: Axes) -> bool:
    """Return whether the lattice runs along a grid's axes, with cells large enough."""
    (across, _), (_, along) = impulses.lattice.matrix
    if not impulses.lattice.is_aligned or min(across, along) <= 0.0:
        return False
    return max(across, along) * axes.step * _FEWEST_SAMPLES <= 1.0


class GridSums:
    """The fields of a sum of kernels on a grid that `can_serve` accepts.

    Parameters
    ----------
    impulses : Impulses
    axes : Axes
    by : int, optional
        The axis of a derivative, per cell.
    """

    def __init__(self, impulses: Impulses, axes: Axes, by: int | None = None) -> None:
        self._impulses, self._by = impulses, by
        lattice, radius = impulses.lattice, impulses.kernel.radius
        (across, _), (_, along) = lattice.matrix
        (column, row), (x, y) = lattice_cells.split_cells((axes.x * across, axes.y * along))
        self._row, self._x, self._y = row, x, y
        self._first = int(column[0]) - radius
        self._cells = np.arange(self._first, int(column[-1]) + radius + 1, dtype=np.int32)
        self._column = column
        self._runs = list(_runs(column))
        fixed, within = lattice_cells.split_cells(
            tuple(np.full(1, at * lattice.frequency) for at in axes.rest)
        )
        grids = np.meshgrid(*(list(impulses.steps) for _ in fixed), indexing="ij")
        # One layer of impulses for each set of steps along the further axes.
        self._steps = [np.asarray(steps, np.int32).reshape(-1, 1) for steps in grids]
        self._rest = [fixed_index + steps for fixed_index, steps in zip(fixed, self._steps)]
        self._within = within

    def rows(self, start: int, stop: int, out: Field) -> None:
        """Write some rows of all fields: `out` has shape (fields, stop - start, columns)."""
        kernel = self._impulses.kernel
        held: dict[int, _ImpulseRow] = {}
        with blocks.short_buffers():
            for j, begin, end in _runs(self._row[start:stop]):
                blocks.checkpoint()
                neighbors = [j + step for step in self._impulses.steps]
                held = {
                    number: held.get(number) or self._impulse_row(number) for number in neighbors
                }
                near = [held[number] for number in neighbors]
                vectors = np.stack([row.vectors for row in near]).reshape(-1, len(self._x))
                weights = self._weights(near, self._y[start + begin : start + end])
                for i, left, right in self._runs:
                    first = i - kernel.radius - self._first
                    row_weights = weights[..., first : first + len(neighbors)]
                    for field, weight in zip(out, row_weights):
                        # Steps along y, layers, products and steps along x: the order of the vectors.
                        matrix = np.ascontiguousarray(weight).reshape(end - begin, -1)
                        _multiply(matrix, vectors[:, left:right], field[begin:end, left:right])

    def _impulse_row(self, j: int) -> _ImpulseRow:
        """Return the impulses of one row of cells, and their factors along all columns."""
        indices = (self._cells, np.int32(j), *self._rest)
        impulses = self._impulses.of([np.asarray(axis, np.int32) for axis in indices])
        shape = (len(self._steps[0]) if self._steps else 1, len(self._cells))
        table = [np.broadcast_to(part, shape) for part in impulses]
        steps = np.array(self._impulses.steps, np.int32)[:, np.newaxis]
        places = (self._column + steps - np.int32(self._first)).astype(np.intp)
        dimension = 2 + len(self._rest)
        seen = [part.take(places, axis=1) for part in table]
        distances = [self._x - (seen[0] + steps.astype(np.float32))]
        for within, place, step in zip(self._within, seen[2:dimension], self._steps):
            distances.append(within - (place + step.astype(np.float32)[:, :, np.newaxis]))
        parts = self._impulses.kernel.columns(distances, seen[dimension:], self._by)
        return _ImpulseRow(table[1], table[dimension:], np.stack(parts, axis=1))

    def _weights(self, near: list[_ImpulseRow], y: Field) -> Field:
        """Return the factors of rows of samples, shape (fields, rows, steps, layers, products, cells)."""
        parts = []
        for step, row in zip(self._impulses.steps, near):
            distance = y[:, np.newaxis, np.newaxis] - (row.place + np.float32(step))
            parts.append(self._impulses.kernel.rows(distance, row.marks, self._by))
        # From (steps, fields, products, rows, layers, cells).
        weights: Field = np.asarray(parts, np.float32).transpose(1, 3, 0, 4, 2, 5)
        return weights


def _runs(cells: Index) -> Iterator[tuple[int, int, int]]:
    """Yield the runs of equal numbers: the number, where it begins and where it ends."""
    edges = [0, *(np.flatnonzero(cells[1:] != cells[:-1]) + 1).tolist(), len(cells)]
    for begin, end in zip(edges, edges[1:]):
        if end > begin:
            yield int(cells[begin]), begin, end


def _multiply(weights: Field, vectors: Field, out: Field) -> None:
    """Write the matrix product of weights and vectors."""
    if vectors.shape[1] > 1:
        np.einsum("yk,kx->yx", weights, vectors, out=out)
        return
    # In a single column `einsum` would add up in another order.
    out[:] = np.einsum("yk,kx->yx", weights, np.repeat(vectors, 2, axis=1))[:, :1]


def sum_kernels(impulses: Impulses, points: Points, by: Sequence[int | None]) -> list[list[Field]]:
    """Return the fields at points, or their derivatives.

    Parameters
    ----------
    impulses : Impulses
    points : tuple of d arrays of one shape (n,)
        In tiles.
    by : sequence of int or None
        Which are asked for: None the fields, an axis of the lattice the derivatives along it, per cell.

    Returns
    -------
    list of lists of ndarrays of shape (n,), float32
        For each of `by` all fields.
    """
    kernel = impulses.kernel
    index, offset = lattice_cells.split_cells(impulses.lattice.coordinates(points))
    nearby = _lookup(impulses, index)
    count, dimension = index[0].size, len(index)
    sums = np.zeros((len(by), kernel.fields, count), np.float32)
    for start in range(0, count, _POINTS_AT_ONCE):
        part = slice(start, start + _POINTS_AT_ONCE)
        within = [axis[part] for axis in offset]
        for step in itertools.product(impulses.steps, repeat=dimension):
            blocks.checkpoint()
            found = nearby(part, step)
            places, marks = found[:dimension], found[dimension:]
            apart = [
                axis - (place + np.float32(offset))
                for axis, place, offset in zip(within, places, step)
            ]
            remaining = [apart[0], *apart[2:]]
            for total, axis in zip(sums, by):
                columns = kernel.columns(remaining, marks, axis)
                for field, rows in zip(total[:, part], kernel.rows(apart[1], marks, axis)):
                    for column, row in zip(columns, rows):
                        field += column * row
    return [list(total) for total in sums]


def _lookup(impulses: Impulses, index: Sequence[Index]) -> Nearby:
    """Return the function that finds impulses: in a table where points lie close together."""
    radius = impulses.kernel.radius
    low = [int(axis.min()) - radius if axis.size else 0 for axis in index]
    extent = [
        int(axis.max()) + radius + 1 - first if axis.size else 1 for axis, first in zip(index, low)
    ]
    if math.prod(extent) > index[0].size:
        return lambda part, step: impulses.of(
            [axis[part] + np.int32(offset) for axis, offset in zip(index, step)]
        )
    box = np.ix_(
        *(np.arange(first, first + length, dtype=np.int32) for first, length in zip(low, extent))
    )
    tables = [table.reshape(-1) for table in impulses.of(box)]
    address = np.zeros(index[0].shape, np.intp)
    for axis, first, length in zip(index, low, extent):
        address *= length
        address += axis - np.int32(first)

    def nearby(part: slice, step: Sequence[int]) -> Sequence[Field]:
        moved = 0
        for offset, length in zip(step, extent):
            moved = moved * length + offset
        places = address[part] + moved
        return [gather(table, places) for table in tables]

    return nearby
