# SPDX-License-Identifier: GPL-3.0-or-later
"""Mix-ins of operators whose work may take seconds.

`run` takes the steps (see `bridge.tasks.steps`): it reads datablocks, yields work on arrays alone, and writes the
result, as a rule those of products. In a script, in the background and in a redo, the operator runs
synchronously. In a window the work runs in a thread: Blender stays responsive, between the steps too,
and shows the progress; Esc cancels. If the work has steps, a button beside the progress ends it early
and keeps the result so far.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
from bpy.app.translations import pgettext_iface

from ..noise_core.base.errors import Cancelled, TerraneError
from .bridge.datablocks import editing
from .bridge.interface import messages
from .bridge.interface.messages import report
from .bridge.schema import panel_texts
from .bridge.tasks import jobs, steps
from .bridge.tasks.steps import StepRunner, Steps
from .guarded_operator import GuardedOperator, allows
from .options import UntypedOperator

SHORT = 0.03
"""Seconds to wait for work before it runs in the background: shorter work shows no progress, and so
short a freeze is not noticeable."""

TURN = 0.015
"""Seconds of steps before control returns to Blender; the last step may take longer."""

TICK = 0.05
"""Seconds between two checks of the work."""

STEP_TICK = 0.005
"""Seconds until the next step."""


class WaitingOperator(GuardedOperator):
    """Mix-in of operators that wait until no other long work runs."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it unless there is a reason against it, or another operator of Terrane runs."""
        return allows(cls, cls.refusal(context), jobs.why_not())


class ModalOperator(UntypedOperator):
    """Base mix-in of modal operators, which check work in the background."""

    _timer: Any = None
    _tick = 0.0

    def advance(self, context: bpy.types.Context) -> set[str] | None:
        """Continue the work; return the final status, None while it runs."""
        raise NotImplementedError

    def escape(self, context: bpy.types.Context) -> set[str] | None:
        """React to Esc; return the final status, None while the operator runs."""
        raise NotImplementedError

    def progress(self) -> tuple[str, float]:
        """Return the title of the work, and its progress from 0 to 1."""
        raise NotImplementedError

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Check the work; pass all other events through."""
        is_escape = event.type == "ESC" and event.value == "PRESS"
        status = (is_escape and self.escape(context)) or self.advance(context)
        if status is not None:
            return status
        if event.type == "TIMER":
            messages.show_progress(context, *self.progress())
        return {"PASS_THROUGH"}

    def begin(self, context: bpy.types.Context, tick: float) -> set[str]:
        """Become modal, with a number of seconds between two checks of the work."""
        manager: Any = context.window_manager
        manager.progress_begin(0.0, 100.0)
        self.beat(context, tick)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def beat(self, context: bpy.types.Context, tick: float) -> None:
        """Set the seconds between two checks of the work."""
        if self._timer is not None and tick == self._tick:
            return
        manager: Any = context.window_manager
        if self._timer is not None:
            manager.event_timer_remove(self._timer)
        self._timer, self._tick = manager.event_timer_add(tick, window=context.window), tick

    def cancel(self, context: bpy.types.Context) -> None:
        """Remove the progress display; Blender calls this when a window closes."""
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None
            context.window_manager.progress_end()
            messages.hide_progress(context)


class LongOperator(ModalOperator, WaitingOperator):
    """Mix-in of operators that take steps, between which threads work."""

    doing = ""
    """Title of the work, for the status bar; the operator's name if empty."""

    _runner: StepRunner | None = None

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Take all steps, in the main thread, and return the status; clean up if they are closed.

        After each yield the scene may have changed.
        """
        raise NotImplementedError

    def show(self, context: bpy.types.Context) -> None:
        """Bring the result into view in a window."""

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Run all steps synchronously."""
        with editing.synchronous.on():
            return self._report_refusals(lambda: steps.at_once(self.run(context)))

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin the work, and run it in the background unless it is short."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        self._runner = StepRunner(self.doing or self.bl_label, self.run(context))
        status = self._go_on(context, SHORT)
        if status is None:
            status = self.begin(context, self._next_look())
            messages.show_progress(context, self._runner.title, 0.0)
        return status

    def advance(self, context: bpy.types.Context) -> set[str] | None:
        """Take the next steps, unless a thread works."""
        status = self._go_on(context, TURN) if self._runner.is_ready else None
        if status is None:
            self.beat(context, self._next_look())
        return status

    def escape(self, context: bpy.types.Context) -> set[str]:
        """Cancel the work."""
        self.cancel(context)
        report(self, {"INFO"}, "{}: canceled", self.shown_label())
        return {"CANCELLED"}

    def progress(self) -> tuple[str, float]:
        """Return the title of the work, and its progress."""
        return self._runner.title, self._runner.share

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop the work and remove the progress display; Blender calls this when a window closes."""
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()
            super().cancel(context)

    def shown_label(self) -> str:
        """Return the operator's name in the language of the interface."""
        return str(pgettext_iface(self.bl_label, "Operator"))

    def _go_on(self, context: bpy.types.Context, seconds: float) -> set[str] | None:
        """Take steps for a number of seconds; return the final status, None while there are more."""
        runner, status = self._runner, {"CANCELLED"}  # if an error is unexpected
        try:
            status = self._report_refusals(
                lambda: runner.result if runner.advance(seconds) else set()
            )
        finally:
            if status:
                self.cancel(context)
        if status == {"FINISHED"} and runner.is_finishing:
            report(
                self, {"INFO"}, "{}: finished early, with what was done by then", self.shown_label()
            )
        if status == {"FINISHED"}:
            self.show(context)
        return status or None

    def _next_look(self) -> float:
        """Return the seconds until the next check: fewer if a step is ready, more while a thread works."""
        return STEP_TICK if self._runner.is_ready else TICK

    def _report_refusals(self, work: Callable[[], set[str]]) -> set[str]:
        """Do some work, and report its errors to the user in one line."""
        try:
            return work()
        except Cancelled:
            report(self, {"INFO"}, "{}: canceled", self.shown_label())
        except TerraneError as error:
            panel_texts.report_error(self, error)
        except MemoryError:
            report(self, {"ERROR"}, "{}: there is not enough memory for that", self.shown_label())
        return {"CANCELLED"}


class BrowsedOperator(LongOperator):
    """Mix-in of long operators that ask for files, unless some are given, such as dropped ones.

    Blender frees an operator once its file browser is closed: another call goes on in the background.
    """

    passed_on: tuple[str, ...] = ()
    """Names of the keywords that this other call is given too; see `given_options`."""

    def given_files(self) -> dict[str, Any]:
        """Return the keywords that say which files; all empty if none are given."""
        return {"filepath": self.filepath}

    def given_options(self) -> dict[str, Any]:
        """Return the other keywords that this other call is given."""
        return {name: getattr(self, name) for name in self.passed_on}

    def propose(self, context: bpy.types.Context) -> None:
        """Set the first values of the file browser."""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the files unless some are given."""
        if any(self.given_files().values()):
            return super().invoke(context, event)
        return self._report_refusals(lambda: self._browse(context))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Work; after the file browser in the background."""
        if not self.is_browsed or bpy.app.background or self.options.is_repeat:
            return super().execute(context)
        cls: Any = type(self)
        operators: Any = bpy.ops
        call = getattr(operators.terrane, cls.bl_idname.partition(".")[2])
        return set(call("INVOKE_DEFAULT", **self.given_files(), **self.given_options()))

    def _browse(self, context: bpy.types.Context) -> set[str]:
        self.propose(context)
        self.is_browsed = True
        manager: Any = context.window_manager
        manager.fileselect_add(self)
        return {"RUNNING_MODAL"}
