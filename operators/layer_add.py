# SPDX-License-Identifier: GPL-3.0-or-later
"""Add a layer of noise to the list in the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_tip
from bpy.props import EnumProperty

from .bridge.keywords import keywords
from .bridge.recipes import layer_list, noise_layers
from .bridge.recipes.knob_groups import noise_items
from .stack_operator import StackOperator


class TERRANE_OT_layer_add(StackOperator, bpy.types.Operator):
    """Add a layer of noise behind the active one, with a seed of its own."""

    bl_idname = "terrane.layer_add"
    bl_label = "Add Noise Layer"
    bl_description = "Lay another noise over the ground, behind the active layer"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    needs_entry = False
    __annotations__ = {
        "noise": EnumProperty(
            name="Noise",
            description="What the layer is made of",
            items=noise_items(),
            default=str(keywords()["noise"].default),
        )
    }
    if TYPE_CHECKING:
        noise: str

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return what the chosen noise looks like."""
        return str(
            pgettext_tip(keywords()["noise"].options.get(properties.noise) or cls.bl_description)
        )

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Add it and make it the active one."""
        layer_list.add(group, noise_layers.new_layer(group, self.noise))
        return {"FINISHED"}
