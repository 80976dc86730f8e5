# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting tasks, the one that runs, and the results of ended ones.

A refused task is tried again when the state that the refusal depends on has changed (`Task.state`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import bpy

from ....noise_core.base.errors import Cancelled, Message, TerraneError
from ..datablocks.switch import Switch
from ..interface.messages import redraw_panels
from . import jobs
from .jobs import Job
from .steps import StepRunner, Steps, as_steps
from .task import KINDS, Key, LiveTask, Pace, Task, Update

MOMENT = 0.02
"""Seconds that the main thread works, or waits for a thread, before Blender continues: with a `TURN` of
writing and Blender's own share, that stays below what is felt as a freeze."""

INLINE_BUDGET = 0.015
"""Seconds that work may be expected to take for the main thread to do it itself: to wake another thread
may take longer. If it is not done within a `MOMENT`, another thread does it all the same."""

LONG = 0.5
"""Seconds after which work is worth a progress bar."""

OVERDUE = 0.25
"""Seconds that short work may take before a newer change ends it: it would end soon anyway."""

TURN = 0.015
"""Seconds of writing before Blender continues."""

_FOREVER = 1e6
"""Seconds; Python wants a number."""

STOPPED = Message("Stopped: press Update to finish it")
FAILED = Message("An error in Terrane: Blender's console says which. Press Update to try again")


class Result(NamedTuple):
    """What the user should know about a task that has ended, and its state if it was refused."""

    task: Task
    note: str
    state: object = None


class TaskList:
    """Waiting tasks, and results; the clock returns seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.waiting: dict[Key, Task] = {}
        """The newest last; a task that runs is among them."""
        self.results: dict[Key, Result] = {}
        self.touched: dict[Key, LiveTask] = {}
        """Tasks since the file was loaded: undo may leave them different from their settings."""

    def add(self, task: Task, *, is_thorough: bool = False) -> None:
        """Note that a task may be due; of two with the same key the older one is kept."""
        if task.key in self.results:  # its note stays until there is a result
            self.results[task.key] = Result(task, self.results[task.key].note)
        task = self.waiting.pop(task.key, task)
        self.waiting[task.key] = task  # the newest comes last
        if isinstance(task, LiveTask):
            # Before anything is written: its owner may be gone by then, and back by undo.
            self.touched[task.key] = task
        task.changed, task.has_preview = self.clock(), False
        task.is_thorough |= is_thorough

    def adopt(self) -> None:
        """Add tasks that show a preview but are not queued, such as those of copies."""
        for kind in KINDS:
            for owner in filter(kind.is_followed, getattr(bpy.data, kind.collection)):
                task = kind(owner)
                is_known = task.key in self.results or task.key in self.waiting
                if not is_known and task.shows_preview(owner):
                    self.add(task)

    def look_again(self) -> None:
        """Add refused tasks again whose state has changed."""
        for key, (task, note, state) in list(self.results.items()):
            if state is None:
                continue
            owner = task.find()
            if owner is None:
                self.end(task)
            elif not task.must_wait(owner) and task.state(owner) != state:
                self.results[key] = Result(task, note)
                self.waiting = {key: task, **self.waiting}

    def end(self, task: Task, note: str = "", state: object = None) -> None:
        """Remove a task from the queue because it is done, or refused in its present state."""
        self.waiting.pop(task.key, None)
        before = self.results.pop(task.key, None)
        if note:
            self.results[task.key] = Result(task, note, state)
        if note != ("" if before is None else before.note):
            redraw_panels(bpy.context)

    def refuse(self, task: Task, note: str) -> None:
        """Remove a task from the queue until its state has changed."""
        owner = task.find()
        self.end(task, note, None if owner is None else task.state(owner))

    def forget(self) -> None:
        """Forget all tasks and results."""
        for tasks in (self.waiting, self.results, self.touched):
            tasks.clear()


class TaskRun(StepRunner):
    """Steps of a task's update, or of its preview with `side` samples along its longer side."""

    start = Job
    task: Task
    update: Update
    side: int | None
    is_short: bool  # it ends soon, so that a newer change waits for it
    shown: Job | None = None  # its job whose progress the user sees; `job` may be a later one


def _is_superseded(run: TaskRun, age: float) -> bool:
    """Return whether a newer change ends a run of that age in seconds.

    It does not end a preview that is as small as previews get: were that given up each time, nothing would
    ever be seen while a slider is dragged.
    """
    if not run.is_short:
        return True
    is_smallest = run.side is not None and run.side <= run.task.smallest
    return run.task.is_urgent and age > OVERDUE and not is_smallest


class TaskRunner(TaskList):
    """Task list that runs one task at a time; if it writes what renders read, it shows its progress."""

    def __init__(self, clock: Callable[[], float], *, writes_scene: bool) -> None:
        super().__init__(clock)
        self.pace = Pace()
        self.run: TaskRun | None = None
        self.writing = Switch()
        """Whether the queue itself makes the changes that Blender reports."""
        self._writes_scene = writes_scene
        self._has_previewed = False

    def _do(
        self, task: Task, update: Update, side: int | None, *, is_awaited: bool = False
    ) -> bool:
        """Compute and write the whole, or a preview with so many samples along its longer side.

        Short work runs in this thread, the rest in another one, for which this waits a `MOMENT`, or
        until all is done. Returns whether the task has ended; otherwise it continues in `run`.
        """
        task.begun = self.clock()
        steps: str | Steps[Any] = self._steps(task, update, side)
        with self.writing.on():
            if computed := self._compute_inline(task, update, side):
                is_preview = side is not None
                steps = task.write(task.find(), update, computed[0], is_preview=is_preview)
        if isinstance(steps, str):
            self._note(task, steps, is_preview=side is not None)
            return True
        run = self.run = TaskRun(task.title, steps, self.clock)
        run.task, run.update, run.side = task, update, side
        run.is_short = side is not None or not self.pace.is_slow(update)
        if self._advance(run, 0.0, is_first=True):
            return True
        seconds = _FOREVER if is_awaited else MOMENT if task.is_urgent else 0.0
        if run.job is not None and not run.job.wait(max(0.0, task.begun + seconds - self.clock())):
            return False
        return self._advance(run, _FOREVER if is_awaited else TURN)

    def _compute_inline(self, task: Task, update: Update, side: int | None) -> tuple[Any, ...]:
        """Return the result, computed in this thread; nothing if another thread is to compute it."""
        if update.instant is not None:
            return (update.instant(),)
        if not task.is_urgent or self.pace.at_most(update, side) > INLINE_BUDGET:
            return ()
        work, limit = task.work(task.find(), update, side), self.clock() + MOMENT
        try:
            result = jobs.at_once(
                lambda progress, cancel: work(progress, lambda: self.clock() > limit)
            )
        except Cancelled:
            return ()
        self.pace.measure(update, side, self.clock() - task.begun)
        return (result,)

    def _steps(self, task: Task, update: Update, side: int | None) -> Steps[str | None]:
        """Compute an update in a thread, and write it; return a note, None if nothing was written."""
        result = yield task.work(task.find(), update, side)
        self.pace.measure(update, side, self.clock() - task.begun)
        owner = task.find()
        if task.key not in self.waiting or owner is None or task.must_wait(owner):
            return None
        if reason := task.refusal(owner):
            return reason
        return (yield from as_steps(task.write(owner, update, result, is_preview=side is not None)))

    def _advance(self, run: TaskRun, seconds: float, *, is_first: bool = False) -> bool:
        """Continue the run for a while; return whether it has ended."""
        task = run.task
        with self._ending(task):
            owner = task.find()
            if owner is None or task.must_wait(owner):
                self._give_up()
                return True
            with self.writing.on():
                is_over = run.advance(seconds, is_first=is_first)
            age, has_changed = self.clock() - task.begun, task.changed > task.begun
            if is_over:
                self._give_up()
                if run.result is not None:
                    self._note(task, run.result, is_preview=run.side is not None)
            elif has_changed and _is_superseded(run, age):
                self.pace.measure(run.update, run.side, age)  # it takes at least that long
                self._give_up()
            elif age > LONG and self._writes_scene and not has_changed:
                self._show(run)  # not during a gesture, which Esc is for
        return self.run is not run

    def _note(self, task: Task, note: str, *, is_preview: bool) -> None:
        """Store the result of a task, unless its settings have changed since."""
        if self.waiting.get(task.key) is not task or task.changed > task.begun:
            return
        if note:
            self.refuse(task, note)
        elif is_preview:
            task.has_preview, self._has_previewed = True, self._writes_scene
        else:
            self.end(task)

    def _give_up(self) -> None:
        """End the run, without waiting for its thread."""
        run, self.run = self.run, None
        if run is None:
            return
        run.close(is_awaited=False)
        jobs.hide(run.shown)

    def _show(self, run: TaskRun) -> None:
        """Show the progress of long work, so that the user can end it."""
        is_watched, run.shown = run.shown is not None, run.job
        jobs.show(run.shown)
        if not is_watched and not bpy.app.background:
            operators: Any = bpy.ops
            operators.terrane.live_watch("INVOKE_DEFAULT")

    @contextmanager
    def _ending(self, task: Task) -> Iterator[None]:
        """End a task that was stopped or cannot be done; raise an unexpected error once, not at every look."""
        note: str = FAILED
        try:
            yield
            note = ""
        except Cancelled:
            note = STOPPED
        except (TerraneError, MemoryError) as error:
            is_outdated = self.run is not None and task.changed > task.begun
            self._give_up()
            if not is_outdated:
                text = error.message if isinstance(error, TerraneError) else str(error)
                self.refuse(task, text or Message("There is not enough memory for that"))
            note = ""
        finally:
            if note:
                self._give_up()
                self.end(task, note)
