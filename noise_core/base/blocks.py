# SPDX-License-Identifier: GPL-3.0-or-later
"""Parallel work in strips of rows, with progress, cancelling and early finishing.

NumPy releases the interpreter lock inside its loops, so plain threads use all processors.

There are two ways to end work early. `cancellable` stops it at the next `checkpoint`, and
leaves no result. `finishable` lets iterative modifiers leave out the remaining steps: they ask
`is_enough` after each one, and return a complete result.
"""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from . import freed_memory
from .arguments import check_callable
from .errors import Cancelled, ParameterError, format_value

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Progress = Callable[[float], None]
"""Called in the caller's thread with the finished share, from 0 to 1, rising."""

Cancel = Callable[[], bool]
"""Called many times a second, in the caller's thread; True stops the work."""

Enough = Callable[[], bool]
"""Called after each step of an iteration, in the caller's thread; once True, it must stay True."""

_SHORT_BUFFER = 64
"""Elements of NumPy's buffer; it requires a multiple of 16."""

SAMPLES_PER_STRIP = 1 << 19
"""Samples handed to a thread at once, at most: enough to hide what each strip has to prepare."""

LEAST_PER_STRIP = 1 << 16
"""Samples from which one more thread pays: half a million on two threads take 1.6 times less than on one, and a
quarter of that as long as on one (turned fractals, warps and cells)."""

SAMPLES_OF_SHORT_CALLS = 1 << 22
"""Samples handed to a thread at once of what is done in short calls: with fewer, two threads took longer than one
(Perlin, simplex and cellular noise on a grid)."""

_MORE_ON_THREADS = 4
"""How many times as many points turned fractals and gullies at moved points handle at once where threads share the work.
A thread that waits for the interpreter's lock between two calls of NumPy is woken after some 50 µs, as long as their
calls take: longer ones collide less (two threads took .65 to .75 of the time). Warps and rows of gullies gain nothing."""


class CountedProgress:
    """Progress over work of known cost."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def add(self, cost: int) -> None:
        """Report additional progress."""
        self._done += cost
        self._progress(min(self._done / self._total, 1.0))


def unheard(share: float) -> None:
    """Ignore the progress."""


def heard(progress: Progress | None) -> Progress:
    """Return a progress callback that can be called: one that ignores it if none is given.

    Raises
    ------
    ParameterError
        If it is no function.
    """
    check_callable(progress, "progress")
    return unheard if progress is None else progress


def part_of(progress: Progress, start: float, stop: float) -> Progress:
    """Return the progress callback of a part of the whole, from one share of it to another.

    Examples
    --------
    >>> from noise_core.base.blocks import part_of
    >>> shares = []
    >>> second_half = part_of(shares.append, 0.5, 1.0)
    >>> second_half(0.5)
    >>> shares
    [0.75]
    """
    return lambda share: progress(start + (stop - start) * share)


class _ThreadState(threading.local):
    """State of the work that a thread is doing."""

    is_cancelled: Cancel | None = None
    is_enough: Enough | None = None
    threads: int | None = None
    points_factor: int = 1
    """How many times as many points are handled at once as alone."""


job = _ThreadState()
"""That of this thread."""


def checkpoint() -> None:
    """Raise `Cancelled` if this thread's job was cancelled; call it in long inner loops.

    Raises
    ------
    Cancelled
        If so.
    """
    is_cancelled = job.is_cancelled
    if is_cancelled is not None and is_cancelled():
        raise Cancelled("cancelled")


@contextlib.contextmanager
def cancellable(cancel: Cancel | None) -> Iterator[None]:
    """Let `checkpoint` call `cancel`, in this thread and in the threads that `run` starts here.

    Examples
    --------
    >>> from noise_core import Cancelled
    >>> from noise_core.base import blocks
    >>> try:
    ...     with blocks.cancellable(lambda: True):
    ...         blocks.checkpoint()
    ... except Cancelled:
    ...     print("stopped")
    stopped
    """
    outer = job.is_cancelled
    job.is_cancelled = _combine_conditions(cancel, outer)
    try:
        yield
    finally:
        job.is_cancelled = outer


def is_enough() -> bool:
    """Return whether the remaining steps may be left out; call it after each step.

    The first step is always taken, so that there is a result, with all of its maps. Where steps go
    from coarse to fine, the finer levels take the results of the coarser ones, and add their own detail.
    """
    enough = job.is_enough
    return enough is not None and enough()


@contextlib.contextmanager
def finishable(enough: Enough | None) -> Iterator[None]:
    """Let `is_enough` call `enough` inside the block, in this thread.

    It holds for all work in the block: once it is enough, the modifiers that come later take
    one step each.
    """
    outer = job.is_enough
    job.is_enough = _combine_conditions(enough, outer)
    try:
        yield
    finally:
        job.is_enough = outer


@contextlib.contextmanager
def on_threads(count: int | None) -> Iterator[None]:
    """Set the number of threads that `run` uses by default inside the block, in this thread.

    Parameters
    ----------
    count : int, optional
        At least 1; all processors if not given. No result depends on it.

    Examples
    --------
    >>> from noise_core.base import blocks
    >>> with blocks.on_threads(1):
    ...     blocks.thread_count()
    1
    """
    check_threads(count)
    outer = job.threads
    job.threads = count
    try:
        yield
    finally:
        job.threads = outer


def thread_count() -> int:
    """Return how many threads `run` uses by default."""
    return processor_count() if job.threads is None else job.threads


@contextlib.contextmanager
def short_buffers() -> Iterator[None]:
    """Keep NumPy from copying operands that broadcast, inside the block, in this thread.

    Its ufuncs buffer an operand whose rows are shorter than the buffer when another one
    broadcasts, which costs as much again as the arithmetic (measured on 1.24 to 2.5). Not for
    loops that mix dtypes: these need the buffer to convert.
    """
    previous = np.setbufsize(_SHORT_BUFFER)
    try:
        yield
    finally:
        np.setbufsize(previous)


def processor_count() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def rows_of_strip(
    rows: int,
    columns: int,
    threads: int | None = None,
    *,
    most: int | None = None,
    in_short_calls: bool = False,
) -> int:
    """Return how many rows of a field a thread is handed at once: its share, unless that is little or much.

    Parameters
    ----------
    rows, columns : int
        Of the field.
    threads : int, optional
        See `run`.
    most : int, optional
        Samples; `SAMPLES_PER_STRIP` if not given.
    in_short_calls : bool
        Whether shares are to be much larger; see `Noise.has_short_calls`.

    Raises
    ------
    ParameterError
        If `threads` is no whole number of at least 1.
    """
    check_threads(threads)
    workers = thread_count() if threads is None else threads
    if in_short_calls:
        share = SAMPLES_OF_SHORT_CALLS
    else:
        share = min(max(rows * columns // workers, LEAST_PER_STRIP), most or SAMPLES_PER_STRIP)
    return max(1, -(-share // max(1, columns)))


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
        At least 1; by default the number set by `on_threads`, or else all processors. The result does
        not depend on it.
    progress, cancel : callable, optional
        See `Progress` and `Cancel`.

    Raises
    ------
    Cancelled
        If `cancel` returned True; strips that had begun stop at their next checkpoint.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.base import blocks

    Square the rows of an array on threads, with progress and a way to stop:

    >>> field = np.arange(12.0, dtype=np.float32).reshape(4, 3)
    >>> out = np.empty_like(field)
    >>> def square(start, stop):
    ...     np.multiply(field[start:stop], field[start:stop], out=out[start:stop])
    >>> shares = []
    >>> blocks.run(square, 4, 2, threads=1, progress=shares.append)
    >>> print(out[3], shares[-1])
    [ 81. 100. 121.] 1.0
    """
    check_threads(threads)
    check_callable(progress, "progress")
    workers = thread_count() if threads is None else threads
    freed_memory.keep_freed_memory()
    strips = [(start, min(start + strip, count)) for start in range(0, count, strip)]
    if workers > 1 and len(strips) > 1:
        _run_on_threads(work, strips, min(workers, len(strips)), progress, cancel)
        return
    with cancellable(cancel):
        for done, (start, stop) in enumerate(strips, 1):
            checkpoint()
            work(start, stop)
            if progress is not None:
                progress(done / len(strips))


def check_threads(threads: int | None) -> None:
    """Raise a ParameterError unless so many threads can be taken: a whole number from 1 on, or None."""
    if threads is None:
        return
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 1:
        raise ParameterError(
            "threads must be a whole number of at least 1", got=format_value(threads)
        )


def _combine_conditions(inner: Cancel | None, outer: Cancel | None) -> Cancel | None:
    """Return a condition that holds if either of two does: that of a job or of the outer job."""
    check_callable(inner, "cancel")
    if inner is None or outer is None:
        return outer if inner is None else inner
    first, second = inner, outer
    return lambda: first() or second()


def _run_on_threads(
    work: Callable[[int, int], None],
    strips: list[tuple[int, int]],
    workers: int,
    progress: Progress | None,
    cancel: Cancel | None,
) -> None:
    """Distribute the strips among threads, of which the caller's is one."""
    from concurrent.futures import wait  # here: it is slow to import, and small work never needs it

    shares = _WorkQueue(work, strips)
    limit = job.threads

    def take_shares() -> None:
        with on_threads(limit), cancellable(shares.is_over.is_set):
            shares.take()

    with cancellable(cancel):
        checkpoint()
    pool = _pool(workers - 1)
    futures = [pool.submit(take_shares) for _ in range(workers - 1)]
    try:
        with cancellable(_combine_conditions(cancel, shares.is_over.is_set)):
            shares.take(progress)
            # All strips are taken: who has not begun by now has nothing left to do.
            running = [future for future in futures if not future.cancel()]
            while wait(running, timeout=0.05).not_done:
                checkpoint()
                shares.report(progress)
    except Cancelled:
        for future in _stop(futures, shares):
            error = future.exception()
            if error is not None and not isinstance(error, Cancelled):
                raise error from None
        raise
    finally:
        _stop(futures, shares)
    for future in running:
        future.result()
    shares.report(progress)


def _stop(futures: list[Future[None]], shares: _WorkQueue) -> list[Future[None]]:
    """Have threads stop at their next checkpoint, wait for it, and return those that had begun."""
    from concurrent.futures import wait

    shares.is_over.set()
    running = [future for future in futures if not future.cancel()]
    wait(running)
    return running


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Return threads that all runs share: starting one takes as long as a small strip of work.

    Runs within runs and runs side by side do not wait for a free thread: the callers do
    all work that no thread has begun.
    """
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads, thread_name_prefix="noise_core")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a child process has no threads


class _WorkQueue:
    """Queue of strips that threads take one by one until none is left or one fails."""

    def __init__(self, work: Callable[[int, int], None], strips: list[tuple[int, int]]) -> None:
        self._work = work
        self._count = len(strips)
        self._strips = iter(strips)
        self._lock = threading.Lock()
        self._done = self._reported = 0
        self.is_over = threading.Event()

    def take(self, progress: Progress | None = None) -> None:
        """Process strips until none is left."""
        is_whole, outer = False, job.points_factor
        job.points_factor = _MORE_ON_THREADS
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
            job.points_factor = outer
            if not is_whole:  # the others need not go on
                self.is_over.set()

    def report(self, progress: Progress | None) -> None:
        """Report the progress, if a callback is given and there is more than before."""
        if progress is not None and self._done > self._reported:
            self._reported = self._done
            progress(self._reported / self._count)
