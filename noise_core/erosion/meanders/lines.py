# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers as lines of samples, and the one that comes in over the border."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...base.blocks import checkpoint
from ...flow_routing.streams import Streams
from ...flow_routing.tree import FlowTree
from ...rasters.level import Level
from .curves import Floats, Indices

_LONG = 0.6
"""Length of a river from border to border, at least, as a share of the terrain's shorter side."""

_FARTHEST = 0.1
"""Distance from the border within which its valley may fall to that, as a share of the samples across."""

_LEVEL_EDGE = 0.04
"""Slope between there and the border, at most."""

_GENTLE = 0.01
"""Mean slope of its valley, at most: steeper ones begin on the terrain."""


@dataclass(frozen=True)
class RiverLines:
    """Samples of rivers, each downstream.

    Attributes
    ----------
    cells : list of ndarray of shape (samples,), intp
        The last one of a tributary lies in the river that it joins.
    joins : ndarray of shape (rivers,), intp
        The river that each one flows into; -1 if none, -2 - n if it is the drawn river n.
    extra : ndarray of shape (rivers,), float64
        Water that each brings from beyond the border, as a share of the rain on all ground.
    """

    cells: list[Indices]
    joins: Indices
    extra: Floats

    @property
    def starts(self) -> Indices:
        """Position of each river's first sample among all, and the end of the last."""
        counts = np.array([len(line) for line in self.cells], np.intp)
        return np.concatenate((np.zeros(1, np.intp), np.cumsum(counts, dtype=np.intp)))

    def keep(self, fewest: int) -> RiverLines:
        """Return the rivers with at least so many samples."""
        return self.pick(np.flatnonzero([len(line) >= fewest for line in self.cells]))

    def pick(self, kept: Indices) -> RiverLines:
        """Return some rivers by their numbers, which rise."""
        place = np.full(len(self.cells) + 1, -1, np.intp)
        place[kept] = np.arange(len(kept), dtype=np.intp)
        cells = [self.cells[number] for number in kept.tolist()]
        joins = self.joins[kept]
        return RiverLines(cells, np.where(joins < 0, joins, place[joins]), self.extra[kept])

    def water(self, shares: Floats) -> Floats:
        """Return the water at all samples, as a share of the rain on all ground.

        Parameters
        ----------
        shares : ndarray of shape (cells,), float64
            Drainage through each sample of the terrain, likewise.
        """
        starts = self.starts
        water = shares[np.concatenate(self.cells)] + np.repeat(self.extra, np.diff(starts))
        # A tributary has as much water at its end as before it.
        tails = starts[1:][self.joins != -1] - 1
        water[tails] = water[tails - 1]
        return water

    def places(self, level: Level) -> tuple[Floats, Floats]:
        """Return x and y of all samples in meters, across edges that meet."""
        row, column = np.divmod(np.concatenate(self.cells), level.columns)
        y = _unroll(row, level.rows, self.starts, level.wrap) * level.step_y
        x = _unroll(column, level.columns, self.starts, level.wrap) * level.step_x
        return x, y


def lines_of(streams: Streams, level: Level) -> RiverLines:
    """Return the samples of streams."""
    cells = (streams.rows * level.columns + streams.columns).astype(np.intp)
    joins = np.where(streams.joins >= 0, streams.numbers()[streams.joins], -1)
    lines = [cells[begin:end] for begin, end in zip(streams.starts[:-1], streams.starts[1:])]
    return RiverLines(lines, joins, np.zeros(len(lines), np.float64))


def _unroll(numbers: Indices, count: int, starts: Indices, wrap: bool) -> Floats:
    """Return rows or columns of lines that go on beyond edges that meet."""
    if not wrap:
        return numbers.astype(np.float64)
    step = np.diff(numbers, prepend=numbers[:1])
    step = (step + count // 2) % count - count // 2
    step[starts[:-1]] = 0
    run = np.cumsum(step, dtype=np.intp)
    run += np.repeat(numbers[starts[:-1]] - run[starts[:-1]], np.diff(starts))
    return run.astype(np.float64)


def enter(
    lines: RiverLines, tree: FlowTree, shares: Floats, level: Level, inflow: float
) -> RiverLines:
    """Let the largest river come in over the border, if its valley goes on there.

    Its former upper part is a tributary then.

    Parameters
    ----------
    lines : RiverLines
    tree : FlowTree
    shares : ndarray of shape (cells,), float64
        See `RiverLines.water`.
    level : Level
    inflow : float
        Share of the river's water that comes from there, below 1.
    """
    if inflow == 0.0 or level.wrap or min(level.shape) < 3:
        return lines
    largest = max(range(len(lines.cells)), key=lambda number: shares[lines.cells[number][-1]])
    way = _find_way_in(int(lines.cells[largest][-1]), tree, level)
    if way is None:
        return lines
    old = lines.cells[largest]
    is_new = np.zeros(level.rows * level.columns, np.bool_)
    is_new[way] = True
    meeting = int(is_new[old].argmax())
    upper = old[: meeting + 1]
    cells, joins = [*lines.cells, upper], np.append(lines.joins, largest)
    cells[largest] = way
    above = set(upper[:-1].tolist())
    for number, line in enumerate(lines.cells):
        if joins[number] == largest and int(line[-1]) in above:
            joins[number] = len(cells) - 1
        elif number != largest:
            cells[number] = _cut_at(line, is_new)
            joins[number] = largest if len(cells[number]) < len(line) else joins[number]
    extra = np.append(lines.extra, 0.0)
    extra[largest] = shares[old[-1]] * inflow / (1.0 - inflow)
    return replace(lines, cells=cells, joins=joins, extra=extra)


def _cut_at(line: Indices, is_new: np.ndarray) -> Indices:
    """Return a line up to where it meets the new river."""
    met = np.flatnonzero(is_new[line])
    return line[: int(met[0]) + 1] if len(met) else line


def _find_way_in(end: int, tree: FlowTree, level: Level) -> Indices | None:
    """Return the samples of the gentlest long way from the border to the end of a river.

    Beside the border, where rivers of a terrain end, the floor of a valley often falls to it, so the
    way begins at some distance from it, as near as there is one.
    """
    distance = 1
    while distance <= _FARTHEST * min(level.shape):
        start = _gentlest_start(distance, end, tree, level)
        if start is not None:
            way = [start]
            while int(tree.receivers[way[-1]]) != way[-1]:
                way.append(int(tree.receivers[way[-1]]))
            return np.concatenate((_line_from_border(start, level), np.array(way, np.intp)))
        distance *= 2
    return None


def _gentlest_start(distance: int, end: int, tree: FlowTree, level: Level) -> int | None:
    """Return the sample so many from the border with the gentlest long way to an end; None without any."""
    ring = np.zeros(level.shape, np.bool_)
    ring[distance:-distance, distance:-distance] = True
    ring[distance + 1 : -distance - 1, distance + 1 : -distance - 1] = False
    start = np.flatnonzero(ring)
    position, run = start, np.zeros(len(start), np.float64)
    while True:
        checkpoint()
        below = tree.receivers[position]
        if np.array_equal(below, position):
            break
        down = (below // level.columns - position // level.columns) * level.step_y
        along = (below % level.columns - position % level.columns) * level.step_x
        run += np.sqrt(down * down + along * along)
        position = below
    filled = tree.filled.reshape(-1).astype(np.float64)
    slope = (filled[start] - filled[position]) / np.maximum(run, 1e-30)
    edge = np.array([_line_from_border(cell, level)[0] for cell in start.tolist()], np.intp)
    fall = np.abs(filled[edge] - filled[start]) / (distance * min(level.step_x, level.step_y))
    is_way = (position == end) & (run >= _LONG * min(level.width, level.depth))
    is_way &= (slope <= _GENTLE) & (fall <= _LEVEL_EDGE)
    if not is_way.any():
        return None
    return int(start[is_way][slope[is_way].argmin()])


def _line_from_border(cell: int, level: Level) -> Indices:
    """Return the samples from the nearest border to a sample, without that."""
    row, column = divmod(cell, level.columns)
    last_row, last_column = level.rows - 1, level.columns - 1
    distance, first, step = min(
        (row, column, level.columns),
        (last_row - row, last_row * level.columns + column, -level.columns),
        (column, row * level.columns, 1),
        (last_column - column, row * level.columns + last_column, -1),
    )
    result: Indices = first + step * np.arange(distance, dtype=np.intp)
    return result
