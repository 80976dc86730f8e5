# SPDX-License-Identifier: GPL-3.0-or-later
"""Add a modifier to the stack in the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_tip
from bpy.props import EnumProperty

from .bridge import state
from .bridge.recipes import layer_list, stack
from .stack_operator import StackOperator


class TERRANE_OT_modifier_add(StackOperator, bpy.types.Operator):
    """Add a modifier behind the active one: erosion, terraces, blur and the like."""

    bl_idname = "terrane.modifier_add"
    bl_label = "Add Modifier"
    bl_description = "Add a modifier behind the active one"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    needs_entry = False
    __annotations__ = {
        "type": EnumProperty(
            name="Type", description="What the modifier does", items=state.modifier_items()
        )
    }
    if TYPE_CHECKING:
        type: str

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return what the chosen type does."""
        return str(pgettext_tip(state.modifier_summary(properties.type) or cls.bl_description))

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Add it with its default parameters, and make it the active one."""
        layer_list.add(group, stack.new_modifier(self.type))
        return {"FINISHED"}
