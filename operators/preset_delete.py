# SPDX-License-Identifier: GPL-3.0-or-later
"""Delete a preset of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import StringProperty

from .bridge import state
from .bridge.core import own_names, preset
from .bridge.messages import report, translate
from .bridge.recipes import user_presets
from .recipe_keywords import reports_errors


class TERRANE_OT_preset_delete(bpy.types.Operator):
    """Delete a preset of the user's own; nothing changes in the scene."""

    bl_idname = "terrane.preset_delete"
    bl_label = "Delete Preset"
    bl_description = "Delete a preset of your own for good; terrains that were made of it stay"
    bl_options = {"INTERNAL"}

    __annotations__ = {
        "preset": StringProperty(
            name="Preset",
            description="Which one, by the name of its file; that of the panel if empty",
            options={"SKIP_SAVE"},
        )
    }
    if TYPE_CHECKING:
        preset: str

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it if there is something to delete."""
        if own_names():
            return True
        poll: Any = cls
        poll.poll_message_set(translate("Save a preset of your own first"))
        return False

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask first."""
        return set(context.window_manager.invoke_confirm(self, event))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove its files."""
        name = self.preset or state.active_settings(context).preset
        label = preset(name).label if name in own_names() else name
        user_presets.delete(name)
        report(self, {"INFO"}, "Deleted the preset {}", label)
        return {"FINISHED"}
