# SPDX-License-Identifier: GPL-3.0-or-later
"""Stations along a curve, and reading the ground at and beside them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...curves.chains import HALF, Chain, Table, X, Y, Z
from ...rasters.level import Level
from ...stages.runner import Read

_MOST_STATIONS = 200_000
"""Of one curve."""

_AT_ONCE = 128
"""Stations whose ground is read together: they lie close to each other."""

_PLACES = 2.0**36
"""Places of stations in a tile along each axis: so few that a curve that is moved by whole samples over a torus
has the same bits in each. That is .1 um on a land of 10 km."""

_PARTS = 2.0**20
"""Places between two samples that are told apart, for the same reason."""

EDGES = (0.0, 1.0, -1.0)
"""On a curve, at the left edge of its bed, and at the right one: in half widths to the left."""

Indices = npt.NDArray[np.intp]


def stations(chain: Chain, size: float, step: float) -> Chain:
    """Return a chain with more vertices, `step` meters apart at the most.

    Parameters
    ----------
    chain : Chain
    size : float
        Width of the land in meters.
    step : float
        In meters.
    """
    along = chain.lengths(size)
    step = max(step, float(along[-1]) / _MOST_STATIONS)
    counts = np.maximum(np.ceil(np.diff(along) / step), 1.0).astype(np.intp)
    owner = np.repeat(np.arange(len(counts), dtype=np.intp), counts)
    number = np.arange(len(owner), dtype=np.intp) - np.repeat(
        np.cumsum(counts, dtype=np.intp) - counts, counts
    )
    share = (number / counts[owner])[:, np.newaxis]
    first, second = chain.vertices[:-1], chain.vertices[1:]
    table = first[owner] + share * (second - first)[owner]
    table[:, :Z] = np.rint(table[:, :Z] * _PLACES) / _PLACES
    return Chain(np.concatenate((table, chain.vertices[-1:])), chain.closed)


def probe(chain: Chain, level: Level, across: Sequence[float] = EDGES) -> tuple[Table, Table]:
    """Return rows and columns in samples of places at and beside the stations of a chain.

    Parameters
    ----------
    chain : Chain
    level : Level
    across : sequence of float
        Where these places lie, in half widths to the left of the curve.

    Returns
    -------
    rows, columns : ndarray of shape (len(across), n), float64
        Counted in the samples of the whole level.
    """
    steps = level.steps_per_tile
    row, column = (
        chain.vertices[:, axis] * steps - shift - first
        for axis, shift, first in zip((Y, X), level.shift, level.first)
    )
    ahead, behind = np.roll(chain.vertices, -1, 0), np.roll(chain.vertices, 1, 0)
    ahead[-1], behind[0] = (chain.vertices[index] for index in (-1, 0))
    along = ahead - behind
    length = np.sqrt(along[:, X] * along[:, X] + along[:, Y] * along[:, Y])
    far = np.maximum(chain.vertices[:, HALF] / level.step_x, 1.0)
    far /= np.where(length > 0.0, length, 1.0)
    to_left = (along[:, X] * far, -along[:, Y] * far)
    rows, columns = (
        np.rint(np.stack([line + place * left for place in across]) * _PARTS) / _PARTS
        for line, left in zip((row, column), to_left)
    )
    return rows, columns


def read_ground(target: Level, read: Read, rows: Table, columns: Table, level: Level) -> Field:
    """Return heights between samples, for `Runner.gather`.

    Parameters
    ----------
    target : Level
        Part of a level that has a sample for each place.
    read : callable
        See `stages.runner.Read`.
    rows, columns : ndarray
        Of all places.
    level : Level
        Of the land.
    """
    part = tuple(slice(first, first + count) for first, count in zip(target.begin, target.shape))
    result = np.empty(target.shape, np.float32)
    for line in range(target.rows):
        for first in range(0, target.columns, _AT_ONCE):
            chunk = slice(first, first + _AT_ONCE)
            row, column = rows[part][line, chunk], columns[part][line, chunk]
            result[line, chunk] = _interpolate(read, row, column, level)
    return result


def _interpolate(read: Read, row: Table, column: Table, level: Level) -> Table:
    """Return heights at places between samples, linear in both directions."""
    if not level.is_round:
        row, column = (
            np.clip(place, 0.0, count - 1.0) for place, count in zip((row, column), level.shape)
        )
    low_row, low_column = np.floor(row), np.floor(column)
    down, right = row - low_row, column - low_column
    rows, above, below = _lines(low_row, level.rows, is_round=level.is_round)
    columns, left, beside = _lines(low_column, level.columns, is_round=level.is_round)
    around = read(rows, columns)
    corners = ((above, left), (above, beside), (below, left), (below, beside))
    first, second, third, fourth = (around[corner].astype(np.float64) for corner in corners)
    top = first + right * (second - first)
    bottom = third + right * (fourth - third)
    return top + down * (bottom - top)


def _lines(low: Table, count: int, *, is_round: bool) -> tuple[Indices, Indices, Indices]:
    """Return numbers of lines to read, and where among them those before and after some places stand.

    Neighbors are read as a block, which costs no copy; places of two curves may lie far apart.
    """
    before = low.astype(np.intp)
    first, last = int(before.min()), int(before.max()) + 1
    if last - first <= 2 * _AT_ONCE:
        numbers, here = np.arange(first, last + 1, dtype=np.intp), before - first
        there = here + 1
    else:
        numbers = np.unique(np.concatenate((before, before + 1)))
        here, there = (np.searchsorted(numbers, lines) for lines in (before, before + 1))
    return numbers % count if is_round else np.minimum(numbers, count - 1), here, there
