# SPDX-License-Identifier: GPL-3.0-or-later
"""Regular grid as a mesh: the arrays of its vertices, edges, faces and UV map."""

from __future__ import annotations

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.grid import Grid
from ....noise_core.grid_meshes.regular_grid import Topology, grid_positions
from .meshes import MeshArray

UV_NAME = "UVMap"


def grid_arrays(grid: Grid, height: Field) -> tuple[MeshArray, ...]:
    """Return the edges, faces, UV map and positions of a height field, for a mesh with its elements."""
    topology = Topology(grid.rows, grid.columns)
    return (
        MeshArray(".edge_verts", topology.edge_vertices),
        MeshArray(".corner_vert", topology.corner_vertices),
        MeshArray(".corner_edge", topology.corner_edges),
        MeshArray(UV_NAME, topology.corner_coordinates, _add_uv_map),
        MeshArray("position", lambda: grid_positions(grid, height)),
    )


def _add_uv_map(mesh: bpy.types.Mesh) -> bool:
    mesh.uv_layers.new(name=UV_NAME, do_init=False)
    return True
