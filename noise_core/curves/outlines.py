# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of solids from above: rings around what their triangles cover, each with the lowest height within.

References
----------
A. M. Andrew (1979). Another efficient algorithm for convex hulls in two dimensions. Information Processing Letters 9(5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import chains, land_curve
from .unions import MOST_EDGES, Edges, Indices, border, weld

if TYPE_CHECKING:
    from .chains import Table
    from .land_curve import LandCurve

_SAME = 2.0**-18
"""Distance of places that count as the same, in widths of a solid: 0.04 mm of 10 m."""

_ROUNDED = 2.0**-12
"""Distance by which a ring may miss the outline, in widths of a solid: 2.4 mm of 10 m."""

_COARSER = (1.0, 4.0, 16.0)
"""Distances that are tried where edges meet at so small an angle that rings do not close, in the one above."""

_LEAST = 16.0
"""Width of the smallest ring in distances of places that count as the same."""


@dataclass(frozen=True, eq=False)
class Outline:
    """Ring around a part of a solid, seen from above.

    Attributes
    ----------
    ring : ndarray of shape (k, 2), float64
        Places, which turn to the left.
    base : float
        Lowest height of what lies within.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Outline
    >>> square = Outline(np.array([[0.4, 0.4], [0.6, 0.4], [0.6, 0.6], [0.4, 0.6]]), base=12.0)
    >>> square.land_curve().closed, square.land_curve().points[0].z
    (True, 12.0)
    """

    ring: Table
    base: float

    def land_curve(self) -> LandCurve:
        """Return the outline as a closed curve, whose ring is in tiles."""
        points = [
            land_curve.CurvePoint(at=(x, y), z=self.base, width=0.0) for x, y in self.ring.tolist()
        ]
        return land_curve.LandCurve(points=points, closed=True)


def outlines_of(places: Table, triangles: Indices) -> list[Outline]:
    """Return the outlines of a solid or surface from above; courtyards within are part of them.

    One with too many edges to be joined, such as a tree with its leaves, gets its convex hull.

    Parameters
    ----------
    places : ndarray of shape (n, 3), float64
        Vertices.
    triangles : ndarray of shape (m, 3), intp
        Numbers of vertices.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.curves.outlines import outlines_of
    >>> steps = np.array([[0, 0, 3], [2, 0, 3], [0, 2, 3], [5, 0, 1], [6, 0, 1], [5, 1, 1]], float)
    >>> [(len(each.ring), each.base) for each in outlines_of(steps, np.array([[0, 1, 2], [3, 4, 5]]))]
    [(3, 3.0), (3, 1.0)]
    """
    used = np.unique(triangles)
    if not len(used):
        return []
    places = places[used]
    triangles = np.searchsorted(used, triangles)
    flat, same = _scaled(places[:, :2])
    label = weld(flat, same)
    corners = label[triangles]
    is_left = _doubled_area(flat, corners) < 0.0
    corners[is_left] = corners[is_left][:, ::-1]
    sides = np.concatenate([corners[:, [side, (side + 1) % 3]] for side in range(3)])
    return _outline(Edges.around(flat, sides), places, same)


def join(outlines: Sequence[Outline]) -> list[Outline]:
    """Return the outlines of several solids together: those that overlap are one, with the lowest base of them."""
    if len(outlines) < 2:
        return list(outlines)
    joined: list[Outline] = []
    for group in _overlapping(outlines):
        joined.extend(group if len(group) == 1 else _join_group(group))
    return joined


def _overlapping(outlines: Sequence[Outline]) -> list[list[Outline]]:
    """Return groups of outlines whose boxes meet."""
    low = np.array([each.ring.min(axis=0) for each in outlines])
    high = np.array([each.ring.max(axis=0) for each in outlines])
    meets = (low[:, np.newaxis] <= high).all(axis=2) & (low <= high[:, np.newaxis]).all(axis=2)
    label = np.arange(len(outlines), dtype=np.intp)
    while True:
        least = np.where(meets, label, len(outlines)).min(axis=1)
        if (least == label).all():
            break
        label = least
    return [
        [outlines[place] for place in np.flatnonzero(label == group).tolist()]
        for group in np.unique(label)
    ]


def _join_group(outlines: Sequence[Outline]) -> list[Outline]:
    """Return the outlines of some that may overlap."""
    rings = [each.ring for each in outlines]
    bases = np.repeat([each.base for each in outlines], [len(ring) for ring in rings])
    places = np.column_stack((np.concatenate(rings), bases))
    flat, same = _scaled(places[:, :2])
    label = weld(flat, same)
    sides, first = [], 0
    for ring in rings:
        number = np.arange(len(ring), dtype=np.intp)
        sides.append(np.stack((first + number, first + (number + 1) % len(ring)), axis=1))
        first += len(ring)
    return _outline(Edges.around(flat, label[np.concatenate(sides)]), places, same)


def _scaled(flat: Table) -> tuple[Table, float]:
    """Return places counted from the middle of all, so that few digits are lost, and the distance of equal ones."""
    low, high = flat.min(axis=0), flat.max(axis=0)
    width = float((high - low).max())
    return flat - 0.5 * (low + high), max(width, 1e-12) * _SAME


def _outline(edges: Edges, places: Table, same: float) -> list[Outline]:
    """Return the outlines of what edges wind around, of places with heights."""
    rings = None
    for coarser in _COARSER if len(edges.first) <= MOST_EDGES else ():
        rings = border(edges, coarser * same)
        if rings is not None:
            break
    if rings is None:
        rings = [convex_hull(edges.places)]
    least = (_LEAST * same) ** 2
    kept = [_simplify(ring, same * _ROUNDED / _SAME) for ring in rings if _area(ring) > least]
    kept = [ring for ring in kept if len(ring) > 2]
    bases = _lowest(kept, edges.places, places[:, 2], 2.0 * same * _ROUNDED / _SAME)
    middle = places[0, :2] - edges.places[0]
    return [Outline(ring + middle, base) for ring, base in zip(kept, bases)]


def convex_hull(places: Table) -> Table:
    """Return the convex hull of places, turning to the left."""
    points = np.unique(places, axis=0).tolist()
    halves = []
    for line in (points, points[::-1]):
        half: list[list[float]] = []
        for x, y in line:
            while len(half) > 1 and (half[-1][0] - half[-2][0]) * (y - half[-2][1]) <= (
                half[-1][1] - half[-2][1]
            ) * (x - half[-2][0]):
                half.pop()
            half.append([x, y])
        halves.append(half[:-1])
    return np.array(halves[0] + halves[1], np.float64)


def _simplify(ring: Table, tolerance: float) -> Table:
    """Return a ring without the places that lie within a tolerance of the lines between the others."""
    first = int(np.lexsort(ring.T)[0])  # a corner
    closed = np.concatenate((ring[first:], ring[: first + 1]))
    table = np.zeros((len(closed), 6))
    table[:, :2] = closed
    # Two halves, for the chord of a whole ring has no length.
    apart = ((closed - closed[0]) ** 2).sum(axis=1)
    far = int(apart.argmax())
    halves = [
        chains.thin(table[: far + 1], 1.0, tolerance),
        chains.thin(table[far:], 1.0, tolerance),
    ]
    result: Table = np.concatenate([half[:-1, :2] for half in halves])
    return result


def _area(ring: Table) -> float:
    """Return the area of a ring, below 0 if it turns to the right."""
    x, y = ring.T
    return 0.5 * float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())


def _doubled_area(flat: Table, corners: Indices) -> Table:
    first, second, third = (flat[corners[:, side]] for side in range(3))
    one, other = second - first, third - first
    area: Table = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    return area


def _lowest(rings: Sequence[Table], flat: Table, heights: Table, tolerance: float) -> list[float]:
    """Return the lowest height of the places in each ring, or within a tolerance of it."""
    if len(rings) == 1:
        return [float(heights.min())]
    result = []
    for ring in rings:
        low, high = ring.min(axis=0) - tolerance, ring.max(axis=0) + tolerance
        near = np.flatnonzero(((flat >= low) & (flat <= high)).all(axis=1))
        near = near[np.argsort(heights[near], kind="stable")]
        result.append(_first_within(ring, flat[near], heights[near], tolerance))
    return result


def _first_within(ring: Table, flat: Table, heights: Table, tolerance: float) -> float:
    """Return the height of the first place in a ring; heights rise."""
    number = np.arange(len(ring), dtype=np.intp)
    edges = Edges(ring, number, np.roll(number, -1), np.ones_like(number))
    start, along = ring, np.roll(ring, -1, axis=0) - ring
    squares = np.maximum((along * along).sum(axis=1), 1e-300)
    for first in range(0, len(flat), 256):
        points = flat[first : first + 256]
        to_point = points[:, np.newaxis] - start
        share = np.clip((to_point * along).sum(axis=2) / squares, 0.0, 1.0)
        gap = to_point - share[..., np.newaxis] * along
        within = (edges.winding(points) > 0) | (
            (gap * gap).sum(axis=2).min(axis=1) <= tolerance * tolerance
        )
        if within.any():
            return float(heights[first + int(within.argmax())])
    return float(heights[0])
