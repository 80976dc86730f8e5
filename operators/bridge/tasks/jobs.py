# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work in a thread beside Blender's main thread.

There is one job at a time. A job must not access Blender's data: it takes and returns arrays. It can be
stopped, which discards its result, or finished early, which returns the result of the iterations done.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import bpy

from ....noise_core.base.blocks import Cancel, Progress, finishable, on_threads, processor_count
from ....noise_core.base.errors import Message
from ..interface.messages import translate
from ..schema import preferences

Work = Callable[[Progress, Cancel], Any]
"""Called with a function to report progress to and a function that returns whether to stop; returns the result."""

LONGEST_STOP = 0.2
"""Seconds that a cancelled job may continue."""

FAIR = 0.0005
"""Seconds that Blender's main thread waits for Python while a job has it. Panels and menus ask for
it a hundred times a frame; with Python's own 5 ms each time, windows would stand still.

On Windows Python waits in whole milliseconds, so that this becomes 0: the main thread asks again and again,
and keeps a processor busy while it waits. 1 ms would be worse: the system's clock may make 15.6 ms of it."""

_MANY = 4
"""Processors from which on a job leaves one free, so that the main thread need not wait for one to draw,
nor to ask for Python on Windows. Of two it would be half of the speed, of three a third."""


class Job:
    """A piece of work that has begun, with a title for the status bar."""

    def __init__(self, title: str, work: Work) -> None:
        self.title = title
        self.share = 0.0
        self._stop = threading.Event()
        self._enough = threading.Event()
        self._iterates = False
        processors = processor_count()
        beside = processors - 1 if processors >= _MANY else None  # None for one a processor
        threads = preferences.value("threads") or beside  # read in the main thread

        def working() -> Any:
            with _fairly(), on_threads(threads), finishable(self._is_enough):
                return work(self._report, self._stop.is_set)

        pool = concurrent.futures.ThreadPoolExecutor(1, thread_name_prefix="terrane")
        self._future = pool.submit(working)
        pool.shutdown(wait=False)

    def _report(self, share: float) -> None:
        self.share = min(max(share, self.share), 1.0)

    def _is_enough(self) -> bool:
        self._iterates = True
        return self._enough.is_set()

    @property
    def is_done(self) -> bool:
        """Whether the job has ended, with a result or an error."""
        return self._future.done()

    @property
    def is_stopping(self) -> bool:
        """Whether the job was asked to stop."""
        return self._stop.is_set()

    @property
    def can_finish(self) -> bool:
        """Whether the job iterates, so that it can end early with an intermediate result."""
        return self._iterates and not self._enough.is_set() and not self.is_stopping

    @property
    def is_finishing(self) -> bool:
        """Whether the job was asked to finish early."""
        return self._enough.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait at most so many seconds for the end; return whether the job has ended."""
        concurrent.futures.wait([self._future], seconds)
        return self.is_done

    def stop(self) -> None:
        """Ask the job to end as soon as possible."""
        self._stop.set()

    def finish(self) -> None:
        """Ask the job to skip its remaining iterations and return the intermediate result."""
        self._enough.set()

    def result(self) -> Any:
        """Return the result of the work, or raise its error."""
        return self._future.result()


def as_work(make: Callable[[], Any]) -> Work:
    """Return the work of a function without progress; it is too short to be stopped."""
    return lambda progress, cancel: make()


def at_once(work: Work) -> Any:
    """Run some work in this thread, on all processors; it reports no progress and cannot be stopped."""
    with on_threads(preferences.value("threads") or None):
        return work(lambda share: None, lambda: False)


@contextlib.contextmanager
def _fairly() -> Iterator[None]:
    """Share Python with the main thread in small portions within this context."""
    global _at_work, _usual
    with _counting:
        if _at_work == 0:
            _usual = sys.getswitchinterval()
            sys.setswitchinterval(min(FAIR, _usual))
        _at_work += 1
    try:
        yield
    finally:
        with _counting:
            _at_work -= 1
            if _at_work == 0:
                sys.setswitchinterval(_usual)


_counting = threading.Lock()
_at_work = 0
_usual = FAIR
_running: Job | None = None
_beside: Job | None = None


def start(title: str, work: Work) -> Job:
    """Begin some work; the caller calls `end` afterwards."""
    global _running
    _running = Job(title, work)
    return _running


def end(job: Job) -> None:
    """Forget a job; one that still runs is stopped first, for up to `LONGEST_STOP` seconds."""
    global _running
    if not job.is_done:
        job.stop()
        job.wait(LONGEST_STOP)
    if _running is job:
        _running = None


def end_all() -> None:
    """Forget the job that runs, if there is one."""
    if _running is not None:
        end(_running)


def running() -> Job | None:
    """Return the job that runs."""
    return _running


def show(job: Job) -> None:
    """Show a job that does not block other operators, so that the user can end it; see `visible_job`."""
    global _beside
    _beside = job


def hide(job: Any) -> None:
    """Stop showing a job."""
    global _beside
    if _beside is job:
        _beside = None


def visible_job() -> Job | None:
    """Return the job that is shown: the one that runs, or else one that does not block operators."""
    return _running or _beside


def why_not() -> str:
    """Return why no other long work can begin now; empty if it can."""
    if _running is None:
        return ""
    return Message(
        "{} is still running: wait, or press Esc to cancel it", translate(_running.title)
    )


def is_rendering() -> bool:
    """Return whether Blender reads meshes and images in another thread."""
    return any(bpy.app.is_job_running(job) for job in ("RENDER", "OBJECT_BAKE"))
