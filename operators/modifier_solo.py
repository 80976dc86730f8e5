# SPDX-License-Identifier: GPL-3.0-or-later
"""Let one layer or modifier act alone."""

from __future__ import annotations

from typing import Any

import bpy

from .bridge.recipes import layer_list
from .stack_operator import PlaceOperator, place_property


class TERRANE_OT_modifier_solo(PlaceOperator, bpy.types.Operator):
    """Let a layer or modifier act alone on the noise that the recipe begins with, or all again."""

    bl_idname = "terrane.modifier_solo"
    bl_label = "Solo"
    bl_description = "Leave out all others, so that only this one acts on the base noise; again: all act. The recipe stays as it is"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    needs_entry = False
    __annotations__ = place_property(has_base=True)

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Turn it around."""
        layer_list.alone(group, layer_list.active_place(group))
        return {"FINISHED"}
