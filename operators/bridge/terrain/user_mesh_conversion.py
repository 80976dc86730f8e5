# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion of user meshes to terrains and back; see `user_mesh.heights`."""

from __future__ import annotations

from typing import Any

import bpy

from ....noise_core.base.errors import ParameterError, TerraneError
from ....noise_core.landscapes.preset_library import PLAIN
from ....noise_core.recipes.recipe import Recipe
from ..datablocks import compat, meshes, ownership, vertex_places
from ..datablocks.record import forget
from ..schema import layer_list, layers, state, stored_heights
from ..schema.exact_numbers import number
from ..tasks.product import TERRAIN_KEY
from . import map_layers, regrid, terrains
from .user_mesh import shape_keys
from .user_mesh.bottom_layer import LAYER
from .user_mesh.grid import RECORD
from .user_mesh.heights import HEIGHTS, UserMeshHeights
from .user_mesh.recognition import RecognizedMesh

LEAST_HEIGHT = 1e-3
"""Least height scale of the recipe, in meters: of a mesh that is flat."""


def adopt(obj: bpy.types.Object, recognized: RecognizedMesh) -> None:
    """Make a mesh object, which is not in Edit Mode, a terrain whose only layer is its heights.

    Raises a TerraneError if attributes or vertex groups of the user have the names that are needed.
    """
    mesh, mesh_grid = meshes.mesh_of(obj), recognized.mesh_grid
    heights = {HEIGHTS: recognized.heights, **shape_keys.former_heights(mesh)}
    for name in (*heights, vertex_places.ATTRIBUTE):
        if name in mesh.attributes or name in obj.vertex_groups:
            raise ParameterError("{}: the attribute {!r} is in the way: rename it", mesh.name, name)
    meshes.write_maps(mesh, heights)
    vertex_places.store(mesh, recognized.places)
    mesh_grid.store(mesh)
    map_layers.note(mesh, (), None)
    recipe = mesh_grid.resize(
        Recipe(layers=(recognized.layer,), height=max(number(recognized.relief), LEAST_HEIGHT))
    )
    layer_state = stored_heights.new_state(f"{obj.name} {LAYER}", recognized.packed)
    request = terrains.Request(
        recipe, terrains.Measures(**mesh_grid.measures), PLAIN, (layer_state,)
    )
    terrains.remember(obj, request, mesh_grid.vertices)


def release(obj: bpy.types.Object, *, keeps_heights: bool) -> None:
    """Make an ordinary mesh again of one that became a terrain, and is not in Edit Mode.

    Its vertices return to their former heights, to the bit, and the maps go, unless the present ones are kept.
    """
    mesh = meshes.mesh_of(obj)
    if not keeps_heights:
        user_mesh, former = UserMeshHeights.of(obj), meshes.read_attribute(mesh, HEIGHTS)
        if user_mesh is None or former is None:
            raise TerraneError("{} is no mesh that became a terrain", obj.name)
        grid = user_mesh.mesh_grid.vertices
        regrid.move(mesh, regrid.Built(grid.rows, grid.columns, grid.width), grid, former)
        map_layers.write(mesh, {})
    _forget(mesh)
    forget(mesh, map_layers.MAPS_KEY)
    for sharing in [obj for obj in bpy.data.objects if obj.data == mesh]:
        _clear_settings(getattr(sharing, state.PROPERTY))
    compat.update_positions(mesh)


def _clear_settings(group: Any) -> None:
    """Empty the settings of an object that is no terrain any more; the image of its former heights goes."""
    pictures: list[Any] = []
    for entry in layer_list.entries(group):
        if entry.name == LAYER:
            pictures += layers.images_of(layers.state_of(entry)).values()
    group.is_terrain = group.is_filled = False
    layer_list.entries(group).clear()
    ownership.remove_unused(*pictures)


def _forget(mesh: bpy.types.Mesh) -> None:
    """Remove the records that make a mesh a terrain."""
    names = [attribute.name for attribute in mesh.attributes]
    for name in names:
        if name in (HEIGHTS, vertex_places.ATTRIBUTE) or shape_keys.is_former(name):
            mesh.attributes.remove(mesh.attributes[name])
    mesh.pop(RECORD, None)
    forget(mesh, TERRAIN_KEY)
