# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose what a layer's or modifier's mask looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_tip
from bpy.props import EnumProperty, StringProperty

from .bridge.recipes import layer_list, mask_settings, stack
from .bridge.values import number
from .stack_operator import StackOperator


class TERRANE_OT_modifier_where(StackOperator, bpy.types.Operator):
    """Let the active modifier act on slopes, above a height, or where another layer says."""

    bl_idname = "terrane.modifier_where"
    bl_label = "Set Mask of the Recipe"
    bl_description = "Let the active layer act where the ground, or another layer, says"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    __annotations__ = {
        "source": EnumProperty(
            name="Source",
            description="What is looked at when the layer's turn comes",
            items=mask_settings.source_items(),
        ),
        "layer": StringProperty(
            name="Layer",
            description="Name of the layer that it is masked by; nothing: the base noise",
            options={"SKIP_SAVE"},
        ),
    }
    if TYPE_CHECKING:
        source: str
        layer: str

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return what the chosen source is."""
        source = mask_settings.sources().get(properties.source)
        return str(pgettext_tip(cls.bl_description if source is None else source.help))

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Write a mask to begin with; its limits are then the user's to set."""
        entry = stack.active_entry(group)
        relief = abs(number(group.height))
        mask = mask_settings.suggested(self.source, relief)
        held = getattr(entry, stack.WHERE)
        mask_settings.write(held, mask)
        if self.layer:
            mask_settings.set_layer(held, layer_list.referable(group, self.layer))
        return {"FINISHED"}
