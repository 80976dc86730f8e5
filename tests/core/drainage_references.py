# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow and plain ways to the same results as `noise_core.flow_routing`, cell after cell."""

from __future__ import annotations

import heapq

import numpy as np

WAYS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]


def neighbors(row, column, shape, wrap):
    """Yield the neighbors of a cell."""
    rows, columns = shape
    for dr, dc in WAYS:
        r, c = row + dr, column + dc
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
