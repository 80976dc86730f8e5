# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces of the land around a terrain: triangles from its border to the first ring, then quads."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.landscapes.far_land.rings import LandRings
from ....noise_core.rasters import strips
from ..datablocks.meshes import Positions
from ..datablocks.polygons import Numbers, PolygonMesh


def border(rows: int, columns: int) -> Numbers:
    """Return the vertices at the border of a grid, anticlockwise from the first one."""
    numbers = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    sides = (numbers[0, :-1], numbers[:-1, -1], numbers[-1, :0:-1], numbers[:0:-1, 0])
    return np.concatenate(sides)


def land_mesh(
    edge: Positions,
    shape: tuple[int, int],
    rings: LandRings,
    places: Positions,
    maps: Mapping[str, Field],
) -> PolygonMesh:
    """Return the mesh between a terrain's border and the last ring.

    Parameters
    ----------
    edge : ndarray of shape (vertices at the border, 3), float32
        In the order of `border`.
    shape : tuple of two ints
        Rows and columns of the terrain.
    rings : LandRings
    places : ndarray of shape (places of all rings, 3), float32
    maps : mapping of str to ndarray
        Of all vertices: those of the border, then of the rings from inside.
    """
    strip_edges, strip, strip_sides = _strip(shape, rings)
    edges, quads, sides = _quads(rings, len(edge), len(strip_edges) + len(edge))
    inner = np.arange(len(edge), dtype=np.int32)
    loop = np.stack((inner, np.roll(inner, -1)), axis=1)
    first = np.arange(0, strip.size, 3, dtype=np.int32)
    quad_starts = np.arange(strip.size, strip.size + quads.size, 4, dtype=np.int32)
    return PolygonMesh(
        np.concatenate((edge, places)),
        np.concatenate((loop, strip_edges, edges)),
        np.concatenate((first, quad_starts)),
        np.concatenate((strip.reshape(-1), quads.reshape(-1))),
        np.concatenate((strip_sides.reshape(-1), sides.reshape(-1))),
        maps,
    )


def _strip(shape: tuple[int, int], rings: LandRings) -> tuple[Numbers, Numbers, Numbers]:
    """Return edges, triangles and their edges between the border and the first ring."""
    rows, columns = shape
    inner, outer = _middles((columns - 1, rows - 1)), _middles(rings.cells)
    counts = len(inner), len(outer)
    is_inner, from_inner, from_outer = strips.strip_order(inner, outer)
    # Vertices at which each triangle begins, and those at which it ends.
    near, far = (
        indices.astype(np.int32) for indices in (from_inner % counts[0], from_outer % counts[1])
    )
    near_next = ((from_inner + 1) % counts[0]).astype(np.int32)
    far_next = ((from_outer + 1) % counts[1]).astype(np.int32)
    first = np.int32(counts[0])
    last = np.where(is_inner, near_next, far_next + first)
    triangles = np.stack((near, far + first, last), axis=1)
    # Upon an outer edge the corners are the same, but the third one goes before the first.
    spoke = np.arange(len(is_inner), dtype=np.int32) + first
    following = np.roll(spoke, -1)
    lower = np.int32(counts[0] + len(is_inner))
    base = np.where(is_inner, near, far + lower)
    sides = np.where(
        is_inner[:, np.newaxis],
        np.stack((spoke, following, base), axis=1),
        np.stack((spoke, base, following), axis=1),
    )
    edges = np.stack((near, far + first), axis=1)
    return edges, triangles, sides


def _middles(cells: tuple[int, int]) -> strips.Places:
    """Return the middles of the edges of a ring, as shares of its sides: from 0 to 4."""
    sides = [
        number + (np.arange(cells[number % 2], dtype=np.intp) + 0.5) / cells[number % 2]
        for number in range(4)
    ]
    return np.concatenate(sides)


def _quads(rings: LandRings, inner: int, first: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return edges, quads and their edges on the rings: those along the rings first, then those across."""
    count, each = rings.shape
    vertex = (np.arange(count * each, dtype=np.int32) + np.int32(inner)).reshape(count, each)
    following = np.roll(vertex, -1, axis=1)
    along = np.stack((vertex, following), axis=-1).reshape(-1, 2)
    across = np.stack((vertex[:-1], vertex[1:]), axis=-1).reshape(-1, 2)
    quads = np.stack((vertex[:-1], vertex[1:], following[1:], following[:-1]), axis=-1)
    rings_first = vertex - np.int32(inner) + np.int32(first)
    cross = rings_first[:-1] + np.int32(count * each)
    sides = np.stack(
        (cross, rings_first[1:], np.roll(cross, -1, axis=1), rings_first[:-1]), axis=-1
    )
    return np.concatenate((along, across)), quads.reshape(-1, 4), sides.reshape(-1, 4)
