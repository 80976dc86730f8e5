# SPDX-License-Identifier: GPL-3.0-or-later
"""Cache of values that are computed on first use and shared among threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from . import blocks

Cached = TypeVar("Cached")


class LazyCache(Generic[Cached]):
    """Values computed on first use, each exactly once, by the threads that need them.

    Parameters
    ----------
    makers : sequence of callable
        Each makes one of them; may be called from any thread.
    """

    def __init__(self, makers: Sequence[Callable[[], Cached]]) -> None:
        self._makers = makers
        self._locks = [threading.Lock() for _ in makers]
        self._made: dict[int, Cached] = {}

    def take(self, places: Iterable[int] | None = None) -> list[Cached]:
        """Return some values, all if not given, computing those that are still missing.

        Raises
        ------
        Cancelled
            Between two of them, if the job was cancelled.
        """
        indices = range(len(self._makers)) if places is None else list(places)
        missing = [place for place in indices if place not in self._made]
        for place in missing:
            blocks.checkpoint()
            # What another thread is at is left to it, and waited for at the end.
            if self._locks[place].acquire(blocking=False):
                try:
                    self._make(place)
                finally:
                    self._locks[place].release()
        for place in missing:
            with self._locks[place]:
                self._make(place)
        return [self._made[place] for place in indices]

    def _make(self, place: int) -> None:
        if place not in self._made:
            self._made[place] = self._makers[place]()
