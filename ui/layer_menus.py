# SPDX-License-Identifier: GPL-3.0-or-later
"""The menus beside the list of layers: what to add, and what to do with the whole recipe."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge import state
from ..operators.bridge.core import modifier_types
from ..operators.bridge.recipes import stack


class TERRANE_MT_layer_noises(bpy.types.Menu):
    """All noises that a layer can begin with."""

    bl_label = "Noise Layer"
    bl_description = "Lay another noise over the ground"

    def draw(self, context: bpy.types.Context) -> None:
        """List them by family."""
        self.layout.operator_enum("terrane.layer_add", "noise")


class TERRANE_MT_layer_add(bpy.types.Menu):
    """Everything that can be added to the list."""

    bl_label = "Add Layer"
    bl_description = "Add a layer of noise, or a modifier such as erosion, behind the active one"

    def draw(self, context: bpy.types.Context) -> None:
        """List the layers first, the modifiers below them."""
        layout: Any = self.layout
        layout.menu(TERRANE_MT_layer_noises.__name__, icon="RENDERLAYERS")
        layout.separator()
        types = modifier_types()
        for key, label, _, icon, _ in state.modifier_items():
            if not stack.noise_parameters(types[key]):
                layout.operator("terrane.modifier_add", text=label, icon=icon).type = key


class TERRANE_MT_recipe(bpy.types.Menu):
    """What is done with the whole recipe."""

    bl_label = "Recipe"
    bl_description = "Copy, paste, load and save the whole recipe"

    def draw(self, context: bpy.types.Context) -> None:
        """List it."""
        layout: Any = self.layout
        layout.operator("terrane.recipe_copy", text="Copy Recipe", icon="COPYDOWN")
        layout.operator("terrane.recipe_paste", text="Paste Recipe", icon="PASTEDOWN")
        layout.separator()
        layout.operator("terrane.recipe_load", text="Load Recipe...", icon="FILE_FOLDER")
        layout.operator("terrane.recipe_save", text="Save Recipe...", icon="FILE_TICK")


CLASSES = (TERRANE_MT_layer_noises, TERRANE_MT_layer_add, TERRANE_MT_recipe)
