# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights along a curve: those that are drawn, or those of the ground, as level as a greatest grade asks for.

References
----------
E. Galin, A. Peytavie, N. Marechal, E. Guerin (2010). Procedural generation of roads. Computer Graphics Forum 29(2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...curves.chains import HALF, TILT, Chain, Table, Z, thin

_SMOOTHED = 2.0
"""Length along which the ground is averaged before a bed follows it, in widths of the bed."""

_LEAST_STEP = 1e-30
"""Meters between stations at the least: a curve on the smallest land may have no length in float64."""

_TURN = 6.0
"""Length along which its slope across is averaged, in those."""

_SHORTEST = 4.0
"""Length of the shortest bed between two gaps, in its widths."""

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class ProfileLaw:
    """How heights along a curve follow from the ground.

    Attributes
    ----------
    follows : bool
        Whether the bed follows the ground; otherwise it has the heights of the curve.
    offset : float
        Height of the bed above these, in meters.
    grade, crossfall : float
        Greatest rise over run along and across a bed that follows; a grade of 0 is no limit.
    downhill : bool
        Whether the bed falls from the higher end to the other one.
    is_level : bool
        Whether closed curves have one height, the mean of theirs.
    holds_water : bool
        Whether that is their lowest one instead, so that water below it stays inside.
    most_cut, most_fill : float
        Meters beyond which there is a gap instead; 0 for no limit.
    tolerance : float
        Of the chain, in meters.
    """

    follows: bool
    offset: float
    grade: float
    crossfall: float
    downhill: bool
    is_level: bool
    holds_water: bool
    most_cut: float
    most_fill: float
    tolerance: float

    @property
    def reads_ground(self) -> bool:
        """Whether the ground along the curve has to be known."""
        return self.follows or self.most_cut > 0.0 or self.most_fill > 0.0


@dataclass(frozen=True, eq=False)
class PathCourse:
    """Chain of a bed with its final heights.

    Attributes
    ----------
    chain : Chain
    is_gap : ndarray of shape (n - 1,), bool
        Which pieces of it are left out, for bridges and tunnels.
    """

    chain: Chain
    is_gap: Flags


def course(chain: Chain, ground: Table | None, size: float, law: ProfileLaw) -> PathCourse:
    """Return the bed along a chain.

    Parameters
    ----------
    chain : Chain
        With stations as vertices if the ground is read.
    ground : ndarray of shape (3, n), float64, optional
        Heights at the places of `ground_reading.probe`.
    size : float
        Width of the land in meters.
    law : ProfileLaw
    """
    table, along = chain.vertices.copy(), chain.lengths(size)
    if law.follows and ground is not None:
        table[:, Z], table[:, TILT] = _follow(chain, ground, along, law)
    if law.downhill and not chain.closed:
        table[:, Z] = _fall(table[:, Z])
    if law.is_level and chain.closed:
        heights = table[:, Z]
        if law.holds_water:
            table[:, Z] = heights.min() if ground is None or not law.follows else ground[0].min()
        else:
            table[:, Z] = _mean_along(heights, along)
        table[:, TILT] = 0.0
    table[:, Z] += law.offset
    gap = np.zeros(len(table) - 1, np.bool_)
    if ground is not None:
        gap = _join_gaps(_find_gaps(ground[0] - table[:, Z], law), table, along)
        return _thin_runs(Chain(table, chain.closed), gap, size, law.tolerance)
    return PathCourse(Chain(table, chain.closed), gap)


def _follow(chain: Chain, ground: Table, along: Table, law: ProfileLaw) -> tuple[Table, Table]:
    """Return heights and slopes across of a bed that follows the ground."""
    window = _SMOOTHED * 2.0 * chain.vertices[:, HALF]
    middle = limit_grade(
        smooth_along(ground[0], along, window, chain.closed), along, law, chain.closed
    )
    apart = np.maximum(2.0 * chain.vertices[:, HALF], 2.0 * float(along[-1]) / len(along))
    across = np.clip((ground[1] - ground[2]) / apart, -law.crossfall, law.crossfall)
    for _ in range(2):  # a bed that turns fast about its middle would be steep along its edges
        across = smooth_along(across, along, _TURN * window, chain.closed)
    return middle, across


def smooth_along(values: Table, along: Table, window: Table, closed: bool) -> Table:
    """Return means of values over windows in meters, of stations that are about equally far apart."""
    count = len(values)
    step = max(float(along[-1]) / max(count - 1, 1), _LEAST_STEP)
    reach = np.minimum(window / (2.0 * step), count - 1.0).astype(np.intp)
    line = np.concatenate((values[:-1], values[:-1], values)) if closed else values
    start = count - 1 if closed else 0
    sums = np.concatenate(([0.0], np.cumsum(line, dtype=np.float64)))
    place = np.arange(count, dtype=np.intp) + start
    # As far to one side as to the other, so that ends stay where they are on an even slope.
    reach = np.minimum(reach, np.minimum(place, len(line) - 1 - place))
    means: Table = (sums[place + reach + 1] - sums[place - reach]) / (2 * reach + 1)
    return means


def limit_grade(heights: Table, along: Table, law: ProfileLaw, closed: bool) -> Table:
    """Return heights that rise and fall no more than the grade: halfway between the nearest above and below.

    Both are envelopes of cones, so neither is steeper, and nor is their mean.
    """
    if not law.grade:
        return heights
    count, length = len(heights), float(along[-1])
    if closed:
        heights = np.concatenate((heights[:-1], heights[:-1], heights))
        along = np.concatenate((along[:-1] - length, along[:-1], along + length))
    rise = law.grade * along
    above = np.maximum(
        np.maximum.accumulate(heights + rise) - rise,
        np.maximum.accumulate((heights - rise)[::-1])[::-1] + rise,
    )
    below = np.minimum(
        np.minimum.accumulate(heights - rise) + rise,
        np.minimum.accumulate((heights + rise)[::-1])[::-1] - rise,
    )
    between = 0.5 * (above + below)
    return between[count - 1 : 2 * count - 1] if closed else between


def _fall(heights: Table) -> Table:
    """Return heights that never rise from the higher end to the other one."""
    if heights[-1] > heights[0]:
        return np.minimum.accumulate(heights[::-1])[::-1]
    return np.minimum.accumulate(heights)


def _mean_along(heights: Table, along: Table) -> float:
    """Return the mean height of a chain, by length; added up one after the other, so that bits are the same."""
    if not along[-1]:  # all of it lies within the tolerance
        return float(heights[0])
    weights = np.diff(along)
    sums = np.cumsum(0.5 * (heights[1:] + heights[:-1]) * weights, dtype=np.float64)
    return float(sums[-1] / along[-1])


def _find_gaps(missing: Table, law: ProfileLaw) -> Flags:
    """Return which pieces lie deeper below the ground, or higher above it, than the limits."""
    beyond = np.zeros(len(missing), np.bool_)
    if law.most_cut:
        beyond |= missing > law.most_cut
    if law.most_fill:
        beyond |= -missing > law.most_fill
    return beyond[1:] | beyond[:-1]


def _join_gaps(gap: Flags, table: Table, along: Table) -> Flags:
    """Return gaps without the short stretches between two of them, which would stand there as lonely mounds."""
    edges = [0, *(np.flatnonzero(gap[1:] != gap[:-1]) + 1), len(gap)]
    joined = gap.copy()
    for first, last in zip(edges[1:-2], edges[2:-1]):
        least = _SHORTEST * 2.0 * float(table[first, HALF])
        if not gap[first] and along[last] - along[first] < least:
            joined[first:last] = True
    return joined


def _thin_runs(chain: Chain, gap: Flags, size: float, tolerance: float) -> PathCourse:
    """Return a chain with fewer vertices; those where a gap begins or ends stay."""
    edges = [0, *(np.flatnonzero(gap[1:] != gap[:-1]) + 1), len(gap)]
    tables, flags = [chain.vertices[:1]], []
    for first, last in zip(edges, edges[1:]):
        kept = thin(chain.vertices[first : last + 1], size, tolerance)
        tables.append(kept[1:])
        flags.append(np.full(len(kept) - 1, gap[first]))
    return PathCourse(Chain(np.concatenate(tables), chain.closed), np.concatenate(flags))


# --- as numbers -----------------------------------------------------------------------------------


def pack(courses: Sequence[PathCourse]) -> tuple[Table, ...]:
    """Return courses as arrays of one axis, which runners can hand on."""
    counts = np.array([len(each.chain.vertices) for each in courses], np.float64)
    closed = np.array([each.chain.closed for each in courses], np.float64)
    vertices = [each.chain.vertices.ravel() for each in courses]
    gaps = [each.is_gap.astype(np.float64) for each in courses]
    return (
        counts,
        closed,
        np.concatenate([np.empty(0), *vertices]),
        np.concatenate([np.empty(0), *gaps]),
    )


def unpack(packed: Sequence[Table]) -> list[PathCourse]:
    """Return the courses of `pack`."""
    counts, closed, vertices, gaps = packed
    courses, start = [], 0
    for number, count in enumerate(map(int, counts)):
        table = vertices[start * 6 : (start + count) * 6].reshape(count, 6)
        first = start - number
        flags = gaps[first : first + count - 1] > 0.0
        courses.append(PathCourse(Chain(table, bool(closed[number])), flags))
        start += count
    return courses
