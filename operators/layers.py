# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on the list of layers in the panel: add, remove, move, group, mute, mask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
from bpy.app.translations import pgettext_tip
from bpy.props import EnumProperty, StringProperty

from ..noise_core.base.checks import LONGEST_TEXT
from ..noise_core.base.errors import ParameterError
from .bridge.interface.messages import Message
from .bridge.schema import elements, layer_list, layers, mask_settings, state
from .bridge.schema.enum_items import enum_number
from .bridge.schema.exact_numbers import number
from .layer_operator import (
    ACTIVE,
    OPTIONS,
    PARTS,
    AddOperator,
    LayerOperator,
    MoveOperator,
    part_property,
    place_property,
)
from .options import text_property


class PlaceOperator(LayerOperator):
    """Mix-in of operators that change the layer at a place and make it active."""

    __annotations__ = place_property("Index in the list; -1 is the active layer")

    def choose_layer(self, group: Any) -> None:
        """Make the layer at the place the active one."""
        count = len(layer_list.entries(group))
        if self.place != ACTIVE:
            if not 0 <= self.place < count:
                raise ParameterError("place must be in [{}, {}]", ACTIVE, count - 1, got=self.place)
            layer_list.choose(group, self.place)


def _type_items() -> list[Any]:
    """Return the enum items of all types of layers: group, noises by family, modifiers."""
    group = (
        layers.GROUP,
        "Group",
        "Layers whose result is filtered, blended and masked as one",
        "FILE_FOLDER",
        enum_number(layers.GROUP),
    )
    noises = [item for item in elements.basis_items() if item[0]]
    return [group, *noises, *state.modifier_items()]


class TERRANE_OT_layer_add(AddOperator, bpy.types.Operator):
    """Add a layer behind the active one, or into it if it is an open group"""

    bl_idname = "terrane.layer_add"
    bl_label = "Add Layer"
    bl_options = OPTIONS

    needs_layer = False
    __annotations__ = {
        "type": EnumProperty(
            name="Type",
            description="A noise, a group or a modifier",
            items=_type_items(),
            default="perlin",
        )
    }

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Add the layer and make it active."""
        layer_list.add(group, layer_list.new_layer(group, self.type))


class TERRANE_OT_layer_move(MoveOperator, bpy.types.Operator):
    """Move the active layer up, to act later, or down; also out of its group"""

    bl_idname = "terrane.layer_move"
    bl_label = "Move Layer"
    bl_options = OPTIONS

    def change(self, context: bpy.types.Context, group: Any) -> bool:
        """Move the layer by one place, if possible: the list shows the last layer on top."""
        return layer_list.move(group, -self.step())


class _OnGroupable(LayerOperator):
    @classmethod
    def why_not_layer(cls, entry: Any) -> str:
        """Refuse modifiers: they need the whole ground."""
        return "" if layers.has_chain(entry) else Message("Modifiers cannot stand in a group")


class _OnGroup(LayerOperator):
    @classmethod
    def why_not_layer(cls, entry: Any) -> str:
        """Refuse layers outside of groups."""
        is_inside = entry.type == layers.GROUP or entry.depth
        return "" if is_inside else Message("Select a group, or a layer in one")


def _layer_operator(
    name: str,
    label: str,
    description: str,
    change: Callable[[Any], object],
    base: type[LayerOperator] = LayerOperator,
) -> type:
    """Return an operator that calls a function with the settings in the panel."""

    def run(self: Any, context: bpy.types.Context, group: Any) -> None:
        change(group)

    body = {
        "__doc__": description,
        "bl_idname": f"terrane.{name}",
        "bl_label": label,
        "bl_options": OPTIONS,
        "change": run,
    }
    return type(f"TERRANE_OT_{name}", (base, bpy.types.Operator), body)


def _toggle_fold(group: Any) -> None:
    entry: Any = layer_list.active_entry(group)
    entry.is_folded = not entry.is_folded


TERRANE_OT_layer_remove = _layer_operator(
    "layer_remove", "Remove Layer", "Remove the active layer; a group with all layers in it",
    layer_list.remove,
)  # fmt: skip
TERRANE_OT_layer_duplicate = _layer_operator(
    "layer_duplicate", "Duplicate Layer", "Add a copy of the active layer behind it",
    layer_list.duplicate,
)  # fmt: skip
TERRANE_OT_layer_group = _layer_operator(
    "layer_group", "Group Layer", "Move the active layer into a new group: filtered, blended, masked as one",
    layer_list.put_into_group, _OnGroupable,
)  # fmt: skip
TERRANE_OT_layer_ungroup = _layer_operator(
    "layer_ungroup", "Ungroup", "Remove the active group, or that of the active layer, and keep its layers",
    layer_list.take_out_of_group, _OnGroup,
)  # fmt: skip
TERRANE_OT_layer_select = _layer_operator(
    "layer_select", "Select Layer", "Show the parameters of this layer",
    lambda group: None, PlaceOperator,
)  # fmt: skip
TERRANE_OT_layer_mute = _layer_operator(
    "layer_mute", "Mute", "Mute this layer, or use it again",
    lambda group: layer_list.toggle_mute(group, layer_list.active_place(group)), PlaceOperator,
)  # fmt: skip
TERRANE_OT_layer_solo = _layer_operator(
    "layer_solo", "Solo", "Show only this layer on top of the first one; again shows all",
    lambda group: layer_list.toggle_solo(group, layer_list.active_place(group)), PlaceOperator,
)  # fmt: skip
TERRANE_OT_layer_fold = _layer_operator(
    "layer_fold", "Fold Group", "Collapse or expand this group in the list",
    _toggle_fold, PlaceOperator,
)  # fmt: skip


class TERRANE_OT_layer_rename(PlaceOperator, bpy.types.Operator):
    """Rename this layer; masks that refer to it follow"""

    bl_idname = "terrane.layer_rename"
    bl_label = "Rename Layer"
    bl_options = OPTIONS

    __annotations__ = {
        "name": text_property("Name", "Name of the layer; empty uses the name of its type", maxlen=LONGEST_TEXT),
    }  # fmt: skip

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the name."""
        group = state.active_settings(context)
        names = layer_list.names(group)
        place = layer_list.active_place(group) if self.place < 0 else self.place
        if not self.properties.is_property_set("name") and 0 <= place < len(names):
            self.name = names[place]
        manager: Any = context.window_manager
        return set(manager.invoke_props_popup(self, event))

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Write the name."""
        layer_list.rename(group, layer_list.active_entry(group), self.name)


class TERRANE_OT_layer_mask(LayerOperator, bpy.types.Operator):
    """Mask the active layer by a map or another layer"""

    bl_idname = "terrane.layer_mask"
    bl_label = "Set Mask"
    bl_options = OPTIONS

    __annotations__ = {
        "source": EnumProperty(
            name="Source",
            description="Source of the mask, read when the layer acts",
            items=mask_settings.source_items(),
        ),
        "layer": text_property("Layer", "Name of the masking layer; the first layer if empty"),
        **part_property("MASK"),
    }

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the description of the chosen source."""
        source = mask_settings.sources().get(properties.source)
        return str(pgettext_tip(str(cls.__doc__) if source is None else source.help))

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Add a mask with default limits, for the user to adjust."""
        entry: Any = layer_list.active_entry(group)
        part = mask_settings.find_part(entry.mask, PARTS[self.part])
        mask = mask_settings.suggest_mask(self.source, abs(number(group.height)))
        mask_settings.MASKS.write_tree(part, mask)
        if self.layer:
            mask_settings.set_layer(part, layer_list.make_referable(group, self.layer))


class TERRANE_OT_layer_painted_mask(LayerOperator, bpy.types.Operator):
    """Mask the active layer by a painted mask"""

    bl_idname = "terrane.layer_painted_mask"
    bl_label = "Set Painted Mask"
    bl_options = OPTIONS

    __annotations__ = {
        "mask": StringProperty(
            name="Mask",
            description="Name of a vertex group, float attribute or image; empty for everywhere",
        )
    }

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Write the name; the mask is looked up when the terrain is made."""
        entry: Any = layer_list.active_entry(group)
        entry.painted_mask = self.mask
