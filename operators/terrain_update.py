# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a terrain anew from its settings."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty

from .bridge import editing, regrid, state, terrains
from .recipe_keywords import RecipeOperator, recipe_keywords, reports_errors


class TERRANE_OT_terrain_update(RecipeOperator, bpy.types.Operator):
    """Make the active terrain anew from its settings; materials, modifiers and the like stay."""

    bl_idname = "terrane.terrain_update"
    bl_label = "Update Terrain"
    bl_description = "Make the active terrain anew from its settings; materials, modifiers, UV maps and vertex groups stay"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        **recipe_keywords(measured=True),
        "single_user": BoolProperty(
            name="Single User",
            description="Leave other objects that share this mesh as they are",
            options={"SKIP_SAVE"},
        ),
    }
    measured = True

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it for a terrain whose mesh can be changed."""
        reason = editing.why_not(context)
        if not reason and state.active_terrain(context) is None:
            reason = "Select a terrain that was added with Terrane"
        if reason:
            cls.poll_message_set(reason)
        return not reason

    def settings_group(self, context: bpy.types.Context) -> Any:
        """Return the terrain's own settings."""
        return state.active_settings(context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Evaluate the recipe and write it into the mesh."""
        request = self.request(context)
        grid = request.measures.grid()
        relief = request.recipe.evaluate(grid)
        terrain = context.active_object
        with editing.object_mode(context, terrain):
            mesh = editing.editable_mesh(terrain, single_user=self.single_user)
            built = terrains.built(terrain)
            lost = regrid.update_mesh(context, terrain, built, grid, relief.height, relief.maps)
            terrains.remember(terrain, request, grid)
        others = editing.other_users(mesh)
        if others:
            self.report({"INFO"}, f"{others} more objects share this mesh and have changed too")
        if lost:
            self.report({"WARNING"}, f"Could not be carried over: {', '.join(lost)}")
        return {"FINISHED"}
