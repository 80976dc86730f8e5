# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks of the cells that belong to flats, which `flats` drains."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.blocks import checkpoint
from ..base.gathering import gather
from ..rasters.level import Level
from .directions import CELLS_PER_BLOCK, OFFSETS, Cells, Mask, add_rim, distances

Marks = npt.NDArray[np.uint8]
"""Shape (rows, columns): directions, with the bits `FLAT` and `HIGH` in cells of flats."""

FLAT = np.uint8(16)
"""Bit of a cell that belongs to a flat. One with a direction is an exit, and drains there."""

HIGH = np.uint8(32)
"""Bit of such a cell beside higher ground."""

WAY = np.uint8(15)
"""Bits of the direction."""


def mark_flats(
    rim: Field, marks: Marks, level: Level, outlets: Mask | None, closed: Sequence[int] = ()
) -> None:
    """Mark the cells of flats, in place.

    Parameters
    ----------
    rim : ndarray of shape (rows + 2, columns + 2), float32
        Heights in meters, NaN beyond borders.
    marks : ndarray of shape (rows, columns), uint8
        Directions of the steepest descent; 0 without a lower neighbor, and at outlets.
    level : Level
        Of that shape.
    outlets : ndarray of that shape, bool, optional
        Where water leaves.
    closed : sequence of int
        Directions in which no water runs.
    """
    is_open = np.equal(marks, 0)
    if outlets is not None:
        is_open &= ~outlets
    cells = np.flatnonzero(is_open)
    if not len(cells):
        return
    heights, open_rim = rim.reshape(-1), add_rim(is_open, level.wrap, False).reshape(-1)
    ways = best_ways(level, closed)
    steps = rim_steps(ways, level.columns)
    all_marks = marks.reshape(-1)
    for first in range(0, len(cells), CELLS_PER_BLOCK):
        checkpoint()
        block = cells[first : first + CELLS_PER_BLOCK]
        places = rim_places(block, level.columns)
        all_marks[block] = _mark_places(heights, open_rim, places, ways, steps)


def _mark_places(
    heights: Field, is_open: Mask, places: Cells, ways: Sequence[int], steps: Cells
) -> Marks:
    """Return the marks of places without a direction, in fields with a rim."""
    ground = gather(heights, places)
    exits = np.zeros(len(places), np.uint8)
    is_flat, is_high, is_low = (np.zeros(len(places), np.bool_) for _ in range(3))
    # Numbers of ways, from the last: a maximum takes far less time than a choice.
    for number, step in enumerate(steps[::-1].tolist(), 1):
        beside = places + step
        near = gather(heights, beside)
        is_equal = near == ground
        is_flat |= is_equal
        is_exit = np.greater(is_equal, gather(is_open, beside))
        np.maximum(exits, is_exit * np.uint8(number), out=exits)
        is_high |= near > ground
        is_low |= near < ground
    by_number = np.array([0, *ways[::-1]], np.uint8)
    marks: Marks = gather(by_number, exits)
    marks |= FLAT
    marks |= is_high * HIGH
    marks *= is_flat
    if is_low.any():  # by so little that weighted drops are 0
        for way, step in zip(ways, steps.tolist()):
            marks[gather(heights, places + step) < ground] = way
    return marks


def rim_places(cells: Cells, columns: int) -> Cells:
    """Return the places of cells in a field with a rim."""
    places: Cells = cells + 2 * (cells // columns) + columns + 3
    return places


def best_ways(level: Level, closed: Sequence[int]) -> tuple[int, ...]:
    """Return the directions in which water runs, the nearest neighbors first."""
    runs = distances(level)
    ways = [way for way in range(1, len(OFFSETS) + 1) if way not in closed]
    return tuple(sorted(ways, key=lambda way: runs[way - 1]))


def rim_steps(ways: Sequence[int], columns: int) -> Cells:
    """Return the steps from a place to its neighbors in some directions, in a field with a rim."""
    steps = [OFFSETS[way - 1][0] * (columns + 2) + OFFSETS[way - 1][1] for way in ways]
    return np.array(steps, np.intp)
