# SPDX-License-Identifier: GPL-3.0-or-later
"""Leave a layer or modifier out, or take it in again."""

from __future__ import annotations

from typing import Any

import bpy

from .bridge import stack
from .stack_operator import PlaceOperator, place_property


class TERRANE_OT_modifier_mute(PlaceOperator, bpy.types.Operator):
    """Leave a layer or modifier out, or take it in again."""

    bl_idname = "terrane.modifier_mute"
    bl_label = "Mute"
    bl_description = "Leave this layer out, or take it in again"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    __annotations__ = place_property()

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Turn it around."""
        entry = stack.active_entry(group)
        entry.muted = not entry.muted
        return {"FINISHED"}
