# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on running work: watch, cancel, finish early."""

from __future__ import annotations

from typing import Any

import bpy

from .bridge.interface.messages import Message
from .bridge.tasks import jobs
from .guarded_operator import allows
from .long_operator import ModalOperator
from .options import text_property

IDLE = Message("Terrane is not working on anything")

TICK = 0.1
"""Seconds between two checks of a live update."""


class TERRANE_OT_job_cancel(bpy.types.Operator):
    """Stop what Terrane is working on; the scene stays as it was"""

    bl_idname = "terrane.job_cancel"
    bl_label = "Cancel"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it while there is work to cancel."""
        return allows(cls, "" if jobs.visible_job() else IDLE)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Stop the work; the operator that began it cleans up."""
        jobs.visible_job().stop()
        return {"FINISHED"}


class TERRANE_OT_job_finish(bpy.types.Operator):
    """Leave out the steps of the erosion that are still to come, and keep what is done"""

    bl_idname = "terrane.job_finish"
    bl_label = "Finish Early"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it while work with steps is running."""
        job = jobs.visible_job()
        can_finish = job is None or job.can_finish
        late = Message("This work cannot be finished early: wait, or cancel it")
        return allows(cls, "" if job else IDLE, "" if can_finish else late)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Finish the work early; the operator that began it writes the result."""
        jobs.visible_job().finish()
        return {"FINISHED"}


class TERRANE_OT_live_watch(ModalOperator, bpy.types.Operator):
    """Show how far a long live update is; Esc ends it and leaves what is shown"""

    bl_idname = "terrane.live_watch"
    bl_label = "Watch Live Update"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it in a window while there is a live update to watch."""
        return context.window is not None and jobs.visible_job() is not None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin to watch the update."""
        return self.begin(context, TICK)

    def advance(self, context: bpy.types.Context) -> set[str] | None:
        """Finish when the update is done; the queue does the work."""
        if _watchable_job() is not None:
            return None
        self.cancel(context)
        return {"FINISHED", "PASS_THROUGH"}

    def escape(self, context: bpy.types.Context) -> None:
        """Stop the computation, unless Esc cancels a gesture.

        Esc is passed on, because a popup or a text field may need it.
        """
        job = _watchable_job()
        if job is not None and not _has_gesture(context.window):
            job.stop()

    def progress(self) -> tuple[str, float]:
        """Return the title of the update, and its progress."""
        job = _watchable_job()
        return job.title, job.share


class TERRANE_OT_message_show(ModalOperator, bpy.types.Operator):
    """Show a warning of work that no operator does, such as a render"""

    bl_idname = "terrane.message_show"
    bl_label = "Show Message"
    bl_options = {"INTERNAL"}

    __annotations__ = {"text": text_property("Text", "One line")}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Report the text; in the background it is printed."""
        self.report({"WARNING"}, self.text)
        return {"FINISHED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Wait for the next event: the status bar shows no report of an operator that Python has just called."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        return self.begin(context, TICK)

    def advance(self, context: bpy.types.Context) -> set[str]:
        """Report the text."""
        self.cancel(context)
        return {*self.execute(context), "PASS_THROUGH"}

    def escape(self, context: bpy.types.Context) -> None:
        """Let Esc pass."""


def _watchable_job() -> Any | None:
    """Return the job of a live update; None while an operator works, which shows its own progress."""
    return jobs.visible_job() if jobs.running() is None else None


def _has_gesture(window: bpy.types.Window) -> bool:
    """Return whether a gesture of Blender runs, such as grabbing, which Esc cancels.

    Operators made in Python do not count: some run as long as Blender, or, like this one, as long as
    a computation.
    """
    python_class = bpy.types.Operator.bl_rna_get_subclass_py
    return any(python_class(operator.bl_idname) is None for operator in window.modal_operators)
