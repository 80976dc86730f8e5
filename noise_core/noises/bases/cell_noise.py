# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of noises with one value for each cell of a square lattice, flat within it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...base import blocks
from ...base.arrays import Field, Index, Points
from ...base.declared import declared_type
from ...base.grid import Axes
from ...base.params import cells_per_tile
from ...base.plans import RowPlan
from ...base.torus import square_lattice
from ...lattice import lattice_cells
from .noise import Noise

if TYPE_CHECKING:
    from ...base.torus import Lattice, Torus

_SAMPLES_PER_BLOCK = 1 << 16


@declared_type
class CellNoise(Noise):
    """Base of noises that write `cell_values`."""

    is_arithmetic = True

    frequency: float = cells_per_tile(256.0, soft_minimum=1.0, soft_maximum=4096.0)

    def cell_values(self, index: Sequence[Index], seed: int) -> Field:
        """Return the values of cells in [-1, 1].

        Parameters
        ----------
        index : sequence of int32 arrays
            Numbers of the cells, one array per axis, already wrapped; their shapes broadcast.
        seed : int
            Unsigned, 32 bits.
        """
        raise NotImplementedError(f"{type(self).__name__} has no cell_values()")

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        lattice = square_lattice(self.frequency, torus)
        index, _ = lattice_cells.split_cells(lattice.coordinates(points))
        return self._wrapped_values(index, lattice, seed)

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: each cell is asked for once, and spread over its columns and rows."""
        lattice = square_lattice(self.frequency, axes.torus)
        if not lattice.is_aligned:
            return super().plan(axes, seed)
        along = (axes.x * lattice.matrix[0][0], axes.y * lattice.matrix[1][1])
        (column, row), _ = lattice_cells.split_cells(along)
        fixed, _ = lattice_cells.split_cells(
            tuple(np.full(1, value * self.frequency) for value in axes.rest)
        )
        columns, column_place = np.unique(column, return_inverse=True)
        height = max(1, _SAMPLES_PER_BLOCK // column.size)

        def rows(start: int, stop: int, out: Field) -> None:
            for first in range(start, stop, height):
                blocks.checkpoint()
                last = min(first + height, stop)
                some, row_place = np.unique(row[first:last], return_inverse=True)
                cells = self._wrapped_values([columns, some[:, np.newaxis], *fixed], lattice, seed)
                if columns.size != column.size:
                    cells = cells.take(column_place, axis=1)
                cells.take(row_place, axis=0, out=out[first - start : last - start], mode="clip")

        return rows

    def _wrapped_values(self, index: Sequence[Index], lattice: Lattice, seed: int) -> Field:
        if lattice.periods is not None and len(index) >= 2:
            index = [*lattice.wrap(index[0], index[1]), *index[2:]]
        return self.cell_values(index, seed)
