# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose where a modifier acts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import StringProperty

from .bridge.recipes import stack
from .stack_operator import StackOperator


class TERRANE_OT_modifier_mask(StackOperator, bpy.types.Operator):
    """Let the active modifier act where a vertex group, a float attribute or an image says."""

    bl_idname = "terrane.modifier_mask"
    bl_label = "Set Mask"
    bl_description = "Let the active modifier act where this mask is above 0"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    __annotations__ = {
        "mask": StringProperty(
            name="Mask",
            description="Name of a vertex group, a float attribute or an image; nothing: everywhere",
        )
    }
    if TYPE_CHECKING:
        mask: str

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Write the name; whether there is such a mask is asked when the terrain is made."""
        entry: Any = stack.active_entry(group)
        entry.mask = self.mask
        return {"FINISHED"}
