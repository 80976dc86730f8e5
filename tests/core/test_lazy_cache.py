# SPDX-License-Identifier: GPL-3.0-or-later
"""Cached values: each is computed once, and no thread waits while one is missing."""

from __future__ import annotations

import threading
import time

import pytest

from noise_core.base import blocks
from noise_core.base.errors import Cancelled
from noise_core.base.lazy_cache import LazyCache


class Busy:
    """A maker that another thread is at until it is let go."""

    def __init__(self):
        self.is_begun, self.may_end = threading.Event(), threading.Event()

    def __call__(self):
        self.is_begun.set()
        assert self.may_end.wait(10.0)
        return "slow"


@pytest.fixture
def busy():
    """Return such a maker, the cache [it, "quick"], and whether the second was made."""
    maker, made = Busy(), []
    cache = LazyCache([maker, lambda: made.append(1) or "quick"])
    thread = threading.Thread(target=cache.take, args=((0,),))
    thread.start()
    assert maker.is_begun.wait(10.0)
    yield maker, cache, made
    maker.may_end.set()
    thread.join()


def test_each_is_made_once_and_only_when_it_is_asked_for():
    asked = []
    cache = LazyCache(
        [lambda place=place: asked.append(place) or 10 * place for place in (0, 1, 2)]
    )
    assert cache.take((2, 0)) == [20, 0]
    assert asked == [2, 0]
    assert cache.take() == [0, 10, 20]
    assert asked == [2, 0, 1]


def test_a_cancelled_job_makes_no_more_and_another_goes_on_with_the_rest():
    results = []
    cache = LazyCache([lambda place=place: results.append(place) or place for place in range(3)])
    with blocks.cancellable(lambda: len(results) == 2), pytest.raises(Cancelled):
        cache.take()
    assert results == [0, 1]
    assert cache.take() == [0, 1, 2]
    assert results == [0, 1, 2]


def test_what_failed_is_tried_again():
    outcomes = iter([ZeroDivisionError("once"), None])

    def make():
        outcome = next(outcomes)
        if outcome:
            raise outcome
        return "made"

    cache = LazyCache([make])
    with pytest.raises(ZeroDivisionError, match="once"):
        cache.take()
    assert cache.take() == ["made"]


def test_what_another_thread_is_at_is_left_to_it_until_the_end(busy):
    maker, cache, made = busy
    result = []
    thread = threading.Thread(target=lambda: result.extend(cache.take()))
    thread.start()
    limit = time.monotonic() + 10.0
    while not made and time.monotonic() < limit:
        time.sleep(0.001)
    assert made == [1], "the second was not made while the first was"
    maker.may_end.set()
    thread.join()
    assert result == ["slow", "quick"]
