# SPDX-License-Identifier: GPL-3.0-or-later
"""Put a number where a modifier's parameter is a noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import StringProperty

from .bridge.messages import report
from .bridge.recipes import stack
from .stack_operator import StackOperator


class TERRANE_OT_modifier_number(StackOperator, bpy.types.Operator):
    """Use a number again where a recipe has put a noise into a parameter."""

    bl_idname = "terrane.modifier_number"
    bl_label = "Use a Number"
    bl_description = "Forget the noise that the recipe has here, and use a number"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    __annotations__ = {
        "parameter": StringProperty(
            name="Parameter", description="Of the active modifier", options={"HIDDEN"}
        )
    }
    if TYPE_CHECKING:
        parameter: str

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Replace the noise by what the property says."""
        entry: Any = stack.active_entry(group)
        if self.parameter not in stack.noises(entry):
            report(self, {"WARNING"}, "{} has no noise in {!r}", entry.name, self.parameter)
            return {"CANCELLED"}
        stack.forget_noise(entry, self.parameter)
        return {"FINISHED"}
