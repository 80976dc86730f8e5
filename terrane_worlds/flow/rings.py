# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells at the edges of tiles: their numbers, and their places one after the other."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from noise_core.flow_routing.directions import COLUMN_STEPS, OFFSETS, ROW_STEPS, Cells, Directions

from ..base.tiling import Tiling, Window

Values = npt.NDArray[Any]


def ring(values: Values) -> Values:
    """Return the values at the edges of a tile, each once.

    Parameters
    ----------
    values : ndarray of shape (rows, columns)

    Returns
    -------
    ndarray of shape (ring,)
        Those of the first row, of the last one, and of the first and the last column between them.
    """
    parts = [values[0]]
    if len(values) > 1:
        parts.append(values[-1])
    parts.append(values[1:-1, 0])
    if values.shape[1] > 1:
        parts.append(values[1:-1, -1])
    return np.concatenate(parts)


def numbers_of(window: Window, cells: Cells, columns: int) -> Cells:
    """Return the numbers in the whole land, of so many columns, of cells of a tile."""
    row, column = np.divmod(cells, window.columns)
    numbers: Cells = (row + window.row) * columns + column + window.column
    return numbers


def leaving(directions: Directions) -> npt.NDArray[np.bool_]:
    """Return which cells of a tile drain to a cell outside it: shape (rows, columns)."""
    leaves = np.zeros(directions.shape, np.bool_)
    leaves[0] |= ROW_STEPS[directions[0]] < 0
    leaves[-1] |= ROW_STEPS[directions[-1]] > 0
    leaves[:, 0] |= COLUMN_STEPS[directions[:, 0]] < 0
    leaves[:, -1] |= COLUMN_STEPS[directions[:, -1]] > 0
    return leaves


def within(directions: Directions) -> Directions:
    """Return a tile's directions without those that lead out of it: 0 there."""
    return np.where(leaving(directions), np.uint8(0), directions)


@dataclass(frozen=True)
class TileValues:
    """Values for some cells of a tile.

    Attributes
    ----------
    tile : Window
    cells : ndarray of shape (n,), intp
        Their numbers within the tile.
    values : ndarray of shape (n,)
    """

    tile: Window
    cells: Cells
    values: Values


def arrays_of(values: Sequence[TileValues]) -> list[tuple[Cells, Values]]:
    """Return the cells and values of each tile, as `Engine.hand_out` takes them."""
    return [(item.cells, item.values) for item in values]


@dataclass(frozen=True)
class Rings:
    """The rings of all tiles of a land, one after the other.

    Attributes
    ----------
    tiling : Tiling
    """

    tiling: Tiling

    @functools.cached_property
    def starts(self) -> Cells:
        """Place where each tile's ring begins, and the end: shape (tiles + 1,), intp."""
        sizes = [_ring_size(tile.shape) for tile in self.tiling.tiles]
        return np.concatenate((np.zeros(1, np.intp), np.cumsum(sizes, dtype=np.intp)))

    @functools.cached_property
    def cells(self) -> Cells:
        """Numbers of the cells at all places: shape (places,), intp."""
        columns = self.tiling.columns
        parts = []
        for tile in self.tiling.tiles:
            numbers = np.arange(tile.rows * tile.columns, dtype=np.intp).reshape(tile.shape)
            parts.append(numbers_of(tile, ring(numbers), columns))
        return np.concatenate(parts)

    def tile_of(self, cells: Cells) -> Cells:
        """Return the numbers of the tiles in which cells lie."""
        row, column = np.divmod(cells, self.tiling.columns)
        tiles: Cells = row // self.tiling.side * self.tiling.across + column // self.tiling.side
        return tiles

    def split(self, cells: Cells) -> Sequence[Cells]:
        """Return, for each tile, the places in `cells` of those that lie in it."""
        tiles = self.tile_of(cells)
        order = np.argsort(tiles, kind="stable")
        counts = np.bincount(tiles, minlength=len(self.tiling.tiles))
        return np.split(order, np.cumsum(counts, dtype=np.intp)[:-1])

    def hand_out(self, cells: Cells, values: Values) -> list[TileValues]:
        """Return, for each tile, the cells of the land that lie in it, with their values."""
        return [
            TileValues(tile, self.inside(tile, cells[places]), values[places])
            for tile, places in zip(self.tiling.tiles, self.split(cells))
        ]

    def inside(self, tile: Window, cells: Cells) -> Cells:
        """Return the numbers within a tile of cells of the land."""
        row, column = np.divmod(cells, self.tiling.columns)
        places: Cells = (row - tile.row) * tile.columns + column - tile.column
        return places

    def places(self, cells: Cells) -> Cells:
        """Return the places of cells at the edges of tiles."""
        tiling = self.tiling
        row, column = np.divmod(cells, tiling.columns)
        tile_row, row = np.divmod(row, tiling.side)
        tile_column, column = np.divmod(column, tiling.side)
        rows = np.minimum(tiling.side, tiling.rows - tile_row * tiling.side)
        columns = np.minimum(tiling.side, tiling.columns - tile_column * tiling.side)
        beyond = np.where(rows > 1, 2 * columns, columns)  # after the first row and the last
        place = np.where(column == 0, row - 1, np.maximum(rows - 2, 0) + row - 1) + beyond
        place = np.where(row == rows - 1, columns + column, place)
        place = np.where(row == 0, column, place)
        places: Cells = self.starts[tile_row * tiling.across + tile_column] + place
        return places

    def lead_out(self, cells: Cells, ways: Directions | int) -> npt.NDArray[np.bool_]:
        """Return whether directions from cells of the land lead out of their tiles."""
        tiling = self.tiling
        row, column = np.divmod(cells, tiling.columns)
        rows = np.minimum(tiling.side, tiling.rows - row // tiling.side * tiling.side)
        columns = np.minimum(tiling.side, tiling.columns - column // tiling.side * tiling.side)
        row, column = row % tiling.side + ROW_STEPS[ways], column % tiling.side + COLUMN_STEPS[ways]
        is_out: npt.NDArray[np.bool_] = (
            (row < 0) | (row >= rows) | (column < 0) | (column >= columns)
        )
        return is_out

    def steps_out(self, way: int) -> tuple[Cells, Cells]:
        """Return the places whose neighbor in a direction lies in another tile, and those neighbors' places.

        Across edges that meet a tile may be its own neighbor.
        """
        tiling = self.tiling
        down, right = OFFSETS[way - 1]
        row, column = np.divmod(self.cells, tiling.columns)
        is_out = self.lead_out(self.cells, way)
        row, column = row + down, column + right
        if not tiling.wrap:
            is_out &= (row >= 0) & (row < tiling.rows) & (column >= 0) & (column < tiling.columns)
        positions = np.flatnonzero(is_out)
        row, column = row[positions] % tiling.rows, column[positions] % tiling.columns
        return positions, self.places(row * tiling.columns + column)


def _ring_size(shape: tuple[int, int]) -> int:
    rows, columns = shape
    return columns * min(rows, 2) + max(rows - 2, 0) * min(columns, 2)
