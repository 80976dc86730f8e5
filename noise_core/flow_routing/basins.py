# SPDX-License-Identifier: GPL-3.0-or-later
"""Basins, the spillways between them, and the flow from each basin to an outlet.

The depressions are solved on the graph of basins instead of the cells (Cordonnier, Bovy & Braun
2019, "A versatile, linear complexity algorithm for flow routing in topographies with
depressions"): the lowest passes are a minimum spanning tree, found by Boruvka's algorithm on
whole arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.blocks import checkpoint
from ..types.level import Level
from .directions import ACROSS_EDGES, CELLS_PER_BLOCK, OFFSETS, Cells, Directions, Mask, add_rim
from .peeling import LeafLayers
from .sorting import argsort_floats, argsort_integers

OUTSIDE = 0
"""The basin of all outlets together."""

FORWARD = np.array([5, 6, 7, 8], np.uint8)
"""Directions that meet every pair of neighbors once."""

Labels = npt.NDArray[np.int32]

Codes = npt.NDArray[np.signedinteger]


@dataclass(frozen=True)
class Spillways:
    """Pairs of neighboring cells in different basins, over which water may spill.

    Attributes
    ----------
    first, second : ndarray of shape (passes,), int32
        Their basins.
    heights : ndarray of shape (passes,), float32
        The higher of both, in meters.
    lower : ndarray of shape (passes,), float32
        The other one: of passes over the same cell the steepest is taken, wherever it lies.
    codes : ndarray of shape (passes,), int32 or int64
        Which cell has the pair, and in which direction.
    rim_shape : tuple of two ints
        Rows and columns of the grid with a rim, in which `codes` count.
    """

    first: Labels
    second: Labels
    heights: Field
    lower: Field
    codes: Codes
    rim_shape: tuple[int, int]

    def ends(self, places: Cells) -> tuple[Cells, Directions]:
        """Return the cells on the first side of some spillways, and the directions across them."""
        rows, columns = self.rim_shape
        which, rim_cells = np.divmod(self.codes[places].astype(np.intp), rows * columns)
        row, column = np.divmod(rim_cells, columns)
        return (row - 1) * (columns - 2) + column - 1, FORWARD[which]

    def ranks(self) -> npt.NDArray[np.int64]:
        """Return numbers that rise in the order in which `find_spillways` finds them in the whole."""
        rows, columns = self.rim_shape
        which, rim_cells = np.divmod(self.codes.astype(np.int64), rows * columns)
        block = (rim_cells // columns - 1) // _rows_per_block(columns)
        ranks: npt.NDArray[np.int64] = (block * len(FORWARD) + which) * (rows * columns) + rim_cells
        return ranks

    def take(self, places: Cells) -> Spillways:
        """Return some of them."""
        return Spillways(
            self.first[places],
            self.second[places],
            self.heights[places],
            self.lower[places],
            self.codes[places],
            self.rim_shape,
        )


@dataclass(frozen=True)
class BasinTree:
    """Basins that spill into each other on the way out, and the spillway through which each one drains.

    Attributes
    ----------
    parents : ndarray of shape (basins,), int32
        The basin that each one spills into; its own number if it ends here.
    exits : ndarray of shape (basins,), intp
        Through which pass it does.
    spillways : Spillways
    levels : ndarray of shape (basins,), float32
        How high the water stands before all of it runs off, in meters; -inf outside.
    """

    parents: Labels
    exits: Cells
    spillways: Spillways
    levels: Field

    @classmethod
    def span(cls, spillways: Spillways, count: int) -> BasinTree:
        """Return the tree of so many basins that has the lowest spillways."""
        parents, exits = _orient(spillways, spanning_tree(spillways, count), count)
        return cls(parents, exits, spillways, _spill_levels(spillways, parents, exits))


@dataclass(frozen=True)
class Basins:
    """The basins of a flow tree.

    Attributes
    ----------
    labels : ndarray of shape (cells,), int32
        The basin of each cell; 0 drains to an outlet.
    pits : ndarray of shape (basins,), intp
        The lowest cell of each basin; that of basin 0 means nothing.
    tree : BasinTree
    """

    labels: Labels
    pits: Cells
    tree: BasinTree


def find_basins(
    height: Field, level: Level, tree: LeafLayers, outlets: Mask, *, on_triangles: bool = False
) -> Basins | None:
    """Return the basins of a flow tree, None if all its ends are outlets.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    level : Level
        Of that shape.
    tree : LeafLayers
        Of the steepest descents.
    outlets : ndarray of shape (cells,), bool
        Where water leaves; at least one, each an end of the tree.
    on_triangles : bool
        Whether water spills along the edges of a mesh of triangles only.
    """
    checkpoint()
    is_end = tree.parents == np.arange(len(tree.main_cells), dtype=np.intp)
    ends = tree.main_cells[is_end]
    is_pit = ~outlets[ends]
    pits = np.concatenate((np.zeros(1, np.intp), ends[is_pit]))
    if len(pits) == 1:
        return None
    numbers = np.zeros(len(tree.main_cells), np.int32)
    numbers[np.flatnonzero(is_end)[is_pit]] = np.arange(1, len(pits), dtype=np.int32)
    labels = label_cells(tree, numbers)
    spillways = find_spillways(
        height, labels.reshape(level.shape), level, on_triangles=on_triangles
    )
    return Basins(labels, pits, BasinTree.span(spillways, len(pits)))


def label_cells(tree: LeafLayers, numbers: Labels) -> Labels:
    """Return the label of the cell in which each cell's flow ends: shape (cells,), int32.

    Parameters
    ----------
    tree : LeafLayers
    numbers : ndarray of shape (main cells,), int32
        The labels of those of them that are ends.
    """
    up = tree.parents
    while True:
        checkpoint()
        further = up[up]
        if np.array_equal(further, up):
            break
        up = further
    labels = np.empty(len(tree.receivers), np.int32)
    labels[tree.main_cells] = numbers[up]
    for layer in reversed(tree.layers):
        checkpoint()
        labels[layer] = labels[tree.receivers[layer]]
    return labels


def find_spillways(
    height: Field, labels: Labels, level: Level, *, on_triangles: bool = False
) -> Spillways:
    """Return the spillways between the basins of a level, but for those beside a lower one.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    labels : ndarray of that shape, int32
        The basin of each cell.
    level : Level
        Of that shape.
    on_triangles : bool
        Whether water spills along the edges of a mesh of triangles only.
    """
    checkpoint()
    closed = ACROSS_EDGES if on_triangles else ()
    ways = [which for which, one in enumerate(FORWARD.tolist()) if one not in closed]
    rim_labels = add_rim(labels, level.wrap, OUTSIDE)
    rim_heights = add_rim(height, level.wrap, 0.0)
    flat_labels, flat_heights = rim_labels.reshape(-1), rim_heights.reshape(-1)
    width = rim_labels.shape[1]
    rows = _rows_per_block(width)
    dtype = np.int32 if len(FORWARD) * rim_labels.size < 1 << 31 else np.int64
    found: list[tuple[Labels, Labels, Field, Field, Codes]] = []
    for start in range(1, level.rows + 1, rows):
        checkpoint()
        stop = min(start + rows, level.rows + 1)
        for which in ways:
            # On flat arrays: a neighbor is a fixed number of places away.
            cells = _borders(rim_labels, start, stop, which, level.wrap)
            others = cells + _flat_step(which, width)
            first, second = flat_labels.take(cells), flat_labels.take(others)
            here, there = flat_heights.take(cells), flat_heights.take(others)
            top = np.maximum(here, there)
            lowest = _lowest_of_runs(cells, first, second, top)
            codes: Codes = (cells[lowest] + which * rim_labels.size).astype(dtype)
            lower = np.minimum(here[lowest], there[lowest])
            found.append((first[lowest], second[lowest], top[lowest], lower, codes))
    first, second, heights, lower, codes = (np.concatenate(parts) for parts in zip(*found))
    return Spillways(first, second, heights, lower, codes, rim_labels.shape)


def _rows_per_block(width: int) -> int:
    """Return the rows of a block of cells, `width` of them in a row with its rim."""
    return max(1, CELLS_PER_BLOCK // width)


def _lowest_of_runs(cells: Cells, first: Labels, second: Labels, heights: Field) -> Cells:
    """Return the pairs that have no lower pair next to them between the same two basins."""
    beside = np.equal(cells[1:], cells[:-1] + 1)
    beside &= first[1:] == first[:-1]
    beside &= second[1:] == second[:-1]
    is_lowest = np.ones(len(cells), np.bool_)
    is_lowest[1:] &= ~(beside & (heights[1:] > heights[:-1]))
    is_lowest[:-1] &= ~(beside & (heights[1:] < heights[:-1]))
    return np.flatnonzero(is_lowest)


def _flat_step(which: int, width: int) -> int:
    row_step, column_step = OFFSETS[int(FORWARD[which]) - 1]
    return row_step * width + column_step


def _borders(rim: Labels, start: int, stop: int, which: int, wrap: bool) -> Cells:
    """Return the places, in an array with a rim, whose neighbor has a different label."""
    rows, width = rim.shape
    row_step, column_step = OFFSETS[int(FORWARD[which]) - 1]
    if row_step and not wrap:
        stop = min(stop, rows - 2)  # the last row has no row below
    flat, step = rim.reshape(-1), _flat_step(which, width)
    here, end = start * width, stop * width - 1  # the last place belongs to the rim
    if end <= here:
        return np.zeros(0, np.intp)
    differs = np.empty((stop - start) * width, np.bool_)
    np.not_equal(flat[here:end], flat[here + step : end + step], out=differs[:-1])
    lines = differs.reshape(-1, width)
    lines[:, [0, -1]] = False
    if not wrap and column_step:
        lines[:, -2 if column_step > 0 else 1] = False
    cells = np.flatnonzero(differs)
    cells += here
    return cells


def spanning_tree(spillways: Spillways, count: int) -> Cells:
    """Return the spillways of the minimum spanning tree of so many basins (Boruvka 1926), each once.

    Of equally high ones the first is taken. Where not all basins hang together it is several trees.
    """
    checkpoint()
    left = argsort_floats(spillways.lower)
    checkpoint()
    left = left[argsort_floats(spillways.heights[left])]
    first, second = spillways.first[left], spillways.second[left]
    chosen = [np.zeros(0, np.intp)]
    numbers = np.arange(count, dtype=np.int32)
    while len(left):
        checkpoint()
        place = np.arange(len(left), dtype=np.intp)
        lowest = np.full(count, len(left), np.intp)
        other = lowest.copy()
        # Of several assignments to one place the last one stays: that of the lowest pass.
        lowest[first[::-1]] = place[::-1]
        other[second[::-1]] = place[::-1]
        np.minimum(lowest, other, out=lowest)
        alive = np.flatnonzero(lowest < len(left))
        picked = lowest[alive]
        hook = numbers.copy()
        hook[alive] = first[picked] + second[picked] - numbers[alive]  # the end on the other side
        # Two that chose the same pass point at each other: the smaller number stays.
        is_mutual = (hook[hook] == numbers) & (hook > numbers)
        hook[is_mutual] = numbers[is_mutual]
        chosen.append(left[picked[hook[alive] != alive]])
        while True:
            further = hook[hook]
            if np.array_equal(further, hook):
                break
            hook = further
        first, second = hook[first], hook[second]
        is_left = np.flatnonzero(first != second)
        first, second, left = first[is_left], second[is_left], left[is_left]
    return np.concatenate(chosen)


def _orient(spillways: Spillways, chosen: Cells, count: int) -> tuple[Labels, Cells]:
    """Traverse the spanning tree from the outside; return each basin's parent and the spillway to it."""
    ends = np.concatenate((spillways.first[chosen], spillways.second[chosen]))
    others = np.concatenate((spillways.second[chosen], spillways.first[chosen]))
    order = argsort_integers(ends, count)
    others, through = others[order], np.concatenate((chosen, chosen))[order]
    degree = np.bincount(ends, minlength=count)
    begin = np.concatenate((np.zeros(1, np.intp), np.cumsum(degree, dtype=np.intp)))
    parents = np.full(count, -1, np.int32)
    exits = np.zeros(count, np.intp)
    parents[OUTSIDE] = OUTSIDE
    frontier = np.zeros(1, np.intp)
    while len(frontier):
        many = degree[frontier]
        places = np.arange(many.sum(), dtype=np.intp)
        places += np.repeat(begin[frontier] - (np.cumsum(many, dtype=np.intp) - many), many)
        come_from = np.repeat(frontier, many)
        reached = others[places]
        is_new = parents[reached] < 0
        reached = reached[is_new]
        parents[reached] = come_from[is_new]
        exits[reached] = through[places[is_new]]
        frontier = reached.astype(np.intp)
    return parents, exits


def _spill_levels(spillways: Spillways, parents: Labels, exits: Cells) -> Field:
    """Return the highest spillway between each basin and the outside."""
    levels = spillways.heights[exits]
    levels[OUTSIDE] = -np.inf
    up = parents.astype(np.intp)
    while True:
        np.maximum(levels, levels[up], out=levels)
        further = up[up]
        if np.array_equal(further, up):
            return levels
        up = further
