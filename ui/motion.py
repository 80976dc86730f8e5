# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel for terrains that move from frame to frame."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.schema import state
from ..operators.bridge.terrain import animated_values, motion, shared_motion, terrains
from .live import draw_text
from .progress import draw_progress
from .sections import OfTerrain


def draw_shared_motion(layout: Any, context: bpy.types.Context, terrain: bpy.types.Object) -> None:
    """Draw that a terrain stands still for the mesh that it shares, and the button against it."""
    layer: Any = context.view_layer
    if text := shared_motion.why_still(terrain, layer.depsgraph):
        box = layout.box()
        draw_text(box, context, text, "ERROR")
        box.operator("terrane.mesh_single_user", icon="DUPLICATE")


class TERRANE_PT_motion(OfTerrain, bpy.types.Panel):
    """Keyframes of a terrain, and its erosion over time."""

    bl_label = "Motion"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for terrains."""
        return state.active_terrain(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the moving parameters and the buttons."""
        layout, terrain = self.layout, state.active_terrain(context)
        if terrain is None:
            return
        if motion.is_baked(terrain):
            draw_text(layout, context, "Baked: keyframes and settings show after Free Motion")
        elif not animated_values.is_animated(terrain):
            draw_text(layout, context, "Right-click a number of the terrain to insert a keyframe")
        elif terrains.is_eroded(getattr(terrain, state.PROPERTY)):
            draw_text(layout, context, "Playback shows previews of the erosion, renders all of it")
        column: Any = layout.column(align=True)
        if draw_progress(column):
            return
        cache = column.operator("terrane.motion_bake", text="Bake to Cache", icon="FILE_CACHE")
        cache.target = "cache"
        keys = column.operator(
            "terrane.motion_bake", text="Bake to Shape Keys", icon="SHAPEKEY_DATA"
        )
        keys.target = "keys"
        grown = column.operator(
            "terrane.motion_bake", text="Bake Erosion over Time", icon="MOD_FLUID"
        )
        grown.target, grown.erosion = "cache", True
        column.operator("terrane.motion_unbake", icon="X")
