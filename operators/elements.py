# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on the chain of the active layer: add, remove, move and mute its elements."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from .bridge.interface.core import ParameterError
from .bridge.interface.messages import Message, report
from .bridge.schema import elements, layer_list, layers
from .layer_operator import (
    ACTIVE,
    OPTIONS,
    AddOperator,
    LayerOperator,
    MoveOperator,
    place_property,
)


class ChainOperator(LayerOperator):
    """Mix-in of operators that change the chain of the active layer."""

    @classmethod
    def why_not_layer(cls, entry: Any) -> str:
        """Refuse layers without a chain."""
        if layers.has_chain(entry):
            return ""
        return Message("Select a layer of noise or a group: modifiers have no chain")


class ElementOperator(ChainOperator):
    """Mix-in of operators that change the element at a place of that chain."""

    __annotations__ = place_property(
        "In the chain, from 0, the basis of a layer of noise; -1 is the active element"
    )

    def change(self, context: bpy.types.Context, group: Any) -> bool | None:
        """Change the element, unless it is the noise that the chain begins with."""
        entry: Any = layer_list.active_entry(group)
        place = int(entry.active_element if self.place == ACTIVE else self.place)
        least = layer_list.least_element(entry)
        if not least <= place < len(entry.chain):
            raise ParameterError(
                "place must be in [{}, {}]; got {}", least, len(entry.chain) - 1, place
            )
        return self.change_element(entry, place)

    def change_element(self, entry: Any, place: int) -> bool | None:
        """Change the element; return False if nothing could change."""
        raise NotImplementedError


class TERRANE_OT_element_add(AddOperator, ChainOperator, bpy.types.Operator):
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
        )
    }

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Add the filter and make it active."""
        layer_list.add_filter(layer_list.active_entry(group), self.type)


class TERRANE_OT_element_remove(ElementOperator, bpy.types.Operator):
    """Remove a filter from the chain of the active layer."""

    bl_idname = "terrane.element_remove"
    bl_label = "Remove Filter"
    bl_description = "Remove this filter; the noise that the chain begins with stays"
    bl_options = OPTIONS

    def change_element(self, entry: Any, place: int) -> None:
        """Remove the filter; the one before it becomes active."""
        layer_list.remove_element(entry, place)


class TERRANE_OT_element_move(MoveOperator, ElementOperator, bpy.types.Operator):
    """Move a filter in the chain of the active layer."""

    bl_idname = "terrane.element_move"
    bl_label = "Move Filter"
    bl_description = "Move this filter up, to come earlier, or down, to come later"
    bl_options = OPTIONS

    def change_element(self, entry: Any, place: int) -> bool:
        """Move the filter by one place, if possible."""
        return layer_list.move_element(entry, place, self.step())


class TERRANE_OT_element_mute(ElementOperator, bpy.types.Operator):
    """Leave a filter out, or take it in again."""

    bl_idname = "terrane.element_mute"
    bl_label = "Mute Filter"
    bl_description = "Leave this filter out, or take it in again"
    bl_options = OPTIONS

    def change_element(self, entry: Any, place: int) -> None:
        """Toggle the element."""
        element = entry.chain[place]
        element.muted = not element.muted


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
    }

    def change(self, context: bpy.types.Context, group: Any) -> bool:
        """Reset the value."""
        entry: Any = layer_list.active_entry(group)
        holder, last = entry, len(entry.chain) - 1
        if self.element >= 0:
            if self.element > last:
                raise ParameterError("element must be in [-1, {}]; got {}", last, self.element)
            holder = entry.chain[self.element]
        is_reset = elements.reset_value(holder, self.parameter)
        if not is_reset:
            report(self, {"WARNING"}, "{} has a plain value in {!r}", entry.name, self.parameter)
        return is_reset
