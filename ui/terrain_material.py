# SPDX-License-Identifier: GPL-3.0-or-later
"""The material of a terrain: palette, layers, limits, water, details, and the button."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.nodetree.terrain_material import settings as declared
from .declared import draw_parameters
from .progress import draw_progress
from .sections import split


class TERRANE_PT_terrain_material(bpy.types.Panel):
    """A landscape that colors itself."""

    bl_label = "Terrain Material"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Terrane"
    bl_parent_id = "TERRANE_PT_terrain"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for meshes."""
        active = context.active_object
        return active is not None and active.type == "MESH"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings and the button."""
        layout = split(self.layout)
        group = declared.of(context)
        draw_parameters(layout, group, declared.LOOK)
        if group.style == "layers":
            _draw_switches(layout, group)
            draw_parameters(layout.column(align=True), group, declared.LIMITS)
        draw_parameters(layout.column(align=True), group, declared.WATER)
        draw_parameters(layout.column(align=True), group, declared.DETAIL)
        row = layout.row()
        if not draw_progress(row):
            row.operator("terrane.terrain_material", icon="MATERIAL").from_panel = True


def _draw_switches(layout: bpy.types.UILayout, group: Any) -> None:
    flow = layout.grid_flow(row_major=True, columns=4, even_columns=True, align=True)
    flow.use_property_split = False
    for one in declared.SWITCHES:
        flow.prop(group, one.name, toggle=True)


CLASSES = (TERRANE_PT_terrain_material,)
