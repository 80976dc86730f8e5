# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of terrains, of surfaces and of noise nodes; files of textures."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.interface.messages import Message
from ..operators.bridge.nodetree.terrain_material import settings as terrain_settings
from ..operators.bridge.schema import state
from ..operators.bridge.textures import node_settings, surface_browser, surface_settings
from .declared import draw_parameters
from .live import draw_text
from .presets import SCALE, SCALE_IN_POPUP
from .progress import draw_job_button
from .sections import ForMesh, InViewport, OfTerrain, split


class TERRANE_PT_terrain_material(ForMesh, bpy.types.Panel):
    """Layers of ground that find their places by slope, height and water."""

    bl_label = "Ground Material"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for meshes that are not terrains: the panel Landscape has the ground of those."""
        return super().poll(context) and not state.is_terrain(state.active_object(context))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings and the button."""
        draw_ground(split(self.layout), context)


def draw_ground(layout: bpy.types.UILayout, context: bpy.types.Context, text: str = "") -> None:
    """Draw the settings of a ground material, and the button that makes it."""
    group = terrain_settings.of(context)
    draw_parameters(layout, group, terrain_settings.LOOK)
    if group.style == "layers":
        _draw_switches(layout, group)
        draw_parameters(layout.column(align=True), group, terrain_settings.LIMITS)
    draw_parameters(layout.column(align=True), group, terrain_settings.WATER)
    draw_parameters(layout.column(align=True), group, terrain_settings.DETAIL)
    draw_job_button(layout, "terrane.terrain_material", "MATERIAL", text)


def _draw_switches(layout: bpy.types.UILayout, group: Any) -> None:
    flow = layout.grid_flow(row_major=True, columns=4, even_columns=True, align=True)
    flow.use_property_split = False
    for switch in terrain_settings.SWITCHES:
        flow.prop(group, switch.name, toggle=True)


def draw_left_out(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the names of surface files that could not be read, with the reasons."""
    for name, reason in surface_settings.left_out().items():
        draw_text(
            layout, context, Message("The surface {} was left out: {}", name, reason), "ERROR"
        )


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
    draw_job_button(layout, operator, "FILE_TICK")


def draw_pictures(layout: Any, group: Any) -> None:
    """Draw the picture of the settings, which follows them; a click on it shows those of all surfaces."""
    if surface_settings.is_known(group.surface):
        surface, _ = surface_settings.SURFACES.part(group, group.surface)
        surface_browser.follow(group, surface)
    layout.template_icon_view(
        group, surface_browser.PICTURE, show_labels=True, scale=SCALE, scale_popup=SCALE_IN_POPUP
    )


def draw_surface(
    layout: bpy.types.UILayout, context: bpy.types.Context, seed: str = "Seed"
) -> None:
    """Draw the surface of the settings, its exposed parameters, its seed under a name, and its measures."""
    group = surface_settings.of(context)
    draw_pictures(layout, group)
    layout.prop(group, "surface")
    draw_left_out(layout, context)
    if not surface_settings.is_known(group.surface):
        layout.label(text="Unknown to this version: choose another", icon="ERROR")
        return
    draw_parameters(layout, *surface_settings.SURFACES.part(group, group.surface))
    layout.prop(group, "seed", text=seed)
    column = layout.column(align=True)
    draw_parameters(column, group, surface_settings.IMAGE)
    if group.size == 0.0:
        row = layout.row()
        row.active, row.alignment = False, "RIGHT"
        row.label(text=surface_settings.describe_size(group.surface), translate=False)


class TERRANE_PT_material(OfTerrain, bpy.types.Panel):
    """A surface, and a button that makes a material of it for the active object."""

    bl_label = "Surface Material"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings and the button."""
        layout = split(self.layout)
        group = surface_settings.of(context)
        draw_surface(layout, context, seed="Surface Seed")
        draw_parameters(layout, group, surface_settings.MATERIAL)
        draw_job_button(layout, "terrane.material_add", "MATERIAL")


class TERRANE_PT_material_files(InViewport, bpy.types.Panel):
    """Files of the same surface."""

    bl_label = "Image Files"
    bl_parent_id = "TERRANE_PT_material"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the maps and options of the files, and the button."""
        group = surface_settings.of(context)
        draw_map_switches(self.layout, group)
        layout = split(self.layout)
        draw_parameters(layout, group, surface_settings.FILES)
        draw_folder(layout, group)


class TERRANE_PT_nodes(InViewport, bpy.types.Panel):
    """The noise of this tab as Blender's own nodes."""

    bl_label = "Noise Nodes"
    bl_parent_id = "TERRANE_PT_material"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options and the button."""
        layout = split(self.layout)
        draw_parameters(layout, node_settings.NODE_SETTINGS.of(context), node_settings.NODES)
        layout.operator("terrane.nodes_add", icon="NODETREE").from_panel = True
