# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of any quads: their arrays are made in any thread, and written as those of grids are (`MeshArray`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from .meshes import MeshArray, Positions, flatten, map_arrays

Faces = npt.NDArray[np.int32]
"""Vertices of quads: shape (faces, 4)."""


@dataclass(frozen=True)
class QuadMesh:
    """Arrays of a mesh of smooth quads.

    Attributes
    ----------
    places : ndarray of shape (vertices, 3), float32
    faces : ndarray of shape (faces, 4), int32
        Vertices, anticlockwise from outside.
    edges : ndarray of shape (edges, 2), int32
        Vertices of the edges.
    sides : ndarray of shape (faces, 4), int32
        Edges: the first joins the first two vertices of a face.
    maps : mapping of str to ndarray, float32
        Attributes of the vertices; see `meshes.write_maps`.
    """

    places: Positions
    faces: Faces
    edges: npt.NDArray[np.int32]
    sides: Faces
    maps: Mapping[str, Field]

    @classmethod
    def of(cls, places: Positions, faces: Faces, maps: Mapping[str, Field]) -> QuadMesh:
        """Return the arrays of some quads, with their edges."""
        ends = np.roll(faces, -1, axis=1)
        # Blender finds the edges by itself, but in the main thread, and in five times as long.
        low, high = np.minimum(faces, ends), np.maximum(faces, ends)
        keys = low.astype(np.int64) * np.int64(len(places)) + high
        found, sides = np.unique(keys.reshape(-1), return_inverse=True)
        edges = np.stack(np.divmod(found, np.int64(max(len(places), 1))), axis=1)
        shape = faces.shape
        return cls(
            places, faces, edges.astype(np.int32), sides.reshape(shape).astype(np.int32), maps
        )

    def write(self, mesh: Any) -> None:
        """Replace all geometry of a mesh that is not in Edit Mode; its materials stay."""
        mesh.clear_geometry()
        mesh.vertices.add(len(self.places))
        mesh.edges.add(len(self.edges))
        mesh.loops.add(self.faces.size)
        mesh.polygons.add(len(self.faces))
        if len(self.faces):
            starts = np.arange(0, self.faces.size, 4, dtype=np.int32)
            mesh.polygons.foreach_set("loop_start", starts)
            for array in (
                MeshArray("position", lambda: flatten(self.places)),
                MeshArray(".edge_verts", lambda: self.edges.reshape(-1)),
                MeshArray(".corner_vert", lambda: self.faces.reshape(-1)),
                MeshArray(".corner_edge", lambda: self.sides.reshape(-1)),
                *map_arrays(self.maps),
            ):
                if array.add(mesh):
                    array.store(mesh, array.compute())
        mesh.update()
        mesh.shade_smooth()
