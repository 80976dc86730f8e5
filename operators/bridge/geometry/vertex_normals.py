# SPDX-License-Identifier: GPL-3.0-or-later
"""Normals of a mesh's vertices, as Blender works them out, in any thread.

Blender does so in one call when they are asked for: more than a tenth of a second for a million
vertices, in which nothing is drawn and nobody heard. Here it takes longer, but Blender goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import numpy.typing as npt

from ....noise_core.blocks import Progress, checkpoint, unheard

Positions = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.float32]
Axes = tuple[Numbers, Numbers, Numbers]
"""x, y and z apart: NumPy takes and adds them faster than rows of three."""
Vectors = Sequence[Numbers]
"""The same of any number of vectors."""

_CORNERS = 1 << 16
"""Face corners between two looks at whether to stop: what is made of them stays in the cache."""

_SPREAD = 4
"""So many times as many vertices may lie between those of a block as it has corners, for all of them to
be added up at once."""

_SHORTEST = 1e-35
"""Squared; a vector below has no direction. Blender's own limit."""

_UP = (np.float32(0.0), np.float32(0.0), np.float32(1.0))
"""The normal of a face that has no area, in Blender too."""

_ANGLE = tuple(map(np.float32, (1.5707963267, -0.213300989, 0.077980478, -0.02164095)))
"""Of Blender's `safe_acos_approx`: arccos(x) = sqrt(1 - x) times a cubic, 4.5e-5 wrong at most. The form
is that of Abramowitz and Stegun (1964), 4.4.45."""


def vertex_normals(
    positions: Positions, corners: Indices, starts: Indices, progress: Progress = unheard
) -> Positions:
    """Return the normals of a mesh's vertices, as Blender works them out.

    They are within 1e-5 of Blender's, if no face is so thin that its angles are lost in rounding.

    The normals of the faces around a vertex are added, each times the angle that the face has
    there (Thürmer and Wüthrich, "Computing Vertex Normals from Polygonal Facets", 1998); that of a
    face is the sum of the areas that its edges span with one of its corners (Newell).

    Parameters
    ----------
    positions : ndarray of shape (vertices, 3), float32
    corners : ndarray of shape (corners,), int32
        The vertex of each corner, face by face.
    starts : ndarray of shape (faces,), int32
        The first corner of each face, rising.
    progress : callable, optional
        Gets the finished share.

    Returns
    -------
    ndarray of shape (vertices, 3), float32
        Of length 1. A vertex without faces has the direction in which it lies from the origin; what
        has no direction is 0.

    Raises
    ------
    Cancelled
        If the job that this is part of was cancelled.
    """
    axes = cast(Axes, tuple(np.ascontiguousarray(positions.T)))
    ends = np.append(starts[1:], np.int32(len(corners)))
    sums = np.zeros((3, len(positions)), np.float64)
    first = 0
    with np.errstate(over="ignore", invalid="ignore"):
        while first < len(starts):
            checkpoint()
            last = max(first + 1, int(np.searchsorted(starts, starts[first] + _CORNERS)))
            own = corners[starts[first] : ends[last - 1]]
            _add(sums, own, _shares(axes, own, starts[first:last] - starts[first]))
            first = last
            progress(first / len(starts))
        return _normals(sums, positions, corners)


def _normals(sums: npt.NDArray[np.float64], positions: Positions, corners: Indices) -> Positions:
    """Return the directions of sums, and of positions where there was nothing to add."""
    x, y, z = sums
    lengths = np.sqrt(x * x + y * y + z * z)
    doubtful = np.flatnonzero(~(lengths > _SHORTEST**0.5))
    if len(doubtful):
        is_loose = np.ones(len(positions), np.bool_)
        is_loose[corners] = False
        loose = doubtful[is_loose[doubtful]]
        sums[:, loose] = positions[loose].T
        lengths[doubtful] = np.linalg.norm(sums[:, doubtful], axis=0)
        lengths[~(lengths > _SHORTEST**0.5)] = np.inf
    normals = np.ascontiguousarray((sums / lengths).T, np.float32)
    normals[~np.isfinite(lengths)] = 0.0
    return normals


def _add(sums: npt.NDArray[np.float64], corners: Indices, shares: Axes) -> None:
    """Add numbers of corners to those of their vertices."""
    lowest, highest = int(corners.min()), int(corners.max())
    if highest - lowest > _SPREAD * len(corners):
        vertices, places = np.unique(corners, return_inverse=True)
        for total, share in zip(sums, shares):
            total[vertices] += np.bincount(places, share)
        return
    places = corners - np.int32(lowest)
    for total, share in zip(sums[:, lowest : highest + 1], shares):
        total += np.bincount(places, share)


def _shares(positions: Axes, corners: Indices, starts: Indices) -> Axes:
    """Return the normals of some faces times the angles at their corners, corner by corner."""
    sizes = np.diff(starts, append=np.int32(len(corners)))
    previous = np.arange(-1, len(corners) - 1, dtype=np.int32)
    previous[starts] = starts + sizes - 1
    here = [axis.take(corners) for axis in positions]
    there = [axis.take(previous) for axis in here]
    edges = [before - axis for before, axis in zip(there, here)]
    sums = [before + axis for before, axis in zip(there, here)]
    angles = _angles(edges, previous)
    areas = [_summed(edges[k - 2] * sums[k - 1], starts, sizes) for k in range(3)]
    lengths, has_direction = _lengths(areas)
    normals = [np.where(has_direction, axis / lengths, up) for axis, up in zip(areas, _UP)]
    x, y, z = (np.repeat(axis, sizes) * angles for axis in normals)
    return x, y, z


def _summed(values: Numbers, starts: Indices, sizes: Indices) -> Numbers:
    """Return the sums of the values of each face's corners; those of few in Blender's order."""
    if (sizes == 4).all():
        return values[::4] + values[1::4] + values[2::4] + values[3::4]
    sums = cast(Numbers, np.add.reduceat(values, starts))
    for size in (3, 4):
        are_such = sizes == size
        corner = starts[are_such]
        total = values[corner]
        for _ in range(size - 1):
            corner = corner + np.int32(1)
            total += values[corner]
        sums[are_such] = total
    return sums


def _angles(edges: Vectors, previous: Indices) -> Numbers:
    """Return the angle at each corner, in radians, from the edges back to the corners before."""
    lengths, has_direction = _lengths(edges)
    units = [np.where(has_direction, axis / lengths, np.float32(0.0)) for axis in edges]
    # Seen from the corner before, an edge is turned round.
    x, y, z = (-unit * unit.take(previous) for unit in units)
    cosines = np.empty_like(x)
    cosines[previous] = x + y + z
    return _arccos(cosines)


def _arccos(cosines: Numbers) -> Numbers:
    """Return the angles that cosines belong to; those beyond 1 are 1."""
    sizes = np.minimum(np.abs(cosines), np.float32(1.0))
    cubic = _ANGLE[3] * sizes
    for factor in _ANGLE[2:0:-1]:
        cubic += factor
        cubic *= sizes
    cubic += _ANGLE[0]
    cubic *= np.sqrt(np.float32(1.0) - sizes)
    return np.where(cosines < 0.0, np.float32(np.pi) - cubic, cubic)


def _lengths(vectors: Vectors) -> tuple[Numbers, npt.NDArray[np.bool_]]:
    """Return the lengths of vectors, and which of them have a direction; others have length 1."""
    squares = vectors[0] * vectors[0]
    for axis in vectors[1:]:
        squares += axis * axis
    has_direction = squares > np.float32(_SHORTEST)
    return np.sqrt(np.where(has_direction, squares, np.float32(1.0))), has_direction
