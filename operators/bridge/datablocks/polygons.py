# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of faces with any number of corners: their arrays are made in any thread, and written at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.landscapes.planets.cube_sphere import CubeSphere
from .meshes import MeshArray, Positions, flatten, map_arrays

Numbers = npt.NDArray[np.int32]

Faces = npt.NDArray[np.int32]
"""Vertices of quads: shape (faces, 4)."""


@dataclass(frozen=True)
class PolygonMesh:
    """Arrays of a mesh of smooth faces.

    Attributes
    ----------
    places : ndarray of shape (vertices, 3), float32
    edges : ndarray of shape (edges, 2), int32
        Vertices of the edges.
    starts : ndarray of shape (faces,), int32
        First corner of each face.
    corners : ndarray of shape (corners,), int32
        Vertices, anticlockwise from outside.
    sides : ndarray of shape (corners,), int32
        Edges: each joins a corner with the next of its face.
    maps : mapping of str to ndarray, float32
        Attributes of the vertices; see `meshes.write_maps`.
    """

    places: Positions
    edges: Numbers
    starts: Numbers
    corners: Numbers
    sides: Numbers
    maps: Mapping[str, Field]

    @classmethod
    def of_quads(cls, places: Positions, faces: Faces, maps: Mapping[str, Field]) -> PolygonMesh:
        """Return the arrays of some quads, with their edges."""
        return cls.of(places, faces.reshape(-1), np.full(len(faces), 4, np.int32), maps)

    @classmethod
    def of(
        cls, places: Positions, corners: Numbers, counts: Numbers, maps: Mapping[str, Field]
    ) -> PolygonMesh:
        """Return the arrays of some faces, of which each has so many corners, with their edges."""
        starts = np.cumsum(counts, dtype=np.int32) - counts
        ends = np.roll(corners, -1)
        ends[starts + counts - 1] = corners[starts]
        # Blender finds the edges by itself, but in the main thread, and in five times as long.
        low, high = np.minimum(corners, ends), np.maximum(corners, ends)
        keys = low.astype(np.int64) * np.int64(len(places)) + high
        order = np.argsort(keys)
        ordered = keys[order]
        is_first = np.ones(len(keys), np.bool_)
        np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
        sides = np.empty(len(keys), np.int32)
        sides[order] = np.cumsum(is_first, dtype=np.int32) - np.int32(1)
        edges = np.divmod(ordered[is_first], np.int64(max(len(places), 1)))
        return cls(places, np.stack(edges, axis=1).astype(np.int32), starts, corners, sides, maps)

    @classmethod
    def of_sphere(
        cls, sphere: CubeSphere, directions: Field, radius: Field | np.float32
    ) -> PolygonMesh:
        """Return the arrays of a sphere whose vertices lie in some directions, at one radius or at one each."""
        edges, sides = sphere.edges()
        starts = np.arange(0, 4 * sphere.quads, 4, dtype=np.int32)
        corners = sphere.quad_vertices().reshape(-1)
        places = directions * np.reshape(radius, (-1, 1))
        return cls(places, edges, starts, corners, sides.reshape(-1), {})

    def write(self, mesh: Any) -> None:
        """Replace all geometry of a mesh that is not in Edit Mode; its materials stay."""
        mesh.clear_geometry()
        mesh.vertices.add(len(self.places))
        mesh.edges.add(len(self.edges))
        mesh.loops.add(len(self.corners))
        mesh.polygons.add(len(self.starts))
        if len(self.starts):
            mesh.polygons.foreach_set("loop_start", self.starts)
            for array in (
                MeshArray("position", lambda: flatten(self.places)),
                MeshArray(".edge_verts", lambda: self.edges.reshape(-1)),
                MeshArray(".corner_vert", lambda: self.corners),
                MeshArray(".corner_edge", lambda: self.sides),
                *map_arrays(self.maps),
            ):
                if array.add(mesh):
                    array.store(mesh, array.compute())
        mesh.update()
        mesh.shade_smooth()
