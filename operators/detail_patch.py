# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that lays fine ground before the camera."""

from __future__ import annotations

from typing import Any

import bpy

from .bridge.datablocks.ref import Ref
from .bridge.interface.core import DetailPatch
from .bridge.interface.messages import Message
from .bridge.scene import patches, settings
from .bridge.schema import state
from .bridge.tasks.jobs import Work
from .long_operator import LongOperator
from .options import from_panel_property
from .recipe_keywords import declared_keywords
from .scene import PartOperator


class TERRANE_OT_detail_patch_add(PartOperator, LongOperator, bpy.types.Operator):
    """Lay a finer mesh before the scene's camera, in place of the terrain's faces there, for pictures from near the ground; it follows the terrain. After the camera has moved, a second press moves it"""

    bl_idname = "terrane.detail_patch_add"
    bl_label = "Add Detail Patch"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    doing = Message("Laying Fine Ground")

    declared = DetailPatch

    __annotations__ = {
        **declared_keywords(DetailPatch.parameters()),
        "from_panel": from_panel_property(),
    }

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the terrain, and where the camera is."""
        terrain = state.active_terrain(context)
        patch = self.chosen(context, patches.settings_of(context.scene, terrain))
        self.owner, self.plan = Ref.of(terrain), patches.PatchPlan.of(context, terrain, patch)
        return self.plan.work(terrain)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Lay the patch, or move it."""
        patches.write(context, self.owner.resolve(), self.plan, result)
        settings.write(context, self.plan.patch)
        return {"FINISHED"}
