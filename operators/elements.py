# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on the chain of the active layer: add, remove, move and mute its elements."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from ..noise_core.base.errors import ParameterError, TerraneError
from .bridge.interface.messages import Message, report
from .bridge.schema import elements, layer_list, layer_values, layers
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

_NO_CHAIN = Message("Select a layer of noise or a group: modifiers have no chain")


class LayerPartOperator(LayerOperator):
    """Mix-in of operators that change a chain: that of the active layer, or one of its mask."""

    __annotations__ = part_property()

    def holder(self, group: Any) -> Any:
        """Return the holder of the chosen chain; raise a TerraneError if there is none."""
        holder = layers.chain_holders(layer_list.active_entry(group)).get(PARTS[self.part])
        if holder is None:
            raise TerraneError(
                Message("This mask is not made of a noise") if PARTS[self.part] else _NO_CHAIN
            )
        return holder


class ChainOperator(LayerPartOperator):
    """Mix-in of operators that only change a chain."""

    @classmethod
    def why_not_layer(cls, entry: Any) -> str:
        """Refuse layers without a chain."""
        return "" if layers.chain_holders(entry) else _NO_CHAIN


class ElementOperator(ChainOperator):
    """Mix-in of operators that change the element at a place of that chain."""

    __annotations__ = place_property("Index in the chain; -1 is the active element")

    def change(self, context: bpy.types.Context, group: Any) -> bool | None:
        """Change the element, unless it is the noise that the chain begins with."""
        holder = self.holder(group)
        place = int(holder.active_element if self.place == ACTIVE else self.place)
        least = elements.least_element(holder)
        if not least <= place < len(holder.chain):
            raise ParameterError(
                "place must be in [{}, {}]", least, len(holder.chain) - 1, got=place
            )
        return self.change_element(holder, place)

    def change_element(self, holder: Any, place: int) -> bool | None:
        """Change the element; return False if nothing could change."""
        raise NotImplementedError


class TERRANE_OT_element_add(AddOperator, ChainOperator, bpy.types.Operator):
    """Add a filter behind the active one"""

    bl_idname = "terrane.element_add"
    bl_label = "Add Filter"
    bl_options = OPTIONS

    __annotations__ = {
        "type": EnumProperty(
            name="Type",
            description="Type of the filter",
            items=elements.filter_items(),
            default="curve",
        )
    }

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Add the filter and make it active."""
        elements.add_filter(self.holder(group), self.type)


class TERRANE_OT_element_remove(ElementOperator, bpy.types.Operator):
    """Remove this filter; the first noise stays"""

    bl_idname = "terrane.element_remove"
    bl_label = "Remove Filter"
    bl_options = OPTIONS

    def change_element(self, holder: Any, place: int) -> None:
        """Remove the filter; the one before it becomes active."""
        elements.remove_element(holder, place)


class TERRANE_OT_element_move(MoveOperator, ElementOperator, bpy.types.Operator):
    """Move this filter up or down in the chain"""

    bl_idname = "terrane.element_move"
    bl_label = "Move Filter"
    bl_options = OPTIONS

    def change_element(self, holder: Any, place: int) -> bool:
        """Move the filter by one place, if possible."""
        return elements.move_element(holder, place, self.step())


class TERRANE_OT_element_mute(ElementOperator, bpy.types.Operator):
    """Mute this filter, or use it again"""

    bl_idname = "terrane.element_mute"
    bl_label = "Mute Filter"
    bl_options = OPTIONS

    def change_element(self, holder: Any, place: int) -> None:
        """Toggle the element."""
        element = holder.chain[place]
        element.muted = not element.muted


class TERRANE_OT_value_reset(LayerPartOperator, bpy.types.Operator):
    """Replace the noise or curve of this value with a plain number"""

    bl_idname = "terrane.value_reset"
    bl_label = "Use a Plain Value"
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
        owner = entry
        if self.element >= 0:
            chain = self.holder(group).chain
            last = len(chain) - 1
            if self.element > last:
                raise ParameterError("element must be in [-1, {}]", last, got=self.element)
            owner = chain[self.element]
        is_reset = layer_values.reset_value(owner, self.parameter)
        if not is_reset:
            report(self, {"WARNING"}, "{} has a plain value in {!r}", entry.name, self.parameter)
        return is_reset
