# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that let a terrain obey drawn curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ..noise_core.base.errors import ParameterError, TerraneError
from ..noise_core.base.json_texts import json_value
from ..noise_core.curves import land_curve
from ..noise_core.erosion.earthworks.kinds import CLOSED
from ..noise_core.modifiers.path import Path
from .bridge.datablocks import linked, meshes
from .bridge.interface.messages import Message
from .bridge.schema import settings, state
from .bridge.schema.enum_items import enum_items
from .bridge.terrain import curve_kinds, drawn_splines, land_curves, path_layers, terrains
from .guarded_operator import GuardedOperator
from .options import choice_property, switch_property, text_property
from .recipe_keywords import reports_errors

if TYPE_CHECKING:
    from ..noise_core.curves.land_curve import LandCurve

KIND_ITEMS = enum_items(curve_kinds.KIND_HELP)

_FARTHEST = 2.0
"""Tiles that points may lie away from the terrain: others are in meters by mistake."""


def kind_property() -> Any:
    """Return the property for what a drawn curve becomes."""
    return choice_property("Kind", "Use of the curve", KIND_ITEMS, default="road")


class PathOperator(GuardedOperator):
    """Mix-in of operators that let a terrain obey a curve."""

    writes = (state.scene,)

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Refuse scenes without a terrain."""
        has_any = any(state.is_terrain(obj) for obj in context.scene.objects)
        return "" if has_any else Message("Add a terrain first")


class TERRANE_OT_path_add(PathOperator, bpy.types.Operator):
    """Let the terrain obey a curve object, as a road, a river, a ridge or another kind"""

    bl_idname = "terrane.path_add"
    bl_label = "Add Path"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "object": text_property("Object", "Curve object; the active one if empty"),
        "kind": kind_property(),
    }

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add the layer, and show the terrain in the panel."""
        curve = path_layers.find_curve(context, self.object)
        terrain = path_layers.find_terrain(context, curve)
        settings.fill(getattr(terrain, state.PROPERTY))
        curve_kinds.add_layer(terrain, curve, self.kind)
        if state.active_object(context) != terrain:
            context.view_layer.objects.active = terrain
        return {"FINISHED"}


class TERRANE_OT_curve_add(PathOperator, bpy.types.Operator):
    """Add a curve that the active terrain obeys, as a road, a river, a ridge or another kind"""

    bl_idname = "terrane.curve_add"
    bl_label = "Add Curve"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "kind": kind_property(),
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
        terrain = path_layers.find_terrain(context, None)
        linked.require_writable(terrain)
        curve = self._points(terrain) if self.points else self._across(terrain)
        spline = land_curves.spline_points(terrain, curve)
        curve_kinds.add_curve(
            context, terrain, self.kind, spline, self.name, is_smooth=self._is_smooth
        )
        return {"FINISHED"}

    @property
    def _is_smooth(self) -> bool:
        """Whether corners are round: those of a pad by demand alone."""
        return self.smooth and (
            self.kind not in CLOSED or self.properties.is_property_set("smooth")
        )

    def _points(self, terrain: bpy.types.Object) -> LandCurve:
        """Return the curve that the keyword describes; raise a ParameterError if it is none."""
        rows = read_rows(self.points, "points", "x, y, z, width")
        points = [land_curve.CurvePoint(at=(x, y), z=z, width=width) for x, y, z, width in rows]
        return land_curve.LandCurve(points=points, closed=self.closed or self.kind in CLOSED)

    def _across(self, terrain: bpy.types.Object) -> LandCurve:
        """Return a curve over the ground to begin with: across the terrain, or around a place for a closed kind."""
        (across,) = Path().curves
        places = [point.at for point in across.points[1:-1]]
        if is_closed := self.closed or self.kind in CLOSED:
            places = [(0.45, 0.45), (0.55, 0.45), (0.55, 0.55), (0.45, 0.55)]
        built, width = terrains.built_grid(terrain), drawn_splines.automatic_width(terrain)
        points = [
            land_curve.CurvePoint(at=at, z=_ground(terrain, built, at), width=width)
            for at in places
        ]
        return land_curve.LandCurve(points=points, closed=is_closed)


def read_rows(text: str, name: str, columns: str) -> list[list[float]]:
    """Return the rows of a keyword in JSON, whose first two numbers are tiles; raise a ParameterError for others."""
    try:
        rows = json_value(text)
    except ValueError as error:
        raise ParameterError("{} must be JSON; {}", name, error, got=repr(text)) from error
    count = columns.count(",") + 1
    if not isinstance(rows, list) or not all(_is_row(row, count) for row in rows):
        raise ParameterError(
            "{} must be a list of [{}], x and y in tiles from {} to {}",
            *(name, columns, -_FARTHEST, 1.0 + _FARTHEST),
            got=repr(text),
        )
    return rows


def _is_row(row: Any, count: int) -> bool:
    is_row = isinstance(row, list) and len(row) == count
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
