# SPDX-License-Identifier: GPL-3.0-or-later
"""The eight neighbors of a cell: their numbers, offsets, distances, and arrays with a rim.

A direction is a number from 1 to 8, row by row; 9 - k is the opposite direction, 0 is none.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ..base.blocks import checkpoint
from ..base.gathering import gather
from ..rasters.level import Level

Directions = npt.NDArray[np.uint8]
"""Shape (rows, columns): the direction in which each cell drains, 0 for none."""

Cells = npt.NDArray[np.intp]
"""Numbers of cells, row by row; NumPy takes by this type without converting it."""

Mask = npt.NDArray[np.bool_]

OFFSETS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
"""Row and column of neighbor k, at k - 1."""

ROW_STEPS = np.array([0, *(row for row, _ in OFFSETS)], np.intp)
COLUMN_STEPS = np.array([0, *(column for _, column in OFFSETS)], np.intp)
"""Rows and columns to the cell that drains a cell, by direction, 0 for none."""

ACROSS_EDGES = (3, 6)
"""Directions across the edges that part the quads of a mesh into triangles, from their first to their third
corner: on a mesh water does not run that way."""

CELLS_PER_BLOCK = 1 << 15
"""Cells handled at once where a chain of operations should stay in the cache."""

Scalar = TypeVar("Scalar", bound=np.generic)


def distances(level: Level) -> tuple[float, ...]:
    """Return the distance of each neighbor, in meters."""
    steps = ((dr * level.step_y, dc * level.step_x) for dr, dc in OFFSETS)
    return tuple(math.sqrt(down * down + along * along) for down, along in steps)


def add_rim(field: npt.NDArray[Scalar], wrap: bool, outside: float) -> npt.NDArray[Scalar]:
    """Return a field with one more cell on every side: its other edge if it wraps, or `outside`."""
    rows, columns = field.shape
    rim = np.empty((rows + 2, columns + 2), field.dtype)
    rim[1:-1, 1:-1] = field
    if wrap:
        rim[0, 1:-1], rim[-1, 1:-1] = field[-1], field[0]
        rim[:, 0], rim[:, -1] = rim[:, -2], rim[:, 1]
    else:
        rim[0], rim[-1] = outside, outside
        rim[:, 0], rim[:, -1] = outside, outside
    return rim


def neighbor(
    rim: npt.NDArray[Scalar], direction: int, start: int, stop: int
) -> npt.NDArray[Scalar]:
    """Return the neighbors, in one direction, of the cells in rows start to stop."""
    dr, dc = OFFSETS[direction - 1]
    columns = rim.shape[1] - 2
    return rim[start + 1 + dr : stop + 1 + dr, 1 + dc : 1 + dc + columns]


def row_blocks(shape: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Return the first and last (exclusive) rows of blocks that fit the cache."""
    rows, columns = shape
    height = max(1, CELLS_PER_BLOCK // columns)
    for start in range(0, rows, height):
        yield start, min(start + height, rows)


def receivers(directions: Directions, wrap: bool) -> Cells:
    """Return the number of the cell that each cell drains to, its own if to nowhere.

    Returns
    -------
    ndarray of shape (rows * columns,), intp
    """
    rows, columns = directions.shape
    steps = np.array([0, *(dr * columns + dc for dr, dc in OFFSETS)], np.intp)
    cells = np.empty(rows * columns, np.intp)
    for start, stop in row_blocks(directions.shape):
        checkpoint()
        numbers = np.arange(start * columns, stop * columns, dtype=np.intp)
        steps_here = gather(steps, directions[start:stop].reshape(-1))
        np.add(steps_here, numbers, out=cells[numbers[0] : numbers[-1] + 1])
    if wrap:
        grid = cells.reshape(rows, columns)
        grid[0] += (ROW_STEPS[directions[0]] < 0) * (rows * columns)
        grid[-1] -= (ROW_STEPS[directions[-1]] > 0) * (rows * columns)
        grid[:, 0] += (COLUMN_STEPS[directions[:, 0]] < 0) * columns
        grid[:, -1] -= (COLUMN_STEPS[directions[:, -1]] > 0) * columns
    return cells
