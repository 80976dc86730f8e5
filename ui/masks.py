# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks of a layer: the one in its recipe, and a painted one."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.interface.icons import MASKS, mask_icon
from ..operators.bridge.schema import layer_list, layers, mask_settings, masks, painting, state
from ..operators.bridge.schema.fields import titled_row
from ..operators.bridge.schema.mask_settings import Mask
from .chains import draw_chain
from .declared import draw_curves, draw_parameter, draw_parameters
from .sections import split

UNITS = {"degrees": "°", "meters": "m", "square meters": "m²", "1 / meters": "1/m"}
"""Units of the values of maps, by name, and as they follow the names of limits."""

_HALF = "terrane_mask"
"""Name of the mask that a menu of layers is drawn for, in its context."""


class TERRANE_MT_masks(bpy.types.Menu):
    """All painted masks that can say where a modifier acts."""

    bl_label = "Painted Masks"
    bl_description = "Vertex groups, float attributes and images that can be masks"

    def draw(self, context: bpy.types.Context) -> None:
        """List them by kind."""
        layout: Any = self.layout
        operator = "terrane.layer_painted_mask"
        layout.operator(operator, text="None: Act Everywhere", icon="X").mask = ""
        kind = ""
        for name, own_kind in masks.names(masks.owner_of(state.active_settings(context))):
            if own_kind != kind:
                layout.separator()
                kind = own_kind
            entry = layout.operator(operator, text=name, icon=MASKS[kind], translate=False)
            entry.mask = name


class TERRANE_MT_mask_layers(bpy.types.Menu):
    """All layers that can mask another one."""

    bl_label = "Layers"
    bl_description = "Layer whose noise masks this one"

    def draw(self, context: bpy.types.Context) -> None:
        """List the first layer, and the layers and groups besides the active one."""
        layout: Any = self.layout
        self._draw_one(context, "First Layer", "", "RNDCURVE")
        layout.separator()
        for entry in layer_list.maskable(state.active_settings(context)):
            icon = "FILE_FOLDER" if entry.type == layers.GROUP else mask_icon("layer")
            self._draw_one(context, entry.name, entry.name, icon)

    def _draw_one(self, context: bpy.types.Context, text: str, name: str, icon: Any) -> None:
        button: Any = self.layout.operator(
            "terrane.layer_mask", text=text, icon=icon, translate=not name
        )
        half = getattr(context, _HALF, None)
        button.source, button.layer = "layer", name
        button.part = "MASK" if half is None else _part_of(half)


def draw_masks(layout: Any, entry: Any, parameters: Any, group: Any) -> None:
    """Draw both masks of an entry, whose own parameters may be a modifier's."""
    owner = masks.owner_of(group)
    _draw_where(layout, entry.mask, group)
    _draw_painting(layout, parameters, owner)
    _draw_painted_mask(layout, entry, owner)


def _draw_where(layout: Any, mask: Any, group: Any, title: str = "Mask") -> None:
    """Draw the source of the recipe's mask or of a half of it, and its limits."""
    source, part = mask_settings.sources().get(mask.source), _part_of(mask)
    item = mask.bl_rna.properties["source"].enum_items.get(mask.source)
    titled_row(layout, title).operator_menu_enum(
        "terrane.layer_mask",
        "source",
        text=item.name if item else "Not Known",
        icon=item.icon if item else "ERROR",
    ).part = part
    if source is None:
        return
    column = split(layout.column())
    held = mask_settings.MASKS.group(mask, mask.source)
    for parameter in source.parameters:
        if parameter.kind == "text":
            row = titled_row(column, "Layer")
            row.context_pointer_set(_HALF, mask)
            text = getattr(held, parameter.name)
            row.menu(
                TERRANE_MT_mask_layers.__name__, text=text or "First Layer", translate=not text
            )
        elif parameter.kind == "curves":
            draw_curves(column, mask, (parameter,), part)
        elif parameter.name in held.bl_rna.properties:
            draw_parameter(column, held, parameter)
    if mask_settings.has_chain(mask):
        draw_chain(column, mask, group, part)
    _, *halves = mask_settings.masks_in(mask).items()
    for path, half in halves:
        _draw_where(column.box().column(), half, group, path.rpartition(".")[2].title())
    unit = UNITS.get(source.map.unit, "") if source.map is not None else ""
    draw_parameters(column, mask, Mask.parameters(), unit=unit)


def _part_of(mask: Any) -> str:
    """Return the part of a layer that a mask is, for operators."""
    return str(mask.path_from_id()).rpartition(".")[2].upper()


def _draw_painting(layout: Any, parameters: Any, owner: masks.Owner) -> None:
    """Draw the buttons that paint a mask for a layer, or the height that mountains grow from."""
    row = titled_row(layout, "Painted")
    if painting.is_painting(bpy.context):
        row.operator("terrane.mask_paint", text="Done", icon="CHECKMARK", depress=True)
        return
    if owner is not None:
        row.operator("terrane.mask_paint", text="Paint", icon="WPAINT_HLT").kind = "GROUP"
    row.operator("terrane.mask_paint", text="Image", icon="TPAINT_HLT").kind = "IMAGE"
    if getattr(parameters, "mode", "") == "grow":
        button = row.operator("terrane.mask_paint", text="Uplift", icon="RNDCURVE")
        button.target = "HEIGHT"


def _draw_painted_mask(layout: Any, entry: Any, owner: masks.Owner) -> None:
    row = layout.row(align=True)  # the whole width: beside a title, names would be cut off
    is_missing = bool(entry.painted_mask) and not masks.kind_of(owner, entry)
    icon = "ERROR" if is_missing else "BRUSH_DATA"
    data, collection = (bpy.data, "images") if owner is None else (owner, "vertex_groups")
    row.prop_search(
        entry, "painted_mask", data, collection, text="", icon=icon, results_are_suggestions=True
    )
    row.menu(TERRANE_MT_masks.__name__, text="", icon="DOWNARROW_HLT")
