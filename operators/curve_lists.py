# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on the lists of curves that layers and masks follow, and on the kinds of paths along them."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import IntProperty

from ..noise_core.base.errors import ParameterError, TerraneError
from ..noise_core.curves import land_curve
from ..noise_core.erosion.earthworks.kinds import KIND_HELP
from .bridge.datablocks import curve_objects
from .bridge.schema import changes, curve_slots, elements, layer_list, layers, mask_settings, state
from .bridge.schema.enum_items import enum_items
from .bridge.terrain import footprints, land_curves, path_layers
from .layer_operator import OPTIONS, PARTS, LayerOperator, part_property, place_property
from .options import choice_property, text_property


class SlotOperator(LayerOperator):
    """Mix-in of operators on the list of curves that the active layer or its mask follows."""

    __annotations__ = {
        **part_property(),
        "list": text_property("List", "Name of the list: that of its parameter", default="curves"),
        "place": IntProperty(name="Place", description="Index in the list", min=0, options={"SKIP_SAVE"}),
    }  # fmt: skip

    def slots(self, group: Any) -> Any:
        """Return the list, of the active element where the layer or mask has a chain."""
        entry: Any = layer_list.active_entry(group)
        path = PARTS[self.part]
        holder = layers.chain_holders(entry).get(path)
        if holder is not None:
            element = elements.active_element(holder)
            lists = {} if element is None else elements.NOISES.own_slots(element)
        elif path:
            lists = mask_settings.MASKS.own_slots(mask_settings.find_part(entry.mask, path))
        else:
            lists = layers.LAYER_TYPES.own_slots(entry)
        if self.list not in lists:
            raise ParameterError(
                "list must be one of {}", ", ".join(lists) or "none", got=repr(self.list)
            )
        return lists[self.list]

    def slot(self, group: Any) -> Any:
        """Return the chosen slot; raise a ParameterError if there is none."""
        slots = self.slots(group)
        if self.place >= len(slots):
            raise ParameterError("place must be in [0, {}]", len(slots) - 1, got=self.place)
        return slots[self.place]


class TERRANE_OT_curve_choose(SlotOperator, bpy.types.Operator):
    """Follow one more curve, or the outline of one more object"""

    bl_idname = "terrane.curve_choose"
    bl_label = "Choose Another Curve"
    bl_options = OPTIONS

    __annotations__ = {
        "object": text_property("Object", "Curve or other object; to be chosen if empty"),
        "collection": text_property("Collection", "Collection; to be chosen if empty"),
    }

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Add the slot, with the object or the collection if one is named."""
        source = footprints.find_named(self.object, self.collection)
        curve_slots.choose(self.slots(group).add(), source)


class TERRANE_OT_curve_forget(SlotOperator, bpy.types.Operator):
    """Follow this curve no longer; its object stays"""

    bl_idname = "terrane.curve_forget"
    bl_label = "Remove Curve"
    bl_options = OPTIONS

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Remove the slot."""
        self.slot(group)
        self.slots(group).remove(self.place)
        changes.on_change(group, context)  # a shorter list does not tell by itself


class TERRANE_OT_curve_make(SlotOperator, bpy.types.Operator):
    """Make a curve object of the points that the layer follows"""

    bl_idname = "terrane.curve_make"
    bl_label = "Make Curve Object"
    bl_options = OPTIONS

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Make the object, and follow it."""
        slot, terrain = self.slot(group), state.active_terrain(context)
        if terrain is None:
            raise TerraneError(state.why_no_terrain(context))
        curves = curve_slots.parse(slot.points)
        if not curves or not all(isinstance(curve, land_curve.LandCurve) for curve in curves):
            raise TerraneError("There are no points to make a curve of")
        splines = [
            land_curves.spline_points(terrain, curve)
            for curve in curves
            if isinstance(curve, land_curve.LandCurve)
        ]
        entry: Any = layer_list.active_entry(group)
        name = slot.known_name or slot.curve_name or entry.name
        obj = curve_objects.add(context, name, splines, terrain)
        context.view_layer.update()
        curve_slots.choose(slot, obj)


# Paths in the panel

_PATH_KINDS = enum_items(KIND_HELP)


class PathPlaceOperator(LayerOperator):
    """Mix-in of operators on a layer at a place."""

    def choose_layer(self, group: Any) -> None:
        """See `LayerOperator.choose_layer`."""
        if self.place >= 0:
            layer_list.choose(group, self.place)


class TERRANE_OT_curve_select(PathPlaceOperator, bpy.types.Operator):
    """Show the settings of this layer, and select the curves that it follows"""

    bl_idname = "terrane.curve_select"
    bl_label = "Select Curves of Layer"
    bl_options = OPTIONS

    __annotations__ = place_property("Place of the layer")

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Select the objects that are in the view layer; the first one becomes the active one."""
        entry: Any = layer_list.active_entry(group)
        objects = path_layers.objects_of(context, entry)
        if not objects or context.mode != "OBJECT":
            return
        for other in context.selected_objects:
            other.select_set(False)
        for obj in objects:
            obj.select_set(True)
        # The panel goes on to show the terrain while one of its children is active.
        if objects[0].parent == group.id_data:
            context.view_layer.objects.active = objects[0]


class TERRANE_OT_path_kind(PathPlaceOperator, bpy.types.Operator):
    """Give the path the values of a kind; its curves and its width stay"""

    bl_idname = "terrane.path_kind"
    bl_label = "Kind of Path"
    bl_options = OPTIONS

    __annotations__ = {
        "kind": choice_property(
            "Kind", "What is built along the curve", _PATH_KINDS, default="road"
        ),
        **place_property("Place of the layer"),
    }

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Write the values."""
        path_layers.set_kind(layer_list.active_entry(group), self.kind)
