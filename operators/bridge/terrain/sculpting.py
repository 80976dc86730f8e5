# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights that were changed by hand, kept as a layer of the terrain's recipe.

The change is the difference from the recipe's heights, stored as `stored_heights` says.
"""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.base.grid import Grid
from ..datablocks import meshes, vertex_places
from ..datablocks.ground import sample_field
from ..datablocks.images import Content
from ..schema import masks, state
from ..schema.stored_heights import StoredHeights
from ..tasks.jobs import Work
from . import change_layer, mesh_record, partial_lands, terrains
from .evaluation import on_vertices
from .user_mesh.heights import UserMeshHeights


@dataclass(frozen=True)
class SculptedChange:
    """Difference from the recipe's heights: pixels of an image, and the meters that white stands for."""

    packed: Content
    height: float
    vertices: Grid
    is_seamless: bool


def why_not(terrain: bpy.types.Object) -> str:
    """Return why changes of a terrain cannot be kept; an empty text if they can, or if there are none."""
    mesh, group = meshes.mesh_of(terrain), getattr(terrain, state.PROPERTY)
    record = mesh_record.of(mesh)
    if record is None or not mesh_record.grid_of(record).fits(mesh):
        return Message("The mesh is no longer the grid that Terrane made: only heights can be kept")
    if any(group.tile) and not group.seamless:
        return Message("Changes are kept on tile (0, 0) alone: set the tile back first")
    return partial_lands.why_not(terrain)


def work(terrain: bpy.types.Object) -> Work:
    """Return the work that gives the `SculptedChange` of a terrain, which is not in Edit Mode.

    It is the difference from the heights of `terrains.made_request`, even if the settings have changed since.
    """
    request, mesh = terrains.made_request(terrain), meshes.mesh_of(terrain)
    if request is None:
        raise TerraneError("The settings have changed since the terrain was made: undo that first")
    if mesh_record.checksum(mesh) == mesh_record.of(mesh).checksum:
        raise TerraneError("The heights are what the settings say: there is no change to keep")
    grid, recipe = request.grid(), request.acting
    where = masks.fields(terrain, request, grid)
    user_mesh, vertices = UserMeshHeights.of(terrain), terrains.vertices_of(terrain, grid)
    sculpted, places = meshes.basis_positions(mesh)[:, 2], vertex_places.read(mesh)

    def compare(progress: Progress, cancel: Cancel) -> SculptedChange:
        relief = recipe.evaluate(grid, masks=where, progress=progress, cancel=cancel)
        made_heights = on_vertices(recipe, grid, relief.height, {}, user_mesh).height
        rise = vertex_places.order(sculpted - made_heights.reshape(-1), places)
        rise = rise.reshape(vertices.shape)
        change = sample_field(rise if user_mesh is None else user_mesh.in_meters(rise), grid)
        height = float(np.abs(change).max())
        if height == 0.0:
            raise TerraneError("The heights are what the settings say: there is no change to keep")
        packed = StoredHeights.of(change, height).content()
        return SculptedChange(packed, height, vertices, grid.wrap)

    return compare


def add_layer(terrain: bpy.types.Object, change: SculptedChange) -> None:
    """Add a change on top of a terrain's layers; the mesh stays as it is, and follows its settings again."""
    change_layer.add_layer(terrain, change.packed, change.height, is_seamless=change.is_seamless)
    # No settings: Live makes maps and water of the sculpted ground.
    mesh_record.remember(meshes.mesh_of(terrain), "", change.vertices)
