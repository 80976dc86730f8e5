# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts that panels share: their places, the preset, the seed, rows with titles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..operators.bridge.interface import thumbnails
from ..operators.bridge.interface.messages import Message, translate
from ..operators.bridge.schema import noise_fields, presets, state
from ..operators.bridge.schema.fields import titled_row
from ..operators.bridge.schema.presets import own_names, preset
from .live import draw_text, draw_unknown


def split(layout: bpy.types.UILayout) -> Any:
    """Return a layout with labels on the left and values on the right."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout


class TERRANE_MT_presets(bpy.types.Menu):
    """Ready-made recipes to begin with."""

    bl_label = "Presets"
    bl_description = "Ready-made recipes to start from"

    def draw(self, context: bpy.types.Context) -> None:
        """List the landforms, and beside them the other groups: one column would leave a low screen."""
        row = self.layout.row()
        column: Any = row.column()
        for title, names in presets.by_group().items():
            if names:
                column.label(text=title)
            for name in names:
                picture = thumbnails.preset_icon(name)
                text = preset(name).label
                button = column.operator("terrane.preset_load", text=text, icon_value=picture)
                button.preset = name
            if title == presets.LANDFORMS:
                column = row.column()


def draw_recipe(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the preset, and the user's presets that could not be read, with the reasons."""
    group = state.active_settings(context)
    name = presets.existing_name(group.preset)
    row = titled_row(layout, "Preset")
    row.menu(TERRANE_MT_presets.__name__, text=preset(name).label if group.preset else "Planet")
    row.operator("terrane.preset_save", text="", icon="ADD")
    if name in own_names():
        row.operator("terrane.preset_delete", text="", icon="REMOVE").preset = name
    for broken, reason in presets.find_problems().items():
        draw_text(
            layout, context, Message("The preset {} was left out: {}", broken, reason), "ERROR"
        )
    draw_unknown(layout, context, group)


def draw_seed(layout: Any, group: Any) -> None:
    """Draw the seed of a recipe, and the button that draws another one."""
    row = layout.row(align=True)
    row.prop(group, "seed")
    row.operator("terrane.seed_new", text="", icon="FILE_REFRESH")


class Section:
    """Attributes that a section needs from its panel."""

    if TYPE_CHECKING:
        layout: bpy.types.UILayout


class NoiseSection(Section):
    """The seed, and the fields of noise of the active layer, or of the ground, whose name is in the header."""

    bl_label = "Noise"

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the name of the layer that the fields change."""
        name = noise_fields.layer_name(state.active_settings(context))
        self.layout.label(text=name, translate=False)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the fields; one that changes nothing is inactive, and the reason stands below."""
        group = state.active_settings(context)
        column = split(self.layout).column(align=True)
        reasons = []
        for name in noise_fields.SHOWN:
            if name == "seed":
                draw_seed(column, group)
                continue
            row = column.row(align=True)
            reason = noise_fields.why_inactive(group, name)
            row.enabled = not reason
            row.prop(group, name)
            if reason and reason not in reasons:
                reasons.append(reason)
        for reason in reasons:
            column.label(text=translate(reason), icon="INFO", translate=False)


class InViewport:
    """Place of panels in the 3D viewport."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Terrane"


class OfImage:
    """Panels for the image that an Image Editor shows."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show them while there is an image."""
        space: Any = context.space_data
        return space is not None and space.image is not None


OVERVIEW, NOISE, MEASURES, LAYERS, LAYER, LANDSCAPE, EXPORT, LAST = range(8)
"""Orders of panels below the main one, by use: the preview first, all that has no place of its own last.

Panels of one order stand in the order of their registration; 0 is the lowest that Blender allows.
"""


class InTerrain(InViewport):
    """Place below the main panel."""

    bl_parent_id = "TERRANE_PT_terrain"
    bl_order = LAST


class OfTerrain(InTerrain):
    """Panels about terrains and meshes, which a planet has no use for."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Hide them while a planet is active."""
        return state.active_planet(context) is None


class ForMesh(OfTerrain):
    """Panels for meshes, closed at first."""

    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for meshes."""
        active = state.active_object(context)
        return super().poll(context) and active is not None and active.type == "MESH"
