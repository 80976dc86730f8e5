# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy the recipe in the panel as text."""

from __future__ import annotations

import bpy

from .bridge import settings, state
from .bridge.messages import report
from .bridge.recipes import recipe_texts
from .recipe_keywords import reports_errors


class TERRANE_OT_recipe_copy(bpy.types.Operator):
    """Copy the recipe in the panel to the clipboard, as JSON text."""

    bl_idname = "terrane.recipe_copy"
    bl_label = "Copy Terrain Recipe"
    bl_description = "Copy the whole recipe to the clipboard as text: all layers, modifiers and their masks in the recipe"
    bl_options = {"REGISTER"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Put it there."""
        group = state.active_settings(context)
        context.window_manager.clipboard = settings.read(group).to_json()
        if missing := recipe_texts.left_out(settings.states(group)):
            report(self, {"WARNING"}, missing)
        else:
            report(self, {"INFO"}, "Recipe copied")
        return {"FINISHED"}
