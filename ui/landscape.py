# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a landscape around the active terrain: sky, camera, surroundings."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.interface.core import Camera, Declared, Sky
from ..operators.bridge.scene import cameras, parts, patches, settings, skies, surroundings, waters
from ..operators.bridge.schema import state
from .declared import draw_parameters
from .sections import split


class TERRANE_PT_landscape(bpy.types.Panel):
    """What surrounds the terrain in a picture."""

    bl_label = "Landscape"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Terrane"
    bl_parent_id = "TERRANE_PT_terrain"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for terrains."""
        return state.active_terrain(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the parts: those that are there with their settings."""
        layout = split(self.layout)
        scene, terrain = context.scene, state.active_terrain(context)
        has_camera = parts.find(scene, cameras.PART) is not None
        _draw_part(layout, context, Sky, "WORLD", is_there=skies.is_ours(scene.world))
        _draw_part(layout, context, Camera, "CAMERA_DATA", is_there=has_camera)
        has_water = parts.find(scene, waters.PART, terrain) is not None
        _draw_plain_part(layout, "water", "Water", "MOD_OCEAN", is_there=has_water)
        has_surroundings = surroundings.kind_of(scene, terrain) != "none"
        _draw_plain_part(
            layout, "surroundings", "Surroundings", "MESH_GRID", is_there=has_surroundings
        )
        has_patch = parts.find(scene, patches.PART, terrain) is not None
        _draw_plain_part(
            layout,
            "detail_patch",
            "Detail Patch",
            "VIEW_PERSPECTIVE",
            is_there=has_patch,
            again=True,
        )


def _draw_plain_part(
    layout: bpy.types.UILayout,
    name: str,
    label: str,
    icon: Any,
    *,
    is_there: bool,
    again: bool = False,
) -> None:
    """Draw a part without settings: the button that adds it, or those that make it again and remove it."""
    if not is_there:
        layout.operator(f"terrane.{name}_add", icon=icon)
        return
    row = layout.row(align=True)
    row.label(text=label, icon=icon)
    if again:
        row.operator(f"terrane.{name}_add", text="", icon="FILE_REFRESH")
    row.operator("terrane.landscape_part_remove", text="", icon="X").part = name


def _draw_part(
    layout: Any,
    context: bpy.types.Context,
    declared: type[Declared],
    icon: Any,
    *,
    is_there: bool,
) -> None:
    """Draw a part that has settings: the button that adds it, or its settings in a closed panel."""
    name = declared.key
    if not is_there:
        layout.operator(f"terrane.{name}_add", icon=icon)
        return
    header, body = layout.panel(f"TERRANE_{name}", default_closed=True)
    row = header.row(align=True)
    row.label(text=declared.label, icon=icon)
    row.operator("terrane.landscape_part_remove", text="", icon="X").part = name
    if body is not None:
        draw_parameters(body, settings.OF[declared].of(context), declared.parameters())
        body.operator(f"terrane.{name}_add", text="Update", icon="FILE_REFRESH").from_panel = True


CLASSES = (TERRANE_PT_landscape,)
