# SPDX-License-Identifier: GPL-3.0-or-later
"""Flats that the edges of tiles cut: see `noise_core.flow_routing.flats`.

Parts of flats in tiles that touch are joined, so that it is known where flats without an exit end. Then steps go from
tile to tile: each one counts on from those around it, and tiles beside which they have changed do so again, until
none change. A tile whose own flats do not reach its edges is never asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from noise_core.flow_routing.directions import OFFSETS, Cells, Mask
from noise_core.flow_routing.flat_marks import WAY, Marks
from noise_core.flow_routing.flats import Flats, FlatsBeyond, Steps, places_around
from noise_core.rasters.connected import join_runs
from noise_core.rasters.level import Level

from ..base.tiling import Window
from ..rasters.parts import part
from ..tiles.engine import Engine
from .rings import Rings, numbers_of, ring


@dataclass(frozen=True)
class FlatShare:
    """A tile, and the steps around it; see `FlatsBeyond`."""

    tile: Window
    up: Steps
    down: Steps
    ends: Cells

    @property
    def beyond(self) -> FlatsBeyond:
        """These steps for `drain_flats`."""
        return FlatsBeyond(self.up, self.down, self.ends)


@dataclass(frozen=True)
class FlatWork:
    """The marks of a land in tiles.

    Attributes
    ----------
    marks : callable
        Gives those of a tile; picklable.
    level : Level
        Of the land.
    closed : tuple of int
        Directions in which no water runs.
    """

    marks: Callable[[Window], Marks]
    level: Level
    closed: tuple[int, ...]


@dataclass(frozen=True)
class _FlatParts:
    """Parts of flats in a tile.

    Attributes
    ----------
    ring : ndarray of shape (ring,), intp
        Numbers of the parts of the cells at its edges, -1 beside flats.
    first : ndarray of shape (parts,), intp
        Their first cells, numbered in the land.
    has_exit : ndarray of shape (parts,), bool
    """

    ring: Cells
    first: Cells
    has_exit: Mask


@dataclass(frozen=True)
class _FindParts(FlatWork):
    """Tell the flats of a tile apart."""

    def __call__(self, tile: Window) -> _FlatParts:
        marks = self.marks(tile)
        flats = Flats.of(marks, part(self.level, tile), self.closed, None)
        numbers, first = flats.parts(flats.places)
        cells = flats.cells
        of_cells = np.full(marks.size, -1, np.intp)
        of_cells[cells] = numbers
        has_exit = np.zeros(len(first), np.bool_)
        has_exit[numbers[(marks.reshape(-1)[cells] & WAY) > 0]] = True
        first_cells = numbers_of(tile, cells[first], self.level.columns)
        return _FlatParts(ring(of_cells.reshape(marks.shape)), first_cells, has_exit)


@dataclass(frozen=True)
class _CountSteps(FlatWork):
    """Return the steps at the edges of a tile, 0 where none have come; see `FlatsBeyond`."""

    def __call__(self, share: FlatShare) -> tuple[Steps, Steps]:
        marks = self.marks(share.tile)
        flats = Flats.of(marks, part(self.level, share.tile), self.closed, share.beyond)
        up, down = (
            ring(counted.steps.reshape(marks.shape[0] + 2, -1)[1:-1, 1:-1])
            for counted in flats.count_steps(marks, share.beyond)
        )
        return up, down


@dataclass(frozen=True)
class CutFlats:
    """Flats at the edges of the tiles of a land.

    Attributes
    ----------
    rings : Rings
    is_flat : ndarray of shape (places,), bool
        Which of these cells belong to one.
    near, far : ndarray of shape (n,), intp
        Places of neighbors in two tiles that belong to the same flat; each pair in both orders.
    """

    rings: Rings
    is_flat: Mask
    near: Cells
    far: Cells

    @classmethod
    def of(cls, rings: Rings, flats: Sequence[Mask], closed: Sequence[int]) -> CutFlats:
        """Return those of which each tile tells which cells of its ring belong to one."""
        is_flat = np.concatenate(flats)
        ways = [way for way in range(1, len(OFFSETS) + 1) if way not in closed]
        sides = np.concatenate([np.stack(rings.steps_out(way)) for way in ways], axis=1)
        near, far = sides[:, is_flat[sides].all(0)]
        return cls(rings, is_flat, near, far)

    def solve(self, work: FlatWork, engine: Engine, name: str) -> list[tuple[Steps, Steps, Cells]]:
        """Return, for each tile, the attributes of `FlatsBeyond`.

        Parameters
        ----------
        work : FlatWork
        engine : Engine
        name : str
            Of the stage.
        """
        tiles = self.rings.tiling.tiles
        fields = (work.marks, work.level, work.closed)
        cut = np.unique(self._tiles(self.near)).tolist()
        parts = engine.ask(f"{name} parts of flats", _FindParts(*fields), [tiles[n] for n in cut])
        last = self._ends(cut, parts)
        ends = self.rings.hand_out(last, last)
        steps = np.zeros((2, len(self.is_flat)), np.int32)
        beyond = [self._places_around(tile) for tile in tiles]

        def share(number: int) -> tuple[Steps, Steps, Cells]:
            places = beyond[number]
            up, down = np.where(places < 0, np.int32(0), steps[:, places])
            return up, down, ends[number].cells

        turn = 0
        while cut:
            turn += 1
            shares = [FlatShare(tiles[number], *share(number)) for number in cut]
            counted = engine.ask(f"{name} flats {turn}", _CountSteps(*fields), shares)
            is_new = np.zeros(len(self.is_flat), np.bool_)
            for number, at_edges in zip(cut, counted):
                edge = self._ring(number)
                is_new[edge] = (steps[:, edge] != at_edges).any(0)
                steps[:, edge] = at_edges
            cut = np.unique(self._tiles(self.far[is_new[self.near]])).tolist()
        return [share(number) for number in range(len(tiles))]

    def _ends(self, cut: Sequence[int], parts: Sequence[_FlatParts]) -> Cells:
        """Return the first cell of each cut flat without an exit."""
        starts = np.cumsum([0, *(len(tile.first) for tile in parts)], dtype=np.intp)
        of_places = np.full(len(self.is_flat), -1, np.intp)
        for number, tile, start in zip(cut, parts, starts.tolist()):
            of_places[self._ring(number)] = np.where(tile.ring < 0, -1, tile.ring + start)
        roots = join_runs(of_places[self.near], of_places[self.far], int(starts[-1]))
        is_closed = np.zeros(len(roots), np.bool_)
        is_closed[roots[of_places[self.near]]] = True
        is_closed[roots[np.concatenate([tile.has_exit for tile in parts])]] = False
        first = np.concatenate([tile.first for tile in parts])
        order = np.argsort(-first, kind="stable")
        ends = np.zeros(len(roots), np.intp)
        ends[roots[order]] = first[order]  # of several the last stays: the first cell
        return ends[np.flatnonzero(is_closed)]

    def _ring(self, number: int) -> slice:
        """Return the places at the edges of a tile."""
        return slice(*self.rings.starts[number : number + 2].tolist())

    def _tiles(self, places: Cells) -> Cells:
        """Return the numbers of the tiles to which places belong."""
        return self.rings.tile_of(self.rings.cells[places])

    def _places_around(self, tile: Window) -> Cells:
        """Return the places of the cells around a tile, -1 beyond borders."""
        tiling = self.rings.tiling
        row, column = np.divmod(places_around(tile.shape), tile.columns + 2)
        row, column = row + tile.row - 1, column + tile.column - 1
        is_beyond = (row < 0) | (row >= tiling.rows) | (column < 0) | (column >= tiling.columns)
        row, column = row % tiling.rows, column % tiling.columns
        places = self.rings.places(row * tiling.columns + column)
        return places if tiling.wrap else np.where(is_beyond, -1, places)
