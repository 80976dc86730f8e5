# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a landscape around the active terrain: sky, camera, surroundings."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.interface.core import Camera, Declared, Sky, Water
from ..operators.bridge.scene import cameras, parts, settings, skies, surroundings, waters
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
        own = settings.OF[Sky].of(context) if skies.is_ours(scene.world) else None
        _draw_part(layout, Sky, "WORLD", own)
        own = settings.OF[Camera].of(context) if has_camera else None
        _draw_part(layout, Camera, "CAMERA_DATA", own)
        water = parts.find(scene, waters.PART, terrain)
        own = None if water is None else getattr(water, settings.WATER)
        _draw_part(layout, Water, "MOD_OCEAN", own)
        has_surroundings = surroundings.kind_of(scene, terrain) != "none"
        _draw_plain_part(
            layout, "surroundings", "Surroundings", "MESH_GRID", is_there=has_surroundings
        )


def _draw_plain_part(
    layout: bpy.types.UILayout, name: str, label: str, icon: Any, *, is_there: bool
) -> None:
    """Draw a part without settings: the button that adds it, or the one that removes it."""
    if not is_there:
        layout.operator(f"terrane.{name}_add", icon=icon)
        return
    row = layout.row(align=True)
    row.label(text=label, icon=icon)
    row.operator("terrane.landscape_part_remove", text="", icon="X").part = name


def _draw_part(layout: Any, declared: type[Declared], icon: Any, own: Any | None) -> None:
    """Draw a part that has settings: these in a closed panel, or the button that adds it if there are none."""
    name = declared.key
    if own is None:
        layout.operator(f"terrane.{name}_add", icon=icon)
        return
    header, body = layout.panel(f"TERRANE_{name}", default_closed=True)
    row = header.row(align=True)
    row.label(text=declared.label, icon=icon)
    row.operator("terrane.landscape_part_remove", text="", icon="X").part = name
    if body is not None:
        draw_parameters(body, own, declared.parameters())
        body.operator(f"terrane.{name}_add", text="Update", icon="FILE_REFRESH").from_panel = True


CLASSES = (TERRANE_PT_landscape,)
