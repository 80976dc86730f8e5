# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that draws a curve on a terrain by the mouse, which the terrain obeys."""

from __future__ import annotations

import json
from typing import Any

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from ..noise_core.base.errors import TerraneError
from ..noise_core.modifiers.path import CLOSED
from .bridge.datablocks import linked
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, translate
from .bridge.schema.enum_items import enum_items
from .bridge.terrain import curve_kinds, path_layers, stroke_overlay, strokes, tile_frame
from .curves import KIND_ITEMS, PathOperator, read_rows
from .options import HIDDEN, redo_layout, switch_property, text_property
from .recipe_keywords import reports_errors

_HELP = Message("Drag: draw on the ground | Back to the start: close | Esc: cancel")

_SHAPES = enum_items(
    {"BEZIER": "Smooth curve with handles", "POLY": "Straight pieces"},
    {"BEZIER": "Bezier", "POLY": "Poly"},
)

_NAVIGATION = {
    *("MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "TRACKPADPAN", "TRACKPADZOOM"),
    *("NDOF_MOTION", "MOUSEROTATE"),
}
"""Events that turn the view before a stroke begins."""


SETTINGS = ("kind", "shape", "width", "tolerance")
"""Keywords that the header of the tool shows."""


class TERRANE_OT_curve_draw(PathOperator, bpy.types.Operator):
    """Draw a curve on the ground, which the terrain obeys as a road, a river, a ridge or another kind"""

    bl_idname = "terrane.curve_draw"
    bl_label = "Draw Curve on Terrain"
    bl_options = {"REGISTER", "UNDO", "BLOCKING"}

    __annotations__ = {
        "kind": EnumProperty(
            name="Kind",
            description="What the curve becomes",
            items=KIND_ITEMS,
        ),
        "shape": EnumProperty(name="Shape", description="Kind of the splines", items=_SHAPES),
        "width": FloatProperty(
            name="Width",
            description="Width of the bed in meters; 0 is four samples, and 8 m at least",
            min=0.0,
            soft_max=100.0,
            unit="LENGTH",
        ),
        "tolerance": FloatProperty(
            name="Tolerance",
            description="Distance by which the curve may miss the stroke; 0 is four pixels of the view",
            min=0.0,
            soft_max=100.0,
            unit="LENGTH",
        ),
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
        frame = tile_frame.Frame.of(terrain)
        line = frame.units(np.array(read_rows(self.stroke, "stroke", "x, y, z")).reshape(-1, 3))
        width = self.width or strokes.automatic_width(terrain)
        tolerance = self.tolerance or self.view_tolerance or 0.5 * width
        is_closed = self.closed or self.kind in CLOSED
        spline = strokes.spline_of(line, tolerance, self.shape, width, is_closed=is_closed)
        curve_kinds.add_curve(context, terrain, self.kind, spline)
        return {"FINISHED"}

    @reports_errors
    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin a stroke, or wait for the press that does."""
        if context.area is None or context.area.type != "VIEW_3D":
            raise TerraneError("Draw in a 3D viewport")
        self._terrain = Ref.of(_writable_terrain(context))
        self._ground: strokes.DrawnGround | None = None
        self._overlay: stroke_overlay.StrokeOverlay | None = None
        self._places: list[Any] = []
        self._pixels: list[tuple[float, float]] = []
        self._view: Any = None
        if not self.wait_for_input:
            self._begin(context, event)
        self._show_help(context)
        manager: Any = context.window_manager
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Follow the mouse until its button is released, or Esc."""
        if self._terrain.find() is None or event.type in {"ESC", "RIGHTMOUSE"}:
            self._leave(context)
            return {"CANCELLED"}
        if self._ground is None:
            return self._wait(context, event)
        if event.type in {"MOUSEMOVE", "INBETWEEN_MOUSEMOVE"}:
            self._add(event)
            self._show_help(context)
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            self._leave(context)
            return self._finish(context)
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Clean up when Blender ends the operator, as when its window closes."""
        self._leave(context)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings in the redo panel."""
        layout: Any = redo_layout(self)
        for name in (*SETTINGS, "closed"):
            layout.prop(self, name)

    def _wait(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Let the view be turned until the left button is pressed over it."""
        if event.type in _NAVIGATION:
            return {"PASS_THROUGH"}
        if event.type == "LEFTMOUSE" and event.value == "PRESS":
            return self._begin(context, event)
        return {"RUNNING_MODAL"}

    @reports_errors
    def _begin(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin the stroke under the mouse, if that is over a viewport."""
        self._view = _region_at(context, event)
        if self._view is not None:
            self._ground = strokes.DrawnGround.of(self._terrain.resolve())
            self._overlay = stroke_overlay.StrokeOverlay()
            self._add(event)
        return {"RUNNING_MODAL"}

    def _add(self, event: bpy.types.Event) -> None:
        """Add the place under the mouse, if the ground is there."""
        mouse = (float(event.mouse_x - self._view.x), float(event.mouse_y - self._view.y))
        place = self._ground.hit(self._view, self._view.data, mouse)
        if place is None or (self._pixels and self._pixels[-1] == mouse):
            return
        self._places.append(place)
        self._pixels.append(mouse)
        self._overlay.add(self._ground.in_world(place))

    @reports_errors
    def _finish(self, context: bpy.types.Context) -> set[str]:
        """Make the curve of the stroke, and keep the stroke for the redo panel."""
        places, pixels = np.array(self._places), np.array(self._pixels)
        if len(places) < 2:
            raise TerraneError("Drag over the terrain to draw a curve")
        tiles = tile_frame.Frame.of(self._terrain.resolve()).tiles(places)
        self.stroke = json.dumps(tiles.tolist())
        self.view_tolerance = strokes.tolerance_of(places, pixels)
        self.closed = strokes.returns(pixels, context.preferences.system.ui_scale)
        return set(self.execute(context))

    def _show_help(self, context: bpy.types.Context) -> None:
        """Show the keys in the status bar, and the kind and length of the path in the header."""
        kinds: Any = self.properties.bl_rna.properties["kind"]
        title = kinds.enum_items[self.kind].name
        length = strokes.length_of(np.array(self._places).reshape(-1, 3))
        text = Message("{}: {} m", Message(title), f"{length:.0f}")
        context.area.header_text_set(translate(text))
        context.workspace.status_text_set(translate(_HELP))
        context.window.cursor_modal_set("PAINT_CROSS")

    def _leave(self, context: bpy.types.Context) -> None:
        """Show the land without the stroke, and the usual texts."""
        if self._overlay is not None:
            self._overlay.remove()
        if context.area is not None:
            context.area.header_text_set(None)
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        if context.window is not None:
            context.window.cursor_modal_restore()


def _writable_terrain(context: bpy.types.Context) -> bpy.types.Object:
    """Return the terrain to draw on; raise a TerraneError if there is none, or it cannot be drawn on now."""
    if context.mode != "OBJECT":
        raise TerraneError("Switch to Object Mode first")
    terrain = path_layers.find_terrain(context, None)
    linked.require_writable(terrain)
    return terrain


def _region_at(context: bpy.types.Context, event: bpy.types.Event) -> Any:
    """Return the region of a viewport under the mouse; None if there is none."""
    for area in context.screen.areas:
        for region in area.regions if area.type == "VIEW_3D" else ():
            is_across = region.x <= event.mouse_x < region.x + region.width
            is_along = region.y <= event.mouse_y < region.y + region.height
            if region.type == "WINDOW" and is_across and is_along:
                return region
    return None
