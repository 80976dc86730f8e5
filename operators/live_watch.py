# SPDX-License-Identifier: GPL-3.0-or-later
"""Show how far a long live update is, and end it by Esc."""

from __future__ import annotations

from typing import Any

import bpy

from .bridge.work import jobs, windows

TICK = 0.1
"""Seconds between two looks at the work."""


class TERRANE_OT_live_watch(bpy.types.Operator):
    """Show how far a long live update is; Esc ends it and leaves what is shown."""

    bl_idname = "terrane.live_watch"
    bl_label = "Watch Live Update"
    bl_description = "Show how far a long live update is; Esc ends it and leaves what is shown"
    bl_options = {"INTERNAL"}

    _timer: Any = None

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it in a window while there is something to watch."""
        return context.window is not None and jobs.shown() is not None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin to watch."""
        manager: Any = context.window_manager
        manager.progress_begin(0.0, 100.0)
        self._timer = manager.event_timer_add(TICK, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Leave everything to others; Esc too, which ends what is computed only if no gesture goes on."""
        job = jobs.shown()
        if job is None or jobs.running() is not None:
            self.cancel(context)
            return {"FINISHED", "PASS_THROUGH"}
        if event.type == "ESC" and event.value == "PRESS" and not _has_gesture(context.window):
            job.stop()  # passed on all the same: a popup or a text field may wait for it
        if event.type == "TIMER":
            windows.show_progress(context, job.title, job.share)
        return {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Take the progress away; Blender calls this when a window closes."""
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None
            context.window_manager.progress_end()
            windows.hide_progress(context)


def _has_gesture(window: bpy.types.Window) -> bool:
    """Return whether a gesture of Blender's own goes on, such as grabbing: Esc is meant for that.

    Operators made in Python do not count: some watch for as long as Blender runs, as this one does
    for as long as something is computed.
    """
    python_class = bpy.types.Operator.bl_rna_get_subclass_py
    return any(python_class(one.bl_idname) is None for one in window.modal_operators)
