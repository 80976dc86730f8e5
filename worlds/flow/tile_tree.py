# SPDX-License-Identifier: GPL-3.0-or-later
"""The flow within one tile, and what its edges have to say to the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noise_core.base.arrays import Field
from noise_core.flow_routing.basins import (
    Labels,
    Spillways,
    find_spillways,
    label_cells,
    spanning_tree,
)
from noise_core.flow_routing.directions import Cells, Directions, Mask
from noise_core.flow_routing.peeling import LeafLayers, peel_leaves
from noise_core.flow_routing.tree import FlowTree, Sums
from noise_core.types.level import Level

from ..tiling import Window
from .rings import leaving, numbers_of, ring

GONE = 0
"""The label of cells whose water ends in an outlet of their tile."""


@dataclass(frozen=True)
class TileEnds:
    """Where the water of a tile goes, as far as others have to know.

    Attributes
    ----------
    cells : ndarray of shape (ends + 1,), intp
        Numbers in the land of the cells in which the flow ends or leaves the tile, by their label; that of
        label 0, which stands for all outlets, means nothing.
    ways : ndarray of that shape, uint8
        The directions in which it leaves; 0 where it ends.
    ring : ndarray of shape (ring,), int32
        Labels of the cells at the edges of the tile.
    """

    cells: Cells
    ways: Directions
    ring: Labels


@dataclass(frozen=True)
class TileTree:
    """The flow tree of a tile; water that leaves it ends at its edge.

    Attributes
    ----------
    directions : ndarray of shape (rows, columns), uint8
        In the land, those that lead out of the tile included.
    leaves : LeafLayers
        Of those that do not.
    ends : ndarray of shape (ends + 1,), intp
        Numbers within the tile of the cells in which the flow ends or leaves, by their label; the first
        one means nothing.
    labels : ndarray of shape (rows, columns), int32
        Of the cell in which each cell's flow ends; 0 for outlets.
    """

    directions: Directions
    leaves: LeafLayers
    ends: Cells
    labels: Labels

    @classmethod
    def of(cls, directions: Directions, outlets: Mask | None = None) -> TileTree:
        """Return the tree of a tile's directions; ends that are outlets share one label."""
        inner = np.where(leaving(directions), np.uint8(0), directions)
        leaves = peel_leaves(inner, wrap=False)
        is_end = leaves.parents == np.arange(len(leaves.main_cells), dtype=np.intp)
        if outlets is not None:
            is_end &= ~outlets.reshape(-1)[leaves.main_cells]
        numbers = np.zeros(len(leaves.main_cells), np.int32)
        numbers[is_end] = np.arange(1, np.count_nonzero(is_end) + 1, dtype=np.int32)
        ends = np.concatenate((np.zeros(1, np.intp), leaves.main_cells[is_end]))
        labels = label_cells(leaves, numbers).reshape(directions.shape)
        return cls(directions, leaves, ends, labels)

    def tell(self, tile: Window, columns: int) -> TileEnds:
        """Return what others have to know, in a land of so many columns."""
        ways = self.directions.reshape(-1)[self.ends]
        ways[GONE] = 0
        return TileEnds(numbers_of(tile, self.ends, columns), ways, ring(self.labels))

    def flow(self) -> FlowTree:
        """Return the flow tree, whose heights are not filled."""
        none: Field = np.zeros((0, 0), np.float32)
        return FlowTree(self.directions, none, self.leaves)

    def accumulate(self, weights: Field | float = 1.0) -> Sums:
        """Return the sums of what drains through each cell from within the tile; see `FlowTree.accumulate`."""
        return self.flow().accumulate(weights)

    def passes(self, height: Field, level: Level, tile: Window, on_triangles: bool) -> Spillways:
        """Return the spillways of the lowest trees of the tile: no others can be among those of the land.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            Of the tile.
        level : Level
            Of the land.
        tile : Window
        on_triangles : bool
            See `find_spillways`.

        Returns
        -------
        Spillways
            Between labels, with codes that count in the land.
        """
        part = level.part(tile.row, tile.column, tile.rows, tile.columns)
        found = find_spillways(height, self.labels, part, on_triangles=on_triangles)
        cells, ways = found.ends(np.arange(len(found.codes), dtype=np.intp))
        codes = rim_codes(numbers_of(tile, cells, level.columns), ways, level)
        moved = Spillways(
            found.first, found.second, found.heights, found.lower, codes, rim_shape(level)
        )
        moved = moved.take(np.argsort(moved.ranks(), kind="stable"))
        return moved.take(spanning_tree(moved, len(self.ends)))


def rim_shape(level: Level) -> tuple[int, int]:
    """Return the rows and columns of a level with a rim, in which the codes of spillways count."""
    return (level.rows + 2, level.columns + 2)


def rim_codes(cells: Cells, ways: Directions, level: Level) -> Cells:
    """Return the codes of spillways from cells of a level, in directions from 5 to 8."""
    rows, columns = rim_shape(level)
    row, column = np.divmod(cells, level.columns)
    which = ways.astype(np.intp) - 5
    codes: Cells = which * (rows * columns) + (row + 1) * columns + column + 1
    return codes
