# SPDX-License-Identifier: GPL-3.0-or-later
"""Values at the corners of the cells around rows of points, gathered once per lattice row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.arrays import Field
from ..base.gathering import gather
from .at_points import cell_parts
from .cells import PhaseTable
from .octaves import Coordinate, GullyOctave
from .stripes import Filler, Stripes, join_corners

_ROWS_APART = 8
"""Rows of points to a row of cells, from which on all rows of cells are worked out beforehand: they then
take no more memory than half a number per point."""


class CellRows:
    """The cells of all octaves around points in rows and columns.

    Parameters
    ----------
    octaves, tables
        One of each per octave; every lattice is aligned with the rows.
    x, y : ndarrays of shape (columns,) and (rows,), float64
        In tiles, y rising.
    """

    def __init__(
        self,
        octaves: Sequence[GullyOctave],
        tables: Sequence[PhaseTable],
        x: Coordinate,
        y: Coordinate,
    ) -> None:
        self._tables = tables
        self._columns = []
        self._rows = []
        self._corners: list[tuple[int, Field] | None] = []
        for number, octave in enumerate(octaves):
            self._columns.append(cell_parts(octave.to_lattice(x, np.zeros_like(x))[0]))
            self._rows.append(cell_parts(octave.to_lattice(np.zeros_like(y), y)[1]))
            first, last = (int(self._rows[number][0][end]) for end in (0, -1))
            is_coarse = _ROWS_APART * (last - first + 2) <= len(y)
            corners = (first, self._lattice_rows(number, first, last + 2)) if is_coarse else None
            self._corners.append(corners)

    def filler(self, start: int, stop: int) -> Filler:
        """Return the function that fills stripes for some rows."""

        def fill(number: int, stripes: Stripes) -> tuple[Sequence[Field], Field]:
            whole, row, _, weight = self._rows[number]
            j, row, weight = whole[start:stop], row[start:stop], weight[start:stop]
            first, corners = self._corners[number] or (
                int(j[0]),
                self._lattice_rows(number, int(j[0]), int(j[-1]) + 2),
            )
            for fields, step in ((stripes.near, 0), (stripes.far, 1)):
                index = (j - np.int32(first - step)).astype(np.intp)
                for field, corner in zip(fields, corners):
                    # mode="wrap" spares NumPy a buffer; no index is outside.
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
            parts = [gather(part, address) for part in table.phases]
            for part in parts:
                part *= share
            sides.append(parts)
        out = np.empty((4, last - first, i.size), np.float32)
        join_corners(sides[0], sides[1], list(out))
        return out
