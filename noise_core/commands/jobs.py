# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on many lands at the same time, in processes of their own."""

from __future__ import annotations

import multiprocessing
import runpy
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TypeVar

from ..base.errors import ParameterError, TerraneError
from ..base.registry import ROOT

MAX_JOBS = 61
"""Processes that Windows can wait for at once (`concurrent.futures.ProcessPoolExecutor`)."""

_FIRST = Path(__file__).with_name("packages_around.py")

Order = TypeVar("Order")
Result = TypeVar("Result")


def run_all(
    work: Callable[[Order], Result], orders: Sequence[Order], jobs: int
) -> Iterator[Result]:
    """Yield the results of all orders, in their order; the first error ends it.

    Parameters
    ----------
    work : callable
        A function of a module: other processes find it by its name.
    orders : sequence
    jobs : int
        From 1 to `MAX_JOBS`; with 1 there is no other process.

    Raises
    ------
    ParameterError
        If there are fewer jobs than one, or too many.
    TerraneError
        If a process was ended from outside, as by a system without memory.
    """
    if not 1 <= jobs <= MAX_JOBS:
        raise ParameterError("--jobs must be from 1 to {}", MAX_JOBS, got=jobs)
    if jobs == 1 or len(orders) == 1:
        yield from map(work, orders)
        return
    # New processes: a copy of this one would have locks of threads that it does not have.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        min(jobs, len(orders)),
        mp_context=context,
        initializer=runpy.run_path,
        initargs=(str(_FIRST), {"PACKAGES": _packages_around()}),
    )
    try:
        yield from pool.map(work, orders)
    except BrokenProcessPool as error:
        raise TerraneError("one of {} processes was ended from outside", jobs) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _packages_around() -> dict[str, list[str]]:
    """Return the folders of the packages that the core lies in, by their names; none if it lies in no other."""
    parts = ROOT.split(".")[:-1]
    names = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return {name: list(getattr(sys.modules[name], "__path__", ())) for name in names}
