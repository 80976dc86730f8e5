# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on the chain of the active layer: add, remove, move and mute its elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_tip
from bpy.props import EnumProperty, IntProperty, StringProperty

from .bridge.interface.core import ParameterError, TerraneError
from .bridge.interface.messages import Message, report
from .bridge.schema import elements, layer_list, layer_values, layers
from .layer_operator import (
    ACTIVE,
    PARTS,
    LayerOperator,
    direction_property,
    part_property,
    place_property,
)
from .layers import OPTIONS


class ElementOperator(LayerOperator):
    """Mix-in of operators on an element in the chain of the active layer."""

    @classmethod
    def why_not(cls, group: Any) -> str:
        """Return why the active layer has no chain to change; an empty text if it has one."""
        entry, reason = layer_list.active_entry(group), super().why_not(group)
        if not reason and entry is not None and not layers.chain_holders(entry):
            reason = NO_CHAIN
        return reason

    def holder(self, group: Any) -> Any:
        """Return what has the chosen chain: the active layer, or its mask.

        Raises
        ------
        TerraneError
            If it has none.
        """
        return chain_holder(layer_list.active_entry(group), self.part)

    def wanted_place(self, holder: Any) -> int:
        """Return the place of the chosen element.

        Raises
        ------
        ParameterError
            If the operator cannot change an element there.
        """
        place = int(holder.active_element if self.place == ACTIVE else self.place)
        least = elements.least_element(holder)
        if not least <= place < len(holder.chain):
            raise ParameterError(
                "place must be in [{}, {}]; got {}", least, len(holder.chain) - 1, place
            )
        return place


NO_CHAIN = Message("Select a layer of noise or a group: modifiers have no chain")


def chain_holder(entry: Any, part: str) -> Any:
    """Return what has the chain of a part of a layer; see `part_property`.

    Raises
    ------
    TerraneError
        If it has none.
    """
    found = layers.chain_holders(entry).get(PARTS[part])
    if found is None:
        raise TerraneError(Message("This mask is not made of a noise") if PARTS[part] else NO_CHAIN)
    return found


def _place_property() -> dict[str, Any]:
    return {
        **place_property(
            "In the chain, from 0, the basis of a layer of noise; -1 is the active element"
        ),
        **part_property(),
    }


class TERRANE_OT_element_add(ElementOperator, bpy.types.Operator):
    """Add a filter to the chain of the active layer."""

    bl_idname = "terrane.element_add"
    bl_label = "Add Filter"
    bl_description = "Add a filter behind the active element of the chain"
    bl_options = OPTIONS

    __annotations__ = {
        "type": EnumProperty(
            name="Type",
            description="What the filter does",
            items=elements.filter_items(),
            default="curve",
        ),
        **part_property(),
    }
    if TYPE_CHECKING:
        type: str

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the description of the chosen filter."""
        texts = {item[0]: item[2] for item in elements.filter_items()}
        return str(pgettext_tip(texts.get(properties.type) or cls.bl_description))

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Add the filter and make it active."""
        elements.add_filter(self.holder(group), self.type)
        return {"FINISHED"}


class TERRANE_OT_element_remove(ElementOperator, bpy.types.Operator):
    """Remove a filter from the chain of the active layer."""

    bl_idname = "terrane.element_remove"
    bl_label = "Remove Filter"
    bl_description = "Remove this filter; the noise that the chain begins with stays"
    bl_options = OPTIONS

    __annotations__ = _place_property()

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Remove the filter; the one before it becomes active."""
        holder = self.holder(group)
        elements.remove_element(holder, self.wanted_place(holder))
        return {"FINISHED"}


class TERRANE_OT_element_move(ElementOperator, bpy.types.Operator):
    """Move a filter in the chain of the active layer."""

    bl_idname = "terrane.element_move"
    bl_label = "Move Filter"
    bl_description = "Move this filter up, to come earlier, or down, to come later"
    bl_options = OPTIONS

    __annotations__ = {
        **_place_property(),
        **direction_property(),
    }
    if TYPE_CHECKING:
        direction: str

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Move the filter by one place, if possible."""
        holder = self.holder(group)
        by = -1 if self.direction == "UP" else 1
        is_moved = elements.move_element(holder, self.wanted_place(holder), by)
        return {"FINISHED"} if is_moved else {"CANCELLED"}


class TERRANE_OT_element_mute(ElementOperator, bpy.types.Operator):
    """Leave a filter out, or take it in again."""

    bl_idname = "terrane.element_mute"
    bl_label = "Mute Filter"
    bl_description = "Leave this filter out, or take it in again"
    bl_options = OPTIONS

    __annotations__ = _place_property()

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Toggle the element."""
        holder = self.holder(group)
        element = holder.chain[self.wanted_place(holder)]
        element.muted = not element.muted
        return {"FINISHED"}


class TERRANE_OT_value_reset(LayerOperator, bpy.types.Operator):
    """Replace a value of the recipe that no property can hold by that of the property."""

    bl_idname = "terrane.value_reset"
    bl_label = "Use a Plain Value"
    bl_description = "Forget what the recipe has here, such as a noise, and use a plain value"
    bl_options = OPTIONS

    __annotations__ = {
        "parameter": StringProperty(
            name="Parameter", description="Of the active layer", options={"HIDDEN"}
        ),
        "element": IntProperty(
            name="Element",
            description="Place in the chain, -1 for the layer's own parameters",
            min=-1,
            default=-1,
            options={"HIDDEN", "SKIP_SAVE"},
        ),
        **part_property(),
    }
    if TYPE_CHECKING:
        parameter: str
        element: int
        part: str

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Reset the value."""
        entry: Any = layer_list.active_entry(group)
        holder = entry
        if self.element >= 0:
            chain = chain_holder(entry, self.part).chain
            if self.element >= len(chain):
                raise ParameterError(
                    "element must be in [-1, {}]; got {}", len(chain) - 1, self.element
                )
            holder = chain[self.element]
        if not layer_values.reset_value(holder, self.parameter):
            report(self, {"WARNING"}, "{} has a plain value in {!r}", entry.name, self.parameter)
            return {"CANCELLED"}
        return {"FINISHED"}


CLASSES = (
    TERRANE_OT_element_add,
    TERRANE_OT_element_remove,
    TERRANE_OT_element_move,
    TERRANE_OT_element_mute,
    TERRANE_OT_value_reset,
)
