# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose which modifier's parameters the panel shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import IntProperty

from .bridge import stack
from .stack_operator import StackOperator


class TERRANE_OT_modifier_select(StackOperator, bpy.types.Operator):
    """Show the parameters of one modifier."""

    bl_idname = "terrane.modifier_select"
    bl_label = "Select Modifier"
    bl_description = "Show the parameters of this modifier"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    __annotations__ = {
        "place": IntProperty(name="Place", description="In the stack, from 0", min=0)
    }
    if TYPE_CHECKING:
        place: int

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Make it the active one."""
        return {"FINISHED"} if stack.select(group, self.place) else {"CANCELLED"}
