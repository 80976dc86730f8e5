# SPDX-License-Identifier: GPL-3.0-or-later
"""White noise: an independent random value in every cell of a fine lattice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base import blocks
from ..base.arrays import Field, Index, Points
from ..base.grid import Axes
from ..base.params import cells_per_tile
from ..base.plans import RowPlan
from ..base.torus import Lattice, Torus, square_lattice
from ..lattice import lattice_cells
from ..lattice.hash import hash_indices
from ..types.noise import Noise, noise_type

_SAMPLES_PER_BLOCK = 1 << 16


@noise_type("white", "White", family="basic")
class White(Noise):
    """One random value per cell, flat within it: grain, dither, or coarse random blocks.

    Notes
    -----
    A noise is a function of position, so that it does not depend on the resolution: a grid with
    more samples than cells shows the cells as flat squares, one with fewer picks some of
    them. Values are uniform in [-1, 1), in steps of 2^-23; those of different cells have
    nothing to do with each other.

    References
    ----------
    Ebert, Musgrave, Peachey, Perlin, Worley (2003). Texturing and modeling, chapter 2.
    """

    is_arithmetic = True

    frequency: float = cells_per_tile(256.0, soft_minimum=1.0, soft_maximum=4096.0)

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        lattice = square_lattice(self.frequency, torus)
        index, _ = lattice_cells.split_cells(lattice.coordinates(points))
        return _cell_values(index, lattice, seed)

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: each cell is hashed once, and spread over its columns and rows."""
        lattice = square_lattice(self.frequency, axes.torus)
        if not lattice.is_aligned:
            return super().plan(axes, seed)
        along = (axes.x * lattice.matrix[0][0], axes.y * lattice.matrix[1][1])
        (column, row), _ = lattice_cells.split_cells(along)
        rest, _ = lattice_cells.split_cells(
            tuple(np.full(1, value * self.frequency) for value in axes.rest)
        )
        columns, column_place = np.unique(column, return_inverse=True)
        height = max(1, _SAMPLES_PER_BLOCK // column.size)

        def rows(start: int, stop: int, out: Field) -> None:
            for first in range(start, stop, height):
                blocks.checkpoint()
                last = min(first + height, stop)
                some, row_place = np.unique(row[first:last], return_inverse=True)
                cells = _cell_values([columns, some[:, np.newaxis], *rest], lattice, seed)
                if columns.size != column.size:
                    cells = cells.take(column_place, axis=1)
                cells.take(row_place, axis=0, out=out[first - start : last - start], mode="clip")

        return rows


def _cell_values(index: Sequence[Index], lattice: Lattice, seed: int) -> Field:
    if lattice.periods is not None and len(index) >= 2:
        index = [*lattice.wrap(index[0], index[1]), *index[2:]]
    signed = hash_indices(index, seed).view(np.int32) >> np.int32(8)
    return signed.astype(np.float32) * np.float32(2.0**-23)
