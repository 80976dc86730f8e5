# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing of declared parameters that have a property, while they have an effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import bpy
from bpy.app.translations import pgettext_iface

from ..operators.bridge.schema import state
from ..operators.bridge.schema.fields import draw_number, shown_name, titled_row
from ..operators.bridge.schema.keywords import Parameter
from ..operators.bridge.schema.properties import CONTEXT
from ..operators.bridge.terrain import followed_sources, path_layers
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
    elif parameter.usual:
        row: Any = layout.row(align=True)
        row.prop(group, shown_name(parameter, group))
        button = row.operator("terrane.number_scale", text="", icon="ARROW_LEFTRIGHT")
        button.name = parameter.name
    else:
        unit = unit if parameter.kind == "number" else ""
        draw_number(layout, group, parameter.name, shown=shown_name(parameter, group), unit=unit)


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
    """Draw the heights and the empties of a stamp, with the reason where the land does not follow one."""
    terrain = state.active_terrain(bpy.context)
    column = layout.column()
    column.template_ID(entry, "pixels", open="image.open")
    for place, slot in enumerate(entry.placements):
        row = column.row(align=True)
        row.prop(slot, "object", text="" if place else "Places")
        where = {"part": "LAYER", "list": "placements", "place": place}
        _draw_note(column, row, slot, where, ("terrane.place_make", "EMPTY_ARROWS"))
    if terrain is not None:
        column.operator("terrane.stamp_repeat", icon="ADD")
    add = column.operator("terrane.curve_choose", text="Choose Another Empty", icon="ADD")
    add.part, add.list = "LAYER", "placements"


def draw_curves(
    layout: Any,
    node: Any,
    parameters: Iterable[Parameter],
    part: str = "LAYER",
    title: str = "",
    button: str = "",
) -> None:
    """Draw the lists of curves of a layer, mask or element, with the reason where the land does not follow one."""
    terrain = state.active_terrain(bpy.context)
    column = layout.column()
    for parameter in parameters:
        if parameter.kind != "curves":
            continue
        slots = getattr(node, parameter.name)
        for place, slot in enumerate(slots):
            row = column.row(align=True)
            _draw_source(row, slot, "" if place else title or parameter.title)
            where = {"part": part, "list": parameter.name, "place": place}
            _draw_note(column, row, slot, where, ("terrane.curve_make", "OUTLINER_OB_CURVE"))
        more: Any = {"text": button} if button else {}
        row = column if len(slots) or title else titled_row(column, parameter.title)
        add = row.operator("terrane.curve_choose", icon="ADD", **more)
        add.part, add.list = part, parameter.name
    if terrain is not None and (text := path_layers.narrow_bed(terrain, node)):
        draw_text(column, bpy.context, text, "INFO")
        column.operator("terrane.detail_patch_add", icon="MESH_GRID")


def _draw_note(
    column: Any, row: Any, slot: Any, where: dict[str, Any], maker: tuple[str, str]
) -> None:
    """Draw why the land does not follow a slot, and buttons to make its object, and to remove it."""
    terrain = state.active_terrain(bpy.context)
    note = followed_sources.note(terrain, slot)
    if note and slot.points and terrain is not None:
        _button(row, *maker, where)
    _button(row, "terrane.curve_forget", "X", where)
    if note:
        draw_text(column, bpy.context, note, "INFO")


def _draw_source(row: Any, slot: Any, title: str) -> None:
    """Draw the object or the collection that a slot follows, fields for both if it follows none."""
    fields = row.column(align=True)
    if slot.object is not None or slot.collection is None:
        fields.prop(slot, "object", text=title)
    if slot.object is None:
        fields.prop(slot, "collection", text=title if slot.collection is not None else " ")


def _button(row: Any, name: str, icon: str, where: Mapping[str, Any]) -> None:
    button = row.operator(name, text="", icon=icon)
    for key, value in where.items():
        setattr(button, key, value)
