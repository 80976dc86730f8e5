# SPDX-License-Identifier: GPL-3.0-or-later
"""Add a terrain."""

from __future__ import annotations

import bpy

from .bridge import meshes, terrains, viewports
from .bridge.core import PLAIN, preset
from .recipe_keywords import RecipeOperator, recipe_keywords, reports_errors


class TERRANE_OT_terrain_add(RecipeOperator, bpy.types.Operator):
    """Add a terrain mesh made of procedural noise."""

    bl_idname = "terrane.terrain_add"
    bl_label = "Terrane Terrain"
    bl_description = "Add a terrain mesh made of procedural noise"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    __annotations__ = recipe_keywords(measured=True)
    measured = True

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it in Object Mode."""
        if context.mode != "OBJECT":
            cls.poll_message_set("Switch to Object Mode first")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Make it, and let the viewport see all of it."""
        status: set[str] = self.execute(context)
        if status == {"FINISHED"}:
            viewports.show(context, context.active_object, self.size)
        return status

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make the mesh and put it at the 3-D cursor."""
        request = self.request(context)
        grid = request.measures.grid()
        relief = request.recipe.evaluate(grid)
        name = "Terrain" if request.preset == PLAIN else preset(request.preset).label
        mesh = meshes.new_grid_mesh(name, grid, relief.height, relief.maps)
        terrain = terrains.add_object(context, mesh)
        terrains.remember(terrain, request, grid)
        return {"FINISHED"}
