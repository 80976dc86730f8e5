# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that lays fine ground before the camera."""

from __future__ import annotations

import bpy

from .bridge.interface.core import DetailPatch
from .bridge.scene import patches
from .bridge.schema import state
from .bridge.tasks import steps
from .recipe_keywords import declared_keywords, reports_errors
from .scene import PartOperator


class TERRANE_OT_detail_patch_add(PartOperator, bpy.types.Operator):
    """Lay a finer mesh before the scene's camera, in place of the terrain's faces there, for pictures from near the ground; it follows the terrain. After the camera has moved, a second press moves it"""

    bl_idname = "terrane.detail_patch_add"
    bl_label = "Add Detail Patch"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    declared = DetailPatch

    __annotations__ = declared_keywords(DetailPatch.parameters())

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make the patch, or move it."""
        terrain = state.active_terrain(context)
        patch = self.given(patches.settings_of(context.scene, terrain))
        steps.at_once(patches.write(context, terrain, patch))
        return {"FINISHED"}
