# SPDX-License-Identifier: GPL-3.0-or-later
"""Menus of the list of layers: all that can be added to it, and operators on it."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.interface import thumbnails
from ..operators.bridge.interface.messages import Message
from ..operators.bridge.schema import elements, layers, presets, state
from ..operators.bridge.terrain import footprints

STAMP_SOURCES = (
    ("FILE", Message("Measured Land..."), "FILE_FOLDER"),
    ("SELECTION", Message("Selected Vertices"), "VERTEXSEL"),
)
"""Where stamps come from besides landforms: source, text and icon."""


class TERRANE_MT_layer_noises(bpy.types.Menu):
    """All noises that a layer can begin with."""

    bl_label = "Noise Layer"
    bl_description = "Add another noise over the ground"

    def draw(self, context: bpy.types.Context) -> None:
        """List them by family."""
        layout: Any = self.layout
        for key, label, _, icon, _ in elements.basis_items():
            if not key:
                layout.separator()
                layout.label(text=label)
            else:
                layout.operator("terrane.layer_add", text=label, icon=icon).type = key


class TERRANE_MT_stamps(bpy.types.Menu):
    """Landforms to stamp on the terrain."""

    bl_label = "Stamp"
    bl_description = "Stamp a landform on the terrain, with an empty that places it"

    def draw(self, context: bpy.types.Context) -> None:
        """List the landforms with their pictures, then the other sources."""
        layout: Any = self.layout
        for name, label, *_ in presets.landform_items():
            picture = thumbnails.preset_icon(name)
            layout.operator("terrane.stamp_add", text=label, icon_value=picture).preset = name
        layout.separator()
        layout.operator_context = "INVOKE_DEFAULT"
        for source, text, icon in STAMP_SOURCES:
            layout.operator("terrane.stamp_add", text=text, icon=icon).source = source


class TERRANE_MT_layer_add(bpy.types.Menu):
    """Everything that can be added to the list."""

    bl_label = "Add Layer"
    bl_description = "Add a layer of noise, a group, or a modifier such as erosion"

    def draw(self, context: bpy.types.Context) -> None:
        """List noises and groups first, the modifiers below them."""
        layout: Any = self.layout
        layout.menu(TERRANE_MT_layer_noises.__name__, icon="RENDERLAYERS")
        group = layout.operator("terrane.layer_add", text="Group", icon="FILE_FOLDER")
        group.type = layers.GROUP
        layout.operator_menu_enum(
            "terrane.curve_draw", "kind", text="Path by Drawing", icon="GREASEPENCIL"
        )
        layout.operator_menu_enum(
            "terrane.curve_add", "kind", text="Path on New Curve", icon="OUTLINER_OB_CURVE"
        )
        layout.menu(TERRANE_MT_stamps.__name__, icon="EMPTY_ARROWS")
        layout.separator()
        for key, label, _, icon, _ in state.modifier_items():
            if key == footprints.Footprint.key:
                layout.operator("terrane.footprint_add", text=label, icon=icon).later = True
            else:
                layout.operator("terrane.layer_add", text=label, icon=icon).type = key


class TERRANE_MT_layers(bpy.types.Menu):
    """Operators on the active layer and on the whole recipe."""

    bl_label = "Layers"
    bl_description = "Group and ungroup layers; copy, paste, load and save the whole recipe"

    def draw(self, context: bpy.types.Context) -> None:
        """List it."""
        layout: Any = self.layout
        layout.operator("terrane.layer_group", text="Group Layer", icon="FILE_FOLDER")
        layout.operator("terrane.layer_ungroup", text="Ungroup", icon="X")
        layout.operator(
            "terrane.layer_from_sculpt", text="Keep Sculpting as Layer", icon="SCULPTMODE_HLT"
        )
        layout.separator()
        layout.operator("terrane.recipe_copy", text="Copy Recipe", icon="COPYDOWN")
        layout.operator("terrane.recipe_paste", text="Paste Recipe", icon="PASTEDOWN")
        layout.separator()
        layout.operator("terrane.recipe_load", text="Load Recipe...", icon="FILE_FOLDER")
        layout.operator("terrane.recipe_save", text="Save Recipe...", icon="FILE_TICK")
