# SPDX-License-Identifier: GPL-3.0-or-later
"""List of a layer's noise and filters, and the parameters of the active one."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.interface.core import Noise
from ..operators.bridge.interface.icons import noise_icon
from ..operators.bridge.schema import curve_editor, elements, layers
from ..operators.bridge.schema.keywords import noise_label
from .declared import draw_with_advanced
from .sections import titled_row


class TERRANE_UL_chain(bpy.types.UIList):
    """The elements of a chain, from the noise outward."""

    use_filter_show = False

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
        """Draw one element."""
        row: Any = layout.row(align=True)
        cls = elements.element_class(item)
        name = row.row(align=True)
        name.active = not item.muted
        name.alert = cls is None
        title = item.type if cls is None else cls.label
        name.label(text=title, icon="ERROR" if cls is None else noise_icon(item.type))
        if index is not None and index >= elements.least_element(data):
            icons = "HIDE_ON" if item.muted else "HIDE_OFF"
            row.prop(item, "muted", text="", emboss=False, icon=icons)


def draw_chain(layout: Any, entry: Any) -> None:
    """Draw the chain of a layer of noise or a group, and the parameters of its active element."""
    row = layout.row()
    row.template_list(
        *(TERRANE_UL_chain.__name__, "", entry, "chain", entry, "active_element"),
        rows=max(2, min(len(entry.chain), 5)),
    )
    buttons = row.column(align=True)
    buttons.operator_menu_enum("terrane.element_add", "type", text="", icon="ADD")
    least, place = elements.least_element(entry), entry.active_element
    column = buttons.column(align=True)
    column.enabled = least <= place < len(entry.chain)
    column.operator("terrane.element_remove", text="", icon="REMOVE")
    if len(entry.chain) > least + 1:
        for direction, icon, other in (
            ("UP", "TRIA_UP", place - 1),
            ("DOWN", "TRIA_DOWN", place + 1),
        ):
            button = column.row(align=True)
            button.enabled = least <= other < len(entry.chain)
            button.operator("terrane.element_move", text="", icon=icon).direction = direction
    element = elements.active_element(entry)
    if element is not None:
        body = layout.column()
        body.active = not element.muted
        draw_element(body, element, entry)


def draw_element(layout: Any, element: Any, entry: Any = None) -> None:
    """Draw the parameters of an element, its second noise, and its values without a property.

    Parameters
    ----------
    layout : UILayout
    element : PropertyGroup
    entry : PropertyGroup, optional
        The layer of whose chain it is the active element.
    """
    cls = elements.element_class(element)
    if cls is None:
        layout.label(text="Not known to this Terrane", icon="ERROR")
        return
    if elements.is_basis(cls):
        layout.prop(element, "basis", text="Noise")
    own = elements.own_group(element)
    if entry is not None and curve_editor.name_of(element.type) is not None:
        draw_curve(layout, own, layers.settings_of(entry))
    inner = elements.inner_parameter(cls)
    draw_with_advanced(layout, own, elements.own_parameters(cls), element.type)
    if inner is not None and len(getattr(element, elements.INNER, ())):
        draw_inner(layout, element, inner)
    if entry is not None:
        draw_kept_values(layout, element, cls, entry.active_element)


def draw_curve(layout: Any, curve: Any, group: Any) -> None:
    """Draw Blender's own editor of a curve once it shows that curve."""
    curve_editor.follow(group)
    node = curve_editor.editor_of(curve)
    if node is not None:
        layout.template_curve_mapping(node, "mapping")


def draw_inner(layout: Any, element: Any, name: str) -> None:
    """Draw the chain that is the second noise of an element, such as the displacement of a warp."""
    cls = elements.element_class(element)
    title = next(one.title for one in elements.own_parameters(cls) if one.name == name)
    header, body = layout.panel(f"TERRANE_inner_{element.type}", default_closed=True)
    header.label(text=title)
    if body is None:
        return
    for one in getattr(element, elements.INNER):
        part = elements.element_class(one)
        if part is not None and not elements.is_basis(part):
            body.label(text=noise_label(one.type), icon=noise_icon(one.type))
        draw_element(body, one)


def draw_kept_values(layout: Any, holder: Any, cls: Any, place: int = -1) -> None:
    """Draw the noises and maps that an element or a layer has in place of plain values."""
    titles = {one.name: one.title for one in cls.parameters()}
    for name, value in elements.kept_values(holder, cls).items():
        row = titled_row(layout, titles[name])
        text = value.label if isinstance(value, Noise) else "Given by the recipe"
        row.label(text=text, icon="NODE_TEXTURE")
        button = row.operator("terrane.value_reset", text="", icon="X")
        button.parameter, button.element = name, place


CLASSES = (TERRANE_UL_chain,)
