# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow and plain ways to the same results as `noise_core.flow_routing`, cell after cell."""

from __future__ import annotations

import collections
import heapq

import numpy as np

WAYS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]


def neighbors(row, column, shape, wrap, closed=()):
    """Yield the neighbors of a cell in directions that are not closed."""
    rows, columns = shape
    for way, (dr, dc) in enumerate(WAYS, 1):
        r, c = row + dr, column + dc
        if way in closed:
            continue
        if wrap:
            yield r % rows, c % columns
        elif 0 <= r < rows and 0 <= c < columns:
            yield r, c


def priority_flood(height, outlets, wrap):
    """Fill all depressions (Barnes, Lehman & Mulla 2014, algorithm 1)."""
    filled, is_closed = height.copy(), outlets.copy()
    queue = [(height[place], *place) for place in zip(*np.nonzero(outlets))]
    heapq.heapify(queue)
    while queue:
        level, row, column = heapq.heappop(queue)
        for place in neighbors(row, column, height.shape, wrap):
            if not is_closed[place]:
                is_closed[place] = True
                filled[place] = max(height[place], level)
                heapq.heappush(queue, (filled[place], *place))
    return filled


def accumulate(tree, weights):
    """Sum along the receivers, one cell after the other."""
    sums = np.array(weights, np.float64).reshape(-1).copy()
    for cell in tree.order[::-1]:
        receiver = tree.receivers[cell]
        if receiver != cell:
            sums[receiver] += sums[cell]
    return sums


def incised(height, tree, level, rate, steepest, gentlest):
    """Solve the implicit step from the outlets up, in double precision."""
    flat, rates = height.reshape(-1).astype(np.float64), rate.reshape(-1)
    result = flat.copy()
    for cell in tree.order:
        receiver = tree.receivers[cell]
        if receiver == cell:
            continue
        dr, dc = WAYS[tree.directions.reshape(-1)[cell] - 1]
        run = np.hypot(dr * level.step_y, dc * level.step_x)
        f = rates[cell] / run
        new = (flat[cell] + f * result[receiver]) / (1 + f)
        new = max(new, result[receiver] + gentlest * run)
        result[cell] = min(new, result[receiver] + steepest * run)
    return result.reshape(height.shape)


def flats(height, outlets, wrap, closed=()):
    """Return the gradients of Garbrecht & Martz 1997 over flats, cell after cell: two dicts of steps by cell.

    The first has the steps to an exit, the second those from higher ground, both counted from 1. Cells of flats
    without an exit are in none of the first.
    """

    def beside(place):
        return neighbors(*place, height.shape, wrap, closed)

    places = [tuple(place) for place in np.argwhere(~outlets).tolist()]
    level = {p for p in places if all(height[n] >= height[p] for n in beside(p))}

    def spread(queue):
        steps, queue = dict.fromkeys(queue, 1), collections.deque(queue)
        while queue:
            place = queue.popleft()
            for other in beside(place):
                if other in level and height[other] == height[place] and other not in steps:
                    steps[other] = steps[place] + 1
                    queue.append(other)
        return steps

    def leads_out(place):
        return any(height[n] == height[place] and n not in level for n in beside(place))

    def is_below(place):
        return any(height[n] > height[place] for n in beside(place))

    return spread(list(filter(leads_out, level))), spread(list(filter(is_below, level)))


def sharp_turns(tree, least):
    """Return how many steps of channels turn by 135 degrees or more, and how many steps there are.

    Parameters
    ----------
    tree : FlowTree
    least : int
        Cells that drain through a channel.
    """
    areas, ways, turns, steps = tree.accumulate(), tree.directions.reshape(-1), 0, 0
    for cell in np.flatnonzero((areas >= least) & (ways > 0)):
        way, next_way = ways[cell], ways[tree.receivers[cell]]
        if next_way:
            steps += 1
            before, after = (np.array(WAYS[one - 1]) for one in (way, next_way))
            turns += before @ after < -1e-9 - 0.7 * np.hypot(*before) * np.hypot(*after)
    return int(turns), steps
