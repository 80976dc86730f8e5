# SPDX-License-Identifier: GPL-3.0-or-later
"""Updates of a terrain's mesh: new heights and, if necessary, a new grid; the user's data stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.landscapes.grid_meshes.regular_grid import Topology
from ..datablocks import compat, editing, meshes
from ..tasks.steps import Steps
from . import map_layers
from .rebuilding import RebuildOrder, rebuild
from .user_mesh import shape_keys
from .user_mesh.grid import OTHER_GRID, UserMeshGrid


@dataclass(frozen=True)
class Built:
    """The grid that a terrain's mesh was last made of."""

    rows: int
    columns: int
    size: float

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.columns

    def fits(self, mesh: bpy.types.Mesh) -> bool:
        """Return whether the mesh still has as many elements as that grid."""
        if self.rows < 2 or self.columns < 2:
            return False
        grid = Topology(self.rows, self.columns)
        counts = (len(mesh.vertices), len(mesh.edges), len(mesh.polygons))
        return counts == (grid.vertices, grid.edges, grid.faces)


def update_mesh(
    context: bpy.types.Context,
    terrain: bpy.types.Object,
    former: Built,
    grid: Grid,
    height: Field,
    maps: Mapping[str, Field],
    *,
    single_user: bool = False,
) -> Steps[tuple[str, ...]]:
    """Take the steps that update the mesh of a terrain, not in Edit Mode, to a height field.

    If the grid stays the same, only positions change, in one step. Otherwise the geometry is rebuilt:
    materials, UV maps, vertex groups and attributes are carried over; the mesh changes in the last step.
    Maps of an earlier run are removed, because they belong to the old terrain. The mesh was built on
    `former`; `height` is in meters; `single_user` leaves other objects that share the mesh as they are.
    A user's mesh that became a terrain keeps its vertices; see `evaluation.on_vertices`.

    Returns the names of the data that could not be carried over. Raises a TerraneError if the mesh is
    linked, the grid changes under shape keys, or the terrain is removed between two steps.
    """
    mesh = meshes.mesh_of(terrain)
    is_grid = former.fits(mesh)
    if not (is_grid and (former.rows, former.columns) == grid.shape):
        if UserMeshGrid.of(mesh) is not None:
            raise TerraneError(OTHER_GRID, terrain.name)
        old = Topology(former.rows, former.columns) if is_grid else None
        order = RebuildOrder(old, grid, height, maps, single_user)
        return (yield from rebuild(context, terrain, order))
    mesh = editing.editable_mesh(terrain, single_user=single_user)
    move(mesh, former, grid, height)
    refused = map_layers.write(mesh, maps)
    compat.update_positions(mesh)
    return refused


def move(mesh: bpy.types.Mesh, former: Built, grid: Grid, height: Field) -> None:
    """Write new heights on the same grid, and scale the positions if the size has changed.

    Call `compat.update_positions` when all is written.
    """
    positions = meshes.positions_of(mesh)
    stretch = np.float32(grid.width / former.size)
    heights = height.reshape(-1)
    if mesh.shape_keys is None:
        positions[:, 2] = heights
        if stretch != 1.0:
            positions[:, :2] *= stretch
        meshes.show_positions(mesh, positions)
        return
    # Shape keys store absolute positions: their differences from the first one have to stay.
    basis = mesh.shape_keys.reference_key
    present = meshes.key_positions(basis)[:, 2]
    for key in mesh.shape_keys.key_blocks:
        key_positions = meshes.key_positions(key)
        key_positions[:, 2] = (
            heights
            if key == basis
            else shape_keys.follow(mesh, key, key_positions[:, 2], present, heights)
        )
        key_positions[:, :2] *= stretch
        meshes.show_key_positions(key, key_positions)
    meshes.show_positions(mesh, meshes.key_positions(basis))
