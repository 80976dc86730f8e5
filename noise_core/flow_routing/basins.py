# SPDX-License-Identifier: GPL-3.0-or-later
"""Basins of a flow tree, and where they meet.

The depressions are solved on the graph of basins instead of the cells (Cordonnier, Bovy & Braun
2019, "A versatile, linear complexity algorithm for flow routing in topographies with
depressions"); see `basin_tree`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Field
from ..base.blocks import checkpoint
from ..base.gathering import gather
from ..rasters.level import Level
from .basin_tree import FORWARD, OUTSIDE, BasinTree, Codes, Labels, Spillways, rows_per_block
from .directions import ACROSS_EDGES, CELLS_PER_BLOCK, OFFSETS, Cells, Mask, add_rim
from .peeling import LeafLayers


@dataclass(frozen=True)
class StandingLevels:
    """Levels at which the water of each cell stands before all of it runs off.

    Attributes
    ----------
    labels : ndarray of shape (cells,), int32
        The basin of each cell.
    levels : ndarray of shape (basins,), float32
        In meters, -inf where nothing stands.
    """

    labels: Labels
    levels: Field

    def fill(self, height: Field) -> Field:
        """Return a height with all basins filled to the brim; shape (rows, columns), float32."""
        filled: Field = np.maximum(height, self.levels[self.labels].reshape(height.shape))
        return filled


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

    @property
    def standing(self) -> StandingLevels:
        """Levels of standing water."""
        return StandingLevels(self.labels, self.tree.levels)


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
        further = gather(up, up)
        if np.array_equal(further, up):
            break
        up = further
    labels = np.empty(len(tree.receivers), np.int32)
    labels[tree.main_cells] = numbers[up]
    for part in reversed(tree.inner_blocks):
        checkpoint()
        labels[tree.cells[part]] = gather(labels, tree.to[part])
    for start in range(0, len(labels), CELLS_PER_BLOCK):
        checkpoint()
        block = slice(start, start + CELLS_PER_BLOCK)
        labels[block] = gather(labels, tree.receivers[block])
    return labels


def find_spillways(height: Field, labels: Labels, level: Level, *, on_triangles: bool) -> Spillways:
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
    ways = [which for which, step in enumerate(FORWARD.tolist()) if step not in closed]
    rim_labels = add_rim(labels, level.wrap, OUTSIDE)
    rim_heights = add_rim(height, level.wrap, 0.0)
    flat_labels, flat_heights = rim_labels.reshape(-1), rim_heights.reshape(-1)
    width = rim_labels.shape[1]
    rows = rows_per_block(width)
    dtype = np.int32 if len(FORWARD) * rim_labels.size < 1 << 31 else np.int64
    pieces: list[tuple[Labels, Labels, Field, Field, Codes]] = []
    for start in range(1, level.rows + 1, rows):
        checkpoint()
        stop = min(start + rows, level.rows + 1)
        if start > 1 and not rim_labels[start : stop + 1].any():
            continue  # one basin, as nearly everywhere if only lakes are left
        # On flat arrays: a neighbor is a fixed number of places away.
        sides = [_borders(rim_labels, start, stop, which, level.wrap) for which in ways]
        cells = np.concatenate(sides)
        others = np.concatenate(
            [cells_of_way + _flat_step(w, width) for w, cells_of_way in zip(ways, sides)]
        )
        which = np.repeat(np.array(ways, np.intp), [len(cells_of_way) for cells_of_way in sides])
        first, second = (gather(flat_labels, places) for places in (cells, others))
        from_height, to_height = (gather(flat_heights, places) for places in (cells, others))
        top = np.maximum(from_height, to_height)
        lowest = _lowest_of_runs(cells, first, second, top)
        cells, which, first, second, from_height, to_height, top = (
            gather(column, lowest)
            for column in (cells, which, first, second, from_height, to_height, top)
        )
        codes: Codes = (cells + which * rim_labels.size).astype(dtype)
        pieces.append((first, second, top, np.minimum(from_height, to_height), codes))
    first, second, heights, lower, codes = (np.concatenate(parts) for parts in zip(*pieces))
    return Spillways(first, second, heights, lower, codes, rim_labels.shape)


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
    begin, end = start * width, stop * width - 1  # the last place belongs to the rim
    if end <= begin:
        return np.zeros(0, np.intp)
    differs = np.empty((stop - start) * width, np.bool_)
    np.not_equal(flat[begin:end], flat[begin + step : end + step], out=differs[:-1])
    lines = differs.reshape(-1, width)
    lines[:, 0] = lines[:, -1] = False
    if not wrap and column_step:
        lines[:, -2 if column_step > 0 else 1] = False
    cells = np.flatnonzero(differs)
    cells += begin
    return cells
