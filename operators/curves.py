# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on drawn curves: paths along them, and the lists of curves that layers and masks follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
from bpy.props import IntProperty

from ..noise_core.base.errors import ParameterError, TerraneError
from ..noise_core.base.json_texts import json_value
from ..noise_core.curves import land_curve
from ..noise_core.modifiers.path import Path
from ..noise_core.modifiers.stamp import Stamp
from .bridge.datablocks import curve_objects, linked, meshes
from .bridge.interface.messages import Message
from .bridge.schema import changes, curve_slots, layer_list, mask_settings, settings, state
from .bridge.schema.enum_items import enum_items
from .bridge.terrain import drawn_curves, terrains
from .guarded_operator import GuardedOperator
from .layer_operator import OPTIONS, PARTS, LayerOperator, part_property
from .options import choice_property, switch_property, text_property
from .recipe_keywords import reports_errors

if TYPE_CHECKING:
    from ..noise_core.curves.land_curve import LandCurve

_KINDS = {
    "road": "A road that follows the ground, no steeper than 8 %",
    "trail": "A trail that follows the ground, no steeper than 25 %",
    "river_bed": "A bed that falls from its higher end to the other one",
    "dam": "An embankment up to the heights of the points",
    "cliff": "Raised ground to the left of the curve",
    "pad": "Level ground inside a closed curve",
}

_KIND_ITEMS = enum_items(_KINDS)

_FARTHEST = 2.0
"""Tiles that points may lie away from the terrain: others are in meters by mistake."""

_NARROWEST = 4.0
"""Width of a new curve in samples, at least."""


def _kind_property() -> Any:
    return choice_property("Kind", "What is built along the curve", _KIND_ITEMS, default="road")


class PathOperator(GuardedOperator):
    """Mix-in of operators that add a path to a terrain."""

    writes = (state.scene,)

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Refuse scenes without a terrain."""
        has_any = any(state.is_terrain(obj) for obj in context.scene.objects)
        return "" if has_any else Message("Add a terrain first")


class TERRANE_OT_path_add(PathOperator, bpy.types.Operator):
    """Add a road, river bed or another path along a curve object to the terrain"""

    bl_idname = "terrane.path_add"
    bl_label = "Add Path"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "object": text_property("Object", "Curve object; the active one if empty"),
        "kind": _kind_property(),
    }

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add the layer, and show the terrain in the panel."""
        curve = drawn_curves.find_object(context, self.object, "CURVE")
        terrain = drawn_curves.find_terrain(context, curve)
        settings.fill(getattr(terrain, state.PROPERTY))
        drawn_curves.add_layer(terrain, curve, self.kind)
        if state.active_object(context) != terrain:
            context.view_layer.objects.active = terrain
        return {"FINISHED"}


class TERRANE_OT_curve_add(PathOperator, bpy.types.Operator):
    """Add a curve over the active terrain, and a road, river bed or another path along it"""

    bl_idname = "terrane.curve_add"
    bl_label = "Add Curve"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "kind": _kind_property(),
        "points": text_property(
            "Points", "JSON list of [x, y, z, width]: tiles of the terrain, then meters"
        ),
        "closed": switch_property("Closed", "Join the last point to the first"),
        "smooth": switch_property("Smooth", "Round off the corners", default=True),
        "name": text_property("Name", "Name of the curve object; that of the kind if empty"),
    }

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make the curve object, its layer, and make it the active object."""
        if context.mode != "OBJECT":
            raise TerraneError("Switch to Object Mode first")
        terrain = drawn_curves.find_terrain(context, None)
        linked.require_writable(terrain)
        curve = self._points(terrain) if self.points else self._across(terrain)
        name = self.name or self.kind.replace("_", " ").title()
        spline = drawn_curves.spline_points(terrain, curve)
        obj = curve_objects.add(context, name, [spline], terrain, is_smooth=self._is_smooth)
        context.view_layer.update()
        settings.fill(getattr(terrain, state.PROPERTY))
        drawn_curves.add_layer(terrain, obj, self.kind)
        for other in context.selected_objects:
            other.select_set(False)
        obj.select_set(True)
        context.view_layer.objects.active = obj
        return {"FINISHED"}

    @property
    def _is_smooth(self) -> bool:
        """Whether corners are round: those of a pad by demand alone."""
        return self.smooth and (self.kind != "pad" or self.properties.is_property_set("smooth"))

    def _points(self, terrain: bpy.types.Object) -> LandCurve:
        """Return the curve that the keyword describes; raise a ParameterError if it is none."""
        try:
            rows = json_value(self.points)
        except ValueError as error:
            raise ParameterError("points must be JSON; {}", error, got=repr(self.points)) from error
        if not isinstance(rows, list) or not all(_is_point(row) for row in rows):
            raise ParameterError(
                "points must be a list of [x, y, z, width], x and y in tiles from {} to {}",
                *(-_FARTHEST, 1.0 + _FARTHEST),
                got=repr(self.points),
            )
        points = [land_curve.CurvePoint(at=(x, y), z=z, width=width) for x, y, z, width in rows]
        return land_curve.LandCurve(points=points, closed=self.closed or self.kind == "pad")

    def _across(self, terrain: bpy.types.Object) -> LandCurve:
        """Return a curve over the ground to begin with: across the terrain, or around a place for a pad."""
        (across,) = Path().curves
        places = [point.at for point in across.points[1:-1]]
        if is_closed := self.closed or self.kind == "pad":
            places = [(0.45, 0.45), (0.55, 0.45), (0.55, 0.55), (0.45, 0.55)]
        built = terrains.built_grid(terrain)
        width = max(8.0, _NARROWEST * built.size / (built.columns - 1))
        points = [
            land_curve.CurvePoint(at=at, z=_ground(terrain, built, at), width=width)
            for at in places
        ]
        return land_curve.LandCurve(points=points, closed=is_closed)


def is_stamp(node: Any) -> bool:
    """Return whether a layer or mask follows empties rather than curves."""
    return getattr(node, "type", "") == Stamp.key


def _is_point(row: Any) -> bool:
    is_row = isinstance(row, list) and len(row) == 4
    if not is_row or any(
        isinstance(part, bool) or not isinstance(part, int | float) for part in row
    ):
        return False
    return all(-_FARTHEST <= part <= 1.0 + _FARTHEST for part in row[:2])


def _ground(terrain: bpy.types.Object, built: Any, at: tuple[float, float]) -> float:
    """Return the height of the vertex nearest to a place in tiles."""
    mesh: Any = meshes.mesh_of(terrain)
    if not built.fits(mesh):
        return 0.0
    column = round(at[0] * (built.columns - 1))
    row = min(round(at[1] * (built.columns - 1)), built.rows - 1)
    return float(np.float32(mesh.vertices[row * built.columns + column].co.z))


# Lists of curves in the panel


class SlotOperator(LayerOperator):
    """Mix-in of operators on the list of curves that the active layer or its mask follows."""

    __annotations__ = {
        **part_property(),
        "place": IntProperty(name="Place", description="Index in the list", min=0, options={"SKIP_SAVE"}),
    }  # fmt: skip

    def slots(self, group: Any) -> Any:
        """Return the list."""
        entry: Any = layer_list.active_entry(group)
        path = PARTS[self.part]
        node = mask_settings.find_part(entry.mask, path) if path else entry
        return node.placements if is_stamp(node) else node.curves

    def slot(self, group: Any) -> Any:
        """Return the chosen slot; raise a ParameterError if there is none."""
        slots = self.slots(group)
        if self.place >= len(slots):
            raise ParameterError("place must be in [0, {}]", len(slots) - 1, got=self.place)
        return slots[self.place]


class TERRANE_OT_curve_choose(SlotOperator, bpy.types.Operator):
    """Follow one more curve object"""

    bl_idname = "terrane.curve_choose"
    bl_label = "Choose Another Curve"
    bl_options = OPTIONS

    __annotations__ = {"object": text_property("Object", "Curve object; to be chosen if empty")}

    def change(self, context: bpy.types.Context, group: Any) -> None:
        """Add the slot, with the object if one is named."""
        slots = self.slots(group)
        is_empty = is_stamp(layer_list.active_entry(group)) and self.part == "LAYER"
        kind = "EMPTY" if is_empty else "CURVE"
        chosen = drawn_curves.find_object(context, self.object, kind) if self.object else None
        slots.add().object = chosen


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
        curves = curve_slots.parse(slot.points, "curves")
        if not curves or not all(isinstance(curve, land_curve.LandCurve) for curve in curves):
            raise TerraneError("There are no points to make a curve of")
        splines = [
            drawn_curves.spline_points(terrain, curve)
            for curve in curves
            if isinstance(curve, land_curve.LandCurve)
        ]
        name = slot.known_name or layer_list.active_entry(group).name  # type: ignore[union-attr]
        obj = curve_objects.add(context, name, splines, terrain)
        context.view_layer.update()
        slot.object = obj
