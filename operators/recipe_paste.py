# SPDX-License-Identifier: GPL-3.0-or-later
"""Replace the recipe in the panel by one from the clipboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import StringProperty

from .bridge import settings
from .bridge.messages import shown
from .bridge.recipes import recipe_texts
from .layer_operator import LayerOperator


class TERRANE_OT_recipe_paste(LayerOperator, bpy.types.Operator):
    """Replace the recipe in the panel by the one in the clipboard, or in a text."""

    bl_idname = "terrane.recipe_paste"
    bl_label = "Paste Terrain Recipe"
    bl_description = "Replace the whole recipe by the one in the clipboard; the resolution stays"
    bl_options = {"REGISTER", "UNDO"}

    needs_layer = False
    __annotations__ = {
        "text": StringProperty(
            name="Text",
            description="The recipe as JSON; what the clipboard holds if empty",
            options={"HIDDEN", "SKIP_SAVE"},
        )
    }
    if TYPE_CHECKING:
        text: str

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Read the text; nothing changes if it holds no recipe."""
        if not self.text:
            self.text = context.window_manager.clipboard  # redone, it is the same again
        size = settings.number(group.size)
        recipe = recipe_texts.parsed(self.text, shown("The clipboard"), size)
        settings.write_foreign(group, recipe)
        return {"FINISHED"}
