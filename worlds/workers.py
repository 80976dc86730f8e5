# SPDX-License-Identifier: GPL-3.0-or-later
"""Who does the work of a stage: the caller, or the workers of Dask."""

from __future__ import annotations

import contextlib
import functools
import itertools
import logging
import pickle
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter  # noqa: TID251  (how much is handed out at a time)
from typing import TYPE_CHECKING, Any, Protocol

from noise_core.base import blocks
from noise_core.io import atomic_files

from .errors import WorldError

if TYPE_CHECKING:
    from distributed import Client, Future

Work = Callable[[Any], Any]

_AHEAD = 3
"""Tasks that are handed out for each thread of a worker, so that none waits for the caller."""

_SHORT_TASK = 0.1
"""Seconds: items that take less are handed out several at a time, since Dask needs some milliseconds for a task."""

_KEEP_MEMORY = {
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 1 << 28,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 1 << 25,
}
"""Lets the C library of a worker keep the memory of its tiles: Dask has it return all that is freed at once, so
that every array pays for page faults anew, which took half of the time. See `blocks.keep_freed_memory`."""

_MOST_IN_TASK = 64
"""Items that are done again at most if a worker dies."""


class Workers(Protocol):
    """Those who do the work."""

    @property
    def link(self) -> str:
        """Address of a page that shows what they do; empty if there is none."""

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

    A worker that dies is replaced by whoever started it, and its items are done again.

    Parameters
    ----------
    client : distributed.Client
    folder : Path
        That the workers see too: the work of a stage is put there for them.
    """

    def __init__(self, client: Client, folder: Path) -> None:
        self._client = client
        self._folder = folder

    @property
    def link(self) -> str:
        """See `Workers.link`."""
        return str(self._client.dashboard_link or "")

    def run(self, work: Work, items: Mapping[int, Any]) -> Iterator[tuple[int, Any]]:
        """See `Workers.run`.

        Raises
        ------
        WorldError
            If an item is given up because the workers that had it died, one after the other.
        """
        from distributed import as_completed

        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{uuid.uuid4().hex}.work"
        atomic_files.write(path, pickle.dumps(work, pickle.HIGHEST_PROTOCOL))
        waiting = iter(items.items())
        handed_out: dict[Future, tuple[int, ...]] = {}

        def hand_out(count: int) -> list[Future]:
            if not (batch := dict(itertools.islice(waiting, count))):
                return []
            future = self._client.submit(_do, str(path), list(batch.values()), pure=False)
            handed_out[future] = tuple(batch)
            return [future]

        try:
            ahead = _AHEAD * max(sum(self._client.nthreads().values()), 1)
            finished = as_completed([one for _ in range(ahead) for one in hand_out(1)])
            start, done = perf_counter(), 0
            for future in finished:
                numbers = handed_out.pop(future)
                results = _results_of(future)
                done += len(results)
                quick = int(done / (perf_counter() - start) * _SHORT_TASK)
                for one in hand_out(min(max(quick, 1), _MOST_IN_TASK)):
                    finished.add(one)
                yield from zip(numbers, results)
        finally:
            self._client.cancel(list(handed_out))
            atomic_files.remove(path)


def _results_of(future: Future) -> list[Any]:
    from distributed import KilledWorker

    try:
        results: list[Any] = future.result()
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
    """
    if count == 1:
        yield InCaller()
        return
    import dask
    from distributed import Client, LocalCluster

    with dask.config.set(_KEEP_MEMORY):
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
            yield OnDask(client, folder)


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
        own = Client(client)
    except (OSError, ValueError) as error:
        raise WorldError("no scheduler of Dask at {}: {}", client, error) from error
    with own:
        yield OnDask(own, folder)
