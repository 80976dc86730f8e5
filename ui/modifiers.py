# SPDX-License-Identifier: GPL-3.0-or-later
"""The stack of modifiers: its list, its buttons, and the parameters of the active one."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge import masks, settings, stack, state
from ..operators.bridge.core import Parameter, TerraneError
from ..operators.bridge.icons import MASKS, modifier_icon
from .declared import draw_parameter, is_visible
from .painting import draw_painting
from .sections import Section, split

ROWS = 5
"""Height of the list: as high as the buttons at its side."""


class TERRANE_UL_modifiers(bpy.types.UIList):
    """The modifiers from first to last: name, what it is limited by, and whether it is left out."""

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
        """Draw one modifier."""
        row: Any = layout.row(align=True)
        name = row.row(align=True)
        name.active = not item.muted
        is_known = stack.modifier_class(item) is not None
        name.alert = not is_known
        symbol = modifier_icon(item.type) if is_known else "ERROR"
        name.prop(item, "name", text="", emboss=False, icon=symbol)
        if item.mask:
            name.label(text="", icon="MOD_MASK")
        eye = "HIDE_ON" if item.muted else "HIDE_OFF"
        row.prop(item, "muted", text="", emboss=False, icon=eye)


class TERRANE_MT_masks(bpy.types.Menu):
    """All that can say where a modifier acts."""

    bl_label = "Masks"
    bl_description = "Vertex groups, float attributes and images to choose from"

    def draw(self, context: bpy.types.Context) -> None:
        """List them by kind."""
        layout: Any = self.layout
        operator = "terrane.modifier_mask"
        layout.operator(operator, text="None: Act Everywhere", icon="X").mask = ""
        kind = ""
        for name, own_kind in masks.names(masks.owner_of(state.active_settings(context))):
            if own_kind != kind:
                layout.separator()
                kind = own_kind
            entry = layout.operator(operator, text=name, icon=MASKS[kind], translate=False)
            entry.mask = name


class ModifiersSection(Section):
    """What is done to the noise: the list, and the active modifier below it."""

    bl_label = "Modifiers"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw them."""
        layout = split(self.layout)
        group = state.active_settings(context)
        if not settings.has_modifiers(group):
            layout.operator_menu_enum(
                "terrane.modifier_add", "type", text="Add Modifier", icon="ADD"
            )
            return
        row = layout.row()
        if getattr(group, stack.ENTRIES):
            row.template_list(
                *(TERRANE_UL_modifiers.__name__, "", group, stack.ENTRIES, group, stack.ACTIVE),
                rows=ROWS,
            )
        else:
            _draw_folded(row, group)
        _draw_buttons(row.column(align=True), group)
        entry = stack.active_entry(group)
        if entry is not None:
            _draw_entry(layout, entry, masks.owner_of(group))


def _draw_folded(layout: Any, group: Any) -> None:
    """Draw modifiers that have no entries yet, as a list whose items make them when clicked."""
    column = layout.box().column(align=True)
    for place, modifier in enumerate(settings.folded_modifiers(group)):
        # A split, because a row of aligned rows would shrink the box to its content.
        row = column.split(factor=0.85, align=True)
        name = row.row(align=True)
        name.alignment = "LEFT"
        name.operator(
            "terrane.modifier_select",
            text=modifier.label,
            icon=modifier_icon(modifier.key),
            emboss=False,
        ).place = place
        rest = row.row(align=True)
        rest.alignment = "RIGHT"
        rest.label(text="", icon="HIDE_ON" if modifier.muted else "HIDE_OFF")


def _draw_buttons(layout: Any, group: Any) -> None:
    layout.operator_menu_enum("terrane.modifier_add", "type", text="", icon="ADD")
    layout.operator("terrane.modifier_remove", text="", icon="REMOVE")
    layout.operator("terrane.modifier_duplicate", text="", icon="DUPLICATE")
    layout.separator()
    count = len(getattr(group, stack.ENTRIES)) or len(settings.folded_modifiers(group))
    last = count - 1
    place = min(getattr(group, stack.ACTIVE), last)
    for direction, icon, is_possible in (
        ("UP", "TRIA_UP", place > 0),
        ("DOWN", "TRIA_DOWN", place < last),
    ):
        button = layout.row(align=True)
        button.enabled = is_possible
        button.operator("terrane.modifier_move", text="", icon=icon).direction = direction


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
    _draw_parameter(body, entry, shared["influence"], noises)
    _draw_mask(body, entry, owner)
    draw_painting(body, own, owner)


def _draw_parameter(layout: Any, group: Any, parameter: Parameter, noises: Any) -> None:
    if parameter.name in noises:
        _draw_noise(layout, parameter, noises[parameter.name].label)
    elif parameter.name in group.bl_rna.properties:
        draw_parameter(layout, group, parameter)


def _draw_noise(layout: Any, parameter: Parameter, label: str) -> None:
    """Draw the name of the noise that stands where a number could be."""
    value = _titled_row(layout, parameter.title)
    value.label(text=label, icon="NODE_TEXTURE")
    value.operator("terrane.modifier_number", text="", icon="X").parameter = parameter.name


def _draw_mask(layout: Any, entry: Any, owner: masks.Owner) -> None:
    row = _titled_row(layout, "Mask")
    is_missing = bool(entry.mask) and not masks.exists(owner, entry.mask)
    icon = "ERROR" if is_missing else "MOD_MASK"
    where, what = (bpy.data, "images") if owner is None else (owner, "vertex_groups")
    row.prop_search(entry, "mask", where, what, text="", icon=icon, results_are_suggestions=True)
    row.menu(TERRANE_MT_masks.__name__, text="", icon="DOWNARROW_HLT")


def _titled_row(layout: Any, title: str) -> Any:
    """Draw a title where the names of properties are, and return the row beside it."""
    row = layout.row().split(factor=0.4)
    left = row.row()
    left.alignment = "RIGHT"
    left.label(text=title)
    return row.row(align=True)


CLASSES = (TERRANE_UL_modifiers, TERRANE_MT_masks)
