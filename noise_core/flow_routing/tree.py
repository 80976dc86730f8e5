# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow tree: the receivers of all cells, and an order that follows the flow up or down."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.blocks import checkpoint
from ..base.gathering import gather
from .basins import StandingLevels
from .directions import CELLS_PER_BLOCK, Cells, Directions, Mask
from .peeling import LeafLayers

_MANTISSA = 53
"""Bits of a float64."""

_FEW_CELLS = CELLS_PER_BLOCK // 8
"""So few may drain to cells that lie too far apart to be counted together."""

Sums = npt.NDArray[np.float64]


@dataclass(frozen=True)
class FlowTree:
    """The receiver of every cell, and the order of all cells along the flow.

    Attributes
    ----------
    directions : ndarray of shape (rows, columns), uint8
        Of the receiver, 0 at the ends.
    height : ndarray of shape (rows, columns), float32
        That the water runs over, in meters; not to be written to.
    leaves : LeafLayers
        The tree's layers of leaves, and the cells that remain.
    standing : StandingLevels, optional
        How high water stands in depressions; not given if there are none.
    """

    directions: Directions
    height: Field
    leaves: LeafLayers
    standing: StandingLevels | None = None

    @property
    def receivers(self) -> Cells:
        """Number of the cell that each cell drains to, its own at an end: shape (cells,), intp."""
        return self.leaves.receivers

    @functools.cached_property
    def filled(self) -> Field:
        """The height with all depressions filled to the brim, in meters: shape (rows, columns), float32."""
        return self.height if self.standing is None else self.standing.fill(self.height)

    @property
    def ends(self) -> Mask:
        """Whether the flow ends in a cell: shape (rows, columns)."""
        return np.equal(self.directions, 0)

    @functools.cached_property
    def main_channels(self) -> MainChannels:
        """The main channels in order, outlets first."""
        return MainChannels.sort(self.leaves.main_cells, self.leaves.parents)

    @functools.cached_property
    def order(self) -> Cells:
        """All cells, outlets first, each after its receiver: shape (cells,), intp."""
        return np.concatenate((self.main_channels.cells, *reversed(self.leaves.layers)))

    @functools.cached_property
    def starts(self) -> Cells:
        """Starts of the groups in `order`, and its end: receivers lie in an earlier group."""
        sizes = np.diff(self.leaves.starts)[::-1]
        beyond = self.main_channels.starts[-1] + np.cumsum(sizes, dtype=np.intp)
        return np.concatenate((self.main_channels.starts, beyond))

    def accumulate(self, weights: npt.NDArray[np.floating] | float = 1.0) -> Sums:
        """Return the sum of the weights of each cell and of all that drains through it.

        Parameters
        ----------
        weights : ndarray of shape (cells,) or (rows, columns), or float
            Per cell; 1 counts cells.

        Returns
        -------
        ndarray of shape (cells,), float64
            The same for every order of the cells: weights are rounded to whole multiples of a unit,
            so small that their sum just fits.
        """
        checkpoint()
        count = self.directions.size
        sums = np.empty(count, np.float64)
        sums[:] = np.reshape(weights, -1)
        unit = 1.0
        if not isinstance(weights, (int, float)):
            unit = unit_of_sums(max(float(sums.max()), -float(sums.min())), count)
            sums /= unit
            np.rint(sums, out=sums)
        self.add_up(sums)
        if unit != 1.0:
            sums *= unit
        return sums

    def add_up(self, sums: Sums) -> None:
        """Add to each cell's number those of all cells that drain through it, in place.

        Parameters
        ----------
        sums : ndarray of shape (cells,), float64
            Whole numbers whose sum is exact: then it is the same for every order of the cells.
        """
        leaves = self.leaves
        starts = leaves.starts.tolist()
        for start, stop, alone in zip(starts, starts[1:], leaves.alone.tolist()):
            checkpoint()
            middle = start + alone
            if alone:
                sums[leaves.to[start:middle]] += gather(sums, leaves.cells[start:middle])
            for first in range(middle, stop, CELLS_PER_BLOCK):
                self._add_block(sums, slice(first, min(first + CELLS_PER_BLOCK, stop)))
        channels = self.main_channels
        sums[channels.cells] = channels.accumulate(sums[channels.cells])
        checkpoint()

    def _add_block(self, sums: Sums, part: slice) -> None:
        """Add the numbers of cells of one layer to those of their receivers, in place."""
        checkpoint()
        down = self.leaves.to[part]
        sums_of_leaves = gather(sums, self.leaves.cells[part])
        if len(down) < _FEW_CELLS:
            np.add.at(sums, down, sums_of_leaves)
            return
        # Receivers are neighbors: what many cells add to lies in the cache.
        first, last = int(down.min()), int(down.max())
        sums[first : last + 1] += np.bincount(down - first, sums_of_leaves, last - first + 1)


def unit_of_sums(largest: float, count: int) -> float:
    """Return the unit of fixed-point sums: a power of two that keeps `count` largest numbers exact."""
    return math.ldexp(1.0, math.frexp(largest)[1] + count.bit_length() - _MANTISSA)


@dataclass(frozen=True)
class MainChannels:
    """The part of a tree that remains without its outer layers, level by level.

    Attributes
    ----------
    cells : ndarray, intp
        Numbers of cells, outlets first.
    parents : ndarray, intp
        Places in `cells` of their receivers.
    starts : ndarray, intp
        Where each level begins in `cells`, and the end; parents lie one level before.
    """

    cells: Cells
    parents: Cells
    starts: Cells

    @classmethod
    def sort(cls, cells: Cells, up: Cells) -> MainChannels:
        """Return channels by the number of steps to the end.

        Parameters
        ----------
        cells : ndarray, intp
            Numbers of cells.
        up : ndarray of that shape, intp
            Places in `cells` that they drain to; an end drains to itself.
        """
        parents = up
        depth = (up != np.arange(len(up), dtype=np.intp)).astype(np.int32)
        while True:
            checkpoint()
            step = gather(depth, up)
            if not step.any():
                break
            depth += step
            up = gather(up, up)
        deepest = int(depth.max(initial=0))
        keys = depth.astype(np.uint16) if deepest < 1 << 16 else depth
        order = np.argsort(keys, kind="stable")
        checkpoint()
        place = np.empty(len(order), np.intp)
        place[order] = np.arange(len(order), dtype=np.intp)
        ends = np.cumsum(np.bincount(depth), dtype=np.intp)
        return cls(
            cells[order], place[parents[order]], np.concatenate((np.zeros(1, np.intp), ends))
        )

    def accumulate(self, sums: Sums) -> Sums:
        """Add each cell's sum to its receiver, from the sources down; in place."""
        starts = self.starts.tolist()
        parents = self.parents
        for level in range(len(starts) - 2, 0, -1):
            below, level_start, above = starts[level - 1], starts[level], starts[level + 1]
            if not level & 63:
                checkpoint()
            sums[below:level_start] += np.bincount(
                parents[level_start:above] - below, sums[level_start:above], level_start - below
            )
        return sums
