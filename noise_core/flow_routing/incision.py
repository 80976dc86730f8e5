# SPDX-License-Identifier: GPL-3.0-or-later
"""Implicit stream-power incision along a flow tree, hillslopes and lake floors included."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..base.arrays import Field
from ..base.blocks import checkpoint
from ..base.gathering import gather
from ..rasters.level import Level
from .directions import CELLS_PER_BLOCK, Cells, Directions, Mask, distances
from .tree import FlowTree, MainChannels

_LEVELS_PER_CHECK = 64


def incise(
    height: Field,
    tree: FlowTree,
    level: Level,
    rate: Field,
    *,
    steepest: Field | float,
    gentlest: Field | float,
) -> Field:
    """Return the height after one step of incision of any length.

    Solves ``h = (h_before + f h_receiver) / (1 + f)`` with ``f = rate / distance`` from the
    outlets up, so that it is stable for any rate (Braun & Willett 2013, "A very efficient O(n),
    implicit and parallel method to solve the stream power equation"), and in the same pass keeps
    every slope between the gentlest, which fills lakes, and the steepest, which is the law of
    screes. Ends of the tree keep their height.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters, uplift and sediment of this step included.
    tree : FlowTree
        Of that height.
    level : Level
    rate : ndarray of shape (rows, columns), float32
        Erodibility times duration times a power of the drainage area, in meters; from 0 up.
    steepest, gentlest : ndarray of that shape, or float
        Limits of the slope towards the receiver, as rise over run.

    Returns
    -------
    ndarray of shape (rows, columns), float32
        Every cell that drains is higher than its receiver by the gentlest slope.
    """
    return Incision.of(height, tree.directions, level, rate, steepest, gentlest).solve(tree)


Rules = tuple[Field, Field, Field, Field]
"""Of some cells: a, b, and the least and the most height above the receiver."""


@dataclass(frozen=True)
class Incision:
    """Step of incision, cell by cell, without the heights below; see `incise`.

    The new height is ``own + share h_receiver``, but at least `least` and at most `most` above the receiver.

    Attributes
    ----------
    own : ndarray of shape (cells,), float32
        In meters; where flow ends it is the height.
    share : ndarray of that shape, float32
        From 0 to 1.
    least, most : ndarray of that shape, float32
        In meters.
    """

    own: Field
    share: Field
    least: Field
    most: Field

    @classmethod
    def of(
        cls,
        height: Field,
        directions: Directions,
        level: Level,
        rate: Field,
        steepest: Field | float,
        gentlest: Field | float,
    ) -> Incision:
        """Return the incision of some ground; see `incise`."""
        ways, heights, share = directions.reshape(-1), height.reshape(-1), rate.flatten()
        runs = np.array([1.0, *distances(level)], np.float32)
        slopes = [np.asarray(slope, np.float32).reshape(-1) for slope in (gentlest, steepest)]
        own, least, most = (np.empty_like(share) for _ in range(3))
        # Over all cells in their order, in the cache: what is taken cell by cell costs several times as much.
        for start in range(0, len(ways), CELLS_PER_BLOCK):
            checkpoint()
            part = slice(start, start + CELLS_PER_BLOCK)
            way = ways[part]
            run = gather(runs, way)
            for slope, rise in zip(slopes, (least, most)):
                np.multiply(slope if len(slope) == 1 else slope[part], run, out=rise[part])
            _share_out(heights[part], share[part], run, way, own[part])
        return cls(own, share, least, most)

    def on(self, height: Field) -> Incision:
        """Return the incision of the same rivers into another height."""
        own = height.reshape(-1) * self.share
        return replace(self, own=np.subtract(height.reshape(-1), own, out=own))

    def rules(self, cells: Cells) -> Rules:
        """Return the rules of some cells."""
        own, share, least, most = (
            gather(rule, cells) for rule in (self.own, self.share, self.least, self.most)
        )
        return own, share, least, most

    def solve(self, tree: FlowTree, beyond: Field | None = None) -> Field:
        """Return the new heights.

        Parameters
        ----------
        tree : FlowTree
            Of the directions.
        beyond : ndarray of shape (rows, columns), float32, optional
            Heights below those ends of the tree from which water goes on elsewhere, NaN for others; only
            ends are read.
        """
        checkpoint()
        channels = tree.main_channels
        result = np.empty_like(self.own)
        ends = None
        if beyond is not None:
            ends = beyond.reshape(-1)[channels.cells[: channels.starts[1]]]
        result[channels.cells] = solve_along(self.rules(channels.cells), channels, ends)
        leaves = tree.leaves
        for part in reversed(leaves.inner_blocks):
            checkpoint()
            cells = leaves.cells[part]
            below = gather(result, leaves.to[part])
            result[cells] = _solve_heights(below, *self.rules(cells))
        self._solve_outermost(result, tree)
        return result.reshape(tree.directions.shape)

    def _solve_outermost(self, result: Field, tree: FlowTree) -> None:
        """Write the new heights of the outermost layer; see `LeafLayers.inner_blocks`."""
        channels = tree.main_channels
        ends = np.sort(channels.cells[: channels.starts[1]])
        stop = len(result) + CELLS_PER_BLOCK
        firsts = np.searchsorted(ends, np.arange(0, stop, CELLS_PER_BLOCK, dtype=np.intp))
        for number, start in enumerate(range(0, len(result), CELLS_PER_BLOCK)):
            checkpoint()
            part = slice(start, start + CELLS_PER_BLOCK)
            below = gather(result, tree.receivers[part])
            rules = self.own[part], self.share[part], self.least[part], self.most[part]
            new = _solve_heights(below, *rules)
            # Not where no direction leads: from ends of a part of a land water may go on elsewhere.
            kept = ends[firsts[number] : firsts[number + 1]]
            new[kept - start] = result[kept]
            result[part] = new


def _share_out(before: Field, share: Field, run: Field, way: Directions, own: Field) -> None:
    """Write the rules of some cells whose `share` is the rate; `run` is written to."""
    # h = a + b h_receiver, with b = f / (1 + f) and a = h_before (1 - b).
    run += share
    share /= run
    share[np.flatnonzero(way == 0)] = 0.0
    np.multiply(before, share, out=own)
    np.subtract(before, own, out=own)


def _solve_heights(below: Field, own: Field, share: Field, least: Field, most: Field) -> Field:
    """Return the heights of cells whose receivers are `below`, which is written to."""
    new = below + least
    cut = share * below
    cut += own
    np.maximum(cut, new, out=new)
    below += most
    np.minimum(new, below, out=new)
    return new


def solve_along(rules: Rules, channels: MainChannels, beyond: Field | None = None) -> Field:
    """Return the new heights of the cells of channels.

    Parameters
    ----------
    rules : Rules
        Of these cells.
    channels : MainChannels
    beyond : ndarray of shape (ends,), float32, optional
        Heights below those of their ends that drain elsewhere; NaN for others, which keep their height.
    """
    starts, parents = channels.starts.tolist(), channels.parents
    own, share, least, most = rules
    result = own.copy()
    if beyond is not None:
        goes_on = np.flatnonzero(~np.isnan(beyond))
        some = own[goes_on], share[goes_on], least[goes_on], most[goes_on]
        result[goes_on] = _solve_heights(beyond[goes_on], *some)
    for step, (start, stop) in enumerate(zip(starts[1:-1], starts[2:])):
        if not step % _LEVELS_PER_CHECK:
            checkpoint()
        below = gather(result, parents[start:stop])
        part = slice(start, stop)
        result[part] = _solve_heights(below, own[part], share[part], least[part], most[part])
    return result


def cut_through(height: Field, tree: FlowTree, falls: Field, kept: Mask) -> Field:
    """Return the height after rivers have cut through every dam on their way, and nothing else.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters; written to.
    tree : FlowTree
        Where the water goes.
    falls : ndarray of shape (rows, columns), float32
        How far, in meters, each cell lies above its receiver in the end, at least.
    kept : ndarray of shape (rows, columns), bool
        Ends that keep their height; cells that drain to them may be lower in the end.
    """
    heights, down = height.reshape(-1), tree.receivers
    drops, stays = falls.reshape(-1), kept.reshape(-1)
    lowest = heights - drops
    cells = np.flatnonzero((heights[down] > lowest) & (tree.directions.reshape(-1) > 0))
    while len(cells):
        checkpoint()
        cells = cells[~stays[down[cells]]]
        # Of several assignments to one place the last one stays: that of the lowest donor.
        lowest = heights[cells] - drops[cells]
        order = np.argsort(-lowest, kind="stable")
        to = down[cells[order]]
        heights[to] = lowest[order]
        # What lies there now may be too low for what is next.
        cells = to[(heights[down[to]] > heights[to] - drops[to]) & (down[to] != to)]
    return height
