# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a landscape around the active terrain, from the ground to the camera."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import bpy

from ..operators.bridge.interface.messages import Message, translate
from ..operators.bridge.scene import (
    ground_colors,
    landscapes,
    parts,
    plants,
    settings,
    skies,
    waters,
)
from ..operators.bridge.scene.settings import (
    Camera,
    Cliffs,
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
from .planet import GROUPS, draw_group
from .progress import draw_progress
from .sections import LANDSCAPE, InViewport, OfTerrain, split

Draw = Callable[[Any, bpy.types.Context], None]
"""Draws the settings of a part."""


class TERRANE_PT_landscape(OfTerrain, bpy.types.Panel):
    """Parts of a picture of the terrain, from the ground to the camera."""

    bl_label = "Landscape"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = LANDSCAPE

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for terrains."""
        return state.active_terrain(context) is not None

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the button that opens the manual."""
        draw_button(self.layout, "landscapes")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the parts from below: present parts with their settings, missing parts as buttons that add them.

        The selected part has a panel of its own above all others.
        """
        layout, selected = split(self.layout), selected_part(context)
        terrain = state.active_terrain(context)
        for part in shown_parts(context, terrain):
            if selected is None or part.name != selected.name:
                _draw_part(layout, context, part)
            if part.name == "ground":
                _draw_colors(layout, context, terrain)
        if landscapes.is_dressed(context.scene, terrain):
            layout.operator("terrane.landscape_remove", icon="TRASH")


class TERRANE_PT_part(InViewport, bpy.types.Panel):
    """The selected part of a landscape, above the main panel."""

    bl_label = ""
    bl_order = 0

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for parts with settings."""
        return selected_part(context) is not None

    def draw_header(self, context: bpy.types.Context) -> None:
        """Draw the name of the part."""
        if part := selected_part(context):
            self.layout.label(text=part.label, icon=part.icon)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the buttons that move and remove it."""
        if part := selected_part(context):
            _draw_buttons(self.layout, part)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw its settings."""
        if part := selected_part(context):
            part.draw(split(self.layout), context)


def selected_part(context: bpy.types.Context) -> ShownPart | None:
    """Return the part of a landscape or of a planet whose object is active, None if none is."""
    obj: Any = context.active_object
    mark = "" if obj is None else obj.get(state.PART, "")
    if not mark:
        return None
    candidates = [*shown_parts(context, state.active_terrain(context)), *_shells()]
    name = _name_of(mark)
    return next((part for part in candidates if part.is_there and part.name == name), None)


def _name_of(mark: str) -> str:
    """Return the name of a part by the mark of its object; modules are imported on use."""
    names = {
        waters.OPEN_SEA: "water",
        waters.LAND: "surroundings",
        parts.BASE: "surroundings",
        skies.SUN: "sky",
    }
    return names.get(mark, mark)


def _draw_colors(
    layout: bpy.types.UILayout, context: bpy.types.Context, terrain: bpy.types.Object
) -> None:
    """Draw the colors in Solid view, with the switch of the viewports."""
    if not ground_colors.is_there(terrain):
        layout.operator("terrane.colors_add", icon="COLOR")
        return
    row = layout.row(align=True)
    row.label(text=landscapes.PARTS["colors"].label, icon="COLOR")
    is_on = viewports.shows_colors(context)
    row.operator("terrane.viewport_colors", text="", icon="SHADING_SOLID", depress=is_on)
    row.operator("terrane.landscape_part_remove", text="", icon="X").part = "colors"


@dataclass(frozen=True)
class ShownPart:
    """Part of a landscape or of a planet in the panel.

    Attributes
    ----------
    name, label, icon : str
    draw : callable
        Draws its settings.
    part : landscapes.LandscapePart, optional
        How it comes and goes; a part of a planet comes and goes with its settings.
    is_there : bool
    """

    name: str
    label: str
    icon: Any
    draw: Draw
    part: landscapes.LandscapePart | None = None
    is_there: bool = True


def _shells() -> list[ShownPart]:
    """Return the parts around a planet."""
    marks = (parts.PLANET_SEA, parts.PLANET_AIR, parts.PLANET_CLOUDS, parts.PLANET_RINGS)
    return [
        ShownPart(mark, title, icon, partial(draw_group, names))
        for mark, (title, icon, names) in zip(marks, GROUPS[1:])
    ]


def shown_parts(context: bpy.types.Context, terrain: Any) -> list[ShownPart]:
    """Return the parts of a terrain's landscape from below."""
    present = landscapes.present(context.scene, terrain)
    return [
        ShownPart(name, part.label, part.icon, _drawers()[name], part, name in present)
        for name, part in landscapes.PARTS.items()
        if name in _drawers()
    ]


@functools.cache
def _drawers() -> dict[str, Draw]:
    """Return the functions that draw the settings of parts, by name; the colors have none."""
    declared = (Surroundings, Sky, Cliffs, DetailPatch)
    return {
        **{cls.key: _drawer_of(cls) for cls in declared},
        "ground": _draw_ground,
        "water": _draw_water,
        "camera": _draw_camera,
        "plants": _draw_plants,
    }


def _adder(context: bpy.types.Context, shown: ShownPart) -> tuple[str, Message | None]:
    """Return the operator that adds a part, and the text of its button if something of the user's is replaced."""
    add = (shown.part.add if shown.part is not None else "") or f"{shown.name}_add"
    is_replaced = shown.name == "sky" and not skies.is_untouched(context.scene.world)
    return f"terrane.{add}", Message("Replace World") if is_replaced else None


def _draw_part(layout: Any, context: bpy.types.Context, part: ShownPart) -> None:
    """Draw the button that adds a part; if it is there, a closed panel of its settings with a cross that removes it."""
    if not part.is_there:
        row, (operator, replaces) = layout.row(), _adder(context, part)
        is_long = part.part is not None and part.part.is_long
        if replaces is not None:
            text = translate(replaces)
            button = row.operator(operator, text=text, icon=part.icon, translate=False)
            button.replace = True
        elif not (is_long and draw_progress(row)):
            row.operator(operator, icon=part.icon)
        return
    header, body = layout.panel(f"TERRANE_{part.name}", default_closed=True)
    row = header.row(align=True)
    row.label(text=part.label, icon=part.icon)
    _draw_buttons(row, part)
    if body is not None:
        part.draw(body, context)


def _draw_buttons(layout: Any, part: ShownPart) -> None:
    """Draw the buttons that move and remove a part."""
    if part.part is not None:
        if part.part.moves:
            layout.operator(f"terrane.{part.name}_add", text="", icon="FILE_REFRESH")
        layout.operator("terrane.landscape_part_remove", text="", icon="X").part = part.name


def _draw_ground(layout: Any, context: bpy.types.Context) -> None:
    """Draw the settings of the ground material."""
    draw_ground(layout, context, text="Update")


def _draw_water(layout: Any, context: bpy.types.Context) -> None:
    """Draw the settings of the water."""
    water = parts.find(context.scene, waters.PART, state.active_terrain(context))
    draw_parameters(layout, settings.WATER.group(water), Water.parameters())
    layout.operator("terrane.water_add", text="Update", icon="FILE_REFRESH").from_panel = True


def _draw_camera(layout: Any, context: bpy.types.Context) -> None:
    """Draw the views to choose from, and the settings of the camera."""
    layout.operator_menu_enum("terrane.camera_add", "view", text="Views", icon="CAMERA_DATA")
    _drawer_of(Camera)(layout, context)


def _drawer_of(declared: type[Declared]) -> Draw:
    """Return a function that draws the settings of a declared part and their Update button."""

    def draw(layout: Any, context: bpy.types.Context) -> None:
        draw_parameters(layout, settings.OF[declared].of(context), declared.parameters())
        name = f"terrane.{declared.key}_add"
        layout.operator(name, text="Update", icon="FILE_REFRESH").from_panel = True

    return draw


def _draw_plants(body: Any, context: bpy.types.Context) -> None:
    """Draw the settings of the plants, each kind in a closed panel."""
    group = settings.OF[Plants].of(context)
    draw_parameters(body, group, Plants.of_kind(""))
    obj: Any = parts.find(context.scene, plants.PART, state.active_terrain(context))
    body.prop(obj, "display_type", text="Display As")
    for kind, label in plant_kinds().items():
        header, inner = body.panel(f"TERRANE_plants_{kind}", default_closed=True)
        header.label(text=label)
        if inner is not None:
            draw_with_advanced(inner, group, Plants.of_kind(kind), f"plants_{kind}")
    update = body.operator("terrane.scatter_add", text="Update", icon="FILE_REFRESH")
    update.from_panel = True
