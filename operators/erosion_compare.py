# SPDX-License-Identifier: GPL-3.0-or-later
"""Show the ground before an erosion, and the eroded one again."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.translations import pgettext_tip

from .bridge.datablocks import editing
from .bridge.datablocks.editing import MeshGuard
from .bridge.messages import Message, report
from .bridge.terrain import before, comparing
from .bridge.work.jobs import Work
from .long_operator import LongOperator, refuses


class TERRANE_OT_erosion_compare(LongOperator, bpy.types.Operator):
    """Change between the ground before an erosion and the eroded one; nothing is lost."""

    bl_idname = "terrane.erosion_compare"
    bl_label = "Before and After Erosion"
    bl_description = (
        "Show the ground before the erosion; once more, and the eroded one is back, exactly"
    )
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Finding the Ground Before")

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return what it does now."""
        active = context.active_object
        if active is not None and before.is_shown(active):
            return str(pgettext_tip("Show the eroded ground again, exactly as it was"))
        return str(pgettext_tip(cls.bl_description))

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it for an eroded mesh that can be changed."""
        reason = editing.why_not(context) or comparing.why_not(context.active_object)
        return not refuses(cls, reason, editing.why_not_left(context.active_object))

    def prepare(self, context: bpy.types.Context) -> Work:
        """Find the ground before, unless it is shown."""
        thing = context.active_object
        with editing.object_mode(context, thing):
            self.guard = MeshGuard.of(thing)
            if before.is_shown(thing):
                return lambda progress, cancel: None
            return comparing.ground_work(thing)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Write the heights, and keep those that were there."""
        thing = self.guard.resolve()
        is_edited = False
        with editing.object_mode(context, thing):
            self.guard.check(thing)
            mesh = editing.editable_mesh(thing, single_user=False)
            if before.is_shown(thing):
                is_edited = before.show_after(thing)
            else:
                before.show(thing, result)
        if is_edited:
            report(self, {"INFO"}, "What was edited meanwhile was added to the eroded ground")
        if others := editing.other_users(mesh):
            report(self, {"INFO"}, "{} more objects share this mesh and have changed too", others)
        return {"FINISHED"}
