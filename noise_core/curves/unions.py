# SPDX-License-Identifier: GPL-3.0-or-later
"""Borders of what oriented edges in the plane wind around: the union of polygons and triangles, as rings.

Edges are split where they meet; a piece is part of the border if there is winding on one side of it alone.

References
----------
John D. Hobby (1999). Practical segment intersection with finite precision output. Computational Geometry 13(4).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .chains import Table

Indices = npt.NDArray[np.intp]

MOST_EDGES = 4000
"""Of one union: the work grows with their square."""

_PARALLEL = 1e-9
"""Sine of the angle up to which edges run beside each other, and meet at their ends alone."""

_AT_ONCE = 1 << 20
"""Pairs that are compared together."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Oriented edges between places; what lies to the left of one is wound around `weight` times more.

    Attributes
    ----------
    places : ndarray of shape (n, 2), float64
    first, last, weight : ndarray of shape (m,), intp
        Numbers of places, and above 0.
    """

    places: Table
    first: Indices
    last: Indices
    weight: Indices

    @classmethod
    def around(cls, places: Table, polygons: Indices) -> Edges:
        """Return the edges of polygons that do not cancel each other.

        Parameters
        ----------
        places : ndarray of shape (n, 2), float64
        polygons : ndarray of shape (m, 2), intp
            First and last place of each edge.
        """
        first, last = polygons.T
        low, high = np.minimum(first, last), np.maximum(first, last)
        keys, place = np.unique(low * len(places) + high, return_inverse=True)
        net = np.zeros(len(keys), np.intp)
        np.add.at(net, place.reshape(-1), np.where(first < last, np.intp(1), np.intp(-1)))
        net[keys // len(places) == keys % len(places)] = 0
        keys, net = keys[net != 0], net[net != 0]
        low, high = keys // len(places), keys % len(places)
        is_forward = net > 0
        return cls(
            places,
            np.where(is_forward, low, high),
            np.where(is_forward, high, low),
            np.abs(net),
        )

    def winding(self, points: Table) -> Indices:
        """Return how many times the edges wind around points."""
        start, stop = self.places[self.first], self.places[self.last]
        rise = stop[:, 1] - start[:, 1]
        slope = (stop[:, 0] - start[:, 0]) / np.where(rise == 0.0, 1.0, rise)
        # To the left of an edge that rises lies what it winds around.
        signed = np.where(rise > 0.0, self.weight, -self.weight)
        low, high = np.minimum(start[:, 1], stop[:, 1]), np.maximum(start[:, 1], stop[:, 1])
        counts = np.zeros(len(points), np.intp)
        for rows in _chunks(len(points), len(rise)):
            x, y = points[rows, 0, np.newaxis], points[rows, 1, np.newaxis]
            crossed = (low <= y) & (y < high)
            crossed &= start[:, 0] + (y - start[:, 1]) * slope > x
            counts[rows] = np.where(crossed, signed, np.intp(0)).sum(axis=1)
        return counts


def weld(places: Table, tolerance: float) -> Indices:
    """Return for each place the number of the first one of those that it is joined with, within a tolerance."""
    label: Indices = np.arange(len(places), dtype=np.intp)
    groups = []
    for shift in ((0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5)):
        cell = np.floor(places / (2.0 * tolerance) + np.array(shift)).astype(np.int64)
        cell -= cell.min(axis=0, initial=0)
        key = cell[:, 0] * (int(cell[:, 1].max(initial=0)) + 1) + cell[:, 1]
        groups.append(np.unique(key, return_inverse=True)[1].reshape(-1))
    while True:
        before = label
        for group in groups:
            least = np.full(int(group.max(initial=0)) + 1, len(places), np.intp)
            np.minimum.at(least, group, label)
            label = least[group]
        if (label == before).all():
            return label


def border(edges: Edges, tolerance: float) -> list[Table] | None:
    """Return rings around all that edges wind around, what is covered to their left; None if they do not close.

    Parameters
    ----------
    edges : Edges
        At most `MOST_EDGES`.
    tolerance : float
        Distance of places that count as the same.

    Returns
    -------
    list of ndarray of shape (k, 2), float64, or None
        Rings around holes turn to the right.
    """
    if not len(edges.first):
        return []
    places, first, last = _split(edges, tolerance)
    start, stop = places[first], places[last]
    along = stop - start
    length = np.sqrt(along[:, 0] * along[:, 0] + along[:, 1] * along[:, 1])
    left = np.stack((-along[:, 1], along[:, 0]), axis=1) * (2.0 * tolerance / length)[:, np.newaxis]
    # Not at the middle, through which other edges may well pass.
    middle = start + along * 0.493
    covers_left = edges.winding(middle + left) > 0
    covers_right = edges.winding(middle - left) > 0
    chosen = covers_left != covers_right
    forward = covers_left[chosen]
    first, last = first[chosen], last[chosen]
    begin, end = np.where(forward, first, last), np.where(forward, last, first)
    if (np.sort(begin) != np.sort(end)).any():
        return None
    return _rings(places, begin, end)


def _split(edges: Edges, tolerance: float) -> tuple[Table, Indices, Indices]:
    """Return places, and the pieces between them, each once, of edges split where they meet others."""
    count = len(edges.first)
    owners: list[Indices] = [np.arange(count, dtype=np.intp)] * 2
    points = [edges.places[edges.first], edges.places[edges.last]]
    start = points[0]
    along = points[1] - start
    for one, other in _near_pairs(start, points[1], tolerance):
        for share, near in _meetings(start, along, one, other, tolerance):
            owners.append(one[near])
            points.append(start[one[near]] + share[near, np.newaxis] * along[one[near]])
    owner, point = np.concatenate(owners), np.concatenate(points)
    label = weld(point, tolerance)
    place = point[label]
    squares = np.maximum((along * along).sum(axis=1), 1e-300)
    share = ((place - start[owner]) * along[owner]).sum(axis=1) / squares[owner]
    order = np.lexsort((label, share, owner))
    owner, label = owner[order], label[order]
    follows = (owner[1:] == owner[:-1]) & (label[1:] != label[:-1])
    first, last = label[:-1][follows], label[1:][follows]
    low, high = np.minimum(first, last), np.maximum(first, last)
    keys = np.unique(low * len(point) + high)
    return point, keys // len(point), keys % len(point)


def _near_pairs(start: Table, stop: Table, tolerance: float) -> Iterator[tuple[Indices, Indices]]:
    """Yield numbers of edges whose boxes meet, each pair in both orders."""
    low, high = np.minimum(start, stop) - tolerance, np.maximum(start, stop) + tolerance
    for rows in _chunks(len(start), len(start)):
        meets = (low[rows, np.newaxis, 0] <= high[:, 0]) & (low[:, 0] <= high[rows, np.newaxis, 0])
        meets &= (low[rows, np.newaxis, 1] <= high[:, 1]) & (low[:, 1] <= high[rows, np.newaxis, 1])
        one, other = np.nonzero(meets)
        one = one + rows.start
        yield one[one != other], other[one != other]


def _meetings(
    start: Table, along: Table, one: Indices, other: Indices, tolerance: float
) -> Iterator[tuple[Table, npt.NDArray[np.bool_]]]:
    """Yield where along the first edge of each pair it meets the other one, and whether it does: by crossing, or at an end."""
    apart, here, there = start[other] - start[one], along[one], along[other]
    cross = here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0]
    lengths = np.sqrt((here * here).sum(axis=1) * (there * there).sum(axis=1))
    is_parallel = np.abs(cross) <= _PARALLEL * lengths
    safe = np.where(is_parallel, 1.0, cross)
    share = (apart[:, 0] * there[:, 1] - apart[:, 1] * there[:, 0]) / safe
    beyond = (apart[:, 0] * here[:, 1] - apart[:, 1] * here[:, 0]) / safe
    crosses = ~is_parallel & (share > 0.0) & (share < 1.0) & (beyond > 0.0) & (beyond < 1.0)
    yield share, crosses
    squares = np.maximum((here * here).sum(axis=1), 1e-300)
    for end in (apart, apart + there):
        share = (end * here).sum(axis=1) / squares
        gap = end - share[:, np.newaxis] * here
        near = (gap * gap).sum(axis=1) <= tolerance * tolerance
        yield share, near & (share > 0.0) & (share < 1.0)


def _rings(places: Table, begin: Indices, end: Indices) -> list[Table]:
    """Return rings of pieces; where several meet, the one that turns farthest to the left goes on."""
    by_begin: dict[int, list[int]] = {}
    for number, place in enumerate(begin.tolist()):
        by_begin.setdefault(place, []).append(number)
    ends, rings = end.tolist(), []
    while by_begin:
        ring = [next(iter(by_begin))]
        while True:
            ways = by_begin[ring[-1]]
            number = ways[0]
            if len(ways) > 1 and len(ring) > 1:
                number = max(ways, key=lambda way: _turn(places, ring[-2], ring[-1], ends[way]))
            ways.remove(number)
            if not ways:
                del by_begin[ring[-1]]
            if ends[number] == ring[0]:
                break
            ring.append(ends[number])
        rings.append(places[ring])
    return rings


def _turn(places: Table, before: int, here: int, there: int) -> float:
    """Return how far a way turns to the left, as a number that grows with the angle, from -2 to 2."""
    come, go = places[here] - places[before], places[there] - places[here]
    scale = float(np.sqrt((come * come).sum() * (go * go).sum()))
    ahead = float((come * go).sum()) / scale
    return (1.0 - ahead) if come[0] * go[1] - come[1] * go[0] > 0.0 else (ahead - 1.0)


def _chunks(count: int, others: int) -> Iterator[slice]:
    step = max(1, _AT_ONCE // max(others, 1))
    for first in range(0, count, step):
        yield slice(first, min(first + step, count))
