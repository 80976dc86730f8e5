# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth filling of holes in a field, from coarse to fine.

The filling is close to a membrane that hangs on the border of the hole: means of known samples go down
a pyramid, come up where nothing is known, and are relaxed on each level.

References
----------
Steven J. Gortler, Radek Grzeszczuk, Richard Szeliski, Michael F. Cohen (1996). The lumigraph
(pull-push).
William L. Briggs, Van Emden Henson, Steve F. McCormick (2000). A multigrid tutorial.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field

_SWEEPS = 12
"""Relaxations on each level; more change a filled hole by less than its roughness."""

_Mask = npt.NDArray[np.bool_]
_Indices = npt.NDArray[np.intp]


def fill_holes(field: Field, holes: _Mask) -> None:
    """Fill the holes in a field smoothly, in place.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
        Finite, except where it has holes. It is written to, in holes alone.
    holes : ndarray of that shape, bool
        Not everywhere True.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.rasters.hole_filling import fill_holes
    >>> field = np.full((8, 8), 5.0, np.float32)
    >>> holes = np.zeros((8, 8), bool)
    >>> holes[3:5, 3:5] = True
    >>> field[holes] = 0.0
    >>> fill_holes(field, holes)
    >>> print(field[3].round(2))
    [5. 5. 5. 5. 5. 5. 5. 5.]
    """
    blocks.checkpoint()
    strip = blocks.rows_of_strip(len(field), field.shape[1], 1)
    starts = range(0, len(field), strip)
    strips = [slice(at, at + strip) for at in starts if holes[at : at + strip].any()]
    if not strips:
        return
    coarse, coarse_holes = _halve(field, holes)
    fill_holes(coarse, coarse_holes)
    for rows in strips:
        row, column = _places(holes, rows)
        field[row, column] = _between(coarse, row, column)
    for sweep in range(2 * _SWEEPS):
        for rows in strips:
            blocks.checkpoint()
            # By turns those on black and on white squares: each uses the newest neighbors.
            row, column = _places(holes, rows)
            is_due = (row + column) % 2 == sweep % 2
            _relax(field, row[is_due], column[is_due])


def _places(holes: _Mask, rows: slice) -> tuple[_Indices, _Indices]:
    """Return row and column of each hole in some rows."""
    row, column = np.nonzero(holes[rows])
    return row + rows.start, column


def _halve(field: Field, holes: _Mask) -> tuple[Field, _Mask]:
    """Return the means of known samples in squares of 2 x 2, and where there are none."""
    rows, columns = ((count + 1) // 2 for count in field.shape)
    total = np.zeros((rows, columns), np.float32)
    count = np.zeros((rows, columns), np.float32)
    for row in (0, 1):
        for column in (0, 1):
            part = field[row::2, column::2]
            is_known = ~holes[row::2, column::2]
            place = (slice(part.shape[0]), slice(part.shape[1]))
            np.add(total[place], part, out=total[place], where=is_known)
            count[place] += is_known
    empty = count == 0.0
    count[empty] = 1.0
    total /= count
    return total, empty


def _between(coarse: Field, rows: _Indices, columns: _Indices) -> Field:
    """Return a coarser field at places of the finer one, linear between its samples."""
    high, wide = coarse.shape
    row, beside_row = rows // 2, np.clip(rows // 2 + 2 * (rows % 2) - 1, 0, high - 1)
    column, beside = columns // 2, np.clip(columns // 2 + 2 * (columns % 2) - 1, 0, wide - 1)
    near, far = np.float32(0.75), np.float32(0.25)
    value = coarse[row, column] * near + coarse[row, beside] * far
    value_beside = coarse[beside_row, column] * near + coarse[beside_row, beside] * far
    between: Field = value * near + value_beside * far
    return between


def _relax(field: Field, row: _Indices, column: _Indices) -> None:
    """Move holes to the mean of their four neighbors."""
    high, wide = field.shape
    mean = field[np.maximum(row - 1, 0), column]
    mean += field[np.minimum(row + 1, high - 1), column]
    mean += field[row, np.maximum(column - 1, 0)]
    mean += field[row, np.minimum(column + 1, wide - 1)]
    mean *= np.float32(0.25)
    field[row, column] = mean
