# SPDX-License-Identifier: GPL-3.0-or-later
"""Task queue: one task at a time, always with the newest settings, and a preview before long work.

* Work shorter than `task.AT_ONCE` is computed in full immediately: by the main thread if it is very
  short (`INLINE_BUDGET`), otherwise in a thread, for which the main thread waits a `MOMENT`.
* Longer work is first shown at a lower resolution, and computed in full when nothing has changed for
  `Task.settled` seconds. A full update that is being computed is cancelled when a setting changes. After
  `LONG` seconds the progress bar shows it, and Esc ends it.
"""

from __future__ import annotations

import math
import time  # noqa: TID251 (how long work takes decides what is shown, never the result)
from collections.abc import Callable

import bpy

from ..interface.timer import LATER
from ..schema import live_switch
from ..schema.preferences import preview_cap
from . import jobs
from .jobs import is_rendering
from .running import TURN, TaskRunner
from .task import Key, Task, Update

TICK = 0.004
"""Seconds between two looks at the work."""


class TaskQueue(TaskRunner):
    """Queue that runs the tasks of a list, one at a time.

    If it writes what renders read, it waits for them, and they wait for it.
    """

    def __init__(
        self, clock: Callable[[], float] = time.perf_counter, *, writes_scene: bool = True
    ) -> None:
        super().__init__(clock, writes_scene=writes_scene)
        self.is_awaited = False
        """Whether a render waits for what is due, and reads nothing before."""

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
        self.forget()
        self._has_previewed = False
        if job is not None:
            job.wait(jobs.LONGEST_STOP)

    # --- doing it ---

    def step(self) -> float | None:
        """Do what can be done now; return in how many seconds to come back, None if never."""
        if self._must_yield():
            self._give_up()
            return LATER if self.waiting or self._has_previewed else None
        if self.run is not None:
            owner = self.run.task.find()
            if owner is not None and not self.run.task.is_wanted(owner):
                self._give_up()
            elif self._is_in_the_way():
                self._give_up()
            elif not self._advance(self.run, TURN if self.run.is_ready else 0.0):
                return TICK
        waits = [self._consider(task) for task in reversed(list(self.waiting.values()))]
        if not self.waiting and self._has_previewed:
            self._has_previewed = False
            self.adopt()
            return TICK
        if self.run is not None:
            return TICK
        return min((wait for wait in waits if wait is not None), default=None)

    def step_before_draw(self) -> None:
        """Begin the newest task if it changes values only, before Blender draws what has changed.

        Short work shows in the next redraw; the rest is left to `step`.
        """
        if self.writing.is_on or not self.waiting or self._must_yield():
            return
        if self.run is not None:
            if not self._is_in_the_way():
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
        while left := [one for key, one in self.waiting.items() if key not in done]:
            # What is not urgent is made of what the others give rise to.
            task = min(left, key=lambda one: not one.is_urgent)
            done.add(task.key)
            owner = None if scene is None else task.find()
            if scene is None or owner is None or live_switch.shows(scene, owner):
                with self._ending(task), self.writing.on():
                    update = self._plan(task, may_be_quick=is_preview)
                    if update is not None:
                        has_side = is_preview and update.can_preview
                        side = self.quick_side(task, update) if has_side else None
                        self._do(task, update, side, is_awaited=True)

    def is_due_in(self, scene: bpy.types.Scene) -> bool:
        """Return whether there is something to do for what a render of a scene may show."""
        found = [(task, task.find()) for task in self.waiting.values()]
        return jobs.running() is None and any(
            owner is not None and not task.must_wait(owner) and live_switch.shows(scene, owner)
            for task, owner in found
        )

    def quick_side(self, task: Task, update: Update, quick: float | None = None) -> int:
        """Return how many samples along its longer side a quick preview has; all if that is quick enough.

        It is meant to take so many seconds, `Task.quick` if not given.
        """
        side = max(update.shape)
        share = (quick or task.quick) / self.pace.estimate(update, side)
        if share >= 1.0:
            return side
        return int(min(max(side * math.sqrt(share), task.smallest), preview_cap(), side))

    # --- one task ---

    def _plan(self, task: Task, *, may_be_quick: bool) -> Update | None:
        """Return what is due for a task now, None if nothing is; a task that is over is dropped."""
        owner = task.find()
        if owner is None or not task.is_wanted(owner):
            self.end(task)
            return None
        if task.must_wait(owner):
            return None
        update = task.quick_plan(owner) if may_be_quick and not task.is_thorough else None
        update = update or task.plan(owner)
        if update is None:
            self.end(task)
        elif reason := task.refusal(owner):
            self.refuse(task, reason)
            return None
        return update

    def _consider(self, task: Task, *, is_before_draw: bool = False) -> float | None:
        """Begin what is due for a task unless another one runs; return when to come back."""
        if self.run is not None:
            return TICK
        with self._ending(task):
            now = self.clock()
            rest, pause = task.changed + task.settled - now, task.begun + task.pause - now
            wait = max(pause, rest) if task.has_preview or task.waits_for_rest else pause
            wait = wait if task.is_urgent else max(wait, TICK * self._has_urgent())
            if wait > 0.0:
                return wait
            update = self._plan(task, may_be_quick=rest > 0.0)
            if update is None:
                return LATER if task.key in self.waiting else None
            if is_before_draw and not update.is_light:
                return TICK
            side = None
            if update.instant is not None:
                side = max(update.shape)
            elif update.is_provisional or self.pace.is_slow(update):
                if update.can_preview and not (update.is_shown or task.has_preview):
                    side = self.quick_side(task, update)
                elif rest > 0.0:
                    return rest
            if not self._do(task, update, side):
                return TICK
        is_over = task.key not in self.waiting
        return None if is_over else max(0.0, task.changed + task.settled - self.clock())

    def _has_urgent(self) -> bool:
        """Return whether something urgent is due, or will be when a gesture rests."""
        found = [(task, task.find()) for task in self.waiting.values() if task.is_urgent]
        return any(owner is not None and not task.must_wait(owner) for task, owner in found)

    def _is_in_the_way(self) -> bool:
        """Return whether what runs is not urgent, and something urgent has come since."""
        run = self.run
        return (
            run is not None
            and not run.task.is_urgent
            and any(one.is_urgent and one.changed > run.task.begun for one in self.waiting.values())
        )

    def _must_yield(self) -> bool:
        """Return whether an operator works, or a render reads what would be written."""
        is_free = self.is_awaited or not self._writes_scene
        return jobs.running() is not None or (not is_free and is_rendering())
