# SPDX-License-Identifier: GPL-3.0-or-later
"""Mix-ins of operators whose work may take seconds.

`prepare` reads datablocks and returns the work, which knows arrays only; `finish` writes the
result, in several steps if that takes long. In a script, in the background and when it is redone,
all happens at once. In a window the work runs in a thread: Blender goes on, between the steps too,
shows the progress, and Esc cancels. Where the work goes on step by step, a button beside the progress
ends it early, and what has been done is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_iface

from .bridge.datablocks import execution
from .bridge.interface.core import Cancelled, TerraneError
from .bridge.interface.messages import report, translate
from .bridge.tasks import jobs, steps, windows
from .bridge.tasks.steps import StepRunner, Steps

SHORT = 0.03
"""Seconds to wait for work before Blender goes on: what is done by then has no progress to show, and
so short a freeze is not felt."""

TURN = 0.015
"""Seconds of steps before Blender goes on; the last of them may take longer."""

TICK = 0.05
"""Seconds between two looks at the work."""

STEP_TICK = 0.005
"""Seconds until the next step."""


class ModalOperator:
    """Mix-in of operators that look after work while Blender goes on: the only one that is modal."""

    if TYPE_CHECKING:
        # Blender's own, which no checker finds in a mix-in.
        def __getattr__(self, name: str) -> Any: ...
        @classmethod
        def poll(cls, context: bpy.types.Context) -> bool:
            """Return whether it can be called."""

    _timer: Any = None
    _tick = 0.0

    def advance(self, context: bpy.types.Context) -> set[str] | None:
        """Go on with the work; return how it ended, None if it goes on."""
        raise NotImplementedError

    def escape(self, context: bpy.types.Context) -> set[str] | None:
        """React to Esc; return how the operator ended, None if it goes on."""
        raise NotImplementedError

    def progress(self) -> tuple[str, float]:
        """Return what is done, and how much of it, from 0 to 1."""
        raise NotImplementedError

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Look after the work; all other events go on to others."""
        status = None
        if event.type == "ESC" and event.value == "PRESS":
            status = self.escape(context)
        status = status or self.advance(context)
        if status is not None:
            return status
        if event.type == "TIMER":
            windows.show_progress(context, *self.progress())
        return {"PASS_THROUGH"}

    def begin(self, context: bpy.types.Context, tick: float) -> set[str]:
        """Become modal, with so many seconds between two looks at the work."""
        manager: Any = context.window_manager
        manager.progress_begin(0.0, 100.0)
        self.beat(context, tick)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def beat(self, context: bpy.types.Context, tick: float) -> None:
        """Look at the work after so many seconds from now on."""
        if self._timer is not None and tick == self._tick:
            return
        manager: Any = context.window_manager
        if self._timer is not None:
            manager.event_timer_remove(self._timer)
        self._timer, self._tick = manager.event_timer_add(tick, window=context.window), tick

    def cancel(self, context: bpy.types.Context) -> None:
        """Take the progress away; Blender calls this when a window closes."""
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None
            context.window_manager.progress_end()
            windows.hide_progress(context)


class LongOperator(ModalOperator):
    """Mix-in of operators that work in `prepare`, a thread, and `finish`."""

    doing = ""
    """Title of the work, for the status bar; the operator's name if empty."""

    _runner: StepRunner | None = None

    def prepare(self, context: bpy.types.Context) -> jobs.Work:
        """Read what is needed and return the work; the main thread calls this first.

        Raises
        ------
        TerraneError
            If it cannot be done; nothing has changed then.
        """
        raise NotImplementedError

    def finish(self, context: bpy.types.Context, result: Any) -> set[str] | Steps[set[str]]:
        """Write the result; the main thread calls this last.

        Meanwhile anything may have happened to the scene. What takes long is a generator of steps,
        which leaves nothing behind when it is closed.

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
        with execution.synchronously():
            return self._reporting(lambda: steps.at_once(self._steps(context)))

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin the work, and leave Blender to the user unless it is short."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        self._runner = StepRunner(self.doing or self.bl_label, self._steps(context))
        status = self._go_on(context, SHORT)
        if status is not None:
            return status
        status = self.begin(context, self._next_look())
        windows.show_progress(context, self._runner.title, 0.0)
        return status

    def advance(self, context: bpy.types.Context) -> set[str] | None:
        """Take the next steps, unless a thread is at work."""
        if not self._runner.is_ready:
            return None
        status = self._go_on(context, TURN)
        if status is None:
            self.beat(context, self._next_look())
        return status

    def escape(self, context: bpy.types.Context) -> set[str]:
        """Cancel the work."""
        self.cancel(context)
        report(self, {"INFO"}, "{}: canceled", self.shown_label())
        return {"CANCELLED"}

    def progress(self) -> tuple[str, float]:
        """Return the title of the work, and how much is done."""
        return self._runner.title, self._runner.share

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop the work and take the progress away; Blender calls this when a window closes."""
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()
            super().cancel(context)

    def shown_label(self) -> str:
        """Return the operator's name in the language of the interface."""
        return str(pgettext_iface(self.bl_label, "Operator"))

    def _steps(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Do everything."""
        result = yield self.prepare(context)
        return (yield from steps.as_steps(self.finish(context, result)))

    def _go_on(self, context: bpy.types.Context, seconds: float) -> set[str] | None:
        """Take steps for a while; return how it ended, None if it goes on."""
        runner, is_over = self._runner, True

        def going_on() -> set[str]:
            nonlocal is_over
            is_over = runner.advance(seconds)
            return runner.result if is_over else set()

        try:
            status = self._reporting(going_on)
        finally:
            if is_over:
                self.cancel(context)
        if not is_over:
            return None
        if status == {"FINISHED"} and runner.is_finishing:
            report(
                self, {"INFO"}, "{}: finished early, with what was done by then", self.shown_label()
            )
        if status == {"FINISHED"}:
            self.show(context)
        return status

    def _next_look(self) -> float:
        """Return how soon to look again: soon if there is a step to take, later while a thread is at work."""
        return STEP_TICK if self._runner.is_ready else TICK

    def _reporting(self, work: Callable[[], set[str]]) -> set[str]:
        """Do some work, or turn what it refuses into one line for the user."""
        try:
            return work()
        except Cancelled:
            report(self, {"INFO"}, "{}: canceled", self.shown_label())
        except TerraneError as error:
            report(self, {"ERROR"}, error.message)
        except MemoryError:
            report(self, {"ERROR"}, "{}: there is not enough memory for that", self.shown_label())
        return {"CANCELLED"}


def refuses(cls: Any, *reasons: str) -> bool:
    """Return whether there is a reason against an operator now, and tell the user the first."""
    for reason in (*reasons, jobs.why_not()):
        if reason:
            cls.poll_message_set(translate(reason))
            return True
    return False
