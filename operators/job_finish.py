# SPDX-License-Identifier: GPL-3.0-or-later
"""End early what Terrane is working on, and keep what has been done."""

from __future__ import annotations

import bpy

from .bridge.messages import Message, translate
from .bridge.work import jobs


class TERRANE_OT_job_finish(bpy.types.Operator):
    """Leave out the steps that are still to come, and keep the result of those that are done."""

    bl_idname = "terrane.job_finish"
    bl_label = "Finish Early"
    bl_description = (
        "Leave out the steps of the erosion that are still to come, and keep what is done"
    )
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it while there is work that goes on step by step."""
        job = jobs.shown()
        reason = ""
        if job is None:
            reason = Message("Terrane is not working on anything")
        elif not job.can_finish:
            reason = Message("This work cannot be finished early: wait, or cancel it")
        if reason:
            cls.poll_message_set(translate(reason))
        return not reason

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Tell the work that it is enough; the operator that began it writes the result."""
        jobs.shown().finish()
        return {"FINISHED"}
