# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on tiles, one stage after the other."""

from __future__ import annotations

import dataclasses
import logging
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter  # noqa: TID251  (for the time left)
from typing import Any, Generic, TypeVar

import numpy.typing as npt

from noise_core.base import atomic_files

from ..base import ledger
from ..base.journal import StageLog
from ..base.ledger import Entered, Files
from ..base.tiling import Window
from ..base.workers import InCaller, Workers
from .fields import TiledField

_LOG = logging.getLogger(__package__)

Array = npt.NDArray[Any]

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclasses.dataclass(frozen=True)
class Status:
    """Progress of a stage.

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


class Joined(Generic[Result]):
    """Results of all tiles, joined and solved for the whole land by the caller.

    A rebuild of some tiles never needs them: results handed to tiles are recorded (`Engine.hand_out`).

    Parameters
    ----------
    make : callable, optional
        Called at once. Without one there is no value.
    """

    def __init__(self, make: Callable[[], Result] | None) -> None:
        self._values = [] if make is None else [make()]

    @property
    def value(self) -> Result:
        """The value; an IndexError if there is none."""
        return self._values[0]


@dataclasses.dataclass(frozen=True)
class Engine:
    """Runs the work of a stage on each of its items.

    `run` is for work that writes fields; `hand_out` too, if each tile is told something that was solved for
    the whole land; `derive` for fields of which any window follows from other windows; `ask` for
    work that only returns results. The caller's own results are `solve`d, if they are numbers, or `join`ed.
    Here these say no more than `run` does; `edges` has engines that record, or rebuild some tiles alone.

    Work has to be picklable, a frozen dataclass with `__call__`, since another process may do it;
    items are small (tiles), results too (numbers, the cells at the edges of a tile).

    Attributes
    ----------
    workers : Workers
    journal : Path or None
        Folder for results. Work with a result there is not done again.
    report : callable or None
        See `Report`.
    part : str
        Name of the part of the work; see `enter`.
    files : dict
        The files that finished work has written; see `ledger`.
    keeps_stages : bool
        Whether the journal has the results of stages, besides those of `remember`: not if fields are in memory.
    """

    workers: Workers = dataclasses.field(default_factory=InCaller)
    journal: Path | None = None
    report: Report | None = None
    part: str = ""
    files: Files = dataclasses.field(default_factory=dict, repr=False)
    keeps_stages: bool = True

    def enter(self, name: str) -> Engine:
        """Return an engine for a part of the work, in which names of stages are counted from the start."""
        return dataclasses.replace(self, part=f"{self.part}{name}/")

    def run(
        self, stage: str, work: Callable[[Item], Result], items: Sequence[Item]
    ) -> Sequence[Result]:
        """Return the result of the work for each item, in their order.

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
        if self.journal is None or not self.keeps_stages:
            return self._finish(name, work, items, {}, lambda number, result: None)
        with StageLog(self.journal / f"{name}.log") as log:
            kept = {number: result for number, (result, _) in self._intact(log.results).items()}
            return self._finish(name, work, items, kept, log.add)

    def ask(
        self,
        stage: str,
        work: Callable[[Item], Result],
        items: Sequence[Item] | Callable[[], Sequence[Item]],
    ) -> Sequence[Result]:
        """Return the results of work that writes no field; see `run`. Items may come from a function."""
        return self.run(stage, work, items() if callable(items) else items)

    def derive(
        self, stage: str, work: Callable[[Window], object], fields: Sequence[TiledField]
    ) -> None:
        """Write fields of which the work can write any window from other windows; see `run`."""
        self.run(stage, work, fields[0].tiling.tiles)

    def hand_out(
        self,
        stage: str,
        work: Callable[[Item], Result],
        make: Callable[..., Item],
        tiles: Sequence[Window],
        solve: Callable[[], Sequence[tuple[Array, ...]]],
    ) -> Sequence[Result]:
        """Return the result of the work for each tile with its share of something solved; see `run`.

        Parameters
        ----------
        stage : str
        work : callable
        make : callable
            Makes an item of a tile and the arrays that it is told.
        tiles : sequence of Window
        solve : callable
            Returns these arrays for each tile.
        """
        return self.run(stage, work, [make(tile, *share) for tile, share in zip(tiles, solve())])

    def solve(self, name: str, make: Callable[[], Result]) -> Result:
        """Return numbers that the caller finds, in tuples or not.

        Parameters
        ----------
        name : str
            As that of a stage.
        make : callable
        """
        return make()

    def join(self, make: Callable[[], Result]) -> Joined[Result]:
        """Return the results of all tiles, joined by the caller."""
        return Joined(make)

    def remember(self, name: str, make: Callable[[], Result]) -> Result:
        """Return the result of a function, which is called once in a build: the caller's own work.

        Parameters
        ----------
        name : str
            As that of a stage.
        make : callable
        """
        if self.journal is None:
            return make()
        with StageLog(self.journal / f"{self.part}{name}.log") as log:
            if not self._intact(log.results):
                earlier = set(self.files)
                outcome = make()
                new = {
                    path: checksum for path, checksum in self.files.items() if path not in earlier
                }
                log.results[0] = outcome, new
                log.add(0, log.results[0])
                log.flush()
            result: Result = log.results[0][0]
            return result

    def forget(self) -> None:
        """Forget the results of this part of the work, so that all of it is done again."""
        if self.journal is not None:
            shutil.rmtree(self.journal / self.part, ignore_errors=True)

    def _intact(self, entries: Mapping[int, tuple[Any, Files]]) -> dict[int, tuple[Any, Files]]:
        """Return the entries of a log whose files are as they were written, and note these files.

        Others are removed, with a line that says so, since their items are done again.
        """
        intact = {}
        for number, (result, files) in entries.items():
            if damaged := ledger.damaged_files(files):
                for path in damaged:
                    _LOG.warning("Terrane: %s: is missing or damaged, and is built again", path)
                    atomic_files.remove(path)
            else:
                intact[number] = result, files
                self.files.update(files)
        return intact

    def _finish(
        self,
        name: str,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        results: dict[int, Result],
        keep: Callable[[int, tuple[Result, Files]], None],
    ) -> list[Result]:
        """Do the items that have no result yet; return all results."""
        missing = {number: item for number, item in enumerate(items) if number not in results}
        finished, start = len(items) - len(missing), perf_counter()
        for number, (result, files) in self.workers.run(Entered(work), missing):
            keep(number, (result, files))
            self.files.update(files)
            results[number] = result
            if self.report is not None:
                done = len(results)
                seconds = (perf_counter() - start) / (done - finished) * (len(items) - done)
                self.report(Status(name, done, len(items), seconds))
        return [results[number] for number in range(len(items))]
