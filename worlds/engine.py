# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on tiles, one stage after the other."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter  # noqa: TID251  (for the time left)
from typing import TypeVar

from .journal import StageLog
from .workers import InCaller, Workers

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclasses.dataclass(frozen=True)
class Status:
    """How far a stage is.

    Attributes
    ----------
    stage : str
        Its name, with those of the parts of the work that it belongs to: "2_stream_erosion/fill".
    done, count : int
        Items that are finished, and all.
    seconds_left : float or None
        Until the stage is finished; None as long as that is not known.
    """

    stage: str
    done: int
    count: int
    seconds_left: float | None = None


Report = Callable[[Status], object]
"""Called in the caller's thread after each item."""


@dataclasses.dataclass(frozen=True)
class Engine:
    """Runs the work of a stage on each of its items.

    Work has to be picklable, a frozen dataclass with `__call__`, since another process may do it;
    items are small (tiles), results too (numbers, the cells at the edges of a tile).

    Attributes
    ----------
    workers : Workers
    journal : Path or None
        Folder for results. What lies there is not done again.
    report : callable or None
        See `Report`.
    part : str
        Name of the part of the work; see `enter`.
    """

    workers: Workers = dataclasses.field(default_factory=InCaller)
    journal: Path | None = None
    report: Report | None = None
    part: str = ""

    def enter(self, name: str) -> Engine:
        """Return an engine for a part of the work, in which names of stages are counted anew."""
        return dataclasses.replace(self, part=f"{self.part}{name}/")

    def run(
        self, stage: str, work: Callable[[Item], Result], items: Sequence[Item]
    ) -> list[Result]:
        """Return what the work gives for each item, in their order.

        Parameters
        ----------
        stage : str
            Its name, unique in a build.
        work : callable
        items : sequence

        Raises
        ------
        WorldError
            If a worker dies again and again, or the journal cannot be written.
        """
        name = f"{self.part}{stage}"
        if self.journal is None:
            return self._finish(name, work, items, {}, lambda number, result: None)
        with StageLog(self.journal / f"{name}.log") as log:
            return self._finish(name, work, items, log.results, log.add)

    def remember(self, name: str, make: Callable[[], Result]) -> Result:
        """Return what a function returns, which is called once in a build: the caller's own work.

        Parameters
        ----------
        name : str
            As that of a stage.
        make : callable
        """
        if self.journal is None:
            return make()
        with StageLog(self.journal / f"{self.part}{name}.log") as log:
            if 0 not in log.results:
                log.results[0] = make()
                log.add(0, log.results[0])
            result: Result = log.results[0]
            return result

    def _finish(
        self,
        name: str,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        results: dict[int, Result],
        keep: Callable[[int, Result], None],
    ) -> list[Result]:
        """Do the items that have no result yet; return all results."""
        missing = {number: item for number, item in enumerate(items) if number not in results}
        before, start = len(items) - len(missing), perf_counter()
        for number, result in self.workers.run(work, missing):
            keep(number, result)
            results[number] = result
            if self.report is not None:
                done = len(results)
                left = (perf_counter() - start) / (done - before) * (len(items) - done)
                self.report(Status(name, done, len(items), left))
        return [results[number] for number in range(len(items))]
