# SPDX-License-Identifier: GPL-3.0-or-later
"""Move a modifier within the stack in the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty

from .bridge.properties import enum_number
from .bridge.recipes import layer_list
from .stack_operator import StackOperator


class TERRANE_OT_modifier_move(StackOperator, bpy.types.Operator):
    """Move the active modifier: what stands higher acts earlier."""

    bl_idname = "terrane.modifier_move"
    bl_label = "Move Modifier"
    bl_description = "Move the active modifier up, to act earlier, or down, to act later"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    __annotations__ = {
        "direction": EnumProperty(
            name="Direction",
            description="Where it moves to",
            items=[
                ("UP", "Up", "It acts earlier", "NONE", enum_number("UP")),
                ("DOWN", "Down", "It acts later", "NONE", enum_number("DOWN")),
            ],
        )
    }
    if TYPE_CHECKING:
        direction: str

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Let it change places with its neighbor, if it has one there."""
        by = -1 if self.direction == "UP" else 1
        return {"FINISHED"} if layer_list.move(group, by) else {"CANCELLED"}
