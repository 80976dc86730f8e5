# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring back what was there before an erosion."""

from __future__ import annotations

import bpy

from .bridge.datablocks import editing
from .bridge.maps import map_layers
from .bridge.messages import Message, report
from .bridge.terrain import before
from .long_operator import refuses
from .recipe_keywords import reports_errors


class TERRANE_OT_terrain_revert(bpy.types.Operator):
    """Bring back the heights from before the first erosion, exactly, and remove what it added."""

    bl_idname = "terrane.terrain_revert"
    bl_label = "Revert Erosion"
    bl_description = "Bring back the heights from before the first erosion, exactly, and remove the maps that it made"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it for an eroded mesh that can be changed."""
        reason = editing.why_not(context)
        if not reason and not before.is_kept(context.active_object):
            reason = Message("Erode this mesh first: there is nothing to revert")
        return not refuses(cls, reason, editing.why_not_left(context.active_object))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the kept heights back."""
        thing = context.active_object
        with editing.object_mode(context, thing):
            mesh = editing.editable_mesh(thing, single_user=False)
            before.revert(thing)
            map_layers.revert(mesh)
        if others := editing.other_users(mesh):
            report(self, {"INFO"}, "{} more objects share this mesh and have changed too", others)
        return {"FINISHED"}
