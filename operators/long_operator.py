# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators share whose work may take seconds.

`prepare` reads datablocks and returns the work, which knows arrays only; `finish` writes the
result. In a script, in the background and when it is redone, all happens at once. In a window the
work runs in a thread: Blender goes on, shows the progress, and Esc cancels. Where the work goes on
step by step, a button beside the progress ends it early, and what has been done is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_iface

from .bridge import jobs, windows
from .bridge.core import Cancelled, TerraneError
from .bridge.messages import report, shown

SHORT = 0.03
"""Seconds to wait for work before Blender goes on: what is done by then has no progress to show, and
nobody feels so short a freeze."""

TICK = 0.05
"""Seconds between two looks at the work."""


class LongOperator:
    """Mix-in of operators that work in `prepare`, a thread, and `finish`."""

    if TYPE_CHECKING:
        # Blender's own, which no checker finds in a mix-in.
        def __getattr__(self, name: str) -> Any: ...

    doing = ""
    """What the work is, for the status bar; the operator's name if empty."""

    _job: jobs.Job | None = None
    _timer: Any = None

    def prepare(self, context: bpy.types.Context) -> jobs.Work:
        """Read what is needed and return the work; the main thread calls this first.

        Raises
        ------
        TerraneError
            If it cannot be done; nothing has changed then.
        """
        raise NotImplementedError

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Write the result; the main thread calls this last.

        Meanwhile anything may have happened to the scene.

        Raises
        ------
        TerraneError
            If there is no place for it any more.
        """
        raise NotImplementedError

    def show(self, context: bpy.types.Context) -> None:
        """Bring into view what has been made in a window."""

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Do everything at once."""
        return self._reporting(context, lambda: jobs.at_once(self.prepare(context)))

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin the work, and leave Blender to the user unless it is short."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        try:
            work = self.prepare(context)
        except TerraneError as error:
            report(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        self._job = jobs.start(self.doing or self.bl_label, work)
        if self._job.wait(SHORT):
            return self._conclude(context)
        manager: Any = context.window_manager
        manager.progress_begin(0.0, 100.0)
        self._timer = manager.event_timer_add(TICK, window=context.window)
        manager.modal_handler_add(self)
        windows.show_progress(context, self._job.title, 0.0)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Look after the work; whatever is not about it goes on to others."""
        if event.type == "ESC" and event.value == "PRESS":
            self.cancel(context)
            report(self, {"INFO"}, f"{self.shown_label()}: cancelled")
            return {"CANCELLED"}
        if self._job.is_done:
            return self._conclude(context)
        if event.type == "TIMER":
            windows.show_progress(context, self._job.title, self._job.share)
        return {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop the work and take the progress away; Blender calls this when a window closes."""
        job, self._job = self._job, None
        if job is None:
            return
        jobs.end(job)
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None
            context.window_manager.progress_end()
            windows.hide_progress(context)

    def shown_label(self) -> str:
        """Return the operator's name in the language at hand."""
        return str(pgettext_iface(self.bl_label, "Operator"))

    def _conclude(self, context: bpy.types.Context) -> set[str]:
        job = self._job
        self.cancel(context)
        status = self._reporting(context, job.result)
        if status == {"FINISHED"} and job.is_finishing:
            report(
                self, {"INFO"}, f"{self.shown_label()}: finished early, with what was done by then"
            )
        if status == {"FINISHED"}:
            self.show(context)
        return status

    def _reporting(self, context: bpy.types.Context, work: Any) -> set[str]:
        """Write what the work gives, or turn what it refuses into one line for the user."""
        try:
            return self.finish(context, work())
        except Cancelled:
            report(self, {"INFO"}, f"{self.shown_label()}: cancelled")
        except TerraneError as error:
            report(self, {"ERROR"}, str(error))
        except MemoryError:
            report(self, {"ERROR"}, f"{self.shown_label()}: there is not enough memory for that")
        return {"CANCELLED"}


def refuses(cls: Any, *reasons: str) -> bool:
    """Return whether there is a reason against an operator now, and tell the user the first."""
    for reason in (*reasons, jobs.why_not()):
        if reason:
            cls.poll_message_set(shown(reason))
            return True
    return False
