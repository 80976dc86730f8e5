# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves as Blender's curve editor draws them: Bezier curves with automatic handles, in a table.

A curve mapping of Blender has cubic Bezier curves between its points. Each is drawn as 31 straight
lines, and these are read at 257 equal steps from the first point to the last. The same steps here
give the same values, to 2e-5 of a curve between -1 and 1. `tests/blender` compares them.

References
----------
Blender Foundation (2024). Blender 4.2, `colortools.cc`.
"""

from __future__ import annotations

import bisect
import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .arrays import Field
from .checks import CurvePoints
from .derivatives import Dual

STEPS = 256
"""Steps of Blender's table."""

_LINES = 31
"""Straight lines of one Bezier curve."""

_HANDLE = 2.5614
"""Handles are as long as the way to the neighbor, divided by this and by the length of the sum of both
directions: two such curves are close to a circle."""

_SHORTEST = 1e-7
"""Shorter handles have no direction (float32)."""

Point = tuple[float, float]


class CurveTable(NamedTuple):
    """A curve at equal steps, level before the first point and after the last.

    Attributes
    ----------
    start, scale : float
        Where it begins, and steps per unit.
    heights, rises : ndarray of shape (STEPS + 1,), float32
        At each step, and from there to the next.
    """

    start: float
    scale: float
    heights: Field
    rises: Field

    def look_up(self, field: Field) -> Field:
        """Return the curve at values, with derivatives if the values have some."""
        value = field.value if isinstance(field, Dual) else field
        place = value - np.float32(self.start)
        place *= np.float32(self.scale)
        np.clip(place, np.float32(0.0), np.float32(STEPS), out=place)
        step = place.astype(np.intp)
        rise = self.rises[step]
        place -= step.astype(np.float32)
        place *= rise
        place += self.heights[step]
        if not isinstance(field, Dual):
            return place
        slope = rise * np.float32(self.scale)
        slope *= value >= np.float32(self.start)
        return Dual(
            place, {axis: unit_slope * slope for axis, unit_slope in field.slopes.items()}
        ).field

    def bounds(self, low: float, high: float) -> tuple[float, float]:
        """Return the least and the largest height between two values."""
        ends = self.look_up(np.array([low, high], np.float32))
        places = self.start + np.arange(STEPS + 1, dtype=np.float64) / self.scale
        heights = [*ends, *self.heights[(places >= low) & (places <= high)]]
        return (float(min(heights)), float(max(heights)))


@functools.lru_cache(maxsize=64)
def curve_table(points: CurvePoints) -> CurveTable:
    """Return the table of the curve through points with automatic handles."""
    handles = _automatic_handles(points)
    xs, ys = [], []
    for place, (first, last) in enumerate(zip(points, points[1:])):
        right, left = _keep_apart(first, handles[place][1], handles[place + 1][0], last)
        for line in range(_LINES + 1):
            x, y = _bezier(first, right, left, last, line / _LINES)
            xs.append(x)
            ys.append(y)
    start, end = points[0][0], points[-1][0]
    step = (end - start) / STEPS
    heights = np.array([_between(xs, ys, start + place * step) for place in range(STEPS + 1)])
    rises = np.append(np.diff(heights), 0.0)
    return CurveTable(start, 1.0 / step, heights.astype(np.float32), rises.astype(np.float32))


def _automatic_handles(points: CurvePoints) -> list[tuple[Point, Point]]:
    """Return the left and the right handle of each point."""
    handles = []
    for place, (x, y) in enumerate(points):
        before = points[place - 1] if place > 0 else None
        after = points[place + 1] if place + 1 < len(points) else None
        # At an end the curve goes on as it came.
        to_left = _step(before, (x, y)) if before else _step((x, y), after or (x, y))
        to_right = _step((x, y), after) if after else to_left
        lengths = (_length(to_left) or 1.0, _length(to_right) or 1.0)
        along = (
            to_left[0] / lengths[0] + to_right[0] / lengths[1],
            to_left[1] / lengths[0] + to_right[1] / lengths[1],
        )
        size = _length(along) * _HANDLE
        left, right = (lengths[0] / size, lengths[1] / size) if size else (0.0, 0.0)
        handles.append(
            (
                (x - along[0] * left, y - along[1] * left),
                (x + along[0] * right, y + along[1] * right),
            )
        )
    if len(points) > 2:
        handles[0] = (handles[0][0], _aim(points[0], handles[0][1], handles[1][0], max))
        handles[-1] = (_aim(points[-1], handles[-1][0], handles[-2][1], min), handles[-1][1])
    return handles


def _aim(point: Point, handle: Point, target: Point, limit: Callable[..., float]) -> Point:
    """Return the handle of an end point turned to the handle that its neighbor holds out."""
    length = _length(_step(point, handle))
    way = _step(point, (limit(target[0], point[0]), target[1]))
    size = _length(way)
    if size <= _SHORTEST:
        return handle
    return (point[0] + way[0] * length / size, point[1] + way[1] * length / size)


def _keep_apart(first: Point, right: Point, left: Point, last: Point) -> tuple[Point, Point]:
    """Return the handles between two points, shortened so that the curve never turns back."""
    room = last[0] - first[0]
    taken = abs(right[0] - first[0]) + abs(last[0] - left[0])
    if taken <= room:
        return right, left
    share = room / taken
    out, back = _step(first, right), _step(left, last)
    return (
        (first[0] + share * out[0], first[1] + share * out[1]),
        (last[0] - share * back[0], last[1] - share * back[1]),
    )


def _bezier(first: Point, right: Point, left: Point, last: Point, t: float) -> Point:
    """Return a point of a cubic Bezier curve."""
    s = 1.0 - t
    weights = (s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t)
    corners = (first, right, left, last)
    x = sum(weight * corner[0] for weight, corner in zip(weights, corners))
    y = sum(weight * corner[1] for weight, corner in zip(weights, corners))
    return (x, y)


def _between(xs: list[float], ys: list[float], x: float) -> float:
    """Return the height of a line through points with rising x."""
    place = min(max(bisect.bisect_right(xs, x), 1), len(xs) - 1)
    width = xs[place] - xs[place - 1]
    if width <= 0.0:
        return ys[place]
    along = min(max((x - xs[place - 1]) / width, 0.0), 1.0)
    return ys[place - 1] + along * (ys[place] - ys[place - 1])


def _step(start: Point, end: Point) -> Point:
    return (end[0] - start[0], end[1] - start[1])


def _length(step: Point) -> float:
    # `math.hypot` rounds otherwise in other versions of Python.
    return math.sqrt(step[0] * step[0] + step[1] * step[1])
