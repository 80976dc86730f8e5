# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials and files of textures: the surface, its exposed parameters, and the buttons."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.interface.messages import Message, translate
from ..operators.bridge.textures import surface_settings
from .declared import draw_parameters
from .progress import draw_progress
from .sections import Section, split


def draw_left_out(layout: bpy.types.UILayout) -> None:
    """Draw the names of surface files that could not be read."""
    for name in surface_settings.left_out():
        row = layout.row()
        row.alert = True
        message = Message("{}.json cannot be read: see the console", name)
        row.label(text=translate(message), icon="ERROR", translate=False)


def draw_map_switches(layout: bpy.types.UILayout, group: Any) -> None:
    """Draw a switch for each map."""
    flow = layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    ticks = getattr(group, surface_settings.SAVED_GROUP)
    for name in surface_settings.MAPS:
        flow.prop(ticks, name, toggle=True)


def draw_folder(
    layout: bpy.types.UILayout, group: Any, operator: str = "terrane.images_save"
) -> None:
    """Draw the folder of files, and the button that writes them."""
    layout.prop(group, "directory")
    layout.prop(group, "overwrite")
    row = layout.row()
    if not draw_progress(row):
        row.operator(operator, icon="FILE_TICK").from_panel = True


def draw_surface(layout: bpy.types.UILayout, group: Any) -> None:
    """Draw the surface, its exposed parameters, and its measures."""
    layout.prop(group, "surface")
    draw_left_out(layout)
    if not surface_settings.is_known(group.surface):
        layout.label(text="Not known to this Terrane: choose another", icon="ERROR")
        return
    own = getattr(group, surface_settings.group_name(group.surface))
    draw_parameters(layout, own, surface_settings.exposed_parameters(group.surface))
    layout.prop(group, "seed")
    column = layout.column(align=True)
    draw_parameters(column, group, surface_settings.IMAGE)
    if group.size == 0.0:
        row = layout.row()
        row.active, row.alignment = False, "RIGHT"
        row.label(text=surface_settings.describe_size(group.surface), translate=False)


class MaterialSection(Section):
    """A surface, and a button that makes a material of it."""

    bl_label = "Material"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings and the button."""
        layout = split(self.layout)
        group = surface_settings.of(context)
        draw_surface(layout, group)
        draw_parameters(layout, group, surface_settings.MATERIAL)
        row = layout.row()
        if not draw_progress(row):
            row.operator("terrane.material_add", icon="MATERIAL").from_panel = True


class FilesSection(Section):
    """Files of the same surface."""

    bl_label = "Image Files"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the maps and options of the files, and the button."""
        group = surface_settings.of(context)
        draw_map_switches(self.layout, group)
        layout = split(self.layout)
        draw_parameters(layout, group, surface_settings.FILES)
        draw_folder(layout, group)


class TERRANE_PT_material(MaterialSection, bpy.types.Panel):
    """A material for the active object."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Terrane"
    bl_parent_id = "TERRANE_PT_terrain"


class TERRANE_PT_material_files(FilesSection, bpy.types.Panel):
    """Files of the same surface."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Terrane"
    bl_parent_id = "TERRANE_PT_material"


CLASSES = (
    TERRANE_PT_material,
    TERRANE_PT_material_files,
)
