# SPDX-License-Identifier: GPL-3.0-or-later
"""Brushes on terrains: a stroke by a script, the stroke of the tool in the toolbar, and its size and strength by the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty

from ..noise_core.base.errors import ParameterError, TerraneError
from ..noise_core.base.json_texts import json_value
from ..noise_core.erosion import brushes
from ..noise_core.erosion.brushes.brush import Brush
from . import pointer_operator
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, translate
from .bridge.schema import state
from .bridge.schema.enum_items import enum_items
from .bridge.tasks import jobs
from .bridge.tasks.steps import Steps
from .bridge.terrain import (
    brush_cursor,
    brush_strokes,
    followers,
    terrain_product,
    tile_frame,
)
from .bridge.terrain.brush_settings import BRUSH
from .bridge.terrain.terrain_product import TERRAIN
from .guarded_operator import GuardedOperator
from .long_operator import LongOperator
from .options import checked_values, text_property
from .pointer_operator import PointerOperator
from .recipe_keywords import declared_keywords, reports_errors

if TYPE_CHECKING:
    from .bridge.terrain.tile_frame import TileFrame

_HELP = Message("Drag: change the ground | Esc, right click: cancel")
_ADJUSTING = Message("Move the mouse | Click: confirm | Esc, right click: cancel")

_PIXELS = 200.0
"""Pixels by which the mouse moves for the whole range of the strength, on a screen of usual density."""

_SMOOTH = "smooth"


class BrushOperator(GuardedOperator):
    """Mix-in of operators that draw strokes on the active terrain."""

    writes = (state.active_mesh, state.settings_owner)

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Refuse terrains on which no stroke can be drawn."""
        terrain = state.active_terrain(context)
        if terrain is None:
            return state.why_no_terrain(context)
        return jobs.why_not() or brush_strokes.why_not(terrain)


class TERRANE_OT_brush_stroke(LongOperator, BrushOperator, bpy.types.Operator):
    """Draw a stroke of a brush on the active terrain; the layer Sculpted Change keeps it"""

    bl_idname = "terrane.brush_stroke"
    bl_label = "Brush Stroke"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Updating the Terrain")

    __annotations__ = {
        **declared_keywords(Brush.parameters()),
        "stroke": text_property(
            "Stroke", "JSON list of [x, y] or [x, y, pressure]: tiles of the terrain, then 0 to 1"
        ),
    }

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Draw the stroke, keep it, and make the terrain anew."""
        brush = Brush(**checked_values(self, Brush.parameters(), "Brush"))
        points = _points(self.stroke)
        terrain: Any = state.active_terrain(context)
        ref, stroke = Ref.of(terrain), brush_strokes.TerrainStroke(terrain, brush)
        stroke.move_to(points)
        if not stroke.finish():
            raise TerraneError("The stroke has changed nothing")
        yield from TERRAIN.run(ref.resolve())
        terrain_product.refresh(ref.resolve())
        yield from followers.follow(ref.resolve())
        return {"FINISHED"}


def _points(text: str) -> list[brushes.strokes.StrokePoint]:
    """Return the points of a stroke from JSON; raise a ParameterError if they are none."""
    try:
        rows = json_value(text)
    except ValueError as error:
        raise ParameterError("stroke must be JSON; {}", error, got=repr(text)) from error
    if not isinstance(rows, list) or not rows or not all(_is_point(row) for row in rows):
        raise ParameterError("stroke must be a list of [x, y] or [x, y, pressure]", got=repr(text))
    return [brushes.strokes.StrokePoint(*map(float, row)) for row in rows]


def _is_point(row: Any) -> bool:
    return (
        isinstance(row, list)
        and len(row) in (2, 3)
        and all(isinstance(part, int | float) and not isinstance(part, bool) for part in row)
    )


class BrushPointerOperator(PointerOperator, BrushOperator):
    """Mix-in of operators that follow the mouse over the ground of the active terrain, with the circle of the brush."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Refuse editors other than 3D viewports."""
        return pointer_operator.why_no_viewport(context) or super().why_not(context)

    def end(self, context: bpy.types.Context) -> None:
        """Let the circle follow the mouse again."""
        brush_cursor.unpin()
        super().end(context)


class TERRANE_OT_brush_draw(BrushPointerOperator, bpy.types.Operator):
    """Draw a stroke of the brush in the toolbar on the active terrain"""

    bl_idname = "terrane.brush_draw"
    bl_label = "Brush Stroke"
    bl_options = {"UNDO", "BLOCKING", "INTERNAL"}

    __annotations__ = {
        "mode": EnumProperty(
            name="Mode",
            description="Kind of the stroke",
            items=enum_items(
                {"normal": "The brush's own kind", "smooth": "Smooth, whatever the kind is"},
                {"normal": "Normal", "smooth": "Smooth"},
            ),
            options={"SKIP_SAVE"},
        )
    }

    @reports_errors
    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin the stroke where the mouse is pressed; pass clicks beside the terrain on."""
        terrain: Any = state.active_terrain(context)
        values = BRUSH.read(context.scene)
        if self.mode == _SMOOTH:
            values["kind"] = _SMOOTH
        self.look_at(terrain, context.region, context.region_data)
        place = self._find(event, tile_frame.TileFrame.of(terrain))
        if place is None:
            return {"PASS_THROUGH"}
        self._stroke = brush_strokes.TerrainStroke(terrain, Brush(**values))
        self._stroke.move_to([place])
        brush_cursor.pin(self.ground)
        return self.begin(context, _HELP)

    def follow(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """Draw on to the place under the mouse."""
        place = self._find(event, self._stroke.frame)
        if place is not None:
            self._stroke.move_to([place])

    @reports_errors
    def confirm(self, context: bpy.types.Context) -> set[str]:
        """Keep the stroke."""
        self.end(context)
        return {"FINISHED"} if self._stroke.finish() else {"CANCELLED"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Show the ground before the stroke again; Blender calls this when a window closes."""
        if self.terrain.find() is not None:
            self._stroke.cancel()
        self.end(context)

    def _find(self, event: bpy.types.Event, frame: TileFrame) -> brushes.strokes.StrokePoint | None:
        """Return the point of the stroke under the mouse, on the ground before the stroke."""
        place = self.place_under(event)
        if place is None:
            return None
        x, y, _ = frame.tiles(place).tolist()
        return brushes.strokes.StrokePoint(x, y, min(max(event.pressure, 0.0), 1.0))


class TERRANE_OT_brush_adjust(BrushPointerOperator, bpy.types.Operator):
    """Set the size or the strength of the brush by moving the mouse"""

    bl_idname = "terrane.brush_adjust"
    bl_label = "Adjust Brush"
    bl_options = {"UNDO", "BLOCKING", "INTERNAL"}

    __annotations__ = {
        "setting": EnumProperty(
            name="Setting",
            description="What the mouse sets",
            items=enum_items(
                {"size": "Diameter of the brush", "strength": "How much a stroke changes"},
                {"size": "Size", "strength": "Strength"},
            ),
            options={"SKIP_SAVE"},
        )
    }

    @reports_errors
    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin at the place under the mouse."""
        terrain: Any = state.active_terrain(context)
        self.look_at(terrain, context.region, context.region_data)
        self._start = event.mouse_x
        self._before = BRUSH.read(context.scene)
        self._radius = brush_cursor.radius_of(context.scene, terrain)
        center = self.place_under(event)
        if center is None:
            raise TerraneError("Point at the terrain first")
        self._scale = brush_cursor.meters_per_pixel(self.ground, center, self.region, self.view)
        brush_cursor.pin(self.ground, center)
        self._show(context)
        return self.begin(context, _ADJUSTING)

    def follow(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """Set the value by the way of the mouse."""
        pixels = event.mouse_x - self._start
        if self.setting == "size":
            value = 2.0 * max(self._radius + pixels * self._scale, self._scale)
        else:
            share = pixels / (_PIXELS * context.preferences.system.ui_scale)
            value = min(max(self._before["strength"] + share, 0.0), 1.0)
        BRUSH.write(context.scene, {self.setting: value})
        self._show(context)

    def is_over(self, event: bpy.types.Event) -> bool:
        """Return whether the value is confirmed."""
        return event.type in {"LEFTMOUSE", "RET", "NUMPAD_ENTER"} and event.value == "PRESS"

    def confirm(self, context: bpy.types.Context) -> set[str]:
        """Keep the value."""
        self.end(context)
        return {"FINISHED"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Restore the value before; Blender calls this when a window closes."""
        BRUSH.write(context.scene, {self.setting: self._before[self.setting]})
        self.end(context)

    def _show(self, context: bpy.types.Context) -> None:
        """Show the value in the header."""
        values = BRUSH.read(context.scene)
        diameter = 2.0 * brush_cursor.radius_of(context.scene, state.active_terrain(context))
        text = (
            Message("Size: {} m", f"{diameter:.4g}")
            if self.setting == "size"
            else Message("Strength: {}", f"{values['strength']:.2f}")
        )
        context.area.header_text_set(translate(text))
        context.area.tag_redraw()
