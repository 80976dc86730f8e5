# SPDX-License-Identifier: GPL-3.0-or-later
"""Necks: where a river comes near to itself, it breaks through, and the bend between is cut off."""

from __future__ import annotations

import numpy as np

from .curves import STEP, Indices, RiverCurves

_NEAR = 3.0
"""Widths between two center lines that break through: floods cut strips of ground up to two widths wide, before
the banks meet."""

_LEAST = 8.0
"""Widths along a river between two such points: less is a bend, not a neck."""


def cut_necks(curves: RiverCurves) -> tuple[RiverCurves, list[RiverCurves]]:
    """Return rivers that have broken through their necks, and the bends that were cut off.

    Parameters
    ----------
    curves : RiverCurves

    Returns
    -------
    tuple of RiverCurves and list of RiverCurves
        The bends are rivers of one each, from the neck to the neck.
    """
    first, second = find_pairs(curves)
    if not len(first):
        return curves, []
    is_kept = np.ones(len(curves.x), np.bool_)
    loops = []
    done = -1
    # From each point to the farthest one downstream that it meets: the whole bend goes at once.
    for index in np.lexsort((-second, first)).tolist():
        begin, end = int(first[index]), int(second[index])
        if begin <= done:
            continue
        loops.append(_part(curves, begin, end + 1))
        is_kept[begin + 1 : end] = False
        done = end
    return curves.drop(is_kept), loops


def _part(curves: RiverCurves, begin: int, end: int) -> RiverCurves:
    """Return some points of a river as a river of its own."""
    part = [values[begin:end] for values in curves.columns()]
    return RiverCurves.of(part, np.array([0, end - begin], np.intp))


def find_pairs(curves: RiverCurves) -> tuple[Indices, Indices]:
    """Return pairs of points of one river that are near to each other, but not along it.

    Points lie in square cells as wide as two of them may be apart; only those in the same or in
    neighboring cells are compared.
    """
    numbers = curves.numbers()
    reach = _NEAR * np.maximum.reduceat(curves.width, curves.first)
    row, column = (
        np.floor(values / reach[numbers]).astype(np.int64) for values in (curves.y, curves.x)
    )
    row -= row.min()
    column -= column.min()
    rows, columns = int(row.max()) + 3, int(column.max()) + 3
    cell = (numbers * rows + row + 1) * columns + column + 1
    order = np.argsort(cell, kind="stable")
    sorted_cells = cell[order]
    found = []
    # Half of the neighbors, and the own cell: each pair is met once or twice, never missed.
    for offset in (0, 1, columns - 1, columns, columns + 1):
        begin = np.searchsorted(sorted_cells, cell + offset, side="left")
        count = np.searchsorted(sorted_cells, cell + offset, side="right") - begin
        one = np.repeat(np.arange(len(cell), dtype=np.intp), count)
        place = np.arange(len(one), dtype=np.intp) - np.repeat(
            np.cumsum(count, dtype=np.intp) - count, count
        )
        other = order[begin[one] + place]
        found.append((np.minimum(one, other), np.maximum(one, other)))
    first, second = (np.concatenate(parts) for parts in zip(*found))
    x, y = curves.x[first] - curves.x[second], curves.y[first] - curves.y[second]
    near = _NEAR * 0.5 * (curves.width[first] + curves.width[second])
    is_neck = (second - first) * STEP > _LEAST
    is_neck &= x * x + y * y < near * near
    return first[is_neck], second[is_neck]
