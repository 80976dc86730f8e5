# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane's tab in the 3D viewport: terrain, and displacement of other meshes."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.interface.messages import Message, translate
from ..operators.bridge.scene import parts
from ..operators.bridge.schema import state
from ..operators.bridge.schema.displace_settings import DISPLACE
from ..operators.bridge.schema.keywords import keywords
from ..operators.bridge.tasks import live
from ..operators.bridge.terrain import ant_objects, terrain_product, terrains, user_mesh
from .declared import draw_parameters, draw_vector
from .layers import LayerSection, LayersSection
from .live import draw_note, draw_switch, draw_text
from .manual import draw_button
from .motion import draw_shared_motion
from .presets import PreviewSection
from .progress import draw_progress
from .sections import (
    LAYER,
    LAYERS,
    MEASURES,
    NOISE,
    OVERVIEW,
    ForMesh,
    InTerrain,
    InViewport,
    NoiseSection,
    OfTerrain,
    draw_recipe,
    split,
)

REGIONS = (
    ("cursor", Message("Load Region at 3D Cursor"), "CURSOR"),
    ("camera", Message("Load Region at Camera"), "CAMERA_DATA"),
)
"""Places of a region, the texts of their buttons, and their icons."""

USUAL = ("size", "height", "resolution")
"""Measures of a terrain that everybody changes."""


class TERRANE_PT_terrain(InViewport, bpy.types.Panel):
    """Make a terrain, or change the active one."""

    bl_label = "Terrane"
    bl_order = 1
    """Below the selected part of a landscape."""

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the switch of live update, and the button that opens the manual."""
        draw_switch(self.layout, context)
        draw_button(self.layout)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the buttons and the preset."""
        layout = split(self.layout)
        _draw_lost_parts(layout, context)
        terrain, planet = state.active_terrain(context), state.active_planet(context)
        row = layout.row()
        row.scale_y = 1.4
        if draw_progress(row):
            pass
        elif planet is not None:
            row.operator("terrane.planet_update", text="Update", icon="FILE_REFRESH")
            row.operator("terrane.planet_add", text="", icon="ADD")
        elif terrain is None:
            if ant_objects.stored_settings(context.active_object):
                layout.operator("terrane.terrain_from_ant", icon="RNDCURVE")
            elif _can_become_terrain(state.active_object(context)):
                layout.operator("terrane.terrain_from_mesh", icon="MESH_GRID")
            row.operator("terrane.landscape_add", icon="SCENE_DATA").from_panel = True
            layout.operator("terrane.terrain_add", icon="RNDCURVE").from_panel = True
            layout.operator("terrane.planet_add", icon="SPHERE")
            layout.operator("terrane.heightmap_import", text="Import Heightmap...", icon="IMPORT")
            layout.operator("terrane.world_open", text="Open World...", icon="WORLD")
        else:
            row.operator("terrane.terrain_update", text="Update", icon="FILE_REFRESH")
            row.operator("terrane.terrain_add", text="", icon="ADD").from_panel = True
            row.operator("terrane.landscape_add", text="", icon="SCENE_DATA").from_panel = True
            row.operator("terrane.heightmap_import", text="", icon="IMPORT")
        draw_note(layout, context, terrain or planet)
        if live.note(terrain) == terrain_product.EDITED:
            layout.operator("terrane.layer_from_sculpt", icon="SCULPTMODE_HLT")
        if terrain is not None:
            draw_shared_motion(layout, context, terrain)
        draw_recipe(layout, context)


def _draw_lost_parts(layout: Any, context: bpy.types.Context) -> None:
    """Draw a button that removes the parts of landscapes whose terrain was deleted, if there are any."""
    lost = parts.lost(context.scene)
    if lost:
        text = Message("The terrain of {} objects was deleted", len(lost))
        row = layout.row(align=True)
        row.label(text=translate(text), icon="ERROR", translate=False)
        row.operator("terrane.landscape_remove", text="Remove", icon="TRASH").lost = True


class TERRANE_PT_world(InTerrain, bpy.types.Panel):
    """The part of exported land that is shown at full detail."""

    bl_label = "World"
    bl_order = OVERVIEW

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for worlds."""
        return state.is_world(context.active_object)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the buttons."""
        column: Any = self.layout.column(align=True)
        for place, text, icon in REGIONS:
            button = column.operator("terrane.world_region_load", text=text, icon=icon)
            button.place = place
        if state.has_region(context.active_object):
            self.layout.operator("terrane.world_region_remove", icon="X")


class TERRANE_PT_terrain_preview(PreviewSection, InTerrain, bpy.types.Panel):
    """Preview of the settings, and pictures of all presets."""


class TERRANE_PT_terrain_noise(NoiseSection, InTerrain, bpy.types.Panel):
    """Seed, octaves, frequency, persistence and warp."""

    bl_order = NOISE


class TERRANE_PT_displace(ForMesh, bpy.types.Panel):
    """Displace the active mesh by the same noise in space."""

    bl_label = "Displace Mesh"
    bl_order = MEASURES

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for meshes that are not terrains."""
        return super().poll(context) and not state.is_terrain(state.active_object(context))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options and the button."""
        layout = split(self.layout)
        settings = getattr(state.active_settings(context), state.DISPLACE_GROUP)
        draw_parameters(layout, settings, DISPLACE)
        layout.prop_search(settings, "mask", state.active_object(context), "vertex_groups")
        layout.operator("terrane.mesh_displace", icon="MOD_DISPLACE").from_panel = True


class TERRANE_PT_terrain_measures(OfTerrain, bpy.types.Panel):
    """How large the terrain is, and how fine."""

    bl_label = "Terrain"
    bl_order = MEASURES

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the measures."""
        layout = split(self.layout)
        group = state.active_settings(context)
        declared = keywords()
        terrain: Any = state.active_terrain(context)
        if terrain is not None and user_mesh.grid.UserMeshGrid.of(terrain.data) is not None:
            draw_parameters(layout, group, (declared["height"],))
            _draw_release(layout)
            return
        column = layout.column(align=True)
        draw_parameters(column, group, (declared[name] for name in USUAL))
        header, body = layout.panel("TERRANE_terrain_advanced", default_closed=True)
        header.label(text="Advanced")
        if body is not None:
            draw_parameters(body, group, (declared["depth"], declared["seamless"]))
            column = body.column()
            column.active = not group.seamless
            draw_vector(column, group, declared["tile"])
        if terrains.is_eroded(group):
            _draw_erosion(layout, context, group)


def _is_mesh(obj: bpy.types.Object | None) -> bool:
    return obj is not None and obj.type == "MESH"


def _can_become_terrain(obj: bpy.types.Object | None) -> bool:
    """Return whether the counts of a mesh are those of a grid, which its vertices may still not form."""
    return _is_mesh(obj) and not user_mesh.recognition.why_not(obj)


def _draw_release(layout: Any) -> None:
    """Draw the buttons that make an ordinary mesh again of one that became a terrain."""
    layout.label(text="The mesh keeps its vertices", icon="MESH_GRID")
    row = layout.row(align=True)
    keep = row.operator("terrane.mesh_release", text="Apply Layers", icon="CHECKMARK")
    keep.apply = True
    row.operator("terrane.mesh_release", text="Revert to Mesh", icon="LOOP_BACK")


def _draw_erosion(layout: Any, context: bpy.types.Context, group: Any) -> None:
    """Draw how erosion treats the borders of the terrain, if it has neighbors."""
    if group.seamless:
        draw_text(layout, context, "Seamless erosion: copies of this terrain join")
    elif any(group.tile):
        draw_text(layout, context, "Erosion of one tile: edges differ from its neighbors")


class TERRANE_PT_terrain_layers(LayersSection, InTerrain, bpy.types.Panel):
    """The layers of noise and the modifiers."""

    bl_order = LAYERS


class TERRANE_PT_terrain_layer(LayerSection, InTerrain, bpy.types.Panel):
    """The active layer: its noise and filters, or the parameters of its modifier, and its masks."""

    bl_order = LAYER
