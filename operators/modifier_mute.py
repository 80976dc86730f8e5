# SPDX-License-Identifier: GPL-3.0-or-later
"""Leave a layer, a modifier or the base noise out, or take it in again."""

from __future__ import annotations

from typing import Any

import bpy

from .bridge.recipes import layer_list
from .stack_operator import PlaceOperator, place_property


class TERRANE_OT_modifier_mute(PlaceOperator, bpy.types.Operator):
    """Leave a layer, a modifier or the noise that the recipe begins with out, or take it in again."""

    bl_idname = "terrane.modifier_mute"
    bl_label = "Mute"
    bl_description = "Leave this layer out, or take it in again"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    needs_entry = False
    __annotations__ = place_property(has_base=True)

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Turn it around."""
        layer_list.mute(group, layer_list.active_place(group))
        return {"FINISHED"}
