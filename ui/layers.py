# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of layers with its buttons, and the settings of the active layer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy
from bpy.app.translations import pgettext_iface

from ..operators.bridge.interface.icons import modifier_icon, noise_icon
from ..operators.bridge.schema import layer_list, layers, settings, state
from ..operators.bridge.schema.layers import Modifier
from ..operators.bridge.terrain import layer_times, partial_lands
from ..operators.bridge.textures import mask_overlay
from .chains import draw_chain, draw_kept_values
from .curves import CURVE_TITLES
from .declared import draw_curves, draw_parameters, draw_places, draw_with_advanced
from .layer_menus import TERRANE_MT_layer_add, TERRANE_MT_layers
from .live import draw_text
from .masks import draw_masks
from .sections import Section, split

ROWS = 6
"""Height of the list, equal to that of the buttons beside it."""

_INDENT = 1.2
"""Width of a step to the right in groups, in widths of a button."""

_BUTTON, _LETTER = 20.0, 7.0
"""Pixels of a button, and of a letter, on a screen of usual density."""

_MARGIN = 76.0
"""Pixels of a sidebar beside the list: its borders, the tabs, and the buttons of the list."""

USUAL_MODE = "add"
"""The default mode, which is not shown."""

_OPAQUE = 0.9995
"""An opacity that is shown as 100 %."""


def fitting_texts(context: bpy.types.Context, item: Any, texts: Iterable[str]) -> list[str]:
    """Return texts for which the row of a layer has room beside its whole name, the most important ones first."""
    if context.region is None:
        return list(filter(None, texts))
    scale = context.preferences.system.ui_scale
    buttons = 3 + _INDENT * item.depth + (item.type == layers.GROUP) + layer_list.is_masked(item)
    room = context.region.width / scale - _MARGIN - _BUTTON * buttons - _text_width(item.name)
    fitting = []
    for text in filter(None, texts):
        room -= _text_width(text)
        if room < 0.0:
            break
        fitting.append(text)
    return fitting


def _text_width(text: str) -> float:
    """Return about how wide a text is, in pixels of a screen of usual density; characters of East Asia are twice as wide."""
    return sum(_LETTER * (1 + (ord(letter) > 0x2E7F)) for letter in text) + _LETTER


class TERRANE_UL_layers(bpy.types.UIList):
    """The layers, the last to act on top: name, opacity or mode, whether masked, solo, or muted."""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: Any,
        item: Any,
        icon: int | None,
        active_data: Any,
        active_property: str | None,
        index: int | None = 0,
    ) -> None:
        """Draw one layer."""
        row: Any = layout.row(align=True)
        if item.depth:
            row.separator(factor=_INDENT * item.depth)
        if item.type == layers.GROUP:
            is_folded = "RIGHTARROW" if item.is_folded else "DOWNARROW_HLT"
            row.prop(item, "is_folded", text="", emboss=False, icon=is_folded)
        name = row.row(align=True)
        has_solo = any(entry.solo for entry in layer_list.entries(data))
        end = layer_list.built_end(data)
        is_built = end is None or (index or 0) < end
        name.active = not item.muted and (item.solo or not has_solo) and is_built
        is_known = layers.LAYER_TYPES.find_class(item) is not None
        name.alert = not is_known
        name.prop(item, "name", text="", emboss=False, icon=symbol(item) if is_known else "ERROR")
        texts = (_how(item), layer_times.texts(data).get(index or 0, ""))
        for text in reversed(fitting_texts(context, item, texts)):
            right = name.row(align=True)
            right.alignment = "RIGHT"
            right.label(text=text, translate=False)
        if layer_list.is_masked(item):
            name.label(text="", icon="MOD_MASK")
        row.prop(item, "solo", text="", emboss=False, icon="SOLO_ON" if item.solo else "SOLO_OFF")
        row.prop(item, "muted", text="", emboss=False, icon=eye(item.muted))

    def filter_items(
        self, context: bpy.types.Context, data: Any, property: str
    ) -> tuple[list[int], list[int]]:
        """Hide the layers in folded groups, and those that do not match the search; list the last one on top."""
        entries = getattr(data, property)
        shown: list[int] = []
        if self.filter_name:
            shown = bpy.types.UI_UL_list.filter_items_by_name(
                self.filter_name, self.bitflag_filter_item, entries, "name"
            )
        hidden = layer_list.hidden_places(data)
        if hidden:
            shown = shown or [self.bitflag_filter_item] * len(entries)
            shown = [0 if place in hidden else flag for place, flag in enumerate(shown)]
        order = layer_list.shown_order(layers.depths(entries))
        rows = sorted(range(len(order)), key=order.__getitem__)
        return shown, rows


class LayersSection(Section):
    """All layers as a list, the last to act on top."""

    bl_label = "Layers"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the list and its buttons."""
        group = state.active_settings(context)
        row = self.layout.row()
        if group.is_filled:
            row.template_list(
                *(TERRANE_UL_layers.__name__, "", group, layers.LAYERS, group, layers.ACTIVE),
                rows=ROWS,
            )
        else:
            _draw_default(row.box().column(align=True))
        _draw_buttons(row.column(align=True), group)
        if layer_list.is_built(group):
            self.layout.prop(group, "build_to_here", icon="TRIA_UP_BAR", toggle=True)
        _draw_notes(self.layout, context, group)


def _draw_notes(layout: Any, context: bpy.types.Context, group: Any) -> None:
    """Draw a warning about the list, or else the order of the layers."""
    place = layer_list.active_place(group)
    if text := partial_lands.note(group.id_data):
        draw_text(layout, context, text, "ERROR")
    elif place >= 0 and layer_list.has_no_ground(group, place):
        draw_text(layout, context, "Nothing to erode: move it above a noise layer", "ERROR")
    elif place >= 0 and layer_times.is_shared(group, place):
        layout.label(text="Σ: layers that are one noise")
    else:
        row = layout.row()
        row.label(text="The top layer acts last")
        if text := _time_without_room(context, group, place):
            right = row.row()
            right.alignment = "RIGHT"
            right.label(text=text, translate=False)


def _time_without_room(context: bpy.types.Context, group: Any, place: int) -> str:
    """Return the time of a layer if its row in the list has no room for it, "" if it has."""
    text = layer_times.texts(group).get(place, "")
    if not text:
        return ""
    entry = layer_list.entries(group)[place]
    return "" if text in fitting_texts(context, entry, (_how(entry), text)) else text


def _draw_default(layout: Any) -> None:
    """Draw the layers that a new scene will have, until they exist."""
    rows = settings.default_rows()
    for depth, layer in (rows[place] for place in layer_list.shown_order([row[0] for row in rows])):
        row = layout.row(align=True)
        row.separator(factor=1.0 + _INDENT * depth)
        row.label(text=layer.name or layer.label)


def _draw_buttons(layout: Any, group: Any) -> None:
    """Draw the buttons beside the list."""
    layout.menu(TERRANE_MT_layer_add.__name__, text="", icon="ADD")
    column = layout.column(align=True)
    column.enabled = layer_list.active_entry(group) is not None
    column.operator("terrane.layer_remove", text="", icon="REMOVE")
    column.operator("terrane.layer_duplicate", text="", icon="DUPLICATE")
    column.separator()
    for direction, icon, by in (("UP", "TRIA_UP", 1), ("DOWN", "TRIA_DOWN", -1)):
        button = column.row(align=True)
        button.enabled = layer_list.move_target(group, by) is not None
        button.operator("terrane.layer_move", text="", icon=icon).direction = direction
    layout.separator()
    layout.menu(TERRANE_MT_layers.__name__, text="", icon="DOWNARROW_HLT")


class LayerSection(Section):
    """The active layer: how it is laid on those below, its chain or parameters, and its masks."""

    bl_label = "Active Layer"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw it."""
        layout = split(self.layout)
        group = state.active_settings(context)
        entry = layer_list.active_entry(group)
        if entry is None:
            layout.label(text="Add a layer first", icon="INFO")
            return
        cls = layers.LAYER_TYPES.find_class(entry)
        if cls is None:
            box = layout.box().column(align=True)
            box.label(text="Unknown to this version:", icon="ERROR")
            box.label(text="update Terrane or remove it", icon="BLANK1")
            return
        body = layout.column()
        body.active = not entry.muted
        shared = layers.shared_parameters(cls)
        holder = entry
        if issubclass(cls, Modifier):
            holder = getattr(entry, entry.type)
            draw_parameters(
                body, entry, [parameter for parameter in shared if parameter.name == "opacity"]
            )
            parameters = layers.own_parameters(cls)
            if cls.name_of("curves"):
                draw_curves(body, entry, parameters, **CURVE_TITLES.get(cls.key, {}))
            elif cls.name_of("placements"):
                draw_places(body, entry)
            draw_with_advanced(body, holder, parameters, entry.type)
            draw_kept_values(body, entry, cls)
        else:
            _draw_blending(body, entry, shared, group)
            draw_chain(body, entry, group)
        header, part = layout.panel("TERRANE_layer_mask", default_closed=False)
        header.label(text="Mask", icon="MOD_MASK" if layer_list.is_masked(entry) else "NONE")
        if layer_list.is_built(group) and layer_list.is_masked(entry):
            header.operator(
                "terrane.mask_show", icon="HIDE_OFF", depress=mask_overlay.is_shown(group)
            )
        if part is not None:
            draw_masks(part, entry, holder, group)
        # A height of 0 is that of the recipe, which most layers have.
        further = [
            parameter
            for parameter in shared
            if parameter.advanced or (parameter.name == "height" and not entry.height)
        ]
        header, part = layout.panel("TERRANE_layer_rest", default_closed=True)
        header.label(text="Seed Offset" if len(further) == 1 else "Height and Seed Offset")
        if part is not None:
            draw_parameters(part, entry, further)


def _draw_blending(layout: Any, entry: Any, shared: Any, group: Any) -> None:
    """Draw how a layer is blended with those below it; the first in a group lies on a plain."""
    column = layout.column(align=True)
    place, parents = layer_list.active_place(group), layers.parents(layer_list.entries(group))
    if parents[place] != place - 1 or entry.mode != USUAL_MODE:
        column.prop(entry, "mode")
    names = ("opacity", "height", "smoothness") if entry.height else ("opacity", "smoothness")
    by_name = {parameter.name: parameter for parameter in shared}
    draw_parameters(column, entry, [by_name[name] for name in names])


def symbol(entry: Any) -> Any:
    """Return the icon of a layer: that of its first noise, if it has one."""
    if entry.type == layers.GROUP:
        return "FILE_FOLDER"
    if entry.type == layers.NOISE:
        return noise_icon(entry.chain[0].type if len(entry.chain) else "")
    return modifier_icon(entry.type)


def _how(entry: Any) -> str:
    """Return a layer's opacity as text, or else its mode, if it has one.

    Both would leave no room for its name.
    """
    if entry.opacity < _OPAQUE:
        return f"{entry.opacity:.0%}"
    item = entry.bl_rna.properties["mode"].enum_items.get(entry.mode)
    if entry.mode == USUAL_MODE or item is None or not layers.has_chain(entry):
        return ""
    return str(pgettext_iface(item.name))


def eye(is_muted: bool) -> Any:
    """Return the icon of a switch that bypasses a layer."""
    return "HIDE_ON" if is_muted else "HIDE_OFF"
