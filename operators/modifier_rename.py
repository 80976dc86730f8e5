# SPDX-License-Identifier: GPL-3.0-or-later
"""Give a layer or modifier another name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import StringProperty

from .bridge import settings, state
from .bridge.core import LONGEST_TEXT
from .bridge.recipes import stack
from .stack_operator import PlaceOperator, place_property


class TERRANE_OT_modifier_rename(PlaceOperator, bpy.types.Operator):
    """Give a layer or modifier another name; masks that stand for it go on doing so."""

    bl_idname = "terrane.modifier_rename"
    bl_label = "Rename Layer"
    bl_description = "Give this layer another name; masks that stand for it go on doing so"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    __annotations__ = {
        **place_property(),
        "name": StringProperty(
            name="Name",
            description="What the list and masks call it; nothing: as its type is called",
            maxlen=LONGEST_TEXT,
            options={"SKIP_SAVE"},
        ),
    }
    if TYPE_CHECKING:
        name: str

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the name."""
        names = settings.names(state.active_settings(context))
        place = self.wanted_place(state.active_settings(context))
        if not self.properties.is_property_set("name") and 0 <= place < len(names):
            self.name = names[place]
        manager: Any = context.window_manager
        status: set[str] = manager.invoke_props_popup(self, event)
        return status

    def change(self, context: bpy.types.Context, group: Any) -> set[str]:
        """Write the name."""
        entry = stack.active_entry(group)
        cls = stack.modifier_class(entry)
        entry.name = self.name or (entry.type if cls is None else cls.label)
        return {"FINISHED"}
