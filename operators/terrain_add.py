# SPDX-License-Identifier: GPL-3.0-or-later
"""Add a terrain."""

from __future__ import annotations

import bpy

from .bridge import state
from .bridge.core import PLAIN, TerraneError, preset
from .bridge.geometry import new_meshes
from .bridge.maps import catalog, map_layers, map_needs
from .bridge.recipes import masks
from .bridge.terrain import evaluation, terrains, viewports
from .bridge.terrain.borders import vertex_field
from .bridge.work.jobs import Work
from .bridge.work.steps import Steps
from .long_operator import LongOperator, refuses
from .map_keywords import draw_maps, maps_property
from .recipe_keywords import RecipeOperator, recipe_keywords


class TERRANE_OT_terrain_add(LongOperator, RecipeOperator, bpy.types.Operator):
    """Add a terrain mesh made of procedural noise."""

    bl_idname = "terrane.terrain_add"
    bl_label = "Add Terrain"
    bl_description = "Add a terrain mesh made of procedural noise"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = "Adding a Terrain"

    __annotations__ = {
        **recipe_keywords(measured=True),
        "maps": maps_property(catalog.made()),
    }
    measured = True

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it in Object Mode."""
        return not refuses(cls, _why_not(context))

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings, and the masks of the terrain that they are taken from."""
        request = self.request(context)
        self.asked = request
        grid = request.grid()
        where = masks.fields(state.active_terrain(context), request, grid)
        named = masks.named_fields(request, where)
        self.masks = {name: vertex_field(one, grid) for name, one in named.items()}
        acting, is_chosen = request.acting, self.properties.is_property_set("maps")
        wanted = self.maps if is_chosen else map_needs.chosen(None, acting, request.states)
        return evaluation.work(acting, grid, where, wanted)

    def finish(self, context: bpy.types.Context, result: evaluation.Evaluated) -> Steps[set[str]]:
        """Make the mesh step by step, and put it at the 3-D cursor."""
        _check(context)
        preset_name = self.asked.preset
        name = "Terrain" if preset_name == PLAIN else preset(preset_name).label
        values = {**self.masks, **result.maps}
        mesh = yield from new_meshes.grid_mesh(name, result.grid, result.height, values)
        _check(context, mesh)
        wanted = self.maps if self.properties.is_property_set("maps") else None
        map_layers.note(mesh, (one for one in result.maps if one in mesh.attributes), wanted)
        terrain = terrains.add_object(context, mesh)
        terrains.remember(terrain, self.asked, result.grid, result.height)
        return {"FINISHED"}

    def show(self, context: bpy.types.Context) -> None:
        """Let the viewport see all of it."""
        viewports.show(context, context.active_object, self.size)

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the measures and the maps."""
        RecipeOperator.draw_options(self, layout, context)
        draw_maps(layout, self)


def _check(context: bpy.types.Context, mesh: bpy.types.Mesh | None = None) -> None:
    """Make sure that a terrain can be added; or else take its mesh away, if it has one already."""
    if reason := _why_not(context):
        if mesh is not None:
            bpy.data.meshes.remove(mesh)
        raise TerraneError(f"No terrain was added. {reason}")


def _why_not(context: bpy.types.Context) -> str:
    if context.mode != "OBJECT":
        return "Switch to Object Mode first"
    is_linked = terrains.home(context) is None
    return (
        "The scene is linked from another file: add the terrain to another scene"
        if is_linked
        else ""
    )
