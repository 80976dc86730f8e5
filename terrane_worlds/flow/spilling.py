# SPDX-License-Identifier: GPL-3.0-or-later
"""Basins of a land in tiles: which spills into which, how high they fill, and which channels turn around."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noise_core.base.arrays import Field
from noise_core.flow_routing.basin_tree import FORWARD, BasinTree, Spillways
from noise_core.flow_routing.directions import ACROSS_EDGES, Cells, Directions
from noise_core.flow_routing.routing import find_exits, keep_lakes
from noise_core.rasters.level import Level

from .joined import JoinedEnds, number
from .tile_tree import rim_codes, rim_shape


@dataclass(frozen=True)
class Spilling:
    """Solution of the basins of a land.

    Attributes
    ----------
    levels : ndarray of shape (ends,), float32
        How high the water stands where each end's flow ends, in meters; -inf if it leaves the land.
    cells : ndarray of shape (n,), intp
        Cells from which flow turns around, each down to the end of its flow within its tile.
    ways : ndarray of that shape, uint8
        The directions in which they drain then.
    ends, into : ndarray of that shape, intp
        The ends whose flow it is, and those among whose cells it goes on.
    """

    levels: Field
    cells: Cells
    ways: Directions
    ends: Cells
    into: Cells


def solve_basins(
    ends: JoinedEnds,
    tile_passes: Sequence[Spillways],
    pits: Field,
    ring_heights: Field,
    level: Level,
    *,
    deepest_lake: float | None = None,
    on_triangles: bool = False,
) -> Spilling:
    """Return the water levels of all basins, and where flow turns around so that they drain.

    Parameters
    ----------
    ends : JoinedEnds
    tile_passes : sequence of Spillways
        Of each tile, between its labels.
    pits : ndarray of shape (ends,), float32
        Heights of the ends, in meters.
    ring_heights : ndarray of shape (places,), float32
        Heights of the cells at the edges of the tiles, in meters.
    level : Level
        Of the land.
    deepest_lake, on_triangles
        See `noise_core.flow_routing.routing.route`.
    """
    is_pit = (ends.ways == 0) & (np.arange(len(ends.ways), dtype=np.intp) > 0)
    pit_ends = np.flatnonzero(is_pit)
    pit_ends = pit_ends[np.argsort(ends.cells[pit_ends], kind="stable")]
    basins = np.zeros(len(ends.cells), np.int32)
    basins[pit_ends] = np.arange(1, len(pit_ends) + 1, dtype=np.int32)
    basins = basins[ends.final]
    if not len(pit_ends):
        none = np.zeros(0, np.intp)
        dry = np.full(len(basins), -np.inf, np.float32)
        return Spilling(dry, none, none.astype(np.uint8), none, none)
    passes, starts = _join_passes(ends, tile_passes, ring_heights, level, basins, on_triangles)
    tree = BasinTree.span(passes, len(pit_ends) + 1)
    if deepest_lake is not None:
        heights = np.concatenate((np.zeros(1, np.float32), pits[pit_ends]))
        tree = keep_lakes(tree, heights, deepest_lake)
    return _turn(tree.levels[basins], ends, tree, starts)


def _join_passes(
    ends: JoinedEnds,
    tile_passes: Sequence[Spillways],
    ring_heights: Field,
    level: Level,
    basins: np.ndarray,
    on_triangles: bool,
) -> tuple[Spillways, tuple[Cells, Cells]]:
    """Return the passes between basins in the order of the whole land, and the ends on their two sides."""
    parts = [
        (
            number(passes.first, start),
            number(passes.second, start),
            passes.heights,
            passes.lower,
            passes.codes,
        )
        for start, passes in zip(ends.starts.tolist(), tile_passes)
    ]
    closed = ACROSS_EDGES if on_triangles else ()
    for way in FORWARD.tolist():
        if way not in closed:
            parts.append(_across_edges(ends, ring_heights, level, way))
    first, second, heights, lower, codes = (np.concatenate(some) for some in zip(*parts))
    differ = np.flatnonzero(basins[first] != basins[second])
    first, second = first[differ], second[differ]
    joined = Spillways(
        basins[first],
        basins[second],
        heights[differ],
        lower[differ],
        codes[differ],
        rim_shape(level),
    )
    order = np.argsort(joined.ranks(), kind="stable")
    return joined.take(order), (first[order], second[order])


def _across_edges(
    ends: JoinedEnds, ring_heights: Field, level: Level, way: int
) -> tuple[Cells, Cells, Field, Field, Cells]:
    """Return the passes from one tile into another in a direction."""
    near, far = ends.rings.steps_out(way)
    near_heights, far_heights = ring_heights[near], ring_heights[far]
    cells = ends.rings.cells[near]
    codes = rim_codes(cells, np.full(len(cells), way, np.uint8), level)
    return (
        ends.ring[near],
        ends.ring[far],
        np.maximum(near_heights, far_heights),
        np.minimum(near_heights, far_heights),
        codes,
    )


def _turn(levels: Field, ends: JoinedEnds, tree: BasinTree, sides: tuple[Cells, Cells]) -> Spilling:
    """Return where flow turns around, in every tile that it comes through."""
    spilling, cell, way = find_exits(tree, ends.rings.tiling.shape)
    through = tree.exits[spilling]
    is_first = tree.spillways.first[through] == spilling
    near, far = sides[0][through], sides[1][through]
    end, into = np.where(is_first, near, far), np.where(is_first, far, near)
    entry = np.full(len(ends.cells), -1, np.intp)
    entry[ends.crossings] = ends.entries
    turns = [(cell, way, end, into)]
    while len(cell):
        into = end[ends.ways[end] > 0]
        cell, way, end = entry[into], (9 - ends.ways[into]).astype(np.uint8), ends.after[into]
        turns.append((cell, way, end, into))
    cells, ways, turned, onward = (np.concatenate(parts) for parts in zip(*turns))
    return Spilling(levels, cells, ways, turned, onward)
