# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work in strips: everything once, rising progress, quick cancelling, errors come through."""

from __future__ import annotations

import threading
import time
from unittest import mock

import numpy as np
import pytest

from noise_core import Cancelled, Grid, ParameterError, Recipe
from noise_core.base import blocks
from noise_core.base.plans import even_parts, open_plan, run_on_rows
from noise_core.noises import Cellular, Fractal, Perlin, Warp, White

THREADS = pytest.mark.parametrize("threads", [1, 2, 5, None])

PATIENCE = 30.0
"""Seconds until a thread has begun, on the busiest machine."""


class Meeting:
    """A place in strips of work where so many threads wait for each other: a busy machine may begin one after the work.

    Attributes
    ----------
    threads : set of int
        Those that came.
    """

    def __init__(self, count: int) -> None:
        self.threads: set[int] = set()
        self._count, self._is_over = count, threading.Event()

    def attend(self) -> None:
        """Wait until all are here, or for so long that they never will be."""
        self.threads.add(threading.get_ident())
        if len(self.threads) >= self._count or not self._is_over.wait(PATIENCE):
            self._is_over.set()


@THREADS
@pytest.mark.parametrize(("count", "strip"), [(0, 4), (1, 4), (4, 4), (10, 4), (100, 7), (3, 1)])
def test_everything_is_done_once(count, strip, threads):
    done = np.zeros(count, int)

    def work(start, stop):
        assert 0 <= start < stop <= count
        assert stop - start <= strip
        done[start:stop] += 1

    blocks.run(work, count, strip, threads=threads)
    assert (done == 1).all()


@THREADS
def test_progress_rises_to_one_in_the_callers_thread(threads):
    shares, callers = [], set()

    def progress(share):
        shares.append(share)
        callers.add(threading.current_thread())

    blocks.run(lambda start, stop: None, 90, 4, threads=threads, progress=progress)
    assert shares == sorted(shares)
    assert shares[0] > 0.0
    assert shares[-1] == 1.0
    assert len(shares) == len(set(shares))
    assert callers == {threading.current_thread()}


@THREADS
def test_work_runs_on_as_many_threads_as_asked(threads):
    expected = min(blocks.processor_count() if threads is None else threads, 12)
    meeting = Meeting(expected)
    blocks.run(lambda start, stop: meeting.attend(), 12, 1, threads=threads)
    assert len(meeting.threads) == expected
    assert threading.get_ident() in meeting.threads, "the caller's thread does its share"


@THREADS
def test_an_exception_passes_through_and_stops_the_rest(threads):
    begun = []

    def work(start, stop):
        begun.append(start)
        time.sleep(0.005)
        if start == 3:
            raise ZeroDivisionError("strip 3")

    with pytest.raises(ZeroDivisionError, match="strip 3"):
        blocks.run(work, 1000, 1, threads=threads)
    assert len(begun) < 100


@THREADS
def test_an_exception_in_progress_passes_through(threads):
    def progress(share):
        raise KeyError("bar")

    with pytest.raises(KeyError, match="bar"):
        blocks.run(lambda start, stop: None, 50, 1, threads=threads, progress=progress)


@THREADS
def test_cancel_before_the_start_does_nothing(threads):
    done = []
    with pytest.raises(Cancelled):
        blocks.run(
            lambda start, stop: (blocks.checkpoint(), done.append(start)),
            500,
            1,
            threads=threads,
            cancel=lambda: True,
        )
    assert len(done) < 500


@THREADS
def test_no_thread_goes_on_after_a_cancel(threads):
    working = []

    def work(start, stop):
        working.append(start)
        try:
            for _ in range(200):
                blocks.checkpoint()
                time.sleep(0.001)
        finally:
            working.remove(start)

    asked = []
    with pytest.raises(Cancelled):
        blocks.run(work, 100, 1, threads=threads, cancel=lambda: asked.append(1) or len(asked) > 3)
    assert not working


def test_threads_are_started_once_for_many_runs():
    seen = set()

    def work(start, stop):
        seen.add(threading.get_ident())
        time.sleep(0.001)

    for _ in range(30):
        blocks.run(work, 9, 1, threads=3)
    assert 1 < len(seen) <= 3


def test_runs_in_many_threads_at_once_do_everything():
    """More of them than the pool has threads would wait for each other for ever, if they did."""
    done = np.zeros((300, 12), int)

    def outer(row):
        def work(start, stop):
            done[row, start:stop] += 1

        blocks.run(work, 12, 1, threads=8)

    callers = [threading.Thread(target=outer, args=(row,)) for row in range(len(done))]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert (done == 1).all()


def test_a_checkpoint_outside_of_a_job_does_nothing():
    blocks.checkpoint()


@THREADS
def test_a_finished_or_failed_job_leaves_no_cancel_behind(threads):
    with pytest.raises(Cancelled):
        blocks.run(lambda a, b: blocks.checkpoint(), 4, 1, threads=threads, cancel=lambda: True)
    blocks.checkpoint()
    blocks.run(lambda a, b: blocks.checkpoint(), 4, 1, threads=threads)


@pytest.mark.parametrize("outer", [1, 2])
@pytest.mark.parametrize("inner", [1, 2])
@pytest.mark.parametrize("has_own", [False, True])
def test_a_nested_job_stops_with_the_outer_one(outer, inner, has_own):
    """Also when the nested job has its own cancel callback that returns False."""
    own = (lambda: False) if has_own else None
    started = threading.Event()
    finished = []

    def part(start, stop):
        started.set()
        for _ in range(300):
            blocks.checkpoint()
            time.sleep(0.001)
        finished.append(start)

    def work(start, stop):
        blocks.run(part, 40, 1, threads=inner, cancel=own)

    begin = time.monotonic()
    with pytest.raises(Cancelled):
        blocks.run(work, 4, 1, threads=outer, cancel=started.is_set)
    assert time.monotonic() - begin < 6.0  # all of it takes at least twelve
    assert len(finished) <= 2


@pytest.mark.parametrize("outer", [1, 2])
@pytest.mark.parametrize("inner", [1, 2])
def test_nested_jobs_do_everything(outer, inner):
    done = np.zeros((6, 10), int)

    def work(start, stop):
        for row in range(start, stop):

            def part(first, last, row=row):
                done[row, first:last] += 1

            blocks.run(part, 10, 3, threads=inner)

    blocks.run(work, 6, 2, threads=outer)
    assert (done == 1).all()


def test_bad_thread_counts_are_refused():
    for threads in (0, -1, 1.5, "2", True):
        with pytest.raises(ParameterError, match=f"whole number of at least 1; got {threads!r}"):
            blocks.run(lambda start, stop: None, 3, 1, threads=threads)


def longest_wait(noise, evolution):
    """Return the most seconds of a processor that pass before a noise looks for a cancel again."""
    begin = last = time.thread_time()
    longest = 0.0

    def checkpoint():
        nonlocal last, longest
        now = time.thread_time()
        longest, last = max(longest, now - last), now
        if now - begin > 0.25:
            raise Cancelled("seen enough")

    with mock.patch.object(blocks, "checkpoint", checkpoint):
        try:
            grid = Grid(4096, 4096).window(0, 0, 256, 4096)
            noise.sample_grid(grid, evolution=evolution, threads=1)
        except Cancelled:
            pass
    return max(longest, time.thread_time() - last)


SLOW = {
    "warp in the plane": (Warp(levels=2), ()),
    "warp in 4-D": (Warp(levels=2), (0.5, 0.5)),
    "cells in 4-D": (Cellular(output="edge"), (0.5, 0.5)),
    "fractal of warps": (Fractal(source=Warp(levels=2), kind="ridged", octaves=8.0), ()),
    "fractal of fractals": (Fractal(source=Fractal(octaves=8.0), rotation=30.0, octaves=8.0), ()),
}


@pytest.mark.parametrize(("noise", "evolution"), SLOW.values(), ids=list(SLOW))
def test_the_slowest_noises_look_for_a_cancel_five_times_a_second(noise, evolution):
    # A busy machine may be slow once; a noise that does not ask is late every time.
    assert min(longest_wait(noise, evolution) for _ in range(3)) < 0.2


@pytest.mark.parametrize("threads", [1, 2])
def test_a_long_job_stops_within_a_fifth_of_a_second(threads):
    # A busy machine may be late once; a job that does not ask is late every time.
    assert min(_late(Fractal(kind="ridged", rotation=30.0), threads) for _ in range(4)) < 0.2


def _late(noise, threads):
    """Return how many seconds of work, of each of some threads, come after a cancel."""
    cancelled_at = []
    timer = threading.Timer(0.1, lambda: cancelled_at.append(time.process_time()))
    timer.start()
    try:
        with pytest.raises(Cancelled):
            noise.sample_grid(Grid(4096, 4096), threads=threads, cancel=lambda: bool(cancelled_at))
        return (time.process_time() - cancelled_at[0]) / threads
    finally:
        timer.cancel()


def test_a_recipe_passes_progress_and_cancel_on():
    shares = []
    recipe = Recipe(layers=Perlin())
    recipe.evaluate(Grid(1500, 1500), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    with pytest.raises(Cancelled):
        recipe.evaluate(Grid(64, 64), cancel=lambda: True)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_work_keeps_to_the_threads_that_were_set_for_a_while(count):
    outside, meeting = blocks.thread_count(), Meeting(count)

    def part(start, stop):
        meeting.attend()
        assert blocks.thread_count() == count, "the threads of a run do not know it"

    with blocks.on_threads(count):
        assert blocks.thread_count() == count
        blocks.run(part, 12, 1)
        with blocks.on_threads(None):
            assert blocks.thread_count() == blocks.processor_count()
        assert blocks.thread_count() == count
    assert len(meeting.threads) == count
    assert blocks.thread_count() == outside == blocks.processor_count()


def test_what_a_call_asks_for_wins_over_what_was_set():
    meeting = Meeting(2)
    with blocks.on_threads(1):
        blocks.run(lambda start, stop: meeting.attend(), 8, 1, threads=2)
    assert len(meeting.threads) == 2


@pytest.mark.parametrize("count", [0, -3])
def test_a_bad_number_of_threads_is_not_set(count):
    with pytest.raises(
        ParameterError, match=f"threads must be a whole number of at least 1; got {count}"
    ):
        blocks.on_threads(count).__enter__()
    assert blocks.thread_count() == blocks.processor_count()


def test_other_threads_do_not_hear_of_it():
    heard = []
    with blocks.on_threads(1), blocks.finishable(lambda: True):
        thread = threading.Thread(
            target=lambda: heard.append((blocks.thread_count(), blocks.is_enough()))
        )
        thread.start()
        thread.join()
    assert heard == [(blocks.processor_count(), False)]


@pytest.mark.parametrize(("in_short_calls", "parts"), [(False, 12), (True, 2)])
def test_what_is_done_in_short_calls_comes_in_larger_parts(in_short_calls, parts):
    seen = []
    with (
        mock.patch.object(blocks, "SAMPLES_PER_STRIP", 50),
        mock.patch.object(blocks, "SAMPLES_OF_SHORT_CALLS", 400),
    ):
        run_on_rows(
            lambda start, stop, out: seen.append((start, stop)),
            np.empty((60, 10), np.float32),
            1,
            None,
            None,
            in_short_calls=in_short_calls,
        )
    assert len(seen) == parts
    assert (seen[0][0], seen[-1][1]) == (0, 60)


@pytest.mark.parametrize("threads", [1, 2])
def test_open_plans_have_larger_blocks_where_threads_share_the_work(threads):
    sizes = []
    both = threading.Barrier(threads)

    def evaluate(points):
        x, y = points
        sizes.append(x.size * y.size)
        return (x + y).astype(np.float32)

    grid = Grid(1024, 512)
    plan = open_plan(evaluate, grid.axes())

    def rows(start, stop, out):
        both.wait(10.0)  # or one thread might do all
        plan(start, stop, out)

    out = np.empty(grid.shape, np.float32)
    strip = grid.rows // threads
    blocks.run(
        lambda start, stop: rows(start, stop, out[start:stop]), grid.rows, strip, threads=threads
    )
    assert set(sizes) == {1 << 16 if threads == 1 else 1 << 18}
    assert blocks.job.points_factor == 1


@pytest.mark.parametrize(("count", "most"), [(0, 5), (1, 5), (257, 256), (513, 256), (7, 0)])
def test_even_parts_are_few_and_alike(count, most):
    parts = even_parts(count, most)
    lengths = [part.stop - part.start for part in parts]
    assert [place for part in parts for place in range(count)[part]] == list(range(count))
    assert len(parts) == -(-count // max(most, 1))
    assert not lengths or max(lengths) - min(lengths) <= 1


@pytest.mark.parametrize(("rows", "columns"), [(512, 512), (257, 513), (3, 5), (9, 100_000)])
def test_blocks_of_open_plans_are_about_square_where_they_can_be(rows, columns):
    shapes = []

    def evaluate(points):
        x, y = points
        shapes.append((y.shape[0], x.shape[1]))
        return (x + y).astype(np.float32)

    axes = Grid(rows, columns).axes()
    out = np.empty((rows, columns), np.float32)
    open_plan(evaluate, axes)(0, rows, out)
    np.testing.assert_array_equal(out, (axes.x + axes.y[:, None]).astype(np.float32))
    assert max(high * wide for high, wide in shapes) <= 1 << 16
    if min(rows, columns) > 256:
        assert max(max(shape) / min(shape) for shape in shapes) < 2.1


def test_a_sum_is_done_as_its_source_is():
    assert Perlin().has_short_calls
    assert Fractal(source=Perlin()).has_short_calls
    assert not Fractal(source=Perlin(), kind="ridged").has_short_calls
    assert not Fractal(source=Perlin(), rotation=30.0).has_short_calls
    assert not Fractal(source=White()).has_short_calls


@pytest.mark.parametrize(
    ("rows", "columns", "threads", "strips"),
    [
        (512, 512, 1, 1),
        (512, 512, 2, 2),
        (513, 513, 2, 2),
        (512, 512, 16, 4),  # a strip has at least 2^16 samples
        (256, 256, 8, 1),
        (1024, 1024, 1, 2),  # and at most 2^19
        (2048, 2048, 2, 8),
        (3, 1 << 20, 4, 3),
        (1, 0, 2, 1),
    ],
)
def test_each_thread_gets_its_share(rows, columns, threads, strips):
    assert -(-rows // blocks.rows_of_strip(rows, columns, threads)) == strips
    with blocks.on_threads(threads):
        assert blocks.rows_of_strip(rows, columns) == blocks.rows_of_strip(rows, columns, threads)
