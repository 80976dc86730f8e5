# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of polygons that are cut along the lines where a value at their vertices reaches given levels.

Neighbors are cut at the same places, so that no gap opens between them. A line ends at the border of
the polygons that are cut; the polygons beyond get its end as one more corner.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Polygons:
    """Polygons and the values at their vertices.

    Attributes
    ----------
    vertices : ndarray of shape (vertices, values), float64
    corners : ndarray of shape (corners,), int64
        Vertices, anticlockwise, polygon after polygon.
    counts : ndarray of shape (polygons,), int64
        Corners of each polygon.
    kinds : ndarray of shape (polygons,), int64
        A number that parts of a polygon inherit.
    """

    vertices: Reals
    corners: Numbers
    counts: Numbers
    kinds: Numbers

    @property
    def starts(self) -> Numbers:
        """First corner of each polygon."""
        return np.cumsum(self.counts, dtype=np.int64) - self.counts

    @property
    def owners(self) -> Numbers:
        """Polygon of each corner."""
        return np.repeat(np.arange(len(self.counts), dtype=np.int64), self.counts)

    @property
    def following(self) -> Numbers:
        """Number of the next corner of the same polygon, for each corner."""
        number = np.arange(len(self.corners), dtype=np.int64) + 1
        number[self.starts + self.counts - 1] = self.starts
        return number


def snap(values: Reals, levels: Reals, tolerance: float) -> Reals:
    """Return values of which those close to a level are that level: no cut leaves slivers beside a vertex."""
    if not len(levels):
        return values
    above = np.clip(np.searchsorted(levels, values), 1, len(levels) - 1)
    low, high = levels[above - 1], levels[above]
    nearest = np.where(values - low < high - values, low, high)
    result: Reals = np.where(np.abs(values - nearest) <= tolerance, nearest, values)
    return result


def cut(polygons: Polygons, values: Reals, levels: Reals, kind: int | None = None) -> Polygons:
    """Return polygons cut where the values at their vertices, linear along edges, reach some levels.

    Parameters
    ----------
    polygons : Polygons
    values : ndarray of shape (vertices,), float64
    levels : ndarray of shape (levels,), float64
        In rising order.
    kind : int, optional
        Only polygons of this kind are cut; all if it is not given.
    """
    columns = np.column_stack((polygons.vertices, values))
    carrying = Polygons(columns, polygons.corners, polygons.counts, polygons.kinds)
    polygons = _divide_saddles(carrying, values, _chosen(polygons, kind))
    is_cut = _chosen(polygons, kind)
    values = polygons.vertices[:, -1]
    corners, following = polygons.corners, polygons.following
    low = np.minimum(corners, corners[following])
    high = np.maximum(corners, corners[following])
    keys, edge_of = np.unique(low * np.int64(len(polygons.vertices)) + high, return_inverse=True)
    edge_of = edge_of.reshape(-1)
    first, last = np.divmod(keys, np.int64(len(polygons.vertices)))
    active = np.zeros(len(keys), np.bool_)
    active[edge_of[is_cut[polygons.owners]]] = True
    begin = np.minimum(values[first], values[last])
    lowest = np.searchsorted(levels, begin, side="right")
    highest = np.searchsorted(levels, np.maximum(values[first], values[last]), side="left")
    added = np.where(active, np.maximum(highest - lowest, 0), 0)
    edge, rank = expand(added)
    reached = levels[lowest[edge] + rank]
    a, b = first[edge], last[edge]
    share = ((reached - values[a]) / (values[b] - values[a]))[:, np.newaxis]
    places = polygons.vertices[a] * (1.0 - share) + polygons.vertices[b] * share
    vertices = np.concatenate((polygons.vertices, places))
    heights = np.concatenate((values, reached))
    points, owners = _boundaries(polygons, values, edge_of, added)
    counts = np.bincount(owners, minlength=len(is_cut))
    divided = Polygons(vertices[:, :-1], points, counts, polygons.kinds)
    return _bands(divided, heights, levels, is_cut)


def _chosen(polygons: Polygons, kind: int | None) -> Flags:
    if kind is None:
        return np.ones(len(polygons.counts), np.bool_)
    return np.asarray(polygons.kinds == kind)


def expand(counts: Numbers) -> tuple[Numbers, Numbers]:
    """Return each number as often as its count says, and how often it came before."""
    owner = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    rank = np.arange(len(owner), dtype=np.int64) - np.repeat(
        np.cumsum(counts, dtype=np.int64) - counts, counts
    )
    return owner, rank


def _divide_saddles(polygons: Polygons, values: Reals, is_cut: Flags) -> Polygons:
    """Return the polygons with those divided around which values rise and fall more than once."""
    at = values[polygons.corners]
    direction = np.sign(at[polygons.following] - at)
    owners = polygons.owners
    turns = np.zeros(len(polygons.counts), np.int64)
    moving = np.flatnonzero(direction)
    if len(moving):
        groups = owners[moving]
        ends = np.flatnonzero(np.diff(groups, append=-1))
        following = np.arange(1, len(moving) + 1, dtype=np.int64)
        following[ends] = np.concatenate(([0], ends[:-1] + 1))
        is_turn = direction[moving] != direction[moving][following]
        turns += np.bincount(groups, is_turn, minlength=len(turns)).astype(np.int64)
    return star(polygons, (turns > 2) & is_cut)


def star(polygons: Polygons, chosen: Flags) -> Polygons:
    """Return polygons of which the chosen ones are divided into triangles around a new vertex in their middle.

    Around a corner some would have no area: corners may lie on a line.
    """
    if not chosen.any():
        return polygons
    inside = chosen[polygons.owners]
    count = np.cumsum(chosen, dtype=np.int64) - 1
    begin, number = polygons.corners[inside], count[polygons.owners[inside]]
    end = polygons.corners[polygons.following[inside]]
    sums = [np.bincount(number, channel) for channel in polygons.vertices[begin].T]
    middles = np.stack(sums, axis=1) / polygons.counts[chosen][:, np.newaxis]
    triangles = np.stack((len(polygons.vertices) + number, begin, end), axis=1)
    return Polygons(
        np.concatenate((polygons.vertices, middles)),
        np.concatenate((polygons.corners[~inside], triangles.reshape(-1))),
        np.concatenate((polygons.counts[~chosen], np.full(len(triangles), 3, np.int64))),
        np.concatenate((polygons.kinds[~chosen], polygons.kinds[chosen][number])),
    )


def turn_quads(polygons: Polygons) -> Polygons:
    """Return polygons of which quads begin at the corner from which a diagonal leaves two larger triangles.

    Programs split quads from the first corner to the third; a corner on a straight side would leave one without area.
    """
    first = polygons.starts[polygons.counts == 4]
    quads = polygons.corners[first[:, np.newaxis] + np.arange(4, dtype=np.int64)]
    places = polygons.vertices[quads][..., :2]
    areas = []
    for a, b, c in ((0, 1, 2), (0, 2, 3), (1, 2, 3), (1, 3, 0)):
        u, v = places[:, b] - places[:, a], places[:, c] - places[:, a]
        areas.append(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    is_better = np.minimum(areas[2], areas[3]) > np.minimum(areas[0], areas[1])
    corners = polygons.corners.copy()
    turned = first[is_better]
    for at in range(4):
        corners[turned + at] = quads[is_better, (at + 1) % 4]
    return Polygons(polygons.vertices, corners, polygons.counts, polygons.kinds)


def _boundaries(
    polygons: Polygons, values: Reals, edge_of: Numbers, added: Numbers
) -> tuple[Numbers, Numbers]:
    """Return the corners of polygons and the points between them, in order, and their polygons."""
    corners = polygons.corners
    more = added[edge_of]
    corner, rank = expand(more + 1)
    count, rank = more[corner], rank - 1
    begin = np.cumsum(added, dtype=np.int64) - added + len(polygons.vertices)
    ahead = values[corners] < values[corners[polygons.following]]
    rank = np.where(ahead[corner], rank, count - 1 - rank)
    is_corner = (
        np.arange(len(corner), dtype=np.int64)
        == (np.cumsum(more + 1, dtype=np.int64) - more - 1)[corner]
    )
    points = np.where(is_corner, corners[corner], begin[edge_of[corner]] + rank)
    return points, polygons.owners[corner]


def _bands(polygons: Polygons, values: Reals, levels: Reals, is_cut: Flags) -> Polygons:
    """Return the parts of polygons between one level and the next; their boundaries have points at all levels."""
    owners, at = polygons.owners, values[polygons.corners]
    low, high = np.searchsorted(levels, at, "left"), np.searchsorted(levels, at, "right")
    is_lower, is_upper = _sides(polygons, at)
    on_level = (high > low) & is_cut[owners]
    low, high = np.where(is_cut[owners], low, 0), np.where(is_cut[owners], high, 0)
    first = np.flatnonzero(~on_level | is_lower)
    second = np.flatnonzero(on_level & is_upper)
    number = np.concatenate((first, second))
    band = np.concatenate((low[first], high[second]))
    order = np.lexsort((number, band, owners[number]))
    number, band = number[order], band[order]
    group = owners[number] * np.int64(len(levels) + 1) + band
    counts = np.unique(group, return_counts=True)[1]
    begin = np.cumsum(counts, dtype=np.int64) - counts
    kept = counts >= 3
    return Polygons(
        polygons.vertices,
        polygons.corners[number[np.repeat(kept, counts)]],
        counts[kept],
        polygons.kinds[owners[number[begin[kept]]]],
    )


def _sides(polygons: Polygons, at: Reals) -> tuple[Flags, Flags]:
    """Return which corners, if they lie on a level, belong to the part below it, and which to the one above.

    Where a boundary runs along a level before it leaves it, the ground between belongs to the lower part alone.
    """
    following = polygons.following
    previous = np.empty_like(following)
    previous[following] = np.arange(len(following), dtype=np.int64)
    ends = []
    for step in (following, previous):
        end = step.copy()
        for _ in range(int(polygons.counts.max(initial=0))):
            same = at[end] == at
            if not same.any():
                break
            end[same] = step[end[same]]
        ends.append(at[end])
    above = [end > at for end in ends]
    below = [end < at for end in ends]
    is_minimum = above[0] & above[1]
    direct = (at[following] > at) | (at[previous] > at)
    is_lower = ~is_minimum
    is_upper = is_minimum | ((above[0] | above[1]) & (below[0] | below[1]) & direct)
    return is_lower, is_upper
