# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work in strips of rows, on threads, with progress, cancelling and finishing early.

NumPy lets go of the interpreter lock inside its loops, so plain threads use all processors.

There are two ways to end work before its time. `cancellable` stops it at the next `checkpoint`, and
nothing comes of it. `finishable` lets modifiers that go on step by step leave out the steps that
are still to come: they ask `is_enough` after each one, and what they return is whole.
"""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from collections.abc import Callable, Iterator

import numpy as np

from .errors import Cancelled, ParameterError, shown

Progress = Callable[[float], None]
"""Called in the caller's thread with the finished share, from 0 to 1, rising."""

Cancel = Callable[[], bool]
"""Asked many times a second, in the caller's thread; True stops the work."""

Enough = Callable[[], bool]
"""Asked after each step of an iteration, in the caller's thread; once True, it has to stay so."""

_KEPT_BYTES = 31 << 20
"""Larger than any array of a block; beyond 32 MB glibc maps memory afresh in any case."""

_SHORT_BUFFER = 64
"""Elements; NumPy wants a multiple of 16."""

SAMPLES_PER_STRIP = 1 << 19
"""Samples handed to a thread at once: enough to hide what each strip has to prepare."""

STRIPS_OF_SHORT_CALLS = 8
"""So much more is handed to it of what is done in short calls: below some four million samples two
threads took longer than one (Perlin, simplex and cellular noise on a grid)."""


def unheard(share: float) -> None:
    """Take the progress that nobody asked for."""


_job = threading.local()


def checkpoint() -> None:
    """Stop here if the job that this thread works for was cancelled; call it in long inner loops.

    Raises
    ------
    Cancelled
        If so.
    """
    is_cancelled: Cancel | None = getattr(_job, "is_cancelled", None)
    if is_cancelled is not None and is_cancelled():
        raise Cancelled("cancelled")


@contextlib.contextmanager
def cancellable(cancel: Cancel | None) -> Iterator[None]:
    """Let `checkpoint` ask `cancel`, in this thread and in the threads that `run` starts here."""
    outer: Cancel | None = getattr(_job, "is_cancelled", None)
    _job.is_cancelled = _either(cancel, outer)
    try:
        yield
    finally:
        _job.is_cancelled = outer


def is_enough() -> bool:
    """Return whether the steps that are still to come may be left out; ask after each step.

    The first step is always taken, so that there is a result, with all of its maps. Where steps go
    from coarse to fine, the finer levels take what the coarser ones have made, and their own detail.
    """
    enough: Enough | None = getattr(_job, "is_enough", None)
    return enough is not None and enough()


@contextlib.contextmanager
def finishable(enough: Enough | None) -> Iterator[None]:
    """Let `is_enough` ask `enough`, in this thread, for as long as this lasts.

    It holds for all that is done meanwhile: once it is enough, the modifiers that come later take
    one step each.
    """
    outer: Enough | None = getattr(_job, "is_enough", None)
    _job.is_enough = _either(enough, outer)
    try:
        yield
    finally:
        _job.is_enough = outer


@contextlib.contextmanager
def on_threads(count: int | None) -> Iterator[None]:
    """Have `run` use so many threads where it is not told how many, in this thread, for a while.

    Parameters
    ----------
    count : int, optional
        At least 1; all processors if not given. No result depends on it.
    """
    _check_threads(count)
    outer: int | None = getattr(_job, "threads", None)
    _job.threads = count
    try:
        yield
    finally:
        _job.threads = outer


def thread_count() -> int:
    """Return how many threads `run` uses here where it is not told."""
    own: int | None = getattr(_job, "threads", None)
    return processor_count() if own is None else own


@contextlib.contextmanager
def short_buffers() -> Iterator[None]:
    """Keep NumPy from copying operands that broadcast, in this thread, for a while.

    Its ufuncs buffer an operand whose rows are shorter than the buffer when another one
    broadcasts, which costs as much again as the arithmetic (measured on 1.24 to 2.5). Not for
    loops that mix dtypes: these need the buffer to convert.
    """
    before = np.setbufsize(_SHORT_BUFFER)
    try:
        yield
    finally:
        np.setbufsize(before)


def processor_count() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(
    work: Callable[[int, int], None],
    count: int,
    strip: int,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> None:
    """Call ``work(start, stop)`` until all of ``range(count)`` is covered.

    Parameters
    ----------
    work : callable
        Does the part from start to stop (exclusive); must not touch other parts.
    count : int
        How many rows or points there are.
    strip : int
        How many go into one call, at most.
    threads : int, optional
        At least 1; what `on_threads` said, or else all processors, if not given. The result does
        not depend on it.
    progress, cancel : callable, optional
        See `Progress` and `Cancel`.

    Raises
    ------
    Cancelled
        If `cancel` returned True; strips that had begun stop at their next checkpoint.
    """
    _check_threads(threads)
    workers = thread_count() if threads is None else threads
    keep_freed_memory()
    strips = [(start, min(start + strip, count)) for start in range(0, count, strip)]
    if workers == 1 or len(strips) < 2:
        _run_here(work, strips, progress, cancel)
    else:
        _run_on_threads(work, strips, min(workers, len(strips)), progress, cancel)


@functools.cache
def keep_freed_memory() -> None:
    """Have the C library keep the memory of block arrays instead of handing it back each time.

    glibc maps large arrays afresh and unmaps them when they are freed, so that every block pays
    for page faults: up to three times the time of the noise itself. Once a larger array was
    freed, it keeps all smaller ones (mallopt(3), M_MMAP_THRESHOLD). Elsewhere this does nothing,
    and needs not where malloc itself keeps what is freed, as in Blender on Windows; see
    benchmarks/page_faults.py and docs/develop/platforms.md.
    """
    np.empty(_KEPT_BYTES, np.uint8)


def _run_here(
    work: Callable[[int, int], None],
    strips: list[tuple[int, int]],
    progress: Progress | None,
    cancel: Cancel | None,
) -> None:
    with cancellable(cancel):
        for done, (start, stop) in enumerate(strips, 1):
            checkpoint()
            work(start, stop)
            if progress is not None:
                progress(done / len(strips))


def _check_threads(threads: int | None) -> None:
    if threads is None:
        return
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 1:
        raise ParameterError(f"threads must be a whole number of at least 1; got {shown(threads)}")


def _either(own: Cancel | None, outer: Cancel | None) -> Cancel | None:
    """Return what ends a job within a job: its own say, or that of the outer one."""
    if own is None or outer is None:
        return own or outer
    first, second = own, outer
    return lambda: first() or second()


def _run_on_threads(
    work: Callable[[int, int], None],
    strips: list[tuple[int, int]],
    workers: int,
    progress: Progress | None,
    cancel: Cancel | None,
) -> None:
    """Share the strips out among threads, of which the caller's is one."""
    # Imported here: it is slow to import, and small work never needs it.
    from concurrent.futures import ThreadPoolExecutor, wait

    shares = _Shares(work, strips)
    limit: int | None = getattr(_job, "threads", None)

    def begin() -> None:
        _job.is_cancelled = shares.is_over.is_set
        _job.threads = limit

    with cancellable(cancel):
        checkpoint()
    with ThreadPoolExecutor(workers - 1, initializer=begin) as pool:
        others = [pool.submit(shares.take) for _ in range(workers - 1)]
        try:
            with cancellable(_either(cancel, shares.is_over.is_set)):
                shares.take(progress)
                while wait(others, timeout=0.05).not_done:
                    checkpoint()
                    shares.report(progress)
        except Cancelled:
            shares.is_over.set()
            for other in others:
                error = other.exception()
                if error is not None and not isinstance(error, Cancelled):
                    raise error from None
            raise
        finally:
            shares.is_over.set()
    for other in others:
        other.result()
    shares.report(progress)


class _Shares:
    """Strips that threads take one by one until none is left, or one of them fails."""

    def __init__(self, work: Callable[[int, int], None], strips: list[tuple[int, int]]) -> None:
        self._work = work
        self._count = len(strips)
        self._strips = iter(strips)
        self._lock = threading.Lock()
        self._done = self._reported = 0
        self.is_over = threading.Event()

    def take(self, progress: Progress | None = None) -> None:
        """Do strips until none is left."""
        is_whole = False
        try:
            while not self.is_over.is_set():
                with self._lock:
                    strip = next(self._strips, None)
                if strip is None:
                    break
                checkpoint()
                self._work(*strip)
                with self._lock:
                    self._done += 1
                self.report(progress)
            is_whole = True
        finally:
            if not is_whole:  # the others need not go on
                self.is_over.set()

    def report(self, progress: Progress | None) -> None:
        """Tell how much is done, if somebody wants to know and it is more than before."""
        if progress is not None and self._done > self._reported:
            self._reported = self._done
            progress(self._reported / self._count)
