# SPDX-License-Identifier: GPL-3.0-or-later
"""Replace the recipe in the panel by one from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import StringProperty

from .bridge import compat, settings
from .bridge.recipes import recipe_texts
from .layer_operator import LayerOperator


class TERRANE_OT_recipe_load(LayerOperator, bpy.types.Operator):
    """Replace the recipe in the panel by the one in a file."""

    bl_idname = "terrane.recipe_load"
    bl_label = "Load Terrain Recipe"
    bl_description = "Replace the whole recipe by the one in a file; the resolution stays"
    bl_options = {"REGISTER", "UNDO"}

    needs_layer = False
    __annotations__ = {
        "filepath": StringProperty(
            name="File Path",
            description="A recipe that was saved, or a preset",
            subtype="FILE_PATH",
            options={"SKIP_SAVE", *compat.relative_path_options()},
        ),
        "filter_glob": StringProperty(
            default=f"*{recipe_texts.SUFFIX}", options={"HIDDEN", "SKIP_SAVE"}
        ),
    }
    if TYPE_CHECKING:
        filepath: str

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the file."""
        if not self.filepath:
            self.filepath = recipe_texts.proposed("")
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Read the file; nothing changes if it holds no recipe."""
        settings.write_foreign(group, recipe_texts.load(self.filepath, settings.number(group.size)))
        return {"FINISHED"}
