# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of a mesh that cut each other, found without Blender."""

from __future__ import annotations

import numpy as np


def triangles_of(corners, counts):
    """Return the triangles of faces of three or four corners: quads are split from the first to the third."""
    starts = np.cumsum(counts) - counts
    three, four = starts[counts == 3], starts[counts == 4]
    parts = [(three, (0, 1, 2)), (four, (0, 1, 2)), (four, (0, 2, 3))]
    return np.concatenate([corners[np.stack([at + one for one in of], axis=1)] for at, of in parts])


def cutting_pairs(places, triangles):
    """Return the pairs of triangles without a common corner of which an edge of one passes through the other."""
    pairs = _close_pairs(places, triangles)
    found = [_pierced(places, triangles, pairs), _pierced(places, triangles, pairs[:, ::-1])]
    return np.unique(np.sort(np.concatenate(found), axis=1), axis=0)


def _close_pairs(places, triangles):
    """Return the pairs of triangles whose boxes overlap, by cells of a lattice; none that share a place."""
    corners = places[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    step = max(2.0 * float(np.median((high - low).max(axis=1))), 1e-6)
    first = np.floor(low / step).astype(np.int64)
    size = np.floor(high / step).astype(np.int64) - first + 1
    count = size.prod(axis=1)
    owner = np.repeat(np.arange(len(triangles)), count)
    rank = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    cells = np.stack(
        [
            rank % size[owner, 0],
            rank // size[owner, 0] % size[owner, 1],
            rank // (size[owner, 0] * size[owner, 1]),
        ],
        axis=1,
    )
    _, cell = np.unique(cells + first[owner], axis=0, return_inverse=True)
    order = np.argsort(cell.reshape(-1), kind="stable")
    ordered, owner = cell.reshape(-1)[order], owner[order]
    pairs = []
    for apart in range(1, int(np.bincount(ordered).max(initial=1))):
        same = ordered[apart:] == ordered[:-apart]
        if not same.any():
            break
        pairs.append(np.stack((owner[apart:][same], owner[:-apart][same]), axis=1))
    if not pairs:
        return np.zeros((0, 2), np.int64)
    pairs = np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)
    a, b = pairs.T
    meet = ((low[a] <= high[b]) & (low[b] <= high[a])).all(axis=1)
    pairs = pairs[meet]
    _, place = np.unique(np.round(places, 6), axis=0, return_inverse=True)
    ends = place.reshape(-1)[triangles]
    shared = (ends[pairs[:, 0]][:, :, np.newaxis] == ends[pairs[:, 1]][:, np.newaxis]).any(
        axis=(1, 2)
    )
    return pairs[~shared]


def _pierced(places, triangles, pairs, slack=1e-7):
    """Return the pairs of which an edge of the first passes through the inside of the second."""
    result = np.zeros(len(pairs), bool)
    a, b, c = (places[triangles[pairs[:, 1], one]] for one in range(3))
    for one in range(3):
        p = places[triangles[pairs[:, 0], one]]
        d = places[triangles[pairs[:, 0], (one + 1) % 3]] - p
        u, v = b - a, c - a
        normal = np.cross(d, v)
        det = np.sum(u * normal, axis=1)
        scale = np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1) * np.linalg.norm(d, axis=1)
        is_flat = np.abs(det) <= 1e-9 * scale
        safe = np.where(is_flat, 1.0, det)
        away = p - a
        x = np.sum(away * normal, axis=1) / safe
        turned = np.cross(away, u)
        y = np.sum(d * turned, axis=1) / safe
        t = np.sum(v * turned, axis=1) / safe
        inside = (x > slack) & (y > slack) & (x + y < 1.0 - slack) & (t > slack) & (t < 1.0 - slack)
        result |= inside & ~is_flat
    return pairs[result]
