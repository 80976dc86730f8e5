# SPDX-License-Identifier: GPL-3.0-or-later
"""Courses of rivers: smooth center lines, their width, and the height of the water along them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ...base.arrays import Field
from ...base.blocks import checkpoint
from ...base.grid import Grid
from ...flow_routing.streams import Floats, Streams

WIDTH = 0.012
"""Width of a river that drains all of a terrain, as a share of the terrain's width. Real ones are some
ten times narrower: they would be too small to see."""

_SMOOTH = 0.0022
"""Distance over which the center line is smoothed, as a share of the terrain's width (by eye)."""

_LEAST_SMOOTH = 1.1
"""The same in samples, at least: less shows the eight directions of the grid."""

_SPRING = 8
"""Samples along which a river widens from nothing below its source."""

_FILM = 0.012
"""Depth of water over the highest ground of its bed, in widths."""

_FULL = 0.3
"""Depth in widths up to which the banks are filled: steep valleys have no flat floor, where a flat
river could be seen."""


_BETWEEN = (0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875)
"""Where the ground between two points of a line is looked at, in shares of the way."""

_ROUNDS = 6
"""Rounds in which the line moves to lower ground beside it."""

_ASIDE = (-0.3, -0.15, 0.15, 0.3)
"""Samples by which it may move in one round."""

_LEVEL_ENOUGH = 0.05
"""Slope across the river below which the line stays smooth rather than low."""


@dataclass(frozen=True)
class RiverCourses:
    """Center lines with water.

    Attributes
    ----------
    streams : Streams
        Smooth, with two points a sample.
    widths : ndarray of shape (points,), float64
        In meters.
    levels : ndarray of shape (points,), float64
        Height of the water in meters; it never rises downstream.
    along, across : ndarray of shape (points,), float64
        Direction of the flow, of length 1: its parts along columns and rows.
    """

    streams: Streams
    widths: Floats
    levels: Floats
    along: Floats
    across: Floats


class MeshGround:
    """Ground as its mesh shows it: each quad is two triangles, parted from its first to its third corner."""

    def __init__(self, height: Field) -> None:
        self._height = height.reshape(-1)
        self.rows, self.columns = height.shape

    def at(self, rows: Floats, columns: Floats) -> Floats:
        """Return the height at places in samples; beyond the border it is as high as there."""
        rows = np.clip(rows, 0.0, self.rows - 1.0)
        columns = np.clip(columns, 0.0, self.columns - 1.0)
        row = np.minimum(rows.astype(np.intp), self.rows - 2)
        column = np.minimum(columns.astype(np.intp), self.columns - 2)
        up, right = rows - row, columns - column
        first = row * self.columns + column
        low, high = self._height[first], self._height[first + self.columns + 1]
        # The second or the fourth corner, whichever is that of the triangle.
        is_below = right >= up
        side = self._height[first + np.where(is_below, 1, self.columns)]
        most, least = np.where(is_below, right, up), np.where(is_below, up, right)
        result: Floats = (
            low + most * (side.astype(np.float64) - low) + least * (high.astype(np.float64) - side)
        )
        return result


def lay_courses(streams: Streams, ground: MeshGround, grid: Grid, scale: float) -> RiverCourses:
    """Return smooth rivers with their water.

    The width grows with the square root of the water (Leopold & Maddock 1953), and that with the ground that
    drains through a river.

    Parameters
    ----------
    streams : Streams
    ground : MeshGround
    grid : Grid
    scale : float
        Factor of the widths.
    """
    widths = WIDTH * scale * grid.width * np.sqrt(streams.shares)
    place = np.arange(len(widths), dtype=np.intp) - np.repeat(
        streams.starts[:-1], np.diff(streams.starts)
    )
    is_spring = ~np.isfinite(np.repeat(streams.springs, np.diff(streams.starts)))
    grown = np.minimum((place + 1.0) / _SPRING, 1.0)
    widths *= np.where(is_spring, grown, 1.0)
    fine = _smooth_lines(streams, ground, grid, widths)
    widths = _spread(_smooth(widths, streams, 4), streams)
    along, across = _directions(fine)
    levels = _levels(fine, ground, grid, widths, (along, across))
    return RiverCourses(fine, widths, levels, along, across)


# --- center lines -------------------------------------------------------------------------------


def _smooth(values: Floats, streams: Streams, rounds: int) -> Floats:
    """Return values that are smoothed along each stream; those of its ends stay."""
    ends = np.concatenate((streams.starts[:-1], streams.starts[1:] - 1))
    fixed = values[ends]
    tails, joins = streams.tails()
    is_tied = np.array_equal(values[tails], values[joins])  # places are, widths are not
    result = values.copy()
    for _ in range(rounds):
        checkpoint()
        result[1:-1] = 0.25 * (result[:-2] + result[2:]) + 0.5 * result[1:-1]
        result[ends] = fixed
        if is_tied:
            result[tails] = result[joins]
    return result


def _smooth_lines(streams: Streams, ground: MeshGround, grid: Grid, widths: Floats) -> Streams:
    """Return streams whose lines are smooth, as far as they stay in their valleys."""
    # Each round spreads a point by a variance of half a squared step.
    length = max(_SMOOTH * grid.width / grid.spacing, _LEAST_SMOOTH)
    rounds = math.ceil(2.0 * length * length)
    rows = _smooth(streams.rows, streams, rounds)
    columns = _smooth(streams.columns, streams, rounds)
    rise = ground.at(rows, columns) - streams.brims
    allowed = 0.1 * widths
    share = np.clip(2.0 - rise / np.maximum(allowed, 1e-9), 0.0, 1.0)
    share = _smooth(share, replace(streams, joins=np.full(streams.count, -1, np.intp)), 3)
    share[streams.starts[1:][streams.joins >= 0] - 1] = share[streams.joins[streams.joins >= 0]]
    rows = streams.rows + share * (rows - streams.rows)
    columns = streams.columns + share * (columns - streams.columns)
    return _move_to_lowest(_subdivide(replace(streams, rows=rows, columns=columns)), ground, grid)


def _move_to_lowest(streams: Streams, ground: MeshGround, grid: Grid) -> Streams:
    """Return streams that have moved aside to the lowest ground beside them, and stay smooth."""
    for _ in range(_ROUNDS):
        along, across = _directions(streams)
        rows, columns = streams.rows, streams.columns
        best = ground.at(rows, columns)
        aside = np.zeros(len(rows), np.float64)
        for step in _ASIDE:
            heights = ground.at(rows + step * along, columns - step * across)
            heights += abs(step) * grid.spacing * _LEVEL_ENOUGH
            is_lower = heights < best
            best, aside = np.where(is_lower, heights, best), np.where(is_lower, step, aside)
        rows, columns = rows + aside * along, columns - aside * across
        ends = np.concatenate((streams.starts[:-1], streams.starts[1:] - 1))
        rows[ends], columns[ends] = streams.rows[ends], streams.columns[ends]
        tails, joins = streams.tails()
        rows[tails], columns[tails] = rows[joins], columns[joins]
        streams = replace(
            streams, rows=_smooth(rows, streams, 2), columns=_smooth(columns, streams, 2)
        )
    return streams


def _subdivide(streams: Streams) -> Streams:
    """Return streams with a point more between any two, on a curve through all (Catmull & Rom 1974)."""
    starts = 2 * streams.starts - np.arange(streams.count + 1, dtype=np.intp)
    joins = streams.joins.copy()
    has_successor = joins >= 0
    joins[has_successor] = 2 * joins[has_successor] - streams.numbers()[joins[has_successor]]
    return replace(
        streams,
        rows=_spread(streams.rows, streams, is_curved=True),
        columns=_spread(streams.columns, streams, is_curved=True),
        shares=_spread(streams.shares, streams),
        brims=_spread(streams.brims, streams),
        starts=starts,
        joins=joins,
    )


def _spread(values: Floats, streams: Streams, *, is_curved: bool = False) -> Floats:
    """Return values at the points of streams and between them."""
    count, numbers = len(values), streams.numbers()
    numbers_of_points = np.arange(count, dtype=np.intp)
    result = np.empty(2 * count - streams.count, np.float64)
    result[2 * numbers_of_points - numbers] = values
    first = numbers_of_points[:-1][numbers[:-1] == numbers[1:]]
    middle = 0.5 * (values[first] + values[first + 1])
    if is_curved:
        previous = np.where(numbers[first - 1] == numbers[first], first - 1, first)
        previous[first == 0] = 0
        following = np.minimum(first + 2, count - 1)
        following = np.where(numbers[following] == numbers[first], following, first + 1)
        middle = 1.125 * middle - 0.0625 * (values[previous] + values[following])
    result[2 * first - numbers[first] + 1] = middle
    return result


def _directions(streams: Streams) -> tuple[Floats, Floats]:
    """Return the direction of each point, its parts along columns and rows."""
    numbers = streams.numbers()
    numbers_of_points = np.arange(len(numbers), dtype=np.intp)
    previous, following = (
        np.maximum(numbers_of_points - 2, 0),
        np.minimum(numbers_of_points + 2, len(numbers_of_points) - 1),
    )
    previous = np.where(numbers[previous] == numbers, previous, streams.starts[numbers])
    following = np.where(numbers[following] == numbers, following, streams.starts[numbers + 1] - 1)
    along = streams.columns[following] - streams.columns[previous]
    across = streams.rows[following] - streams.rows[previous]
    length = np.maximum(np.sqrt(along * along + across * across), 1e-9)
    return along / length, across / length


# --- water --------------------------------------------------------------------------------------


def _levels(
    streams: Streams, ground: MeshGround, grid: Grid, widths: Floats, way: tuple[Floats, Floats]
) -> Floats:
    """Return the height of the water: over its bed, below its banks where it can be, never rising."""
    rows, columns = streams.rows, streams.columns
    bed = _bed(streams, ground)
    half = 0.5 * widths / grid.spacing
    banks = []
    for side in (-1.0, 1.0):
        levels = [
            ground.at(rows + side * share * half * way[0], columns - side * share * half * way[1])
            for share in (0.5, 1.0)
        ]
        banks.append(np.maximum(*levels))
    surface = bed + np.clip(np.minimum(*banks) - bed, _FILM * widths, _FULL * widths)
    lowest, result = bed + _FILM * widths, np.empty(len(bed), np.float64)
    for stream in streams.downstream().tolist():
        part = slice(streams.starts[stream], streams.starts[stream + 1])
        join = streams.joins[stream]
        end = result[join] if join >= 0 else streams.mouths[stream]
        low = np.where(bed[part] <= end, end, lowest[part])  # its mouth lies under water
        result[part] = _never_rising(low, surface[part], streams.springs[stream], end)
    return result


def _bed(streams: Streams, ground: MeshGround) -> Floats:
    """Return heights that water has to have at the points, so that it covers the ground between them too."""
    bed = ground.at(streams.rows, streams.columns)
    first = np.ones(len(bed), np.bool_)
    first[streams.starts[1:] - 1] = False
    starts = np.flatnonzero(first)
    between = []
    for share in _BETWEEN:
        rows, columns = (
            (1.0 - share) * line[starts] + share * line[starts + 1]
            for line in (streams.rows, streams.columns)
        )
        between.append(ground.at(rows, columns))
    least, falling = bed.copy(), bed.copy()
    least[starts] = np.maximum(bed[starts], np.maximum.reduce(between))
    for share, heights in zip(_BETWEEN, between):
        # What the water upstream does not reach by itself, that downstream has to.
        needed = (heights - (1.0 - share) * least[starts]) / share
        falling[starts + 1] = np.maximum(falling[starts + 1], needed)
    return np.maximum(least, falling)


def _never_rising(lowest: Floats, surface: Floats, begin: float, end: float) -> Floats:
    """Return levels along one river that never rise: not below the lowest allowed, else as wanted."""
    least = np.maximum(np.maximum.accumulate(lowest[::-1])[::-1], end)
    levels = np.maximum(least, np.minimum.accumulate(np.minimum(surface, begin)))
    if end > -math.inf:
        levels[-1] = end
    return levels
