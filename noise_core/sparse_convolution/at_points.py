# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of kernels at any points."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np

from ..base import blocks
from ..base.arrays import Field, Index, Points
from ..lattice import lattice_cells
from .impulses import Impulses

_POINTS_AT_ONCE = 1 << 13
"""So that what is computed for them stays in the cache."""

Nearby = Callable[[slice, Sequence[int]], Sequence[Field]]
"""Called with a part of the points and a step: the impulses of the cells so far from their own."""


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
                axis - (place + np.float32(own)) for axis, place, own in zip(within, places, step)
            ]
            others = [apart[0], *apart[2:]]
            for total, axis in zip(sums, by):
                columns = kernel.columns(others, marks, axis)
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
            [axis[part] + np.int32(own) for axis, own in zip(index, step)]
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
        for own, length in zip(step, extent):
            moved = moved * length + own
        places = address[part] + moved
        return [table.take(places, mode="wrap") for table in tables]

    return nearby
