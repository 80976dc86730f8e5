# SPDX-License-Identifier: GPL-3.0-or-later
"""Cube spheres as meshes: their arrays are made in any thread."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.planets.cube_sphere import CubeSphere
from .meshes import flatten, layer_data
from .polygons import PolygonMesh
from .regular_grid import UV_NAME


def sphere_mesh(
    sphere: CubeSphere, directions: Field, radius: Field | np.float32, maps: Mapping[str, Field]
) -> PolygonMesh:
    """Return the arrays of a sphere whose vertices lie in some directions, at one radius or at one each."""
    edges, sides = sphere.edges()
    starts = np.arange(0, 4 * sphere.quads, 4, dtype=np.int32)
    corners = sphere.quad_vertices().reshape(-1)
    places = directions * np.reshape(radius, (-1, 1))
    return PolygonMesh(places, edges, starts, corners, sides.reshape(-1), maps)


def add_uv_map(mesh: bpy.types.Mesh, coordinates: Field) -> None:
    """Give the mesh of a cube sphere, just written, its UV map: see `CubeSphere.coordinates`."""
    mesh.uv_layers.new(name=UV_NAME, do_init=False)
    layer_data(mesh, UV_NAME).foreach_set("vector", flatten(coordinates))
