# SPDX-License-Identifier: GPL-3.0-or-later
"""Channels by which water from other tiles passes through: few cells, and all that tiles share.

The new height of a cell depends on its receiver alone, or on its donors alone. So channels are solved first,
over the whole land in the order of its flow; then each tile is finished alone.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noise_core.base.arrays import Field
from noise_core.flow_routing.directions import Cells, Directions, receivers
from noise_core.flow_routing.routing import step_from
from noise_core.flow_routing.tree import MainChannels

from ..base.tiling import Window
from .joined_flow import JoinedFlow
from .rings import TileValues, numbers_of, within


def through_channels(directions: Directions, entries: Cells) -> MainChannels:
    """Return the cells of a tile through which water from other tiles passes.

    Parameters
    ----------
    directions : ndarray of shape (rows, columns), uint8
        Those that lead out of the tile included.
    entries : ndarray, intp
        Cells, by their numbers within the tile, into which it comes.
    """
    down = receivers(within(directions), wrap=False)
    place = np.full(len(down), -1, np.intp)
    pieces: list[Cells] = []
    count, wave = 0, entries
    while len(wave):
        wave = wave[place[wave] < 0]
        order = np.arange(count, count + len(wave), dtype=np.intp)
        place[wave] = order
        wave = wave[place[wave] == order]  # each once
        place[wave] = np.arange(count, count + len(wave), dtype=np.intp)
        count += len(wave)
        pieces.append(wave)
        wave = down[wave]
    cells = np.concatenate(pieces) if pieces else entries
    return MainChannels.sort(cells, place[down[cells]])


def find_entries(flow: JoinedFlow) -> list[TileValues]:
    """Return, for each tile, the cells into which water of others comes, with their numbers in the land."""
    cells = np.unique(flow.entries)
    return flow.rings.hand_out(cells, cells)


@dataclass(frozen=True)
class TileChannels:
    """The channels of a tile, as others have to know them.

    Attributes
    ----------
    cells : ndarray, intp
        Numbers in the land; receivers come first.
    parents : ndarray of that shape, intp
        Places in `cells` of their receivers within the tile; an end's own.
    ways : ndarray of that shape, uint8
        Their directions.
    """

    cells: Cells
    parents: Cells
    ways: Directions

    @classmethod
    def tell(
        cls, channels: MainChannels, directions: Directions, tile: Window, columns: int
    ) -> TileChannels:
        """Return the part that other tiles need, in a land of so many columns."""
        parents = channels.parents.copy()
        ends = channels.starts[1] if len(channels.starts) > 1 else 0
        parents[:ends] = np.arange(ends, dtype=np.intp)
        ways = directions.reshape(-1)[channels.cells]
        return cls(numbers_of(tile, channels.cells, columns), parents, ways)


@dataclass(frozen=True)
class JoinedChannels:
    """The channels of all tiles, one after the other.

    Attributes
    ----------
    cells : ndarray, intp
        Numbers in the land.
    up : ndarray of that shape, intp
        Places in `cells` of their receivers; an end's own.
    """

    cells: Cells
    up: Cells

    @classmethod
    def join(cls, tiles: Sequence[TileChannels], shape: tuple[int, int]) -> JoinedChannels:
        """Return the channels of a land of that shape."""
        sizes = np.array([len(tile.cells) for tile in tiles], np.intp)
        starts = np.cumsum(sizes, dtype=np.intp) - sizes
        cells = np.concatenate([tile.cells for tile in tiles])
        up = np.concatenate([tile.parents + start for tile, start in zip(tiles, starts.tolist())])
        ways = np.concatenate([tile.ways for tile in tiles])
        out = np.flatnonzero((up == np.arange(len(up), dtype=np.intp)) & (ways > 0))
        joined = cls(cells, up)
        up[out] = joined.places(step_from(cells[out], ways[out], shape))
        return joined

    @functools.cached_property
    def _order(self) -> Cells:
        return np.argsort(self.cells, kind="stable")

    def places(self, cells: Cells) -> Cells:
        """Return the places of cells of the land, all of which are in channels."""
        places: Cells = self._order[np.searchsorted(self.cells, cells, sorter=self._order)]
        return places

    @functools.cached_property
    def sorted(self) -> MainChannels:
        """The channels in the order of the flow; their cells are places."""
        return MainChannels.sort(np.arange(len(self.cells), dtype=np.intp), self.up)


def give_below(flow: JoinedFlow, channels: JoinedChannels, heights: Field) -> list[TileValues]:
    """Return, for each tile, the cells from which water leaves it, and the heights below them."""
    return flow.rings.hand_out(flow.cells, heights[channels.places(flow.entries)])
