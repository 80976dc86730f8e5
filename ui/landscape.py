# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a landscape around the active terrain, from the ground to the camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy

from ..operators.bridge.datablocks import materials
from ..operators.bridge.interface.messages import Message, translate
from ..operators.bridge.nodetree.terrain_material import settings as ground
from ..operators.bridge.scene import (
    cameras,
    ground_colors,
    parts,
    patches,
    plants,
    settings,
    skies,
    surroundings,
    waters,
)
from ..operators.bridge.scene.settings import (
    Camera,
    Declared,
    DetailPatch,
    Plants,
    Sky,
    Surroundings,
    Water,
    plant_kinds,
)
from ..operators.bridge.schema import state
from ..operators.bridge.terrain import viewports
from .declared import draw_parameters, draw_with_advanced
from .manual import draw_button
from .material import draw_ground
from .progress import draw_progress
from .sections import InTerrain, split

Draw = Callable[[Any, bpy.types.Context], None]
"""Draws the settings of a part."""


class TERRANE_PT_landscape(InTerrain, bpy.types.Panel):
    """Parts of a picture of the terrain, from the ground to the camera."""

    bl_label = "Landscape"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 5

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for terrains."""
        return state.active_terrain(context) is not None

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the button that opens the manual."""
        draw_button(self.layout, "landscapes")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the parts from below: present parts with their settings, missing parts as buttons that add them."""
        layout = split(self.layout)
        scene, terrain = context.scene, state.active_terrain(context)
        material = materials.marked_material(terrain, ground.MARK)
        part = _LandscapePart("ground", "Ground", "MATERIAL", _draw_ground, add="terrain_material")
        _draw_part(layout, context, part, is_there=material is not None)
        _draw_colors(layout, context, terrain)
        water = _LandscapePart("water", "Water", "MOD_OCEAN", _draw_water)
        is_there = parts.find(scene, waters.PART, terrain) is not None
        _draw_part(layout, context, water, is_there=is_there)
        land = _LandscapePart("surroundings", "Surroundings", "MESH_GRID", _drawer_of(Surroundings))
        is_there = surroundings.kind_of(scene, terrain) != "none"
        _draw_part(layout, context, land, is_there=is_there)
        replaces = None if skies.is_untouched(scene.world) else Message("Replace World")
        sky = _LandscapePart("sky", "Sky", "WORLD", _drawer_of(Sky), replaces=replaces)
        _draw_part(layout, context, sky, is_there=skies.is_ours(scene.world))
        camera = _LandscapePart("camera", "Camera", "CAMERA_DATA", _drawer_of(Camera))
        is_there = parts.find(scene, cameras.PART) is not None
        _draw_part(layout, context, camera, is_there=is_there)
        _draw_plants(layout, context, parts.find(scene, plants.PART, terrain))
        patch = _LandscapePart(
            *(patches.PART, DetailPatch.label, "VIEW_PERSPECTIVE", _drawer_of(DetailPatch)),
            moves=True,
        )
        is_there = parts.find(scene, patches.PART, terrain) is not None
        _draw_part(layout, context, patch, is_there=is_there)


def _draw_colors(
    layout: bpy.types.UILayout, context: bpy.types.Context, terrain: bpy.types.Object
) -> None:
    """Draw the colors in Solid view, with the switch of the viewports."""
    if not ground_colors.is_there(terrain):
        layout.operator("terrane.colors_add", icon="COLOR")
        return
    row = layout.row(align=True)
    row.label(text="Colors", icon="COLOR")
    is_on = viewports.shows_colors(context)
    row.operator("terrane.viewport_colors", text="", icon="SHADING_SOLID", depress=is_on)
    row.operator("terrane.landscape_part_remove", text="", icon="X").part = "colors"


@dataclass(frozen=True)
class _LandscapePart:
    """Part of a landscape in the panel.

    Attributes
    ----------
    name, label, icon : str
    draw : callable
        Draws its settings.
    add : str
        Operator that adds it, if that is not named after it.
    moves : bool
        Whether it has a button that moves it.
    replaces : Message, optional
        Text of the button that adds it in place of something of the user's.
    """

    name: str
    label: str
    icon: Any
    draw: Draw
    add: str = ""
    moves: bool = False
    replaces: Message | None = None


def _draw_part(
    layout: Any, context: bpy.types.Context, part: _LandscapePart, *, is_there: bool
) -> None:
    """Draw the button that adds a part; if it is there, a closed panel of its settings with a cross that removes it."""
    if not is_there:
        row, operator = layout.row(), f"terrane.{part.add or f'{part.name}_add'}"
        if part.replaces is not None:
            text = translate(part.replaces)
            button = row.operator(operator, text=text, icon=part.icon, translate=False)
            button.replace = True
        elif not (part.add and draw_progress(row)):
            row.operator(operator, icon=part.icon)
        return
    header, body = layout.panel(f"TERRANE_{part.name}", default_closed=True)
    row = header.row(align=True)
    row.label(text=part.label, icon=part.icon)
    if part.moves:
        row.operator(f"terrane.{part.name}_add", text="", icon="FILE_REFRESH")
    row.operator("terrane.landscape_part_remove", text="", icon="X").part = part.name
    if body is not None:
        part.draw(body, context)


def _draw_ground(layout: Any, context: bpy.types.Context) -> None:
    """Draw the settings of the ground material."""
    draw_ground(layout, context, text="Update")


def _draw_water(layout: Any, context: bpy.types.Context) -> None:
    """Draw the settings of the water."""
    water = parts.find(context.scene, waters.PART, state.active_terrain(context))
    draw_parameters(layout, settings.WATER.group(water), Water.parameters())
    layout.operator("terrane.water_add", text="Update", icon="FILE_REFRESH").from_panel = True


def _drawer_of(declared: type[Declared]) -> Draw:
    """Return a function that draws the settings of a declared part and their Update button."""

    def draw(layout: Any, context: bpy.types.Context) -> None:
        draw_parameters(layout, settings.OF[declared].of(context), declared.parameters())
        name = f"terrane.{declared.key}_add"
        layout.operator(name, text="Update", icon="FILE_REFRESH").from_panel = True

    return draw


def _draw_plants(layout: Any, context: bpy.types.Context, obj: Any) -> None:
    """Draw the plants: the button that adds them, or their settings, each kind in a closed panel."""
    if obj is None:
        layout.operator("terrane.scatter_add", icon="OUTLINER_OB_CURVES")
        return
    header, body = layout.panel("TERRANE_plants", default_closed=True)
    row = header.row(align=True)
    row.label(text=Plants.label, icon="OUTLINER_OB_CURVES")
    row.operator("terrane.landscape_part_remove", text="", icon="X").part = "plants"
    if body is None:
        return
    group = settings.OF[Plants].of(context)
    draw_parameters(body, group, Plants.of_kind(""))
    body.prop(obj, "display_type", text="Display As")
    for kind, label in plant_kinds().items():
        header, inner = body.panel(f"TERRANE_plants_{kind}", default_closed=True)
        header.label(text=label)
        if inner is not None:
            draw_with_advanced(inner, group, Plants.of_kind(kind), f"plants_{kind}")
    update = body.operator("terrane.scatter_add", text="Update", icon="FILE_REFRESH")
    update.from_panel = True


CLASSES = (TERRANE_PT_landscape,)
