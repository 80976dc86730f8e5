# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of layers: noise, modifiers, their buttons, and the parameters of the active one."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge import settings, state
from ..operators.bridge.core import Parameter, TerraneError, spine
from ..operators.bridge.icons import modifier_icon, noise_icon
from ..operators.bridge.recipes import layer_list, masks, stack
from . import layer_menus
from . import masks as mask_menus
from .declared import draw_parameter, is_visible
from .masks import draw_masks
from .sections import Section, split, titled_row

ROWS = 5
"""Height of the list: as high as the buttons at its side."""

_INSET = 1.6
"""Between the switches of the base noise and the border, so that they stand above those of the list."""

_NAME = 0.75
"""Share of a row's width; the rest is for the two switches."""

_OPAQUE = 0.9995
"""An opacity that is shown as 100 %."""


class TERRANE_UL_modifiers(bpy.types.UIList):
    """The layers from first to last: name, opacity or mode, whether masked, alone, or left out."""

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
        flt_flag: int | None = 0,
    ) -> None:
        """Draw one layer."""
        row: Any = layout.row(align=True)
        name = row.row(align=True)
        name.active = not item.muted and (item.solo or not layer_list.has_solo(data))
        is_known = stack.modifier_class(item) is not None
        name.alert = not is_known
        name.prop(item, "name", text="", emboss=False, icon=_symbol(item) if is_known else "ERROR")
        if text := _how(item):
            right = name.row(align=True)
            right.alignment = "RIGHT"
            right.label(text=text, translate=False)
        if layer_list.is_masked(item):
            name.label(text="", icon="MOD_MASK")
        row.prop(item, "solo", text="", emboss=False, icon=_lamp(item.solo))
        row.prop(item, "muted", text="", emboss=False, icon=_eye(item.muted))


class LayersSection(Section):
    """The base noise, what is laid over it and done to it, and the active one's parameters."""

    bl_label = "Layers"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw them."""
        layout = split(self.layout)
        group = state.active_settings(context)
        row = layout.row()
        column = row.column(align=True)
        _draw_base(column, group)
        if getattr(group, stack.ENTRIES):
            column.template_list(
                *(TERRANE_UL_modifiers.__name__, "", group, stack.ENTRIES, group, stack.ACTIVE),
                rows=ROWS,
            )
        elif settings.has_modifiers(group):
            _draw_folded(column, group)
        _draw_buttons(row.column(align=True), group)
        entry = stack.active_entry(group)
        if entry is not None:
            _draw_entry(layout, entry, masks.owner_of(group))


def _draw_base(layout: Any, group: Any) -> None:
    """Draw the first layer, which is always there: the noise that the recipe begins with."""
    is_known = group.noise in spine.leaf_types()
    row = layout.row(align=True)
    name = row.row(align=True)
    name.active = not group.noise_muted
    name.operator(
        "terrane.modifier_select",
        text="Base Noise",
        icon=noise_icon(group.noise) if is_known else "ERROR",
        depress=stack.active_entry(group) is None,
    ).place = stack.BASE
    row.prop(group, "noise_solo", text="", emboss=False, icon=_lamp(group.noise_solo))
    row.prop(group, "noise_muted", text="", emboss=False, icon=_eye(group.noise_muted))
    row.separator(factor=_INSET)


def _draw_folded(layout: Any, group: Any) -> None:
    """Draw modifiers that have no entries yet, as a list whose items make them when clicked."""
    column = layout.box().column(align=True)
    for place, modifier in enumerate(settings.folded_modifiers(group)):
        # A split, because a row of aligned rows would shrink the box to its content.
        row = column.split(factor=_NAME, align=True)
        name = row.row(align=True)
        name.alignment = "LEFT"
        name.active = not modifier.muted
        name.operator(
            "terrane.modifier_select",
            text=modifier.name or modifier.label,
            icon=modifier_icon(modifier.key),
            emboss=False,
        ).place = place
        rest = row.row(align=True)
        rest.alignment = "RIGHT"
        for operator, icon in (("solo", _lamp(False)), ("mute", _eye(modifier.muted))):
            button = rest.operator(f"terrane.modifier_{operator}", text="", icon=icon, emboss=False)
            button.place = place


def _draw_buttons(layout: Any, group: Any) -> None:
    """Draw the buttons beside the list; the base noise can neither be removed nor moved."""
    layout.menu(layer_menus.TERRANE_MT_layer_add.__name__, text="", icon="ADD")
    column = layout.column(align=True)
    column.enabled = stack.active_entry(group) is not None
    column.operator("terrane.modifier_remove", text="", icon="REMOVE")
    column.operator("terrane.modifier_duplicate", text="", icon="DUPLICATE")
    column.separator()
    last = len(getattr(group, stack.ENTRIES)) - 1
    place = min(getattr(group, stack.ACTIVE), last)
    for direction, icon, is_possible in (
        ("UP", "TRIA_UP", place > 0),
        ("DOWN", "TRIA_DOWN", place < last),
    ):
        button = column.row(align=True)
        button.enabled = is_possible
        button.operator("terrane.modifier_move", text="", icon=icon).direction = direction
    layout.separator()
    layout.menu(layer_menus.TERRANE_MT_recipe.__name__, text="", icon="DOWNARROW_HLT")


def _draw_entry(layout: Any, entry: Any, owner: masks.Owner) -> None:
    """Draw the parameters of one modifier, or why it cannot be used."""
    cls = stack.modifier_class(entry)
    try:
        noises = stack.noises(entry)
    except TerraneError:
        cls = None
    if cls is None:
        box = layout.box().column(align=True)
        box.label(text="Not known to this Terrane:", icon="ERROR")
        box.label(text="update Terrane, or remove it", icon="BLANK1")
        return
    own = getattr(entry, stack.modifier_group(cls.key))
    body = layout.column()
    body.active = not entry.muted
    column = body.column()
    for parameter in stack.own_parameters(cls):
        if is_visible(parameter, lambda name: str(getattr(own, name))):
            _draw_parameter(column, own, parameter, noises)
    body.separator()
    shared = {one.name: one for one in cls.parameters()}
    is_layer = bool(stack.noise_parameters(cls))
    _draw_parameter(body, entry, shared["influence"], noises, "Opacity" if is_layer else "")
    draw_masks(body, entry, own, owner)


def _draw_parameter(
    layout: Any, group: Any, parameter: Parameter, noises: Any, title: str = ""
) -> None:
    known = group.bl_rna.properties
    if parameter.name in noises:
        _draw_noise(layout, parameter, noises[parameter.name].label)
    elif title:
        layout.prop(group, parameter.name, text=title)
    elif parameter.name in known and parameter.kind != "noise":
        draw_parameter(layout, group, parameter)


def _draw_noise(layout: Any, parameter: Parameter, label: str) -> None:
    """Draw the name of the noise that stands where a number could be."""
    value = titled_row(layout, parameter.title)
    value.label(text=label, icon="NODE_TEXTURE")
    value.operator("terrane.modifier_number", text="", icon="X").parameter = parameter.name


def _symbol(entry: Any) -> Any:
    """Return the icon of an entry: that of its noise, if it is a layer of one."""
    knobs = stack.knobs_of(entry)
    return modifier_icon(entry.type) if knobs is None else noise_icon(knobs.noise)


def _how(entry: Any) -> str:
    """Return in a word how an entry acts: how opaque it is, or else its mode, if it has one.

    Both would leave no room for its name.
    """
    if entry.influence < _OPAQUE:
        return f"{entry.influence:.0%}"
    return layer_list.mode_label(entry)


def _eye(is_muted: bool) -> Any:
    return "HIDE_ON" if is_muted else "HIDE_OFF"


def _lamp(is_solo: bool) -> Any:
    return "SOLO_ON" if is_solo else "SOLO_OFF"


CLASSES = (TERRANE_UL_modifiers, *mask_menus.CLASSES, *layer_menus.CLASSES)
