# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh of the sea around a terrain: over the land there, as deep as that lies below it, and beyond.

Its surf follows from the distance of its vertices from the shore, along the edges and diagonals of the faces.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ..datablocks import meshes
from ..datablocks.polygons import Numbers, PolygonMesh
from .water_meshes import COURSE, DEPTH, FLOW

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
    flooded = None if land is None else _flooded_faces(land, level)
    if flooded is not None:
        vertices, near, near_counts = flooded
        corners = np.concatenate((near, corners + np.int32(len(vertices))))
        counts = np.concatenate((near_counts, counts))
        deep = np.float32(level) - vertices[:, 2]
        vertices[:, 2] = level
        white = np.concatenate((surf.nearness(vertices, deep, (near, near_counts)), white))
        depth = np.concatenate((deep, depth))
        places = np.concatenate((vertices, places))
    course = np.zeros((len(places), 3), np.float32)
    course[:, 2] = white
    return PolygonMesh.of(places, corners, counts, {DEPTH: depth, COURSE: course})


def no_sea() -> PolygonMesh:
    """Return a mesh without faces."""
    nothing = np.empty(0, np.int32)
    return PolygonMesh.of(np.empty((0, 3), np.float32), nothing, nothing, {})


def _flooded_faces(
    land: bpy.types.Mesh, level: float
) -> tuple[meshes.Positions, Numbers, Numbers] | None:
    """Return the vertices of the faces that lie below a level somewhere, their corners, and how many each has.

    None if no face does: then the sea lies beyond the land alone.
    """
    if not len(land.polygons):
        return None
    places = meshes.positions_of(land)
    corners = np.empty(len(land.loops), np.int32)
    meshes.layer_data(land, ".corner_vert").foreach_get("value", corners)
    starts = np.empty(len(land.polygons), np.int32)
    faces: Any = land.polygons
    faces.foreach_get("loop_start", starts)
    is_low = places[:, 2] < level
    is_wet = np.maximum.reduceat(is_low[corners].astype(np.int8), starts) > 0
    if not is_wet.any():
        return None
    counts = np.diff(starts, append=np.int32(len(corners)))
    wet_corners = corners[np.repeat(is_wet, counts)]
    is_used = np.zeros(len(places), np.bool_)
    is_used[wet_corners] = True
    number = np.cumsum(is_used, dtype=np.int32) - np.int32(1)
    return places[is_used], number[wet_corners], counts[is_wet].astype(np.int32)


@dataclass(frozen=True)
class Surf:
    """Surf of a sea that goes on around a terrain.

    Attributes
    ----------
    water : Mesh
        The water over the terrain.
    reach : float
        Meters from the shore within which waves break.
    """

    water: bpy.types.Mesh
    reach: float

    def nearness(
        self, places: meshes.Positions, depth: Field, faces: tuple[Numbers, Numbers]
    ) -> Field:
        """Return the nearness of each vertex of the open sea to the shore: 1 on land, 0 from `reach` on.

        Ways along edges and diagonals are up to a twelfth longer than straight ones.

        Parameters
        ----------
        places : ndarray of shape (vertices, 3), float32
        depth : ndarray of shape (vertices,), float32
            Negative on land.
        faces : tuple of two ndarrays of int32
            The corners of all faces, and how many each has.
        """
        first, second, lengths = self._ways(places, depth, faces)
        nearness, reach = nearness_on(self.water, places), self.reach
        far = np.where(depth > 0.0, np.float32(np.inf), np.float32(0.0))
        far = np.minimum(far, np.where(nearness > 0.0, (1.0 - nearness) * reach, np.inf))
        is_new = far < reach
        while is_new.any():
            is_near = is_new[first]
            former = far.copy()
            np.minimum.at(far, second[is_near], former[first[is_near]] + lengths[is_near])
            is_new = (far < former) & (far < reach)
        near = np.maximum(1.0 - far / reach, 0.0)
        return near.astype(np.float32)

    def _ways(
        self, places: meshes.Positions, depth: Field, faces: tuple[Numbers, Numbers]
    ) -> tuple[Numbers, Numbers, Field]:
        """Return connections between vertices on which waves may break, and their lengths."""
        first, second = _pairs(*faces)
        is_shallow = np.minimum(depth[first], depth[second]) < self.reach
        first, second = first[is_shallow], second[is_shallow]
        long = np.hypot(*(places[first, :2] - places[second, :2]).T)
        # From land to water the way begins at the shore between them.
        rise, fall = np.maximum(-depth[first], 0.0), np.maximum(depth[second], np.float32(1e-6))
        return first, second, np.where(rise > 0.0, long * fall / (rise + fall), long)


def _pairs(corners: Numbers, counts: Numbers) -> tuple[Numbers, Numbers]:
    """Return the vertices of each edge and each diagonal of all faces, both ways."""
    starts = np.cumsum(counts, dtype=np.int32) - counts
    ends = []
    for low, high in itertools.combinations(range(int(counts.max(initial=0))), 2):
        begin = starts[counts > high]
        ends.append((corners[begin + low], corners[begin + high]))
    first, second = (np.concatenate(ids) for ids in zip(*ends))
    return np.concatenate((first, second)), np.concatenate((second, first))


def nearness_on(water: bpy.types.Mesh, places: meshes.Positions) -> Field:
    """Return the nearness to the shore at places, as stored by vertices of a mesh of water there; 0 elsewhere."""
    nearness = np.zeros(len(places), np.float32)
    attributes: Any = water.attributes
    if not (len(water.vertices) and {COURSE, FLOW} <= set(attributes.keys())):
        return nearness
    course, flow = (meshes.read_values(attributes[name]) for name in (COURSE, FLOW))
    still = ~flow.any(axis=1)
    if not still.any():
        return nearness  # rivers alone
    keys = _keys(meshes.positions_of(water)[still])
    order = np.argsort(keys)
    place_keys = _keys(places)
    nearest = order[np.minimum(np.searchsorted(keys, place_keys, sorter=order), len(keys) - 1)]
    is_same = keys[nearest] == place_keys
    nearness[is_same] = course[still][nearest[is_same], 2]
    return nearness


def _keys(places: meshes.Positions) -> npt.NDArray[np.uint64]:
    """Return a number for each place, the same for the same x and y."""
    return np.ascontiguousarray(places[:, :2]).view(np.uint64)[:, 0]
