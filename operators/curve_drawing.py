# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that draws a curve on a terrain by the mouse, which the terrain obeys."""

from __future__ import annotations

import json
from typing import Any

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from ..noise_core.base.errors import TerraneError
from ..noise_core.erosion.earthworks.kinds import CLOSED
from .bridge.datablocks import linked
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, translate
from .bridge.schema.enum_items import enum_items
from .bridge.schema.properties import declared_properties
from .bridge.terrain import (
    curve_kinds,
    drawn_ground,
    drawn_splines,
    path_layers,
    stroke_overlay,
    tile_frame,
)
from .curves import KIND_ITEMS, PathOperator, read_rows
from .options import HIDDEN, draw_declared, redo_layout, switch_property, text_property
from .pointer_operator import NAVIGATION, PointerOperator, viewport_at
from .recipe_keywords import reports_errors

_HELP = Message("Drag: draw on the ground | Back to the start: close | Esc: cancel")

_SHAPES = enum_items(
    {"BEZIER": "Smooth curve with handles", "POLY": "Straight pieces"},
    {"BEZIER": "Bezier", "POLY": "Poly"},
)


class TERRANE_OT_curve_draw(PointerOperator, PathOperator, bpy.types.Operator):
    """Draw a curve on the ground, which the terrain obeys as a road, a river, a ridge or another kind"""

    bl_idname = "terrane.curve_draw"
    bl_label = "Draw Curve on Terrain"
    bl_options = {"REGISTER", "UNDO", "BLOCKING"}

    __annotations__ = {
        "kind": EnumProperty(
            name="Kind",
            description="Use of the curve",
            items=KIND_ITEMS,
        ),
        "shape": EnumProperty(name="Shape", description="Kind of the splines", items=_SHAPES),
        **declared_properties(drawn_splines.NUMBERS),
        "closed": switch_property("Closed", "Join the last point to the first"),
        "stroke": text_property(
            "Stroke", "JSON list of [x, y, z]: tiles of the terrain, then meters"
        ),
        "view_tolerance": FloatProperty(options=HIDDEN),
        "wait_for_input": BoolProperty(default=True, options=HIDDEN),
    }

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make the curve object of the stroke, and its layer."""
        terrain = _writable_terrain(context)
        frame = tile_frame.TileFrame.of(terrain)
        line = frame.units(np.array(read_rows(self.stroke, "stroke", "x, y, z")).reshape(-1, 3))
        width = self.width or drawn_splines.automatic_width(terrain)
        tolerance = self.tolerance or self.view_tolerance or 0.5 * width
        is_closed = self.closed or self.kind in CLOSED
        spline = drawn_splines.spline_of(line, tolerance, self.shape, width, is_closed=is_closed)
        curve_kinds.add_curve(context, terrain, self.kind, spline)
        return {"FINISHED"}

    @reports_errors
    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin a stroke, or wait for the press that does."""
        if context.area is None or context.area.type != "VIEW_3D":
            raise TerraneError("Draw in a 3D viewport")
        terrain = _writable_terrain(context)
        # Meshes on which no curve counts are refused before the stroke.
        tile_frame.TileFrame.of(terrain)
        drawn_ground.DrawnGround.of(terrain)
        self.terrain = Ref.of(terrain)
        self._places: list[Any] = []
        self._pixels: list[tuple[float, float]] = []
        if not self.wait_for_input:
            self._start(context, event)
        self._show_length(context)
        return self.begin(context, _HELP, "PAINT_CROSS")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings in the redo panel."""
        layout: Any = redo_layout(self)
        for name in ("kind", "shape"):
            layout.prop(self, name)
        draw_declared(layout, self, drawn_splines.NUMBERS)
        layout.prop(self, "closed")

    def wait(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Let the view be turned until the left button is pressed over it."""
        if event.type in NAVIGATION:
            return {"PASS_THROUGH"}
        if event.type == "LEFTMOUSE" and event.value == "PRESS":
            return self._start(context, event)
        return {"RUNNING_MODAL"}

    @reports_errors
    def _start(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin the stroke under the mouse, if that is over a viewport."""
        region = viewport_at(context, event)
        if region is not None:
            self.look_at(self.terrain.resolve(), region, region.data)
            self.overlay = stroke_overlay.StrokeOverlay()
            self.follow(context, event)
        return {"RUNNING_MODAL"}

    def follow(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """Draw on to the place under the mouse, if the ground is there."""
        mouse = (float(event.mouse_x), float(event.mouse_y))
        place = self.place_under(event)
        if place is not None and self._pixels[-1:] != [mouse]:
            self._places.append(place)
            self._pixels.append(mouse)
            self.overlay.add(self.ground.in_world(place))
        self._show_length(context)

    @reports_errors
    def confirm(self, context: bpy.types.Context) -> set[str]:
        """Make the curve of the stroke, and keep the stroke for the redo panel."""
        self.end(context)
        places, pixels = np.array(self._places), np.array(self._pixels)
        if len(places) < 2:
            raise TerraneError("Drag over the terrain to draw a curve")
        tiles = tile_frame.TileFrame.of(self.terrain.resolve()).tiles(places)
        self.stroke = json.dumps(tiles.tolist())
        self.view_tolerance = drawn_splines.tolerance_of(places, pixels)
        self.closed = drawn_splines.returns(pixels, context.preferences.system.ui_scale)
        return set(self.execute(context))

    def _show_length(self, context: bpy.types.Context) -> None:
        """Show the kind and the length of the path in the header."""
        kinds: Any = self.properties.bl_rna.properties["kind"]
        title = kinds.enum_items[self.kind].name
        length = drawn_splines.length_of(np.array(self._places).reshape(-1, 3))
        text = Message("{}: {} m", Message(title), f"{length:.0f}")
        context.area.header_text_set(translate(text))


def _writable_terrain(context: bpy.types.Context) -> bpy.types.Object:
    """Return the terrain to draw on; raise a TerraneError if there is none, or it cannot be drawn on now."""
    if context.mode != "OBJECT":
        raise TerraneError("Switch to Object Mode first")
    terrain = path_layers.find_terrain(context, None)
    linked.require_writable(terrain)
    return terrain
