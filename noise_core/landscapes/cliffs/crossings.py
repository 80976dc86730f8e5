# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of a mesh that cross each other.

Pairs whose boxes meet in a cell of a lattice are tested: an edge of one passes through the other
(Möller and Trumbore, Fast, Minimum Storage Ray/Triangle Intersection, 1997).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .cutting import Flags, Numbers, Reals, expand

_SLACK = 1e-9
"""Shares of an edge and of a triangle beside its border that count as the border itself."""

_BATCH = 1 << 19
"""Pairs that are tested at once."""

_WIDE = 2.0
"""Width of the cells of the lattice in mean sizes of boxes."""


def crossing_triangles(
    places: Reals, triangles: Numbers, queried: Numbers, others: Numbers
) -> Numbers:
    """Return the numbers of triangles that cross one another and share no corner.

    Parameters
    ----------
    places : ndarray of shape (vertices, 3), float64
    triangles : ndarray of shape (triangles, 3), int64
    queried, others : ndarray of int64
        Numbers of the triangles of which each pair is tested.
    """
    found = [np.zeros(0, np.int64)]
    if not len(queried):
        return found[0]
    low, high = _boxes(places, triangles)
    for first, second in _pairs_in_cells(low, high, queried, others):
        close = ((low[first] <= high[second]) & (low[second] <= high[first])).all(axis=1)
        first, second = first[close], second[close]
        apart = _are_apart(triangles[first], triangles[second])
        first, second = first[apart], second[apart]
        ends, faces = places[triangles[first]], places[triangles[second]]
        near = _is_astride(ends, faces) & _is_astride(faces, ends)
        first, second, ends, faces = first[near], second[near], ends[near], faces[near]
        hit = _pierces(ends, faces) | _pierces(faces, ends)
        found += [first[hit], second[hit]]
    return np.unique(np.concatenate(found))


def _boxes(places: Reals, triangles: Numbers) -> tuple[Reals, Reals]:
    corners = places[triangles]
    return corners.min(axis=1), corners.max(axis=1)


def _pairs_in_cells(
    low: Reals, high: Reals, queried: Numbers, others: Numbers
) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield batches of pairs of boxes that meet the same cell of a lattice; some come several times."""
    begin = low[others].min(axis=0)
    step = max(float(np.mean((high - low)[others])) * _WIDE, 1e-6)
    first, last = (np.floor((ends - begin) / step).astype(np.int64) for ends in (low, high))
    wide = last[others].max(axis=0) + 2
    keys, owners = _cells(first[others], last[others], wide, others)
    order = np.argsort(keys, kind="stable")
    keys, owners = keys[order], owners[order]
    asked, askers = _cells(first[queried], last[queried], wide, queried)
    start, end = np.searchsorted(keys, asked, "left"), np.searchsorted(keys, asked, "right")
    total = np.cumsum(end - start)
    part = 0
    while part < len(asked):
        reached = total[part - 1] if part else 0
        stop = max(int(np.searchsorted(total, reached + _BATCH, "right")), part + 1)
        number, rank = expand(end[part:stop] - start[part:stop])
        yield askers[part + number], owners[start[part + number] + rank]
        part = stop


def _cells(
    first: Numbers, last: Numbers, wide: Numbers, numbers: Numbers
) -> tuple[Numbers, Numbers]:
    """Return the cells of a lattice that boxes meet, each as one number, and the numbers of the boxes."""
    size = last - first + 1
    owner, rank = expand(size.prod(axis=1))
    across, along = size[owner, 0], size[owner, 1]
    x = first[owner, 0] + rank % across
    y = first[owner, 1] + rank // across % along
    z = first[owner, 2] + rank // (across * along)
    return (z * wide[1] + y) * wide[0] + x, numbers[owner]


def _are_apart(first: Numbers, second: Numbers) -> Flags:
    """Return which pairs of triangles have no common corner."""
    result: Flags = (first[:, :, np.newaxis] != second[:, np.newaxis]).all(axis=(1, 2))
    return result


def _is_astride(first: Reals, second: Reals) -> Flags:
    """Return which triangles of the first have corners on both sides of the plane of the second."""
    a = second[:, 0]
    normal = np.cross(second[:, 1] - a, second[:, 2] - a)
    sides = np.sum((first - a[:, np.newaxis]) * normal[:, np.newaxis], axis=2)
    result: Flags = (sides.min(axis=1) < 0.0) & (sides.max(axis=1) > 0.0)
    return result


def _pierces(first: Reals, second: Reals) -> Flags:
    """Return whether an edge of the first triangle of a pair passes through the second."""
    a = second[:, 0]
    u, v = second[:, 1] - a, second[:, 2] - a
    result = np.zeros(len(first), np.bool_)
    for corner in range(3):
        begin = first[:, corner]
        edge = first[:, (corner + 1) % 3] - begin
        normal = np.cross(edge, v)
        volume = np.sum(u * normal, axis=1)
        scale = 1.0 / np.where(volume == 0.0, 1.0, volume)
        away = begin - a
        turned = np.cross(away, u)
        x, y, t = (
            np.sum(vector * other, axis=1) * scale
            for vector, other in ((away, normal), (edge, turned), (v, turned))
        )
        inside = (x > _SLACK) & (y > _SLACK) & (x + y < 1.0 - _SLACK)
        result |= inside & (t > _SLACK) & (t < 1.0 - _SLACK) & (volume != 0.0)
    return result
