# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work in steps, between which Blender handles its events.

Steps are a generator. It yields None wherever Blender may draw and handle events before the next step,
or some work for a thread, and is sent the result of that work. In a script all steps run in one go.
The scene may change between two steps: steps must not keep references to Blender's data, only the
numbers by which it is found again.
"""

from __future__ import annotations

import time  # noqa: TID251 (how long steps take decides when Blender goes on, never what they do)
from collections.abc import Callable, Generator
from typing import Any, TypeVar, Union, cast

import bpy

from ....noise_core.base.blocks import Cancel, Progress, part_of
from ....noise_core.base.errors import Cancelled
from ..datablocks import editing
from . import jobs
from .jobs import Job, Work

Result = TypeVar("Result")

Steps = Generator[Work | None, Any, Result]


def as_steps(steps: Union[Steps[Result], Result]) -> Steps[Result]:
    """Run the steps that a function returned, and return their result; return any other value as it is."""
    if isinstance(steps, Generator):
        return (yield from steps)
    return cast(Result, steps)


def at_once(steps: Steps[Result]) -> Result:
    """Run all steps in this thread, without a pause."""
    result: Any = None
    try:
        while True:
            work = steps.send(result)
            result = None if work is None else jobs.at_once(work)
    except StopIteration as end:
        return cast(Result, end.value)
    finally:
        steps.close()


def in_object_mode(
    context: bpy.types.Context, obj: bpy.types.Object, steps: Steps[Result]
) -> Steps[Result]:
    """Take steps that write a mesh; all in one if it is in Edit Mode, which is left for so long."""
    if obj.mode != "EDIT":
        return (yield from steps)
    with editing.object_mode(context, obj):
        return at_once(steps)


def part_of_work(work: Work, first: float, last: float) -> Work:
    """Return the same work as a part of longer work, whose progress it takes from one share to another."""

    def part(progress: Progress, cancel: Cancel) -> Any:
        return work(part_of(progress, first, last), cancel)

    return part


def part_of_steps(steps: Steps[Result], first: float, last: float) -> Steps[Result]:
    """Take steps whose works are parts of longer work: see `part_of_work`."""
    result: Any = None
    try:
        while True:
            work = steps.send(result)
            result = yield work if work is None else part_of_work(work, first, last)
    except StopIteration as end:
        return cast(Result, end.value)
    finally:
        steps.close()


def _from_share(share: float, work: Work) -> Work:
    """Return the same work, whose progress begins at the share already done: panels show that of the job."""

    def going_on(progress: Progress, cancel: Cancel) -> Any:
        progress(share)
        return work(progress, cancel)

    return going_on


class StepRunner:
    """Runner of steps, one after the other, between Blender's events.

    Its works are begun by `start`: from the first one to its end `jobs.running` returns its job.
    """

    start: Callable[[str, Work], Job] = staticmethod(jobs.start)

    def __init__(
        self, title: str, steps: Steps[Any], clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.title, self._steps, self._clock = title, steps, clock
        self.job: Job | None = None
        self.result: Any = None
        self.is_finishing = False
        """Whether some work was asked to finish early."""
        self._is_waiting, self._share = False, 0.0

    @property
    def is_ready(self) -> bool:
        """Whether there is a step to take: no thread is at work."""
        return self.job is None or self.job.is_done or not self._is_waiting

    @property
    def share(self) -> float:
        """Finished share, as far as work reports it; never decreases."""
        if self.job is not None:
            self._share = max(self._share, self.job.share)
        return self._share

    def advance(self, seconds: float, *, is_first: bool = False) -> bool:
        """Run steps, and wait for threads, for so many seconds; a step that has begun is completed.

        The first time only one step is run, without waiting. Returns whether all steps are done; then
        there is a `result`. Raises `Cancelled` if the job was stopped, or any error of a step or of the
        work.
        """
        end = self._clock() + seconds
        while True:
            result = None
            if self._is_waiting and self.job is not None:
                if not self.job.wait(max(0.0, end - self._clock())):
                    return False
                self._is_waiting, result = False, self.job.result()
                self.is_finishing |= self.job.is_finishing
                self._share = self.share
            if self.job is not None and self.job.is_stopping:
                raise Cancelled(self.title)
            try:
                work = self._steps.send(result)
            except StopIteration as last:
                self.result = last.value
                return True
            if work is not None:
                going_on = _from_share(self._share, work)
                self.job, self._is_waiting = self.start(self.title, going_on), True
            if is_first or (work is None and self._clock() >= end):
                return False

    def close(self, *, is_awaited: bool = True) -> None:
        """Run no more steps, and stop the thread; wait for it unless `is_awaited` is False."""
        self._steps.close()
        if self.job is None:
            return
        if is_awaited:
            jobs.end(self.job)
        elif not self.job.is_done:
            self.job.stop()
