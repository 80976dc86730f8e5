# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a row of colors to be edited."""

from __future__ import annotations

import bpy

from .bridge import state
from .bridge.pictures import picture_settings
from .layer_operator import SettingsOperator
from .recipe_keywords import reports_errors


class TERRANE_OT_ramp_new(SettingsOperator, bpy.types.Operator):
    """Make a row of colors to be edited, with those of the palette to begin with."""

    bl_idname = "terrane.ramp_new"
    bl_label = "New Ramp"
    bl_description = "Make a row of colors to be edited, with those of the palette to begin with"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it into the settings that the panel shows."""
        options = getattr(state.active_settings(context), state.IMAGE_GROUP)
        picture_settings.begin_ramp(options)
        return {"FINISHED"}
