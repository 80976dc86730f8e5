# SPDX-License-Identifier: GPL-3.0-or-later
"""Executors of a stage: the caller, or the workers of Dask."""

from __future__ import annotations

import contextlib
import functools
import itertools
import logging
import math
import pickle
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter  # noqa: TID251  (how much is handed out at a time)
from typing import TYPE_CHECKING, Any, Protocol

from noise_core.base import atomic_files, blocks, freed_memory

from .errors import WorldError

if TYPE_CHECKING:
    from distributed import Client, Future

Work = Callable[[Any], Any]

_AHEAD = 3
"""Tasks that are handed out for each thread of a worker, so that none waits for the caller."""

_SHORT_TASK = 0.1
"""Seconds: items that take less are handed out several at a time, since Dask needs some milliseconds for a task."""

_KEEP_MEMORY = {
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": freed_memory.KEPT,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": freed_memory.LARGEST_KEPT,
}
"""Lets the C library of a worker keep the memory of its tiles: Dask has it return all that is freed at once, so
that every array pays for page faults anew, which took half of the time. See `freed_memory.keep_freed_memory`."""

_KEEP_WORKERS = {"distributed.deploy.lost-worker-timeout": "1 hour"}
"""Has a dead worker's place kept for the process that replaces it: Dask gives the place up after 15 s, which a busy
machine needs to start one, and a build without workers would wait forever."""

_MOST_IN_TASK = 64
"""Items that are done again at most if a worker dies."""

_PATIENCE = 300.0
"""Seconds without any worker on this machine after which a build is given up."""

_LOOK_AGAIN = 5.0
"""Seconds between two looks at whether there are workers, while none reports."""


class Workers(Protocol):
    """Executors of work, one item after the other."""

    @property
    def link(self) -> str:
        """Address of a page that shows their work; empty if there is none."""

    def run(self, work: Work, items: Mapping[int, Any]) -> Iterator[tuple[int, Any]]:
        """Yield the numbers of items with their results, as they are finished."""


class InCaller:
    """The caller does the work itself, on the threads that the core has."""

    link = ""

    def run(self, work: Work, items: Mapping[int, Any]) -> Iterator[tuple[int, Any]]:
        """See `Workers.run`."""
        for number, item in items.items():
            yield number, work(item)


class OnDask:
    """The workers of a Dask client do the work, each item on one thread.

    A worker that dies is replaced by its supervisor, and its items are done again.

    Parameters
    ----------
    client : distributed.Client
    folder : Path
        That the workers see too: the work of a stage is put there for them.
    patience : float
        Seconds to wait while there is no worker at all. A cluster may keep its jobs in a queue for hours, so
        the default is forever.
    """

    def __init__(self, client: Client, folder: Path, patience: float = math.inf) -> None:
        self._client = client
        self._folder = folder
        self._patience = patience

    @property
    def link(self) -> str:
        """See `Workers.link`."""
        return str(self._client.dashboard_link or "")

    def run(self, work: Work, items: Mapping[int, Any]) -> Iterator[tuple[int, Any]]:
        """See `Workers.run`.

        Raises
        ------
        WorldError
            If an item is given up because the workers that had it died, one after the other, or if there has
            been no worker for as long as the caller waits.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{uuid.uuid4().hex}.work"
        atomic_files.write(path, pickle.dumps(work, pickle.HIGHEST_PROTOCOL))
        tasks = _Tasks(self._client, path, items)
        seen = perf_counter()
        try:
            for _ in range(_AHEAD * max(sum(self._client.nthreads().values()), 1)):
                tasks.hand_out(1)
            while tasks.handed_out:
                try:
                    yield from tasks.collect_results()
                except TimeoutError:
                    tasks.raise_failure()
                    seen = self._look_for_workers(seen)
        finally:
            self._client.cancel(list(tasks.handed_out))
            atomic_files.remove(path)

    def _look_for_workers(self, seen: float) -> float:
        """Return when there was a worker last, given the time before."""
        moment = perf_counter()
        if self._client.nthreads():
            return moment
        if moment - seen > self._patience:
            raise WorldError(
                "no worker has been there for {:.0f} s; start the build again, and it goes on from here",
                moment - seen,
            )
        return seen


class _Tasks:
    """Items on their way through Dask, some of them in one task.

    Attributes
    ----------
    handed_out : dict
        The numbers of the items of each task that is not finished.
    """

    def __init__(self, client: Client, path: Path, items: Mapping[int, Any]) -> None:
        self.handed_out: dict[Future, tuple[int, ...]] = {}
        self._client, self._path = client, str(path)
        self._waiting = iter(items.items())
        self._start, self._done = perf_counter(), 0

    def hand_out(self, count: int) -> list[Future]:
        """Hand out a task of so many items; return it, or nothing if no item is left."""
        if not (batch := dict(itertools.islice(self._waiting, count))):
            return []
        future = self._client.submit(_do, self._path, list(batch.values()), pure=False)
        self.handed_out[future] = tuple(batch)
        return [future]

    def collect_results(self) -> Iterator[tuple[int, Any]]:
        """Yield numbers of items with their results, and hand out as many new ones.

        Raises
        ------
        TimeoutError
            If for some seconds no task was finished, or none has answered; see `raise_failure`, and call this again.
        """
        from distributed import as_completed

        finished = as_completed(list(self.handed_out), timeout=_LOOK_AGAIN)
        for future in finished:
            results = _results_of(future, _LOOK_AGAIN)
            numbers = self.handed_out.pop(future)
            self._done += len(results)
            quick = int(self._done / (perf_counter() - self._start) * _SHORT_TASK)
            for task in self.hand_out(min(max(quick, 1), _MOST_IN_TASK)):
                finished.add(task)
            yield from zip(numbers, results)

    def raise_failure(self) -> None:
        """Raise the error of a task that has failed, if there is one: it may be a `TimeoutError` of the work."""
        for task in self.handed_out:
            if task.status == "error":
                _results_of(task, None)


def _results_of(future: Future, timeout: float | None) -> list[Any]:
    """Return the results of a finished task; `TimeoutError` if they were lost with their worker."""
    from distributed import KilledWorker

    try:
        results: list[Any] = future.result(timeout=timeout)
        return results
    except KilledWorker as error:
        raise WorldError(
            "workers died {} times while they did the same item, so it was given up: is memory short?",
            error.allowed_failures + 1,
        ) from error


def _do(path: str, items: Sequence[object]) -> list[object]:
    """Do items in a worker."""
    work = _load(path)
    with blocks.on_threads(1):
        return [work(item) for item in items]


@functools.lru_cache(maxsize=4)
def _load(path: str) -> Work:
    """Return the work that lies in a file; its name is never used again."""
    work: Work = pickle.loads(Path(path).read_bytes())
    return work


@contextlib.contextmanager
def local_workers(count: int, folder: Path) -> Iterator[Workers]:
    """Give the caller, or so many processes on this machine; they end with the block.

    Parameters
    ----------
    count : int
        With 1 the caller does the work.
    folder : Path
        Where they may put files.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from terrane_worlds.base.workers import local_workers
    >>> with TemporaryDirectory() as folder, local_workers(1, Path(folder)) as workers:
    ...     print(dict(workers.run(lambda number: number**2, {0: 3, 1: 4})))
    {0: 9, 1: 16}
    """
    if count == 1:
        yield InCaller()
        return
    with local_client(count, folder) as client:
        yield OnDask(client, folder, _PATIENCE)


@contextlib.contextmanager
def local_client(count: int, folder: Path) -> Iterator[Client]:
    """Give the Dask client of so many processes on this machine; they end with the block.

    Parameters
    ----------
    count : int
        Each has one thread.
    folder : Path
        Where they may put files.
    """
    import dask
    from distributed import Client, LocalCluster

    with dask.config.set(_KEEP_MEMORY | _KEEP_WORKERS):
        # No limit of Dask's own: mapped files would count as memory. Nothing that others can reach.
        with (
            LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                memory_limit=0,
                dashboard_address="127.0.0.1:0",
                local_directory=str(folder),
                silence_logs=logging.CRITICAL,
            ) as cluster,
            Client(cluster) as client,
        ):
            yield client


@contextlib.contextmanager
def given_workers(client: Client | str, folder: Path) -> Iterator[Workers]:
    """Give the workers of a client, or of the scheduler at an address, such as ``tcp://host:8786``.

    Raises
    ------
    WorldError
        If there is no scheduler.
    """
    if not isinstance(client, str):
        yield OnDask(client, folder)
        return
    from distributed import Client

    try:
        new_client = Client(client)
    except (OSError, ValueError) as error:
        raise WorldError("no scheduler of Dask at {}: {}", client, error) from error
    with new_client:
        yield OnDask(new_client, folder)
