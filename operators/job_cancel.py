# SPDX-License-Identifier: GPL-3.0-or-later
"""Cancel what Terrane is working on."""

from __future__ import annotations

import bpy

from .bridge.messages import translate
from .bridge.work import jobs


class TERRANE_OT_job_cancel(bpy.types.Operator):
    """Stop what Terrane is working on; the scene stays as it was."""

    bl_idname = "terrane.job_cancel"
    bl_label = "Cancel"
    bl_description = "Stop what Terrane is working on; the scene stays as it was"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it while there is something to cancel."""
        is_working = jobs.shown() is not None
        if not is_working:
            cls.poll_message_set(translate("Terrane is not working on anything"))
        return is_working

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Tell the work to stop; the operator that began it cleans up."""
        jobs.shown().stop()
        return {"FINISHED"}
