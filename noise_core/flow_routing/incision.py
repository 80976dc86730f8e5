# SPDX-License-Identifier: GPL-3.0-or-later
"""Implicit stream-power incision along a flow tree, hillslopes and lake floors included."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Field
from ..base.blocks import checkpoint
from ..types.level import Level
from .directions import CELLS_PER_BLOCK, Cells, Mask, distances
from .tree import FlowTree, MainChannels

_LEVELS_PER_CHECK = 64


def incise(
    height: Field,
    tree: FlowTree,
    level: Level,
    rate: Field,
    *,
    steepest: Field | float,
    gentlest: float,
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
    checkpoint()
    ways = tree.directions.reshape(-1)
    rates, before = rate.reshape(-1), height.reshape(-1)
    runs = np.array([1.0, *distances(level)], np.float32)
    limit = np.asarray(steepest, np.float32).reshape(-1)

    def rules(cells: Cells) -> _Rules:
        way, share = ways[cells], rates[cells]
        run = runs.take(way)
        # h = a + b h_receiver, with b = f / (1 + f) and a = h_before (1 - b).
        share /= share + run
        share *= way != 0
        own = before[cells]
        own -= own * share
        most = (limit if len(limit) == 1 else limit[cells]) * run
        run *= np.float32(gentlest)
        return own, share, run, most

    result = np.empty_like(before)
    result[tree.main_channels.cells] = _along_channels(
        rules(tree.main_channels.cells), tree.main_channels
    )
    for layer in reversed(tree.leaves.layers):
        for start in range(0, len(layer), CELLS_PER_BLOCK):
            checkpoint()
            cells = layer[start : start + CELLS_PER_BLOCK]
            result[cells] = _solve_heights(result[tree.receivers[cells]], *rules(cells))
    return result.reshape(height.shape)


_Rules = tuple[Field, Field, Field, Field]
"""Of some cells: a, b, and the least and the most height above the receiver."""


def _solve_heights(below: Field, own: Field, share: Field, least: Field, most: Field) -> Field:
    """Return the heights of cells whose receivers are `below`, which is written to."""
    new = share * below
    new += own
    np.maximum(new, below + least, out=new)
    below += most
    np.minimum(new, below, out=new)
    return new


def _along_channels(rules: _Rules, channels: MainChannels) -> Field:
    starts, parents = channels.starts.tolist(), channels.parents
    own, share, least, most = rules
    result = own.copy()
    for step, (start, stop) in enumerate(zip(starts[1:-1], starts[2:])):
        if not step % _LEVELS_PER_CHECK:
            checkpoint()
        below = result[parents[start:stop]]
        here = slice(start, stop)
        result[here] = _solve_heights(below, own[here], share[here], least[here], most[here])
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
        Ends that keep their height; what drains to them may be lower in the end.
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
