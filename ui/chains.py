# SPDX-License-Identifier: GPL-3.0-or-later
"""List of a layer's noise and filters, and the parameters of the active one."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.interface.icons import noise_icon
from ..operators.bridge.schema import curve_editor, elements, layer_values, type_choice
from ..operators.bridge.schema.elements import Noise
from ..operators.bridge.schema.enum_items import noise_label
from ..operators.bridge.schema.fields import titled_row
from .declared import draw_curves, draw_with_advanced


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
    ) -> None:
        """Draw one element."""
        row: Any = layout.row(align=True)
        cls = elements.NOISES.find_class(item)
        name = row.row(align=True)
        name.active = not item.muted
        name.alert = cls is None
        title = item.type if cls is None else cls.label
        name.label(text=title, icon="ERROR" if cls is None else noise_icon(item.type))
        if index is not None and index >= elements.least_element(data):
            icons = "HIDE_ON" if item.muted else "HIDE_OFF"
            row.prop(item, "muted", text="", emboss=False, icon=icons)


def draw_chain(layout: Any, holder: Any, group: Any, part: str = "LAYER") -> None:
    """Draw a chain as a list with its buttons, and the parameters of its active element.

    `holder` is a layer of noise, a group or a mask, and `part` the same for operators.
    """
    count = len(holder.chain)
    row = layout.row()
    row.template_list(
        *(TERRANE_UL_chain.__name__, part, holder, "chain", holder, "active_element"),
        rows=max(2, min(count, 5)),
    )
    buttons = row.column(align=True)
    add = buttons.operator_menu_enum("terrane.element_add", "type", text="", icon="ADD")
    add.part = part
    least, place = elements.least_element(holder), holder.active_element
    column = buttons.column(align=True)
    column.enabled = least <= place < count
    column.operator("terrane.element_remove", text="", icon="REMOVE").part = part
    for direction, by in (("UP", -1), ("DOWN", 1)) if count > least + 1 else ():
        button = column.row(align=True)
        button.enabled = least <= place + by < count
        move = button.operator("terrane.element_move", text="", icon=f"TRIA_{direction}")
        move.direction, move.part = direction, part
    element = elements.active_element(holder)
    if element is None:
        return
    body = layout.column()
    body.active = not element.muted
    cls = elements.NOISES.find_class(element)
    if cls is not None and curve_editor.points_of(elements.own_group(element)) is not None:
        _draw_curve(body, elements.own_group(element), group)
    _draw_element(body, element, part)
    if cls is not None:
        draw_kept_values(body, element, cls, holder.active_element, part)


def _draw_element(layout: Any, element: Any, part: str = "") -> None:
    """Draw the parameters of an element and its second noise; without a `part` nothing that its operators change."""
    cls = elements.NOISES.find_class(element)
    if cls is None:
        layout.label(text="Unknown to this version", icon="ERROR")
        return
    if elements.is_basis(cls):
        layout.prop(element, "basis", text="Noise")
    parameters = elements.own_parameters(cls)
    if part and cls.name_of("curves"):
        draw_curves(layout, element, parameters, part)
    draw_with_advanced(layout, elements.own_group(element), parameters, element.type)
    if part and element.type == elements.MEASURED:
        layout.operator("terrane.heightmap_part", text="Import Part...", icon="SELECT_SET")
    inner = getattr(element, type_choice.INNER, ())
    if len(inner) and (name := elements.inner_parameter(cls)):
        title = next(parameter.title for parameter in parameters if parameter.name == name)
        header, body = layout.panel(f"TERRANE_inner_{element.type}", default_closed=True)
        header.label(text=title)
        for noise in inner if body is not None else ():
            inner_cls = elements.NOISES.find_class(noise)
            if inner_cls is not None and not elements.is_basis(inner_cls):
                body.label(text=noise_label(noise.type), icon=noise_icon(noise.type))
            _draw_element(body, noise)


def _draw_curve(layout: Any, curve: Any, group: Any) -> None:
    """Draw Blender's own editor of a curve once it shows that curve."""
    curve_editor.follow(group)
    node = curve_editor.editor_of(curve)
    if node is not None:
        layout.template_curve_mapping(node, "mapping")


def draw_kept_values(
    layout: Any, holder: Any, cls: Any, place: int = -1, part: str = "LAYER"
) -> None:
    """Draw the noises and maps that an element or a layer has in place of plain values."""
    titles = {parameter.name: parameter.title for parameter in cls.parameters()}
    for name, value in layer_values.kept_objects(holder, cls).items():
        row = titled_row(layout, titles[name])
        text = value.label if isinstance(value, Noise) else "Given by the recipe"
        row.label(text=text, icon="NODE_TEXTURE")
        button = row.operator("terrane.value_reset", text="", icon="X")
        button.parameter, button.element, button.part = name, place, part
