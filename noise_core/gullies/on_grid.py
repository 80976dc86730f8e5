# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands at the corners of the cells around rows of a grid: gathered per lattice row, not per sample."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import Field
from ..grid import Axes
from .at_points import cell_parts
from .cells import Table
from .octaves import Directions, Octave
from .phases import needed, tables
from .stripes import Filler, Stripes, joined


class GridCells:
    """What the samples of a grid have to do with the cells of all octaves.

    Parameters
    ----------
    octaves, tables
        One of each per octave; every lattice is aligned with the grid.
    axes : Axes
    """

    def __init__(self, octaves: Sequence[Octave], tables: Sequence[Table], axes: Axes) -> None:
        self._tables = tables
        self._columns = []
        self._rows = []
        for octave in octaves:
            i, j = (
                octave.located(axes.x, np.zeros_like(axes.x)),
                octave.located(np.zeros_like(axes.y), axes.y),
            )
            self._columns.append(cell_parts(i[0]))
            self._rows.append(cell_parts(j[1]))

    @classmethod
    def of(
        cls,
        octaves: Sequence[Octave],
        axes: Axes,
        directions: Directions,
        threads: int | None = None,
    ) -> GridCells | None:
        """Return them with all tables worked out, or None if there are more cells than samples.

        None also for lattices that are not aligned with the grid.
        """
        ends = np.array([[axes.x[0], axes.y[0]], [axes.x[-1], axes.y[-1]]])
        x, y = ends[[0, 1, 0, 1], 0], ends[[0, 0, 1, 1], 1]
        cells = needed(octaves, x, y, len(axes.x) * len(axes.y))
        if cells is None or not all(octave.lattice.is_aligned for octave in octaves):
            return None
        return cls(octaves, tables(octaves, cells, directions, threads), axes)

    def filler(self, start: int, stop: int) -> Filler:
        """Return what fills stripes for some rows."""

        def fill(number: int, stripes: Stripes) -> tuple[Sequence[Field], Field]:
            whole, row, _, weight = self._rows[number]
            j, row, weight = whole[start:stop], row[start:stop], weight[start:stop]
            first = int(j[0])
            corners = self._lattice_rows(number, first, int(j[-1]) + 2)
            for fields, step in ((stripes.near, 0), (stripes.far, 1)):
                index = (j - np.int32(first - step)).astype(np.intp)
                for field, corner in zip(fields, corners):
                    corner.take(index, axis=0, out=field, mode="wrap")
            column = self._columns[number][1]
            return (column, row[:, np.newaxis]), weight[:, np.newaxis]

        return fill

    def _lattice_rows(self, number: int, first: int, last: int) -> Field:
        """Return `Corners` at all columns for some rows of a lattice: shape (4, rows, columns)."""
        table = self._tables[number]
        i, _, left, right = self._columns[number]
        j = np.arange(first, last, dtype=np.int32)[:, np.newaxis]
        sides = []
        for side, share in ((0, left), (1, right)):
            address = table.cells.addresses(i + np.int32(side), j)
            parts = [part.take(address, mode="wrap") for part in table.phases]
            for part in parts:
                part *= share
            sides.append(parts)
        out = np.empty((4, last - first, i.size), np.float32)
        joined(sides[0], sides[1], list(out))
        return out
