# SPDX-License-Identifier: GPL-3.0-or-later
"""Honest timing: CPU seconds of this process, several runs in turn, the best of each."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

Work = Callable[[], object]
Clock = Callable[[], float]


@dataclass(frozen=True)
class Timing:
    """Time of one piece of work.

    Attributes
    ----------
    best, median : float
        Seconds.
    """

    best: float
    median: float


def timed(works: list[Work], runs: int, clock: Clock = time.process_time) -> list[Timing]:
    """Time several pieces of work in turn (A B A B ...), so that a drifting machine hits all alike.

    Each is run once before, uncounted.
    """
    seconds: list[list[float]] = [[] for _ in works]
    for work in works:
        work()
    for _ in range(runs):
        for work, taken in zip(works, seconds):
            begin = clock()
            work()
            taken.append(clock() - begin)
    return [Timing(min(taken), statistics.median(taken)) for taken in seconds]
