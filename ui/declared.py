# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing of declared parameters that have a property, while they have an effect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy
from bpy.app.translations import pgettext_iface

from ..operators.bridge.schema import state
from ..operators.bridge.schema.fields import AUTO, FIELD, shown_name
from ..operators.bridge.schema.keywords import Parameter
from ..operators.bridge.schema.properties import CONTEXT
from ..operators.bridge.terrain import drawn_curves
from .live import draw_text

AXES = ("X", "Y", "Z", "W")


def draw_parameters(
    layout: bpy.types.UILayout,
    group: Any,
    parameters: Iterable[Parameter],
    unit: str = "",
) -> None:
    """Draw those properties of a group that have an effect now, in the order of their declaration.

    Parameters
    ----------
    layout : UILayout
    group : PropertyGroup
    parameters : iterable of Parameter
    unit : str
        Follows the names of numbers whose declaration has no unit.
    """
    properties = group.bl_rna.properties
    for parameter in parameters:
        if parameter.name in properties and parameter.is_visible(group):
            draw_parameter(layout, group, parameter, unit)


def draw_with_advanced(layout: Any, group: Any, parameters: Iterable[Parameter], key: str) -> None:
    """Draw a group's properties; the advanced ones in a panel that is closed at first.

    `key` identifies the panel for Blender, which remembers whether it is open.
    """
    shown = tuple(parameters)
    draw_parameters(layout, group, (parameter for parameter in shown if not parameter.advanced))
    properties = group.bl_rna.properties
    advanced = [
        parameter
        for parameter in shown
        if parameter.advanced and parameter.name in properties and parameter.is_visible(group)
    ]
    if advanced:
        header, body = layout.panel(f"TERRANE_advanced_{key}", default_closed=True)
        header.label(text="Advanced")
        if body is not None:
            draw_parameters(body, group, advanced)


def draw_parameter(
    layout: bpy.types.UILayout, group: Any, parameter: Parameter, unit: str = ""
) -> None:
    """Draw one property according to its kind."""
    if parameter.kind == "curve":
        draw_points(layout, getattr(group, parameter.name))
    elif parameter.kind == "pixels":
        layout.template_ID(group, parameter.name, open="image.open")
    elif parameter.kind == "vector" and not parameter.is_color:
        draw_vector(layout, group, parameter)
    elif parameter.name + AUTO in group.bl_rna.properties:
        draw_automatic(layout, group, parameter, unit)
    elif parameter.usual:
        row: Any = layout.row(align=True)
        row.prop(group, shown_name(parameter, group))
        button = row.operator("terrane.number_scale", text="", icon="ARROW_LEFTRIGHT")
        button.name = parameter.name
    else:
        _draw_number(layout, group, parameter, shown_name(parameter, group), unit)


def draw_automatic(layout: Any, group: Any, parameter: Parameter, unit: str = "") -> None:
    """Draw a number and its switch *Auto*; while that is on, the number shows what it is now, and is inactive."""
    row = layout.row(align=True)
    number = row.row(align=True)
    is_automatic = getattr(group, parameter.name + AUTO)
    number.active = not is_automatic
    field = parameter.name + FIELD
    if is_automatic and field not in group.bl_rna.properties:
        number.label(text=pgettext_iface(parameter.title, CONTEXT), translate=False)
    else:
        name = field if is_automatic else parameter.name
        _draw_number(number, group, parameter, name, unit)
    row.prop(group, parameter.name + AUTO, toggle=True)


def _draw_number(layout: Any, group: Any, parameter: Parameter, name: str, unit: str) -> None:
    """Draw the property of a parameter, with the unit after its name if the declaration has none."""
    if unit and parameter.kind == "number":
        title = pgettext_iface(parameter.title, CONTEXT)
        layout.prop(group, name, text=f"{title} ({unit})", translate=False)
    else:
        layout.prop(group, name)


def draw_points(layout: Any, points: Any) -> None:
    """Draw the points of a curve as numbers, in a panel that is closed at first."""
    header, body = layout.panel("TERRANE_curve_points", default_closed=True)
    header.label(text="Points")
    for point in points if body is not None else ():
        body.row(align=True).prop(point, "position", text="")


def draw_vector(layout: bpy.types.UILayout, group: Any, parameter: Parameter) -> None:
    """Draw the coordinates of a vector, labeled as Blender labels its own: Tile X, Y."""
    column = layout.column(align=True)
    title = pgettext_iface(parameter.title, CONTEXT)
    for index, axis in enumerate(AXES[: parameter.size]):
        text = axis if index else f"{title} {axis}"
        column.prop(group, parameter.name, index=index, text=text, translate=False)


def draw_places(layout: Any, entry: Any) -> None:
    """Draw the empties of a stamp, with the reason where the land does not follow one."""
    terrain = state.active_terrain(bpy.context)
    column = layout.column()
    column.template_ID(entry, "pixels", open="image.open")
    _draw_slots(column, entry.placements, "Places", "LAYER", ("terrane.place_make", "EMPTY_ARROWS"))
    if terrain is not None:
        column.operator("terrane.stamp_repeat", icon="ADD")
    column.operator("terrane.curve_choose", text="Choose Another Empty", icon="ADD").part = "LAYER"


def draw_curves(layout: Any, node: Any, part: str = "LAYER") -> None:
    """Draw the curves of a layer or mask, with the reason where the land does not follow one."""
    terrain = state.active_terrain(bpy.context)
    column = layout.column()
    _draw_slots(column, node.curves, "Curves", part, ("terrane.curve_make", "OUTLINER_OB_CURVE"))
    if terrain is not None and (text := drawn_curves.narrow_bed(terrain, node)):
        draw_text(column, bpy.context, text, "INFO")
    column.operator("terrane.curve_choose", icon="ADD").part = part


def _draw_slots(column: Any, slots: Any, title: str, part: str, maker: tuple[str, str]) -> None:
    """Draw slots, each with buttons to make its object, by an operator with an icon, and to remove it."""
    terrain = state.active_terrain(bpy.context)
    for place, slot in enumerate(slots):
        row = column.row(align=True)
        row.prop(slot, "object", text="" if place else title)
        note = drawn_curves.note(terrain, slot)
        if note and slot.points and terrain is not None:
            _button(row, *maker, part, place)
        _button(row, "terrane.curve_forget", "X", part, place)
        if note:
            draw_text(column, bpy.context, note, "INFO")


def _button(row: Any, name: str, icon: str, part: str, place: int) -> None:
    button = row.operator(name, text="", icon=icon)
    button.part, button.place = part, place
