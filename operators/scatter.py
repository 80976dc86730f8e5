# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that lay plants, stones and fine ground on a terrain."""

from __future__ import annotations

from typing import Any

import bpy

from .bridge.datablocks.ref import Ref
from .bridge.interface.core import KINDS, DetailPatch, Plants
from .bridge.interface.messages import Message
from .bridge.scene import patches, plants, settings
from .bridge.schema import state
from .bridge.tasks.jobs import Work
from .bridge.terrain import terrains
from .long_operator import LongOperator
from .options import from_panel_property, redo_layout
from .part_operator import PartOperator
from .recipe_keywords import declared_keywords, reports_errors


class TERRANE_OT_scatter_add(PartOperator, bpy.types.Operator):
    """Let trees, bushes and grass grow on the terrain and lay stones on it by geometry nodes: those of the preset, unless something else is set"""

    bl_idname = "terrane.scatter_add"
    bl_label = "Add Plants"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    declared = Plants

    __annotations__ = {
        **declared_keywords(Plants.parameters()),
        "from_panel": from_panel_property(),
    }

    def draw(self, context: bpy.types.Context) -> None:
        """Draw what few kinds of plants lack, and how many there are of each."""
        layout = redo_layout(self)
        for one in Plants.of_kind(""):
            layout.prop(self, one.name)
        column = layout.column(align=True, heading="Density")
        for kind, label in KINDS.items():
            column.prop(self, f"{kind}_density", text=label)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the object with the nodes, and its models."""
        terrain = state.active_terrain(context)
        look = terrains.look_of(terrain)
        chosen = self.chosen(context, look.plants or Plants())
        plants.write(context, terrain, chosen, look.palette)
        settings.write(context, chosen)
        return {"FINISHED"}


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
