# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples inside a closed curve.

References
----------
M. Shimrat (1962). Algorithm 112: Position of point relative to polygon. Communications of the ACM 5(8).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ..rasters.level import Level
from .chains import Chain, Pieces, X, Y
from .survey import Placed


def inside(chain: Chain, level: Level) -> npt.NDArray[np.bool_]:
    """Return which samples of a part of a level lie inside a closed chain: lines from there cross it an odd number of times.

    Parameters
    ----------
    chain : Chain
    level : Level
        With tiles; see `Level.steps_per_tile`.

    Returns
    -------
    ndarray of shape (rows, columns), bool
    """
    result = np.zeros(level.shape, np.bool_)
    if not chain.closed:
        return result
    placed = Placed.on(Pieces.of([chain]), level)
    for down, right in placed.copies(level, 0.0):
        result |= _inside_copy(placed, level, down, right)
    return result


def _inside_copy(placed: Placed, level: Level, down: int, right: int) -> npt.NDArray[np.bool_]:
    """Return which samples lie inside a chain that is moved by whole rows and columns."""
    begin_row = level.first[0] + level.begin[0] - down
    begin_column = level.first[1] + level.begin[1] - right
    ends = placed.y, placed.y + placed.along_y
    # A row crosses a piece from its lower end on, up to its upper end but without it: ends count once.
    low = np.maximum(np.ceil(np.minimum(*ends)), begin_row)
    high = np.minimum(np.ceil(np.maximum(*ends)), begin_row + level.rows)
    counts = np.maximum(high - low, 0.0).astype(np.intp)
    piece = np.repeat(np.arange(len(counts), dtype=np.intp), counts)
    number = np.arange(len(piece), dtype=np.intp) - np.repeat(
        np.cumsum(counts, dtype=np.intp) - counts, counts
    )
    row = low[piece] + number
    share = (row - placed.y[piece]) / placed.along_y[piece]
    cross = np.ceil(placed.x[piece] + share * placed.along_x[piece]) - begin_column
    column = np.clip(cross, 0.0, level.columns).astype(np.intp)
    crossings = np.zeros((level.rows, level.columns + 1), np.intp)
    np.add.at(crossings, ((row - begin_row).astype(np.intp), column), 1)
    odd: npt.NDArray[np.bool_] = (np.cumsum(crossings[:, :-1], axis=1, dtype=np.intp) & 1).astype(
        np.bool_
    )
    return odd


def chain_box(chain: Chain, level: Level, margin: int = 1) -> tuple[slice, slice]:
    """Return the rows and columns of a part of a level that may lie inside a chain, or so many samples around: all of them on a torus."""
    if level.is_round:
        return slice(0, level.rows), slice(0, level.columns)
    slices = []
    for axis, column in enumerate((Y, X)):
        begin = level.first[axis] + level.begin[axis] + level.shift[axis]
        places = chain.vertices[:, column] * level.steps_per_tile - begin
        low, high = math.floor(places.min()) - margin, math.ceil(places.max()) + margin + 1
        slices.append(slice(max(low, 0), min(high, level.shape[axis])))
    return slices[0], slices[1]
