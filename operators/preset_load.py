# SPDX-License-Identifier: GPL-3.0-or-later
"""Load a preset into the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_tip

from .bridge import settings, state
from .bridge.core import preset
from .layer_operator import SettingsOperator
from .recipe_keywords import preset_property, reports_errors


class TERRANE_OT_preset_load(SettingsOperator, bpy.types.Operator):
    """Replace the settings in the panel by a ready-made recipe."""

    bl_idname = "terrane.preset_load"
    bl_label = "Load Preset"
    bl_description = "Replace the settings in the panel by a ready-made recipe"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    __annotations__ = {"preset": preset_property()}
    if TYPE_CHECKING:
        preset: str

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return what the preset looks like."""
        return str(pgettext_tip(preset(properties.preset).description))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the preset into the settings that the panel shows."""
        settings.write_preset(state.active_settings(context), self.preset)
        return {"FINISHED"}
