# SPDX-License-Identifier: GPL-3.0-or-later
"""Duplicate a modifier of the stack in the panel."""

from __future__ import annotations

from typing import Any

import bpy

from .bridge.recipes import layer_list, stack
from .stack_operator import StackOperator


class TERRANE_OT_modifier_duplicate(StackOperator, bpy.types.Operator):
    """Duplicate the active modifier, with its parameters and its mask."""

    bl_idname = "terrane.modifier_duplicate"
    bl_label = "Duplicate Modifier"
    bl_description = "Add a copy of the active modifier behind it"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Add the copy and make it the active one."""
        entry = stack.active_entry(group)
        modifier = stack.read_entry(entry)
        if modifier.name:
            modifier = layer_list.named(modifier, layer_list.free_name(group, modifier.name))
        layer_list.add(group, modifier, stack.note(entry))
        return {"FINISHED"}
