# SPDX-License-Identifier: GPL-3.0-or-later
"""Remove a modifier from the stack in the panel."""

from __future__ import annotations

from typing import Any

import bpy

from .bridge.recipes import layer_list
from .stack_operator import StackOperator


class TERRANE_OT_modifier_remove(StackOperator, bpy.types.Operator):
    """Remove the active modifier."""

    bl_idname = "terrane.modifier_remove"
    bl_label = "Remove Modifier"
    bl_description = "Remove the active modifier"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Remove it; the one before it becomes the active one."""
        layer_list.remove(group)
        return {"FINISHED"}
