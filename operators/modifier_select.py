# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose which layer's parameters the panel shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import IntProperty

from .bridge.recipes import layer_list, stack
from .stack_operator import StackOperator


class TERRANE_OT_modifier_select(StackOperator, bpy.types.Operator):
    """Show the parameters of one layer or modifier, or of the noise that all begins with."""

    bl_idname = "terrane.modifier_select"
    bl_label = "Select Layer"
    bl_description = "Show the parameters of this layer"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    needs_entry = False
    __annotations__ = {
        "place": IntProperty(
            name="Place",
            description="In the list, from 0; -1 is the noise that the recipe begins with",
            min=stack.BASE,
        )
    }
    if TYPE_CHECKING:
        place: int

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Make it the active one."""
        return {"FINISHED"} if layer_list.select(group, self.place) else {"CANCELLED"}
