# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain brush in the toolbar of 3D viewports."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.interface.registering import Tool
from ..operators.bridge.terrain import brush_cursor
from ..operators.bridge.terrain.brush_settings import BRUSH
from .declared import draw_parameters


class TERRANE_WT_brush(bpy.types.WorkSpaceTool):
    """Brush that erodes, deposits, smooths, flattens and slumps the ground of the active terrain."""

    bl_space_type = "VIEW_3D"
    bl_context_mode = "OBJECT"
    bl_idname = "terrane.brush"
    bl_label = "Terrain Brush"
    bl_description = "Erode, deposit, smooth, flatten or slump the ground of the active terrain"
    bl_icon = "brush.sculpt.displacement_smear"
    bl_cursor = "PAINT_CROSS"
    bl_keymap = (
        ("terrane.brush_draw", {"type": "LEFTMOUSE", "value": "PRESS"}, None),
        (
            "terrane.brush_draw",
            {"type": "LEFTMOUSE", "value": "PRESS", "shift": True},
            {"properties": [("mode", "smooth")]},
        ),
        (
            "terrane.brush_adjust",
            {"type": "F", "value": "PRESS"},
            {"properties": [("setting", "size")]},
        ),
        (
            "terrane.brush_adjust",
            {"type": "F", "value": "PRESS", "shift": True},
            {"properties": [("setting", "strength")]},
        ),
    )

    @staticmethod
    def draw_settings(context: bpy.types.Context, layout: Any, tool: Any) -> None:
        """Draw the settings of the brush in the header and in the tab Tool."""
        draw_parameters(layout, BRUSH.group(context.scene), BRUSH.parameters)

    @staticmethod
    def draw_cursor(context: bpy.types.Context, tool: Any, mouse: tuple[float, float]) -> None:
        """Draw the circle of the brush on the ground."""
        brush_cursor.draw(context, mouse)


_tool = Tool(TERRANE_WT_brush, separated=True)
register, unregister = _tool.register, _tool.unregister
