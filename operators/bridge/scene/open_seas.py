# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh of the sea around a terrain: over the land there, as deep as that lies below it, and beyond."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ..datablocks import meshes
from ..datablocks.polygons import Numbers, PolygonMesh
from .shores import Surf
from .water_meshes import COURSE, DEPTH

_OPEN = 60.0
"""Widths of the terrain to which the open sea reaches."""


def open_sea(
    low: Field,
    high: Field,
    reach: float,
    level: float,
    land: bpy.types.Mesh | None,
    surf: Surf,
) -> PolygonMesh:
    """Return the sea around a terrain.

    Parameters
    ----------
    low, high : ndarray of shape (2,)
        Corners of the terrain.
    reach : float
        Widths of the terrain from its middle to where the sea has no ground any more.
    level : float
    land : Mesh, optional
        The ground up to there.
    surf : Surf
        That of the sea over the terrain, which goes on.
    """
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
    inner, outer = ring * half * 2.0 * reach, ring * half.max() * 2.0 * _OPEN
    places = np.full((8, 3), level, np.float32)
    places[:, :2] = np.concatenate([inner, outer]) + middle
    sides = [(side, 4 + side, 4 + (side + 1) % 4, (side + 1) % 4) for side in range(4)]
    corners, counts = np.array(sides, np.int32).reshape(-1), np.full(4, 4, np.int32)
    depth, white = np.full(8, 2.0 * half.max(), np.float32), np.zeros(8, np.float32)
    if land is not None and len(land.polygons):
        found, near, near_counts = _flooded_faces(land, level)
        corners = np.concatenate((near, corners + np.int32(len(found))))
        counts = np.concatenate((near_counts, counts))
        deep = np.float32(level) - found[:, 2]
        found[:, 2] = level
        white = np.concatenate((surf.around(found, deep, (near, near_counts)), white))
        depth = np.concatenate((deep, depth))
        places = np.concatenate((found, places))
    course = np.zeros((len(places), 3), np.float32)
    course[:, 2] = white
    return PolygonMesh.of(places, corners, counts, {DEPTH: depth, COURSE: course})


def no_sea() -> PolygonMesh:
    """Return a mesh without faces."""
    nothing = np.empty(0, np.int32)
    return PolygonMesh.of(np.empty((0, 3), np.float32), nothing, nothing, {})


def _flooded_faces(land: bpy.types.Mesh, level: float) -> tuple[meshes.Positions, Numbers, Numbers]:
    """Return the vertices of the faces that lie below a level somewhere, their corners, and how many each has."""
    places = meshes.positions_of(land)
    corners = np.empty(len(land.loops), np.int32)
    meshes.layer_data(land, ".corner_vert").foreach_get("value", corners)
    starts = np.empty(len(land.polygons), np.int32)
    faces: Any = land.polygons
    faces.foreach_get("loop_start", starts)
    is_low = places[:, 2] < level
    is_wet = np.maximum.reduceat(is_low[corners].astype(np.int8), starts) > 0
    counts = np.diff(starts, append=np.int32(len(corners)))
    kept = corners[np.repeat(is_wet, counts)]
    is_used = np.zeros(len(places), np.bool_)
    is_used[kept] = True
    number = np.cumsum(is_used, dtype=np.int32) - np.int32(1)
    return places[is_used], number[kept], counts[is_wet].astype(np.int32)
