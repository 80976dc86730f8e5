# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that imports a part of measured land, which is dragged on a terrain."""

from __future__ import annotations

from typing import Any

import bpy

from ..noise_core.base.errors import TerraneError
from .bridge.datablocks.ref import Ref
from .bridge.interface.messages import Message, translate
from .bridge.schema import state
from .guarded_operator import GuardedOperator
from .heightmap_import import BOX
from .pointer_operator import NAVIGATION, PointerOperator, viewport_at
from .recipe_keywords import reports_errors

_HELP = Message("Drag: choose a part of the terrain | Esc: cancel")


class TERRANE_OT_heightmap_part(PointerOperator, GuardedOperator, bpy.types.Operator):
    """Drag over measured land, then choose its file to import that part alone"""

    bl_idname = "terrane.heightmap_part"
    bl_label = "Import Part"
    bl_options = {"BLOCKING"}

    _start: Any = None
    _part: Any = None

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Refuse what is no measured land."""
        from .bridge.terrain import land_parts  # here, as below: enabling does without

        terrain = state.active_terrain(context)
        return state.why_no_terrain(context) if terrain is None else land_parts.why_not(terrain)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Wait for the press that begins a rectangle."""
        return self._wait_for_press(context)

    @reports_errors
    def _wait_for_press(self, context: bpy.types.Context) -> set[str]:
        from .bridge.terrain import land_parts

        if context.area is None or context.area.type != "VIEW_3D":
            raise TerraneError("Drag in a 3D viewport")
        terrain = state.active_terrain(context)
        land_parts.place_of(terrain)
        self.terrain = Ref.of(terrain)
        return self.begin(context, _HELP, "CROSSHAIR")

    def wait(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Let the view be turned until the left button is pressed over the terrain."""
        if event.type in NAVIGATION:
            return {"PASS_THROUGH"}
        region = viewport_at(context, event)
        if event.type == "LEFTMOUSE" and event.value == "PRESS" and region is not None:
            self._begin(region, event)
        return {"RUNNING_MODAL"}

    def _begin(self, region: Any, event: bpy.types.Event) -> None:
        from .bridge.terrain.stroke_overlay import StrokeOverlay

        self.look_at(self.terrain.resolve(), region, region.data)
        self._start = self.place_under(event)
        if self._start is None:
            self.ground = None  # beside the terrain: the next press begins
        else:
            self.overlay = StrokeOverlay()

    def follow(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """Draw the rectangle to the place under the mouse, and its size in the header."""
        from .bridge.exchange import placements
        from .bridge.terrain.land_parts import LandPart

        place = self.place_under(event)
        if place is None:
            return
        self._part = LandPart.between(self.ground, self._start, place)
        self.overlay.show(self._part.outline())
        unit = placements.meters_per_unit(context.scene)
        text = Message("{} x {} m", *(f"{length * unit:.0f}" for length in self._part.size))
        context.area.header_text_set(translate(text))

    @reports_errors
    def confirm(self, context: bpy.types.Context) -> set[str]:
        """Ask for the file of the part."""
        self.end(context)
        if self._part is None or not all(self._part.size):
            raise TerraneError("Drag over the terrain to choose a part")
        box = dict(zip(BOX, self._part.box()))
        operators: Any = bpy.ops
        operators.terrane.heightmap_import("INVOKE_DEFAULT", **box)
        return {"FINISHED"}
