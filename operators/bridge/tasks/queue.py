# SPDX-License-Identifier: GPL-3.0-or-later
"""Task queue: one task at a time, always with the newest settings, and a preview before long work.

* Work shorter than `pace.AT_ONCE` is computed in full immediately: by the main thread if it is very
  short (`INLINE_BUDGET`), otherwise in a thread, for which the main thread waits a `MOMENT`.
* Longer work is first shown at a lower resolution, and computed in full when nothing has changed for
  `Product.settled` seconds. A full update that is being computed is cancelled when a setting changes. After
  `LONG` seconds the progress bar shows it, and Esc ends it.
"""

from __future__ import annotations

import math
import time  # noqa: TID251 (how long work takes decides what is shown, never the result)
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ....noise_core.base.errors import Cancelled, Message, TerraneError
from ..datablocks.switch import Switch
from ..interface.timer import LATER
from ..schema import live_switch
from ..schema.preferences import preview_cap
from . import jobs
from .jobs import is_rendering
from .pace import Pace, Update
from .product import Product
from .steps import Steps, as_steps
from .task import Key, Task, TaskList, TaskRun, is_superseded

TICK = 0.004
"""Seconds between two looks at the work."""

MOMENT = 0.02
"""Seconds that the main thread works, or waits for a thread, before Blender continues: with a `TURN` of
writing and Blender's own share, that stays below a perceptible freeze."""

INLINE_BUDGET = 0.015
"""Seconds that work may be expected to take for the main thread to do it itself: to wake another thread
may take longer. If it is not done within a `MOMENT`, another thread does it all the same."""

LONG = 0.5
"""Seconds after which work is worth a progress bar."""

TURN = 0.015
"""Seconds of writing before Blender continues."""

_FOREVER = 1e6
"""Seconds; Python wants a number."""

STOPPED = Message("Stopped: press Update to finish")
FAILED = Message("Internal error: see the console. Press Update to retry")


class TaskQueue:
    """Tasks of which one runs at a time; the clock returns seconds.

    A queue that writes data of the scene waits for renders, makes them wait for it, and shows its progress.
    """

    def __init__(
        self, clock: Callable[[], float] = time.perf_counter, *, writes_scene: bool = True
    ) -> None:
        self.clock = clock
        self.tasks = tasks = TaskList(lambda: self.clock())
        self.waiting, self.add = tasks.waiting, tasks.add
        self.pace = Pace()
        self.run: TaskRun | None = None
        self.writing = Switch()
        """Whether the queue itself makes the changes that Blender reports."""
        self.is_awaited = False
        """Whether a render waits for the due updates, and reads nothing until then."""
        self._writes_scene = writes_scene
        self._has_previewed = False

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do."""
        return self.run is None and not self.waiting

    def discard(self, key: Key) -> None:
        """Take a task out of the queue, and end the work on it."""
        self.waiting.pop(key, None)
        if self.run is not None and self.run.task.key == key:
            self._give_up()

    def clear(self) -> None:
        """Cancel and forget all tasks."""
        job = None if self.run is None else self.run.job
        self._give_up()
        self.tasks.forget()
        self._has_previewed = False
        if job is not None:
            job.wait(jobs.LONGEST_STOP)

    # --- doing it ---

    def step(self) -> float | None:
        """Advance the work as far as possible; return the seconds until the next call, None if none is needed."""
        if self._must_yield():
            self._give_up()
            return LATER if self.waiting or self._has_previewed else None
        if self.run is not None:
            owner = self.run.task.find()
            if owner is not None and not self.run.task.product.is_wanted(owner):
                self._give_up()
            elif self._blocks_urgent_task():
                self._give_up()
            elif not self._advance(self.run, TURN if self.run.is_ready else 0.0):
                return TICK
        waits = [self._consider(task) for task in reversed(list(self.waiting.values()))]
        if not self.waiting and self._has_previewed:
            self._has_previewed = False
            self.tasks.add_previews()
            return TICK
        if self.run is not None:
            return TICK
        return min((wait for wait in waits if wait is not None), default=None)

    def step_before_draw(self) -> None:
        """Begin the newest task if it changes values only, before Blender draws the change.

        Short work shows in the next redraw; the rest is left to `step`.
        """
        if self.writing.is_on or not self.waiting or self._must_yield():
            return
        if self.run is not None:
            if not self._blocks_urgent_task():
                return
            self._give_up()
        newest = next(reversed(self.waiting.values()))
        if not newest.is_thorough:  # or paint would be read by evaluating while Blender evaluates
            with self.writing.on():
                self._consider(newest, is_before_draw=True)

    def finish(self, *, is_preview: bool = False, scene: bpy.types.Scene | None = None) -> None:
        """Run all tasks that are due, or those that a render of a scene may show, and wait for them.

        A preview of each that would get one leaves the whole for later.
        """
        self._give_up()
        done: set[Key] = set()
        while remaining := [task for key, task in self.waiting.items() if key not in done]:
            # Tasks that are not urgent need the results of the urgent ones.
            task = min(remaining, key=lambda candidate: not candidate.product.is_urgent)
            done.add(task.key)
            owner = None if scene is None else task.find()
            if scene is None or owner is None or live_switch.shows(scene, owner):
                with self._ending(task), self.writing.on():
                    update = self._plan(task, may_be_quick=is_preview)
                    if update is not None:
                        has_side = is_preview and update.can_preview
                        side = self.quick_side(task.product, update) if has_side else None
                        self._do(task, update, side, is_awaited=True)

    def is_due_in(self, scene: bpy.types.Scene) -> bool:
        """Return whether a task is due for an object that a render of a scene may show."""
        owners = [(task, task.find()) for task in self.waiting.values()]
        return jobs.running() is None and any(
            owner is not None
            and not task.product.must_wait(owner)
            and live_switch.shows(scene, owner)
            for task, owner in owners
        )

    def quick_side(self, product: Product, update: Update, quick: float | None = None) -> int:
        """Return how many samples along its longer side a quick preview has; all if that is quick enough.

        It is meant to take so many seconds, `Product.quick` if not given.
        """
        side = max(update.shape)
        share = (quick or product.quick) / self.pace.estimate(update, side)
        if share >= 1.0:
            return side
        return int(min(max(side * math.sqrt(share), product.smallest), preview_cap(), side))

    # --- one task ---

    def _plan(self, task: Task, *, may_be_quick: bool) -> Update | None:
        """Return the due update of a task, None if there is none; a finished task is dropped."""
        owner = task.find()
        if owner is None or not task.product.is_wanted(owner):
            self.tasks.end(task)
            return None
        if task.product.must_wait(owner):
            return None
        update = task.product.quick_plan(owner) if may_be_quick and not task.is_thorough else None
        update = update or task.product.plan(owner, is_thorough=task.is_thorough)
        if update is None:
            self.tasks.end(task)
        elif reason := task.product.refusal(owner):
            self.tasks.refuse(task, reason)
            return None
        return update

    def _consider(self, task: Task, *, is_before_draw: bool = False) -> float | None:
        """Begin the due update of a task unless another task runs; return the seconds until the next call."""
        if self.run is not None:
            return TICK
        with self._ending(task):
            moment = self.clock()
            settle_time, pause = (
                task.changed + task.product.settled - moment,
                task.begun + task.product.pause - moment,
            )
            wait = (
                max(pause, settle_time)
                if task.has_preview or task.product.waits_for_rest
                else pause
            )
            wait = wait if task.product.is_urgent else max(wait, TICK * self.tasks.has_urgent())
            if wait > 0.0:
                return wait
            update = self._plan(task, may_be_quick=settle_time > 0.0)
            if update is None:
                return LATER if task.key in self.waiting else None
            if is_before_draw and not update.is_light:
                return TICK
            side = None
            if update.instant is not None:
                side = max(update.shape)
            elif update.is_provisional or self.pace.is_slow(update):
                if update.can_preview and not (update.is_shown or task.has_preview):
                    side = self.quick_side(task.product, update)
                elif settle_time > 0.0:
                    return settle_time
            if not self._do(task, update, side):
                return TICK
        is_over = task.key not in self.waiting
        return None if is_over else max(0.0, task.changed + task.product.settled - self.clock())

    def _blocks_urgent_task(self) -> bool:
        """Return whether the running task is not urgent, and an urgent one has been added since."""
        run = self.run
        return (
            run is not None
            and not run.task.product.is_urgent
            and any(
                task.product.is_urgent and task.changed > run.task.begun
                for task in self.waiting.values()
            )
        )

    def _must_yield(self) -> bool:
        """Return whether an operator works, or a render reads the data to be written."""
        is_free = self.is_awaited or not self._writes_scene
        return jobs.running() is not None or (not is_free and is_rendering())

    # --- one run ---

    def _do(
        self, task: Task, update: Update, side: int | None, *, is_awaited: bool = False
    ) -> bool:
        """Compute and write the whole, or a preview with so many samples along its longer side.

        Short work runs in this thread, the rest in another one, for which this waits a `MOMENT`, or
        until all is done. Returns whether the task has ended; otherwise it continues in `run`.
        """
        task.begun = self.clock()
        written: str | Steps[str] | None = None
        with self.writing.on():
            if update.instant is not None:
                result = update.instant()
            else:
                result = self._compute_inline(task, update, side)
            if result is not None:
                written = task.product.finish(
                    task.find(), update, result, is_preview=side is not None, is_live=True
                )
                if isinstance(written, str):
                    self._note(task, written, is_preview=side is not None)
                    return True
        computing = self._steps(task, update, side, is_awaited=is_awaited)
        steps = computing if written is None else as_steps(written)
        run = self.run = TaskRun(task.title, steps, self.clock)
        run.task, run.update, run.side = task, update, side
        run.is_short = side is not None or not self.pace.is_slow(update)
        if self._advance(run, 0.0, is_first=True):
            return True
        seconds = _FOREVER if is_awaited else MOMENT if task.product.is_urgent else 0.0
        if run.job is not None and not run.job.wait(max(0.0, task.begun + seconds - self.clock())):
            return False
        return self._advance(run, _FOREVER if is_awaited else TURN)

    def _compute_inline(self, task: Task, update: Update, side: int | None) -> Any:
        """Return the result, computed in this thread; None if another thread is to compute it."""
        if not task.product.is_urgent or self.pace.at_most(update, side) > INLINE_BUDGET:
            return None
        work = task.product.work(task.find(), update.request, side)
        limit = self.clock() + MOMENT
        try:
            result = jobs.at_once(
                lambda progress, cancel: work(progress, lambda: self.clock() > limit)
            )
        except Cancelled:
            return None
        self.pace.measure(update, side, self.clock() - task.begun)
        return result

    def _steps(
        self, task: Task, update: Update, side: int | None, *, is_awaited: bool
    ) -> Steps[str | None]:
        """Compute an update in a thread, and write it; return a note, None if nothing was written."""
        product = task.product
        result = yield product.work(task.find(), update.request, side)
        self.pace.measure(update, side, self.clock() - task.begun)
        owner = task.find()
        if task.key not in self.waiting or owner is None or product.must_wait(owner):
            return None
        # Nothing can change while an update is awaited, and asking again takes long.
        if not is_awaited and (reason := product.refusal(owner)):
            return reason
        is_preview = side is not None
        written = product.finish(owner, update, result, is_preview=is_preview, is_live=True)
        return (yield from as_steps(written))

    def _advance(self, run: TaskRun, seconds: float, *, is_first: bool = False) -> bool:
        """Continue the run for a while; return whether it has ended."""
        task = run.task
        with self._ending(task):
            owner = task.find()
            if owner is None or task.product.must_wait(owner):
                self._give_up()
                return True
            with self.writing.on():
                is_over = run.advance(seconds, is_first=is_first)
            age, has_changed = self.clock() - task.begun, task.changed > task.begun
            if is_over:
                self._give_up()
                if run.result is not None:
                    self._note(task, run.result, is_preview=run.side is not None)
            elif has_changed and is_superseded(run, age):
                self.pace.measure(run.update, run.side, age)  # it takes at least that long
                self._give_up()
            elif age > LONG and self._writes_scene and not has_changed:
                run.show()  # not during a gesture, which Esc is for
        return self.run is not run

    def _note(self, task: Task, note: str, *, is_preview: bool) -> None:
        """Store the result of a task, unless its settings have changed since."""
        if self.waiting.get(task.key) is not task or task.changed > task.begun:
            return
        if note:
            self.tasks.refuse(task, note)
        elif is_preview:
            task.has_preview, self._has_previewed = True, self._writes_scene
        else:
            self.tasks.end(task)

    def _give_up(self) -> None:
        """End the run, without waiting for its thread."""
        run, self.run = self.run, None
        if run is None:
            return
        run.close(is_awaited=False)
        jobs.hide(run.shown)

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
                self.tasks.refuse(task, text or Message("Not enough memory"))
            note = ""
        finally:
            if note:
                self._give_up()
                self.tasks.end(task, note)
