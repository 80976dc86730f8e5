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

_BATCH = 1 << 16
"""Pairs that are tested at once: few enough for the cache."""

_WIDE = 2.0
"""Width of the cells of the lattice in mean sizes of boxes."""

_AXES = (2, 0, 1)
"""The order in which boxes are compared: heights of stacked faces differ most."""


def crossing_triangles(places: Reals, triangles: Numbers, chosen: Numbers) -> Numbers:
    """Return the numbers of triangles that cross one another and share no corner.

    Parameters
    ----------
    places : ndarray of shape (vertices, 3), float64
    triangles : ndarray of shape (triangles, 3), int64
    chosen : ndarray of int64
        Numbers of the triangles that are tested.
    """
    found = [np.zeros(0, np.int64)]
    if not len(chosen):
        return found[0]
    corners = triangles[chosen]
    low, high = _boxes(places, corners)
    boxes = [(np.ascontiguousarray(low[:, at]), np.ascontiguousarray(high[:, at])) for at in _AXES]
    a, b, c = (places[corners[:, at]] for at in range(3))
    normals = np.cross(b - a, c - a)
    for first, second in _pairs_in_cells(low, high):
        for least, most in boxes:  # axis by axis: most pairs are apart on the first
            close = (least[first] <= most[second]) & (least[second] <= most[first])
            first, second = first[close], second[close]
        apart = _are_apart(corners[first], corners[second])
        first, second = first[apart], second[apart]
        near = _is_astride(places, corners, normals, first, second)
        first, second = first[near], second[near]
        near = _is_astride(places, corners, normals, second, first)
        first, second = first[near], second[near]
        ends, faces = places[corners[first]], places[corners[second]]
        hit = _pierces(ends, faces) | _pierces(faces, ends)
        found += [chosen[first[hit]], chosen[second[hit]]]
    return np.unique(np.concatenate(found))


def _boxes(places: Reals, triangles: Numbers) -> tuple[Reals, Reals]:
    a, b, c = (places[triangles[:, at]] for at in range(3))
    return np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)


def _pairs_in_cells(low: Reals, high: Reals) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield batches of pairs of boxes that meet the same cell of a lattice; some come several times."""
    begin = low.min(axis=0)
    step = max(float(np.mean(high - low)) * _WIDE, 1e-6)
    first, last = (np.floor((ends - begin) / step).astype(np.int64) for ends in (low, high))
    keys, owners = _cells(first, last, last.max(axis=0) + 1)
    order = np.argsort(keys, kind="stable")
    keys, owners = keys[order], owners[order]
    # Each with those behind it in its cell.
    is_last = np.append(keys[1:] != keys[:-1], True)
    ends = np.flatnonzero(is_last)
    behind = ends[np.searchsorted(ends, np.arange(len(keys), dtype=np.int64))]
    behind -= np.arange(len(keys), dtype=np.int64)
    total = np.cumsum(behind, dtype=np.int64)
    part = 0
    while part < len(keys):
        reached = total[part - 1] if part else 0
        stop = max(int(np.searchsorted(total, reached + _BATCH, "right")), part + 1)
        number, rank = expand(behind[part:stop])
        yield owners[part + number], owners[part + number + rank + 1]
        part = stop


def _cells(first: Numbers, last: Numbers, wide: Numbers) -> tuple[Numbers, Numbers]:
    """Return the cells of a lattice that boxes meet, each as one number, and the numbers of the boxes."""
    size = last - first + 1
    owner, rank = expand(size.prod(axis=1))
    across, along = size[owner, 0], size[owner, 1]
    x = first[owner, 0] + rank % across
    y = first[owner, 1] + rank // across % along
    z = first[owner, 2] + rank // (across * along)
    return (z * wide[1] + y) * wide[0] + x, owner


def _are_apart(first: Numbers, second: Numbers) -> Flags:
    """Return which pairs of triangles have no common corner."""
    result = np.ones(len(first), np.bool_)
    for one in first.T:
        for other in second.T:
            result &= one != other
    return result


def _is_astride(
    places: Reals, corners: Numbers, normals: Reals, first: Numbers, second: Numbers
) -> Flags:
    """Return which triangles of the first have corners on both sides of the plane of the second."""
    plane, normal = places[corners[second, 0]], normals[second]
    sides = []
    for corner in corners[first].T:
        away = places[corner] - plane
        away *= normal
        sides.append(away[:, 0] + away[:, 1] + away[:, 2])
    a, b, c = sides
    result: Flags = (np.minimum(np.minimum(a, b), c) < 0.0) & (
        np.maximum(np.maximum(a, b), c) > 0.0
    )
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
