# SPDX-License-Identifier: GPL-3.0-or-later
"""The flow within one tile, and the graph of its edges for the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noise_core.base.arrays import Field
from noise_core.flow_routing.basin_tree import Labels, Spillways, drop_higher, spanning_tree
from noise_core.flow_routing.basins import find_spillways
from noise_core.flow_routing.directions import Cells, Directions, Mask
from noise_core.rasters.level import Level

from ..base.tiling import Window
from .rings import numbers_of, ring, within
from .waves import waves

GONE = 0
"""The label of cells whose water ends in an outlet of their tile."""


@dataclass(frozen=True)
class TileEnds:
    """Ends of a tile's flow, as other tiles need them.

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
    ends : ndarray of shape (ends + 1,), intp
        Numbers within the tile of the cells in which the flow ends or leaves, by their label; the first
        one means nothing.
    labels : ndarray of shape (rows, columns), int32
        Of the cell in which each cell's flow ends; 0 for outlets.
    """

    directions: Directions
    ends: Cells
    labels: Labels

    @classmethod
    def of(cls, directions: Directions, outlets: Mask) -> TileTree:
        """Return the tree of a tile's directions; ends that are outlets share one label."""
        inner = within(directions)
        sources = np.flatnonzero((inner == 0) & ~outlets)
        labels = np.zeros(inner.size, np.int32)
        labels[sources] = np.arange(1, len(sources) + 1, dtype=np.int32)
        for cells, to in reversed(list(waves(inner))):
            labels[cells] = labels.take(to)
        ends = np.concatenate((np.zeros(1, np.intp), sources))
        return cls(directions, ends, labels.reshape(directions.shape))

    def tell(self, tile: Window, columns: int) -> TileEnds:
        """Return the part that other tiles need, in a land of so many columns."""
        ways = self.directions.reshape(-1)[self.ends]
        ways[GONE] = 0
        return TileEnds(numbers_of(tile, self.ends, columns), ways, ring(self.labels))

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
        spillways = find_spillways(height, self.labels, part, on_triangles=on_triangles)
        # The tree drops them too, but before that the rest is sorted.
        spillways = spillways.take(drop_higher(spillways, len(self.ends)))
        cells, ways = spillways.ends(np.arange(len(spillways.codes), dtype=np.intp))
        codes = rim_codes(numbers_of(tile, cells, level.columns), ways, level)
        moved = Spillways(
            spillways.first,
            spillways.second,
            spillways.heights,
            spillways.lower,
            codes,
            rim_shape(level),
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
