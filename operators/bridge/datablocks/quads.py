# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of any quads, whose geometry is replaced as a whole; grids have their own way (`regular_grid`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from . import mesh_layers
from .meshes import Positions, flatten

Faces = npt.NDArray[np.int32]
"""Vertices of quads: shape (faces, 4)."""


def replace(mesh: Any, places: Positions, faces: Faces, maps: Mapping[str, Field]) -> None:
    """Replace all geometry of a mesh by smooth quads; its materials stay.

    Parameters
    ----------
    mesh : Mesh
        Not in Edit Mode.
    places : ndarray of shape (vertices, 3), float32
    faces : ndarray of shape (faces, 4), int32
        Vertices, anticlockwise from outside.
    maps : mapping of str to ndarray, float32
        Attributes of the vertices; see `mesh_layers.write_maps`.
    """
    mesh.clear_geometry()
    mesh.vertices.add(len(places))
    mesh.loops.add(faces.size)
    mesh.polygons.add(len(faces))
    mesh.vertices.foreach_set("co", flatten(places))
    mesh.loops.foreach_set("vertex_index", np.ascontiguousarray(faces, np.int32).reshape(-1))
    mesh.polygons.foreach_set("loop_start", np.arange(0, faces.size, 4, dtype=np.int32))
    mesh_layers.write_maps(mesh, maps)
    mesh.update(calc_edges=True)
    mesh.shade_smooth()
