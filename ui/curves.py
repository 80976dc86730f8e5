# SPDX-License-Identifier: GPL-3.0-or-later
"""The curves that a terrain follows, and the tool that draws them."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.interface.messages import Message, translate
from ..operators.bridge.interface.registering import Tool
from ..operators.bridge.schema import layer_list, layers, state
from ..operators.bridge.schema.enum_items import enum_label
from ..operators.bridge.terrain import drawn_splines, earth_volumes, path_layers
from .declared import draw_curves, draw_parameters
from .sections import LAYERS, InTerrain, split

_SHOWN: dict[str, tuple[str, ...]] = {
    "path": ("width", "grade", "cut_angle", "fill_angle", "reach"),
    "footprint": ("margin", "angle", "reach"),
}
"""Values of the active layer that the list shows, by the key of its type; Active Layer has all of them."""

CURVE_TITLES: dict[str, dict[str, str]] = {
    "footprint": {"title": "Objects", "button": Message("Choose Another Object")}
}
"""Names of the list of curves of a layer, by the key of its type."""


class TERRANE_PT_terrain_curves(InTerrain, bpy.types.Panel):
    """Drawn curves that the terrain follows, with the kinds of their paths."""

    bl_label = "Drawn Curves"
    bl_order = LAYERS
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for terrains."""
        return state.active_terrain(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the button of the tool, a row for each layer with curves, and the active one's values."""
        layout: Any = self.layout
        layout.operator_menu_enum(
            "terrane.curve_draw", "kind", text="Draw Curve on Terrain", icon="GREASEPENCIL"
        )
        row = layout.row(align=True)
        row.operator("terrane.footprint_add", text="Footprint", icon="HOME").later = True
        row.operator("terrane.objects_drop", icon="SORT_ASC")
        group = state.active_settings(context)
        entries, active = layer_list.entries(group), layer_list.active_place(group)
        column = layout.column(align=True)
        for place in reversed(range(len(entries))):
            if any(True for _, slots in layers.LAYER_TYPES.slots(entries[place]) if len(slots)):
                _draw_row(column, entries[place], place, is_active=place == active)
        entry = layer_list.active_entry(group)
        cls = None if entry is None else layers.LAYER_TYPES.find_class(entry)
        if cls is not None and cls.key in _SHOWN:
            body = split(layout)
            draw_curves(body, entry, cls.parameters(), **CURVE_TITLES.get(cls.key, {}))
            shown = [each for each in cls.parameters() if each.name in _SHOWN[cls.key]]
            draw_parameters(body.column(align=True), getattr(entry, entry.type), shown)
        if text := earth_volumes.text(state.active_terrain(context)):
            layout.label(text=translate(text), translate=False)


def _draw_row(layout: Any, entry: Any, place: int, *, is_active: bool) -> None:
    """Draw a layer that follows curves: a button that shows it, and the kind of a path."""
    row = layout.row(align=True)
    row.active = not entry.muted
    button = row.operator(
        "terrane.curve_select",
        text=entry.name,
        translate=False,
        icon="OUTLINER_OB_CURVE",
        depress=is_active,
    )
    button.place = place
    if entry.type == path_layers.Path.key:
        kind = path_layers.kind_of(entry)
        title = enum_label(kind)
        row.context_pointer_set("terrane_entry", entry)
        row.menu(TERRANE_MT_path_kinds.__name__, text=title)
    row.prop(entry, "muted", text="", icon="HIDE_ON" if entry.muted else "HIDE_OFF")


class TERRANE_MT_path_kinds(bpy.types.Menu):
    """Kinds of paths."""

    bl_label = "Kind of Path"
    bl_description = "Give the path the values of a kind"

    def draw(self, context: bpy.types.Context) -> None:
        """List them for the layer of the row."""
        layout: Any = self.layout
        entry: Any = context.terrane_entry  # type: ignore[attr-defined]
        place = int(entry.path_from_id().rpartition("[")[2][:-1])
        for key in path_layers.KINDS:
            button = layout.operator("terrane.path_kind", text=enum_label(key))
            button.kind, button.place = key, place


class TERRANE_WT_curve_draw(bpy.types.WorkSpaceTool):
    """Draw a curve on the ground, which the terrain obeys as a road, a river, a ridge or another kind."""

    bl_space_type = "VIEW_3D"
    bl_context_mode = "OBJECT"
    bl_idname = "terrane.curve_draw"
    bl_label = "Draw Curve on Terrain"
    bl_description = "Draw a road, a river, a ridge or another curve that the terrain obeys"
    bl_icon = "ops.curve.draw"
    bl_cursor = "PAINT_CROSS"
    bl_keymap = (
        (
            "terrane.curve_draw",
            {"type": "LEFTMOUSE", "value": "PRESS"},
            {"properties": [("wait_for_input", False)]},
        ),
    )

    @staticmethod
    def draw_settings(context: bpy.types.Context, layout: Any, tool: Any) -> None:
        """Draw the settings of the tool in the header."""
        properties = tool.operator_properties("terrane.curve_draw")
        for name in ("kind", "shape"):
            layout.prop(properties, name)
        draw_parameters(layout, properties, drawn_splines.NUMBERS)


_tool = Tool(TERRANE_WT_curve_draw, separated=True)
register, unregister = _tool.register, _tool.unregister
