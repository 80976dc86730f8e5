# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw a new seed."""

from __future__ import annotations

import os

import bpy

from .bridge import state
from .layer_operator import SettingsOperator


class TERRANE_OT_seed_new(SettingsOperator, bpy.types.Operator):
    """Draw a new seed at random: another terrain of the same kind."""

    bl_idname = "terrane.seed_new"
    bl_label = "New Seed"
    bl_description = "Draw a new seed at random: another terrain of the same kind"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it into the settings that the panel shows."""
        # Five digits are enough to find something new, and few enough to write down.
        seed = int.from_bytes(os.urandom(4), "little") % 100_000
        state.active_settings(context).seed = seed
        return {"FINISHED"}
