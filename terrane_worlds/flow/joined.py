# SPDX-License-Identifier: GPL-3.0-or-later
"""The ends of the flow in all tiles as one graph: from tile to tile, to where the water ends."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from noise_core.flow_routing.directions import Cells, Directions
from noise_core.flow_routing.routing import step_from

from .rings import Rings
from .tile_tree import GONE, TileEnds

Labels = npt.NDArray[np.int32]

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class JoinedEnds:
    """The ends of all tiles, numbered through: 0 stands for the outlets of all.

    Attributes
    ----------
    rings : Rings
    starts : ndarray of shape (tiles + 1,), intp
        Added to a tile's labels, but for 0, to get these numbers.
    cells : ndarray of shape (ends,), intp
        In which the flow ends or leaves its tile; the first one means nothing.
    ways : ndarray of that shape, uint8
        The directions in which it leaves; 0 where it ends.
    ring : ndarray of shape (places,), intp
        Where the cells at the edges of the tiles drain to within their tile.
    """

    rings: Rings
    starts: Cells
    cells: Cells
    ways: Directions
    ring: Cells

    @classmethod
    def join(cls, rings: Rings, tiles: Sequence[TileEnds]) -> JoinedEnds:
        """Return the ends of all tiles of a land, given in their order."""
        counts = np.array([len(tile.cells) - 1 for tile in tiles], np.intp)
        starts = np.concatenate((np.zeros(1, np.intp), np.cumsum(counts, dtype=np.intp)))
        numbered = [(start, tile) for start, tile in zip(starts.tolist(), tiles)]
        return cls(
            rings,
            starts,
            join_values([tile.cells for tile in tiles]),
            join_values([tile.ways for tile in tiles]),
            np.concatenate([number(tile.ring, start) for start, tile in numbered]),
        )

    @functools.cached_property
    def crossings(self) -> Cells:
        """The ends at which water goes on in another tile."""
        return np.flatnonzero(self.ways)

    @functools.cached_property
    def entries(self) -> Cells:
        """The cell in which it does, for each crossing."""
        tiling = self.rings.tiling
        return step_from(self.cells[self.crossings], self.ways[self.crossings], tiling.shape)

    @functools.cached_property
    def after(self) -> Cells:
        """Ends at which the flow of each end ends or leaves the next tile: shape (ends,); itself if it ends."""
        onward = np.arange(len(self.cells), dtype=np.intp)
        onward[self.crossings] = self.ring[self.rings.places(self.entries)]
        return onward

    @functools.cached_property
    def final(self) -> Cells:
        """Ends at which the flow of each end ends at last: shape (ends,)."""
        final = self.after
        while True:
            further = final[final]
            if np.array_equal(further, final):
                return final
            final = further

    def of_tile(self, number: int) -> Cells:
        """Return the numbers of a tile's ends, by their label."""
        ends = np.arange(self.starts[number], self.starts[number + 1], dtype=np.intp) + 1
        return np.concatenate((np.zeros(1, np.intp), ends))


def number(labels: Labels, start: int) -> Cells:
    """Return the numbers in the land of labels of a tile whose ends begin after `start`."""
    numbers = labels.astype(np.intp)
    numbers[numbers != GONE] += start
    return numbers


def join_values(tiles: Sequence[npt.NDArray[Scalar]]) -> npt.NDArray[Scalar]:
    """Return values by the numbers of ends, from those of all tiles by their labels; that of 0 is 0."""
    return np.concatenate([np.zeros(1, tiles[0].dtype), *(values[1:] for values in tiles)])
