# SPDX-License-Identifier: GPL-3.0-or-later
"""What is due is done: the newest settings win, one piece of work at a time.

`live_update` says when, and why it is done this way.
"""

from __future__ import annotations

import time  # noqa: TID251 (how long work takes decides what is shown, never what comes of it)
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ....noise_core.errors import Cancelled, TerraneError
from ..preferences import preview_cap
from ..work import jobs, windows
from ..work.jobs import Job, Work
from ..work.steps import Course, Steps, taken
from . import live_targets
from .live_pace import AT_ONCE, Pace
from .live_target import Key, Plan, Target
from .live_work import DoneJob, Due, Run, Wish, is_rendering, samples, seconds_to_spread, text_of

SETTLED = 0.15
"""Seconds without a change after which a gesture seems to rest: the whole follows its preview."""

LONG = 0.5
"""Seconds after which work is worth a progress bar."""

OVERDUE = 0.25
"""Seconds that short work may take before a newer change ends it: it would end soon by itself, and
were it given up each time nothing would ever be seen during a quick gesture."""

MOMENT = 0.02
"""Seconds that Blender waits for work that begins, whoever does it: with a `TURN` of writing and
Blender's own share, that stays below what anybody feels as a freeze."""

AT_SIGHT = 0.015
"""Seconds that work may be expected to take for the main thread to do it by itself. If it is not
done within a `MOMENT`, it is handed over to another thread all the same."""

TURN = 0.015
"""Seconds of writing before Blender goes on."""

TICK = 0.004
"""Seconds between two looks at the work."""

LATER = 0.25
"""Seconds until the next look at what has to wait: for Object Mode, or the end of a render."""

_FOR_EVER = 1e6
"""Seconds; Python wants a number."""

STOPPED = "Stopped: press Update to finish it"

_REFUSALS = (TerraneError, MemoryError)


class Dispatcher:
    """Sees to it that the newest settings win; one piece of work at a time.

    Parameters
    ----------
    clock : callable
        Returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.pace = Pace()
        self.notes: dict[Key, str] = {}
        """What the user should know, by target."""
        self.touched: dict[Key, Target] = {}
        """What was written to since the file was loaded: undo may part it from its settings."""
        self._wishes: dict[Key, Wish] = {}
        self._run: Run | None = None
        self._given_up: list[Job | DoneJob] = []
        self._is_writing = False

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do."""
        return self._run is None and not self._wishes

    def notice(self, owner: bpy.types.ID) -> None:
        """Note that the settings of a datablock have changed."""
        if self._is_writing:
            return
        target = live_targets.target_of(owner)
        if target is not None:
            self.wish(target)

    def wish(self, target: Target) -> None:
        """Note that a target may not be what its settings say."""
        self._wishes.pop(target.key, None)  # to the end: the newest comes last
        self._wishes[target.key] = Wish(target, self.clock())

    def clear(self) -> None:
        """Give everything up, and forget it."""
        self._wishes.clear()
        if self._run is not None:
            self._give_up()
        for job in self._given_up:
            job.wait(jobs.LONGEST_STOP)
        self._given_up.clear()
        self.notes.clear()
        self.touched.clear()

    def step(self) -> float | None:
        """Do what can be done now; return in how many seconds to come back, None if never."""
        self._given_up = [job for job in self._given_up if not job.is_done]
        if jobs.running() is not None or is_rendering():
            if self._run is not None:
                self._give_up()
            return LATER if self._wishes else None
        if self._run is not None and not self._has_ended(self._run):
            return TICK
        waits = [self._consider(wish) for wish in reversed(list(self._wishes.values()))]
        if self._run is not None:
            return TICK
        return min((wait for wait in waits if wait is not None), default=None)

    def glance(self) -> None:
        """Begin what changes values only, before Blender draws what has changed.

        What is done in a moment is in the very next picture, and what is not is made while that
        is drawn. All else is left to `step`.
        """
        if self._run is not None or self._is_writing or jobs.running() is not None:
            return
        if self._wishes and not is_rendering():
            self._is_writing = True  # whatever is evaluated meanwhile must not come here again
            try:
                self._consider(next(reversed(self._wishes.values())), is_glance=True)
            finally:
                self._is_writing = False

    def finish(self, *, is_preview: bool = False) -> None:
        """Do everything that is due, and wait for it.

        Parameters
        ----------
        is_preview : bool
            Show previews of all that would get one, and leave the whole for later.
        """
        if self._run is not None:
            self._give_up()
        for wish in list(self._wishes.values()):
            if (due := self._due(wish)) is None:
                continue
            side = self._quick_side(due.plan) if is_preview and due.plan.can_preview else None
            run = self._started(wish, due, side)
            if run is not None:
                run.job.wait(_FOR_EVER)
                if (course := self._begin_to_write(run)) is not None:
                    self._write(run, course, _FOR_EVER)

    # --- one target ---

    def _consider(self, wish: Wish, *, is_glance: bool = False) -> float | None:
        """Begin what is due for a target unless something is at work; return when to come back."""
        if self._run is not None:
            return TICK
        key = wish.target.key
        if (due := self._due(wish)) is None:
            return LATER if key in self._wishes else None
        rest = wish.changed + SETTLED - self.clock()
        if is_glance and not due.plan.is_light:
            return TICK
        side = None
        if self._is_slow(due.plan):
            if due.plan.can_preview and not (due.plan.is_shown or wish.is_shown):
                side = self._quick_side(due.plan)
            elif rest > 0.0:
                return rest
        run = self._run = self._started(wish, due, side)
        if run is None:
            return None
        if not run.job.wait(max(0.0, run.begun + MOMENT - self.clock())):
            return TICK
        if not self._has_ended(run):
            return TICK
        still = self._wishes.get(key)
        return None if still is None else max(0.0, still.changed + SETTLED - self.clock())

    def _due(self, wish: Wish) -> Due | None:
        """Return what is due for a target, None if nothing is, or not now."""
        target = wish.target
        owner = target.found()
        if owner is None:
            self._wishes.pop(target.key, None)
            return None
        if target.must_wait(owner):
            return None
        try:
            plan = target.plan(owner)
        except _REFUSALS as error:
            self._fulfil(target.key, text_of(error))
            return None
        reason = target.refusal(owner) if plan is not None else ""
        if plan is None or reason:
            self._fulfil(target.key, reason)
            return None
        return Due(owner, plan)

    def _started(self, wish: Wish, due: Due, side: int | None) -> Run | None:
        """Begin work on a preview or on the whole; None if it is refused."""
        target, plan, begun = wish.target, due.plan, self.clock()
        try:
            work = target.work(due.owner, plan, side)
            count, is_whole = samples(plan, side), side is None
            expected = self.pace.expected(plan.structure, count, is_whole=is_whole)
            at_most = self.pace.at_most(plan.structure, count, is_whole=is_whole)
            at_sight = at_most + seconds_to_spread(plan, side) <= AT_SIGHT
            job = self._done_at_sight(work) if at_sight else None
        except _REFUSALS as error:
            self._fulfil(target.key, text_of(error))
            return None
        is_short = not is_whole or expected <= AT_ONCE
        return Run(target, plan, job or Job(target.title, work), side, begun, is_short)

    def _done_at_sight(self, work: Work) -> DoneJob | None:
        """Do some work here and now; None if it takes too long for that."""
        limit = self.clock() + MOMENT
        try:
            late = lambda: self.clock() > limit  # noqa: E731
            return DoneJob(jobs.at_once(lambda progress, cancel: work(progress, late)))
        except Cancelled:
            return None

    def _has_ended(self, run: Run) -> bool:
        """Look at the work; return whether it is over, in whatever way."""
        if run.job.is_done:
            self._run = None
            jobs.hide(run.job)
            course = run.course or self._begin_to_write(run)
            if course is None or self._write(run, course, TURN):
                return True
            self._run = run
        age = self.clock() - run.begun
        wish = self._wishes.get(run.target.key)
        is_stale = wish is not None and wish.changed > run.begun
        if is_stale and (not run.is_short or age > OVERDUE):
            self._measure(run)  # it takes at least that long
            self._give_up()
            return True
        if age > LONG and not run.is_watched:
            run.is_watched = True
            self._show(run.job)
        return False

    def _begin_to_write(self, run: Run) -> Course | None:
        """Look at what came of some work; return the steps that write it, if it is to be written."""
        key = run.target.key
        try:
            result = run.job.result()
        except Cancelled:
            self._fulfil(
                key, STOPPED
            )  # by the user: what is given up for something newer is forgotten
            return None
        except _REFUSALS as error:
            self._fulfil(key, text_of(error))
            return None
        self._measure(run)
        owner = run.target.found()
        if key not in self._wishes or owner is None or run.target.must_wait(owner):
            return None
        # Nobody can have touched it while the main thread itself was at work.
        reason = "" if isinstance(run.job, DoneJob) else run.target.refusal(owner)
        if reason:
            self._written(run, reason)
            return None
        self.touched[key] = run.target
        run.course = Course(run.target.title, self._writing_steps(run, result), self.clock, Job)
        return run.course

    def _writing_steps(self, run: Run, result: Any) -> Steps[str]:
        """Write what came of some work; nothing happens before the first step is taken."""
        is_preview, owner = run.side is not None, run.target.found()
        return (yield from taken(run.target.write(owner, run.plan, result, is_preview=is_preview)))

    def _write(self, run: Run, course: Course, seconds: float) -> bool:
        """Go on writing for a while; return whether that is over, in whatever way."""
        owner = run.target.found()
        if owner is None or run.target.must_wait(owner):
            course.close()
            return True
        with self._writing():
            try:
                if not course.advance(seconds):
                    return False
                reason = course.result
            except _REFUSALS as error:
                reason = text_of(error)
            course.close()
        self._written(run, reason)
        return True

    def _written(self, run: Run, reason: str) -> None:
        """Note that what came of some work was written, or why it was not."""
        key, wish = run.target.key, self._wishes.get(run.target.key)
        self.touched[key] = run.target
        if wish is None or wish.changed > run.begun:
            return  # the next run is for what has changed meanwhile
        if run.side is not None and not reason:
            wish.is_shown = True
        else:
            self._fulfil(key, reason)

    def _give_up(self) -> None:
        """Tell the work to stop, without waiting for it."""
        run, self._run = self._run, None
        if run is not None:
            run.job.stop()
            if run.course is not None:
                run.course.close()
            jobs.hide(run.job)
            self._given_up.append(run.job)

    def _show(self, job: Any) -> None:
        """Let the user see work that takes long, and end it."""
        jobs.show(job)
        if not bpy.app.background:
            operators: Any = bpy.ops
            operators.terrane.live_watch("INVOKE_DEFAULT")

    def _measure(self, run: Run) -> None:
        seconds, count = self.clock() - run.begun, samples(run.plan, run.side)
        self.pace.note(run.plan.structure, count, seconds, is_whole=run.side is None)

    def _is_slow(self, plan: Plan) -> bool:
        expected = self.pace.expected(plan.structure, samples(plan, None), is_whole=True)
        return plan.is_costly or expected > AT_ONCE

    def _quick_side(self, plan: Plan) -> int:
        return self.pace.quick_side(plan.structure, plan.shape, preview_cap())

    def _fulfil(self, key: Key, note: str) -> None:
        """There is nothing more to do for a target, for a reason or because all is done."""
        self._wishes.pop(key, None)
        self._say(key, note)

    def _say(self, key: Key, note: str) -> None:
        if self.notes.get(key, "") == note:
            return
        self.notes.pop(key, None)
        if note:
            self.notes[key] = note
        windows.redraw_panels(bpy.context)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Do not react to what is written meanwhile."""
        outer, self._is_writing = self._is_writing, True
        try:
            yield
        finally:
            self._is_writing = outer
