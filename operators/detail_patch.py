# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that lays fine ground before the camera."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import bpy

from .bridge.interface.core import DetailPatch
from .bridge.scene import patches
from .bridge.schema import state
from .bridge.schema.values import read_values
from .bridge.tasks import steps
from .options import redo_layout
from .recipe_keywords import declared_keywords, reports_errors
from .scene import TerrainOperator


class TERRANE_OT_detail_patch_add(TerrainOperator, bpy.types.Operator):
    """Lay a finer mesh before the scene's camera, in place of the terrain's faces there, for pictures from near the ground; it follows the terrain. After the camera has moved, a second press moves it"""

    bl_idname = "terrane.detail_patch_add"
    bl_label = "Add Detail Patch"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    __annotations__ = declared_keywords(DetailPatch.parameters())
    if TYPE_CHECKING:
        properties: Any

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make the patch, or move it."""
        terrain = state.active_terrain(context)
        usual = patches.settings_of(context.scene, terrain)
        given = [one for one in usual.parameters() if self.properties.is_property_set(one.name)]
        defaults = {one.name: getattr(usual, one.name) for one in given}
        patch = dataclasses.replace(usual, **read_values(self.properties, given, defaults))
        steps.at_once(patches.write(context, terrain, patch))
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        for one in DetailPatch.parameters():
            layout.prop(self, one.name)
