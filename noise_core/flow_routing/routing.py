# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow routing: from heights to the flow tree.

Depressions are removed by carving: the flow from a pit is reversed so that water leaves the basin over
its spillway.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ..base import freed_memory
from ..base.arrays import Field
from ..base.blocks import checkpoint
from ..rasters.level import Level
from .basin_tree import OUTSIDE, BasinTree
from .basins import Basins, find_basins
from .descent import FlowRandomness, steepest
from .directions import COLUMN_STEPS, ROW_STEPS, Cells, Directions, Mask
from .outlets import border
from .peeling import LeafLayers, peel_leaves, redirect_cells
from .tree import FlowTree


def route(
    height: Field,
    level: Level,
    outlets: Mask | None = None,
    *,
    hollows: Mask | None = None,
    randomness: FlowRandomness | None = None,
    deepest_lake: float | None = None,
    on_triangles: bool = False,
) -> FlowTree:
    """Return the flow tree of a height field, through depressions too.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters, finite.
    level : Level
        Of that shape.
    outlets : ndarray of shape (rows, columns), bool, optional
        Where water leaves; the border if not given. Without any, the lowest cell.
    hollows : ndarray of that shape, bool, optional
        Where water leaves too if the descent ends there; then there is no other default.
    randomness : FlowRandomness, optional
        Of the descent.
    deepest_lake : float, optional
        In meters. Deeper basins keep their water; none does if not given.
    on_triangles : bool
        Whether water runs along the edges of the mesh of triangles only; then the levels are exact
        between the samples too.

    References
    ----------
    Cordonnier, Bovy & Braun 2019, "A versatile, linear complexity algorithm for flow routing in
    topographies with depressions". Its levels are those of Barnes, Lehman & Mulla 2014,
    "Priority-flood", to the bit.
    """
    directions, is_outlet = _descend(
        height, level, outlets, hollows, randomness, on_triangles=on_triangles
    )
    tree, basins = _find_basins(height, level, directions, is_outlet, on_triangles=on_triangles)
    if basins is None:
        return FlowTree(directions, height, tree)
    spills = basins.tree
    if deepest_lake is not None:
        spills = keep_lakes(spills, height.reshape(-1)[basins.pits], deepest_lake)
    standing, change = basins.standing, carve(directions, tree, spills)
    del basins, spills
    return FlowTree(directions, height, redirect_cells(tree, *change), standing)


def fill(height: Field, level: Level, outlets: Mask | None = None) -> Field:
    """Return the heights with all depressions filled to the brim: `FlowTree.filled`, in less time.

    Parameters
    ----------
    height, level, outlets
        See `route`.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.flow_routing.routing import fill
    >>> from noise_core.rasters.level import Level
    >>> bowl = np.full((5, 5), 9.0, np.float32)
    >>> bowl[1:4, 1:4] = 2.0
    >>> bowl[2, 4] = 5.0
    >>> print(fill(bowl, Level.from_grid(Grid(5, 5, size=40.0)))[2])
    [9. 5. 5. 5. 5.]
    """
    _, basins = _find_basins(height, level, *_descend(height, level, outlets))
    if basins is None:
        return height
    return basins.standing.fill(height)


def _descend(
    height: Field,
    level: Level,
    outlets: Mask | None,
    hollows: Mask | None = None,
    randomness: FlowRandomness | None = None,
    *,
    on_triangles: bool = False,
) -> tuple[Directions, Mask]:
    """Return the directions of descent, 0 where it ends, and the outlets."""
    freed_memory.keep_freed_memory()
    if outlets is not None:
        is_outlet = outlets
    else:
        is_outlet = border(level) if hollows is None else np.zeros(level.shape, np.bool_)
    if hollows is None and not is_outlet.any():
        is_outlet = np.zeros(level.shape, np.bool_)
        is_outlet.reshape(-1)[height.argmin()] = True
    directions = steepest(height, level, randomness, outlets=is_outlet, on_triangles=on_triangles)
    if hollows is not None:
        is_outlet = is_outlet | (hollows & (directions == 0))
    return directions, is_outlet


def _find_basins(
    height: Field,
    level: Level,
    directions: Directions,
    is_outlet: Mask,
    *,
    on_triangles: bool = False,
) -> tuple[LeafLayers, Basins | None]:
    """Return the tree of the flow that ends in pits, and its basins."""
    tree = peel_leaves(directions, level.wrap)
    where = is_outlet.reshape(-1)
    return tree, find_basins(height, level, tree, where, on_triangles=on_triangles)


def carve(directions: Directions, tree: LeafLayers, basins: BasinTree) -> tuple[Cells, Cells]:
    """Reverse the flow between each basin's pit and its spillway.

    Parameters
    ----------
    directions : ndarray of shape (rows, columns), uint8
        Changed in place.
    tree : LeafLayers
        The tree that belongs to them.
    basins : BasinTree
        Those that are their own parent keep their pit.

    Returns
    -------
    tuple of two ndarrays, intp
        The cells that drain elsewhere now, and where to: arguments of `redirect_cells`.
    """
    _, cells, ways = find_exits(basins, directions.shape)
    to = step_from(cells, ways, directions.shape)
    return turn_around(directions, tree.receivers, cells, ways, to)


def find_exits(basins: BasinTree, shape: tuple[int, int]) -> tuple[Cells, Cells, Directions]:
    """Return the basins that spill, the cells from which they do, and in which directions.

    Parameters
    ----------
    basins : BasinTree
    shape : tuple of two ints
        Rows and columns of the cells.
    """
    spilling = np.flatnonzero(basins.parents != np.arange(len(basins.parents), dtype=np.intp))
    through = basins.exits[spilling]
    starts_first = basins.spillways.first[through] == spilling
    cell, way = basins.spillways.ends(through)
    # The exit begins in this basin on one side of the pass or on the other one.
    cell = np.where(starts_first, cell, step_from(cell, way, shape))
    return spilling, cell, np.where(starts_first, way, 9 - way).astype(np.uint8)


def turn_around(
    directions: Directions, down: Cells, cell: Cells, way: Directions, to: Cells
) -> tuple[Cells, Cells]:
    """Turn the flow from some cells to the ends of their trees around.

    Parameters
    ----------
    directions : ndarray of shape (rows, columns), uint8
        Changed in place.
    down : ndarray of shape (cells,), intp
        The receivers that belong to them.
    cell, way, to : ndarray
        Where the ways begin, in which direction these cells drain in the end, and to which cells.

    Returns
    -------
    tuple of two ndarrays, intp
        The cells that drain elsewhere now, and where to.
    """
    flat = directions.reshape(-1)
    cells, receivers = [cell[:0]], [cell[:0]]
    while len(cell):
        checkpoint()
        cells.append(cell)
        receivers.append(to)
        previous = flat[cell]
        flat[cell] = way
        goes_on = np.flatnonzero(previous)
        way, to = 9 - previous[goes_on], cell[goes_on]
        cell = down[to]
    return np.concatenate(cells), np.concatenate(receivers)


def step_from(cells: Cells, ways: Directions, shape: tuple[int, ...]) -> Cells:
    """Return the neighbor of each cell in a direction, across edges that wrap."""
    rows, columns = shape
    row, column = np.divmod(cells, columns)
    row += ROW_STEPS[ways]
    column += COLUMN_STEPS[ways]
    result: Cells = row % rows * columns + column % columns
    return result


def keep_lakes(basins: BasinTree, pits: Field, deepest: float) -> BasinTree:
    """Return the basins with lakes deeper than `deepest` meters kept as ends of the flow.

    A lake is a group of basins that flow together below its level. The way from its lowest pit to
    where it would spill is turned around, so that all of the group drains to the pit.

    Parameters
    ----------
    basins : BasinTree
    pits : ndarray of shape (basins,), float32
        The lowest height in each one, in meters; the first means nothing.
    deepest : float
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
    # The last assignment stays: by falling height, the lowest pit of each lake.
    order = np.argsort(-pits, kind="stable")
    lowest = np.zeros(count, np.intp)
    lowest[root[order]] = order
    lakes = np.flatnonzero(spills)
    lakes = lakes[lakes != OUTSIDE]
    lakes = lakes[basins.levels[lakes] - pits[lowest[lakes]] > deepest]
    return _end_in_lakes(basins, lowest[lakes], root)


def _end_in_lakes(basins: BasinTree, ends: Cells, root: Cells) -> BasinTree:
    """Reverse the links from some basins up to the roots of their lakes."""
    parents, exits = basins.parents.copy(), basins.exits.copy()
    basin, parent, through = ends, ends.astype(np.int32), exits[ends]
    while len(basin):
        next_basin, exit_cell = parents[basin], exits[basin]
        parents[basin], exits[basin] = parent, through
        goes_on = np.flatnonzero(basin != root[basin])
        parent, through = basin[goes_on].astype(np.int32), exit_cell[goes_on]
        basin = next_basin[goes_on].astype(np.intp)
    return dataclasses.replace(basins, parents=parents, exits=exits)
