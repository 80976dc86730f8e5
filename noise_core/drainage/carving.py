# SPDX-License-Identifier: GPL-3.0-or-later
"""Turning ways around: so that water leaves a basin over its pass, or ends in its deepest pit."""

from __future__ import annotations

import dataclasses

import numpy as np

from ..arrays import Field
from ..blocks import checkpoint
from .basins import OUTSIDE, Basins
from .directions import Cells, Directions
from .peeling import LeafLayers


def carve(directions: Directions, tree: LeafLayers, basins: Basins) -> tuple[Cells, Cells]:
    """Turn the way from each basin's pit to its exit around.

    Parameters
    ----------
    directions : ndarray of shape (rows, columns), uint8
        Changed in place.
    tree : LeafLayers
        The tree that belongs to them.
    basins : Basins
        Those that are their own parent keep their pit.

    Returns
    -------
    tuple of two ndarrays, intp
        The cells that drain elsewhere now, and where to: what `redirect_cells` wants to know.
    """
    flat, down = directions.reshape(-1), tree.receivers
    passes = basins.spillways
    spilling = np.flatnonzero(basins.parents != np.arange(len(basins.parents), dtype=np.intp))
    through = basins.exits[spilling]
    starts_first = passes.first[through] == spilling
    cell, way = passes.ends(through)
    # The exit begins in this basin on one side of the pass or on the other one.
    beyond = _step(cell, way, directions.shape)
    cell, to = np.where(starts_first, cell, beyond), np.where(starts_first, beyond, cell)
    way = np.where(starts_first, way, 9 - way)
    cells, receivers = [cell[:0]], [cell[:0]]
    while len(cell):
        checkpoint()
        cells.append(cell)
        receivers.append(to)
        before = flat[cell]
        flat[cell] = way
        goes_on = np.flatnonzero(before)
        way, to = 9 - before[goes_on], cell[goes_on]
        cell = down[to]
    return np.concatenate(cells), np.concatenate(receivers)


def _step(cells: Cells, ways: Directions, shape: tuple[int, ...]) -> Cells:
    """Return the neighbors of some cells, each in its direction, across edges that wrap."""
    rows, columns = shape
    row, column = np.divmod(cells, columns)
    index = ways.astype(np.intp) - 1
    row += _ROW_STEPS[index]
    column += _COLUMN_STEPS[index]
    result: Cells = row % rows * columns + column % columns
    return result


_ROW_STEPS = np.array([-1, -1, -1, 0, 0, 1, 1, 1], np.intp)
_COLUMN_STEPS = np.array([-1, 0, 1, -1, 1, -1, 0, 1], np.intp)


def keep_lakes(basins: Basins, height: Field, deepest: float) -> Basins:
    """Return basins in which lakes deeper than `deepest` meters end in their lowest pit.

    A lake is a group of basins that flow together below its level. The way from its lowest pit to
    where it would spill is turned around, so that all of the group drains to the pit.
    """
    count = len(basins.parents)
    numbers = np.arange(count, dtype=np.intp)
    # The outside, whose level is -inf, always does.
    spills = basins.spillways.heights[basins.exits] >= basins.levels
    root = np.where(spills, numbers, basins.parents)
    while True:
        further = root[root]
        if np.array_equal(further, root):
            break
        root = further
    pits = height.reshape(-1)[basins.pits]
    # The last assignment stays: by falling height, the lowest pit of each lake.
    order = np.argsort(-pits, kind="stable")
    lowest = np.zeros(count, np.intp)
    lowest[root[order]] = order
    lakes = np.flatnonzero(spills)
    lakes = lakes[lakes != OUTSIDE]
    lakes = lakes[basins.levels[lakes] - pits[lowest[lakes]] > deepest]
    return _end_in_lakes(basins, lowest[lakes], root)


def _end_in_lakes(basins: Basins, ends: Cells, root: Cells) -> Basins:
    """Turn the ways from some basins up to the roots of their lakes around."""
    parents, exits = basins.parents.copy(), basins.exits.copy()
    basin, parent, through = ends, ends.astype(np.int32), exits[ends]
    while len(basin):
        before, own = parents[basin], exits[basin]
        parents[basin], exits[basin] = parent, through
        goes_on = np.flatnonzero(basin != root[basin])
        parent, through = basin[goes_on].astype(np.int32), own[goes_on]
        basin = before[goes_on].astype(np.intp)
    return dataclasses.replace(basins, parents=parents, exits=exits)
