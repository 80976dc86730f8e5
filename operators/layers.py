# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on the list of layers in the panel: add, remove, move, group, mute, mask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_tip
from bpy.props import EnumProperty, StringProperty

from .bridge.interface.core import LONGEST_TEXT
from .bridge.interface.messages import Message
from .bridge.schema import elements, layer_list, layers, mask_settings, state
from .bridge.schema.properties import enum_number
from .bridge.schema.values import number
from .layer_operator import (
    PARTS,
    LayerOperator,
    PlaceOperator,
    direction_property,
    part_property,
    place_property,
)

OPTIONS: Any = {"REGISTER", "UNDO", "INTERNAL"}


def type_items() -> list[Any]:
    """Return the enum items of all types of layers: group, noises by family, modifiers."""
    group = (
        layers.GROUP,
        "Group",
        "Layers whose result is filtered, blended and masked as one",
        "FILE_FOLDER",
        enum_number(layers.GROUP),
    )
    noises = [one for one in elements.basis_items() if one[0]]
    return [group, *noises, *state.modifier_items()]


class TERRANE_OT_layer_add(LayerOperator, bpy.types.Operator):
    """Add a layer of noise, a group, or a modifier such as erosion."""

    bl_idname = "terrane.layer_add"
    bl_label = "Add Layer"
    bl_description = (
        "Add a layer at the end of the list, or behind the active one unless that is the first"
    )
    bl_options = OPTIONS

    needs_layer = False
    __annotations__ = {
        "type": EnumProperty(
            name="Type",
            description="A noise, a group or a modifier",
            items=type_items(),
            default="perlin",
        )
    }
    if TYPE_CHECKING:
        type: str

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the description of the chosen type."""
        texts = {item[0]: item[2] for item in type_items()}
        return str(pgettext_tip(texts.get(properties.type) or cls.bl_description))

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Add the layer and make it active."""
        layer_list.add(group, layer_list.new_layer(group, self.type))
        return {"FINISHED"}


class TERRANE_OT_layer_remove(LayerOperator, bpy.types.Operator):
    """Remove the active layer, a group with its content."""

    bl_idname = "terrane.layer_remove"
    bl_label = "Remove Layer"
    bl_description = "Remove the active layer; a group with all layers in it"
    bl_options = OPTIONS

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Remove the layer; the one before it becomes active."""
        layer_list.remove(group)
        return {"FINISHED"}


class TERRANE_OT_layer_move(LayerOperator, bpy.types.Operator):
    """Move the active layer; higher layers are evaluated earlier."""

    bl_idname = "terrane.layer_move"
    bl_label = "Move Layer"
    bl_description = "Move the active layer up, to come earlier, or down, to come later; past the end of a group it leaves it"
    bl_options = OPTIONS

    __annotations__ = direction_property()
    if TYPE_CHECKING:
        direction: str

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Move the layer by one place, if possible."""
        by = -1 if self.direction == "UP" else 1
        return {"FINISHED"} if layer_list.move(group, by) else {"CANCELLED"}


class TERRANE_OT_layer_duplicate(LayerOperator, bpy.types.Operator):
    """Duplicate the active layer, with its parameters, masks and content."""

    bl_idname = "terrane.layer_duplicate"
    bl_label = "Duplicate Layer"
    bl_description = "Add a copy of the active layer behind it"
    bl_options = OPTIONS

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Add the copy and make it active."""
        layer_list.duplicate(group)
        return {"FINISHED"}


class TERRANE_OT_layer_group(LayerOperator, bpy.types.Operator):
    """Put the active layer into a new group."""

    bl_idname = "terrane.layer_group"
    bl_label = "Group Layer"
    bl_description = "Put the active layer into a new group, whose layers are filtered, blended and masked as one"
    bl_options = OPTIONS

    @classmethod
    def why_not(cls, group: Any) -> str:
        """Return why the layer cannot be grouped: modifiers need the whole ground."""
        entry, reason = layer_list.active_entry(group), super().why_not(group)
        if not reason and entry is not None and not layers.has_chain(entry):
            reason = Message("Modifiers cannot stand in a group")
        return reason

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Make the group and make it active."""
        layer_list.put_into_group(group)
        return {"FINISHED"}


class TERRANE_OT_layer_ungroup(LayerOperator, bpy.types.Operator):
    """Remove a group and keep the layers in it."""

    bl_idname = "terrane.layer_ungroup"
    bl_label = "Ungroup"
    bl_description = "Remove the active group, or that of the active layer, and keep its layers"
    bl_options = OPTIONS

    @classmethod
    def why_not(cls, group: Any) -> str:
        """Return why there is no group to remove; an empty text if there is one."""
        entry, reason = layer_list.active_entry(group), super().why_not(group)
        if not reason and entry is not None and entry.type != layers.GROUP and not entry.depth:
            reason = Message("Select a group, or a layer in one")
        return reason

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Remove the group."""
        layer_list.take_out_of_group(group)
        return {"FINISHED"}


class TERRANE_OT_layer_select(PlaceOperator, bpy.types.Operator):
    """Show the parameters of a layer."""

    bl_idname = "terrane.layer_select"
    bl_label = "Select Layer"
    bl_description = "Show the parameters of this layer"
    bl_options = OPTIONS

    __annotations__ = place_property()

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Change nothing: `execute` has made the layer active."""
        return {"FINISHED"}


class TERRANE_OT_layer_mute(PlaceOperator, bpy.types.Operator):
    """Leave a layer out, or take it in again."""

    bl_idname = "terrane.layer_mute"
    bl_label = "Mute"
    bl_description = "Leave this layer out, or take it in again"
    bl_options = OPTIONS

    __annotations__ = place_property()

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Toggle the switch."""
        layer_list.toggle_mute(group, layer_list.active_place(group))
        return {"FINISHED"}


class TERRANE_OT_layer_solo(PlaceOperator, bpy.types.Operator):
    """Solo a layer on the first one, or use all layers again."""

    bl_idname = "terrane.layer_solo"
    bl_label = "Solo"
    bl_description = "Leave out all others, so that only this layer acts on the first; again: all act. The recipe stays as it is"
    bl_options = OPTIONS

    __annotations__ = place_property()

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Toggle the switch."""
        layer_list.toggle_solo(group, layer_list.active_place(group))
        return {"FINISHED"}


class TERRANE_OT_layer_fold(PlaceOperator, bpy.types.Operator):
    """Hide the layers of a group in the list, or show them."""

    bl_idname = "terrane.layer_fold"
    bl_label = "Fold Group"
    bl_description = "Hide the layers in this group in the list, or show them"
    bl_options = OPTIONS

    __annotations__ = place_property()

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Toggle the switch."""
        entry: Any = layer_list.active_entry(group)
        entry.is_folded = not entry.is_folded
        return {"FINISHED"}


class TERRANE_OT_layer_rename(PlaceOperator, bpy.types.Operator):
    """Rename a layer, also in the masks that refer to it."""

    bl_idname = "terrane.layer_rename"
    bl_label = "Rename Layer"
    bl_description = "Give this layer another name; masks that name it follow"
    bl_options = OPTIONS

    __annotations__ = {
        **place_property(),
        "name": StringProperty(
            name="Name",
            description="What the list and masks call it; nothing: as its type is called",
            maxlen=LONGEST_TEXT,
            options={"SKIP_SAVE"},
        ),
    }
    if TYPE_CHECKING:
        name: str
        place: int

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the name."""
        group = state.active_settings(context)
        names = layer_list.names(group)
        place = layer_list.active_place(group) if self.place < 0 else self.place
        if not self.properties.is_property_set("name") and 0 <= place < len(names):
            self.name = names[place]
        manager: Any = context.window_manager
        status: set[str] = manager.invoke_props_popup(self, event)
        return status

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Write the name."""
        layer_list.rename(group, layer_list.active_entry(group), self.name)
        return {"FINISHED"}


class TERRANE_OT_layer_mask(LayerOperator, bpy.types.Operator):
    """Limit the active layer by slope, height or another layer."""

    bl_idname = "terrane.layer_mask"
    bl_label = "Set Mask"
    bl_description = "Let the active layer act where the ground, or another layer, says"
    bl_options = OPTIONS

    __annotations__ = {
        "source": EnumProperty(
            name="Source",
            description="What is looked at when the layer's turn comes",
            items=mask_settings.source_items(),
        ),
        "layer": StringProperty(
            name="Layer",
            description="Name of the layer that it is masked by; nothing: the first layer",
            options={"SKIP_SAVE"},
        ),
        **part_property("MASK"),
    }
    if TYPE_CHECKING:
        source: str
        layer: str
        part: str

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the description of the chosen source."""
        source = mask_settings.sources().get(properties.source)
        return str(pgettext_tip(cls.bl_description if source is None else source.help))

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Add a mask with default limits, for the user to adjust."""
        entry: Any = layer_list.active_entry(group)
        own = mask_settings.find_part(entry.mask, PARTS[self.part])
        mask = mask_settings.suggest_mask(self.source, abs(number(group.height)))
        mask_settings.write(own, mask)
        if self.layer:
            mask_settings.set_layer(own, layer_list.make_referable(group, self.layer))
        return {"FINISHED"}


class TERRANE_OT_layer_painted_mask(LayerOperator, bpy.types.Operator):
    """Limit the active layer by a vertex group, a float attribute or an image."""

    bl_idname = "terrane.layer_painted_mask"
    bl_label = "Set Painted Mask"
    bl_description = "Let the active layer act where this mask is above 0"
    bl_options = OPTIONS

    __annotations__ = {
        "mask": StringProperty(
            name="Mask",
            description="Name of a vertex group, a float attribute or an image; nothing: everywhere",
        )
    }
    if TYPE_CHECKING:
        mask: str

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Write the name; the mask is looked up when the terrain is made."""
        entry: Any = layer_list.active_entry(group)
        entry.painted_mask = self.mask
        return {"FINISHED"}


CLASSES = (
    TERRANE_OT_layer_add,
    TERRANE_OT_layer_remove,
    TERRANE_OT_layer_move,
    TERRANE_OT_layer_duplicate,
    TERRANE_OT_layer_group,
    TERRANE_OT_layer_ungroup,
    TERRANE_OT_layer_select,
    TERRANE_OT_layer_mute,
    TERRANE_OT_layer_solo,
    TERRANE_OT_layer_fold,
    TERRANE_OT_layer_rename,
    TERRANE_OT_layer_mask,
    TERRANE_OT_layer_painted_mask,
)
