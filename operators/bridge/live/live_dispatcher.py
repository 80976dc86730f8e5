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

from ....noise_core.errors import Cancelled, Message
from ..work import jobs
from ..work.jobs import Job
from ..work.steps import Course, Steps, taken
from . import live_due, live_scenes, live_targets
from .live_beginning import MOMENT, Beginning
from .live_due import REFUSALS
from .live_target import Target
from .live_wishes import Wishes
from .live_work import DoneJob, Due, Run, Wish, is_rendering, text_of

SETTLED = 0.15
"""Seconds without a change after which a gesture seems to rest: the whole follows its preview."""

LONG = 0.5
"""Seconds after which work is worth a progress bar."""

OVERDUE = 0.25
"""Seconds that short work may take before a newer change ends it: it would end soon by itself, and
were it given up each time nothing would ever be seen during a quick gesture."""

TURN = 0.015
"""Seconds of writing before Blender goes on; see `MOMENT`."""

TICK = 0.004
"""Seconds between two looks at the work."""

LATER = 0.25
"""Seconds until the next look at what has to wait: for Object Mode, or the end of a render."""

_FOR_EVER = 1e6
"""Seconds; Python wants a number."""

STOPPED = Message("Stopped: press Update to finish it")


class Dispatcher:
    """Sees to it that the newest settings win; one piece of work at a time.

    Parameters
    ----------
    clock : callable
        Returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.clock = clock
        self.beginning = Beginning(clock)
        self.wishes = Wishes()
        self.notes = self.wishes.notes
        self.touched = self.wishes.touched
        self.is_awaited = False
        """Whether a render waits for what is due, and reads nothing before."""
        self._has_previewed = False
        self._run: Run | None = None
        self._given_up: list[Job | DoneJob] = []
        self._is_writing = False

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do."""
        return self._run is None and not self.wishes.waiting

    @property
    def is_writing(self) -> bool:
        """Whether whatever changes at the moment is changed by the dispatcher itself."""
        return self._is_writing

    def notice(self, owner: bpy.types.ID) -> None:
        """Note that the settings of a datablock have changed."""
        if self._is_writing:
            return
        target = live_targets.target_of(owner)
        if target is not None and live_scenes.is_live(owner):
            # Before anything is written: it may be gone by then, and back by undo.
            self.touched[target.key] = target
            self.wish(target)

    def wish(self, target: Target, *, is_thorough: bool = False) -> None:
        """Note that a target may not be what its settings say; thorough is to look at paint too."""
        self.wishes.add(target, self.clock(), is_thorough=is_thorough)

    def adopt(self) -> None:
        """Wish for what shows a preview although nobody is at work on the whole, as a copy does."""
        for target in live_targets.previews():
            if target.key not in self.notes and target.key not in self.wishes.waiting:
                self.wish(target)

    def clear(self) -> None:
        """Give everything up, and forget it."""
        self.wishes.clear()
        if self._run is not None:
            self._give_up()
        for job in self._given_up:
            job.wait(jobs.LONGEST_STOP)
        self._given_up.clear()
        self._has_previewed = False

    def step(self) -> float | None:
        """Do what can be done now; return in how many seconds to come back, None if never."""
        wait = self._step()
        if wait is None and self._has_previewed:
            self._has_previewed = False
            self.adopt()
            return TICK
        return wait

    def _step(self) -> float | None:
        self._given_up = [job for job in self._given_up if not job.is_done]
        if jobs.running() is not None or (is_rendering() and not self.is_awaited):
            if self._run is not None:
                self._give_up()
            return LATER if self.wishes.waiting else None
        if self._run is not None and not self._is_wanted(self._run):
            self._give_up()
        if self._run is not None and not self._has_ended(self._run):
            return TICK
        waits = [self._consider(wish) for wish in reversed(list(self.wishes.waiting.values()))]
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
        if not self.wishes.waiting or is_rendering():
            return
        newest = next(reversed(self.wishes.waiting.values()))
        if not newest.is_thorough:  # or paint would be read by evaluating while Blender evaluates
            with self._writing():  # whatever is evaluated meanwhile must not come here again
                self._consider(newest, is_glance=True)

    def finish(self, *, is_preview: bool = False, scene: bpy.types.Scene | None = None) -> None:
        """Do everything that is due, and wait for it.

        Parameters
        ----------
        is_preview : bool
            Show previews of all that would get one, and leave the whole for later.
        scene : Scene, optional
            Only what a render of it may show.
        """
        if self._run is not None:
            self._give_up()
        for wish in list(self.wishes.waiting.values()):
            owner = wish.target.found()
            if scene is None or owner is None or live_scenes.shows(scene, owner):
                with self.wishes.dropping(wish.target.key), self._writing():
                    self._finish(wish, is_preview=is_preview)

    def _finish(self, wish: Wish, *, is_preview: bool) -> None:
        if (due := live_due.due(self.wishes, wish)) is None:
            return
        side = self.beginning.quick_side(due.plan) if is_preview and due.plan.can_preview else None
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
        with self.wishes.dropping(wish.target.key):
            return self._consider_now(wish, is_glance=is_glance)

    def _consider_now(self, wish: Wish, *, is_glance: bool) -> float | None:
        key = wish.target.key
        if (due := live_due.due(self.wishes, wish)) is None:
            return LATER if key in self.wishes.waiting else None
        rest = wish.changed + SETTLED - self.clock()
        if is_glance and not due.plan.is_light:
            return TICK
        side = None
        if self.beginning.is_slow(due.plan):
            if due.plan.can_preview and not (due.plan.is_shown or wish.is_shown):
                side = self.beginning.quick_side(due.plan)
            elif rest > 0.0:
                return rest
        run = self._run = self._started(wish, due, side)
        if run is None:
            return None
        if not run.job.wait(max(0.0, run.begun + MOMENT - self.clock())):
            return TICK
        if not self._has_ended(run):
            return TICK
        still = self.wishes.waiting.get(key)
        return None if still is None else max(0.0, still.changed + SETTLED - self.clock())

    def _started(self, wish: Wish, due: Due, side: int | None) -> Run | None:
        """Begin work on a preview or on the whole; None if it is refused."""
        try:
            return self.beginning.begun(wish.target, due, side)
        except REFUSALS as error:
            self.wishes.refuse(wish.target.key, text_of(error))
            return None

    def _is_wanted(self, run: Run) -> bool:
        """Return whether what is worked on is still live."""
        owner = run.target.found()
        return owner is None or live_scenes.is_live(owner)

    def _has_ended(self, run: Run) -> bool:
        """Look at the work; return whether it is over, in whatever way."""
        with self.wishes.dropping(run.target.key):
            return self._look_at(run)

    def _look_at(self, run: Run) -> bool:
        if run.job.is_done:
            self._run = None
            jobs.hide(run.job)
            course = run.course or self._begin_to_write(run)
            if course is None or self._write(run, course, TURN):
                return True
            self._run = run
        age = self.clock() - run.begun
        wish = self.wishes.waiting.get(run.target.key)
        is_stale = wish is not None and wish.changed > run.begun
        if is_stale and (not run.is_short or age > OVERDUE):
            self.beginning.measure(run)  # it takes at least that long
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
            # By the user: what is given up for something newer is forgotten.
            self.wishes.fulfil(key, STOPPED)
            return None
        except REFUSALS as error:
            self.wishes.refuse(key, text_of(error))
            return None
        self.beginning.measure(run)
        owner = run.target.found()
        if key not in self.wishes.waiting or owner is None or run.target.must_wait(owner):
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
            except Cancelled:
                reason = STOPPED
            except REFUSALS as error:
                reason = text_of(error)
            course.close()
        self._written(run, reason)
        return True

    def _written(self, run: Run, reason: str) -> None:
        """Note that what came of some work was written, or why it was not."""
        key, wish = run.target.key, self.wishes.waiting.get(run.target.key)
        self.touched[key] = run.target
        if wish is None or wish.changed > run.begun:
            return  # the next run is for what has changed meanwhile
        if run.side is not None and not reason:
            wish.is_shown = self._has_previewed = True
        else:
            ends = self.wishes.refuse if reason not in ("", STOPPED) else self.wishes.fulfil
            ends(key, reason)

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

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Do not react to what is written meanwhile."""
        outer, self._is_writing = self._is_writing, True
        try:
            yield
        finally:
            self._is_writing = outer
