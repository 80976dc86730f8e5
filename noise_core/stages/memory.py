# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages on a land that lies in memory."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.grid import Grid
from ..rasters import connected, pyramid, totals
from ..rasters.level import Level
from .description import Connected, Local, Part, Raster, Rounds, as_tuple
from .runner import Found, Pick, Read, Runner, read_lines


class MemoryRunner(Runner):
    """Does stages on whole arrays.

    Parameters
    ----------
    level, grid
        See `Runner`.
    progress : callable, optional
        See `blocks.Progress`.
    """

    def __init__(
        self, level: Level, progress: Progress = blocks.unheard, grid: Grid | None = None
    ) -> None:
        super().__init__(level, grid)
        self._progress = _rising(progress)

    def take(self, values: Field) -> Raster:
        """Return a field of the land's own samples for stages to read."""
        return Raster(self.level, values)

    def local(self, stage: Local, *sources: Raster, on: Level | None = None) -> tuple[Raster, ...]:
        """See `Runner.local`."""
        blocks.checkpoint()
        level = on or sources[0].level
        parts = [Part(source.values, source.level) for source in sources]
        return _rasters(level, as_tuple(stage.work(level, parts, self._progress)))

    def gather(
        self, name: str, work: Callable[[Level, Read], Field], source: Raster, on: Level
    ) -> Raster:
        """See `Runner.gather`."""
        blocks.checkpoint()
        return Raster(on, work(on, functools.partial(read_lines, source.values)))

    def solve(
        self, name: str, work: Callable[[Sequence[Part], Progress], Found], *sources: Raster
    ) -> Found:
        """See `Runner.solve`."""
        blocks.checkpoint()
        return work([Part(source.values, source.level) for source in sources], self._progress)

    def connected(self, stage: Connected, *sources: Raster) -> Raster:
        """See `Runner.connected`."""
        level = sources[0].level
        mask, marked = stage.find(*(source.values for source in sources))
        return Raster(level, connected.reached(mask, marked, level.wrap).astype(np.float32))

    def total(self, source: Raster, pick: Pick = np.asarray) -> float:
        """See `Runner.total`."""
        return totals.total(pick(source.values))

    def values_at(self, source: Raster, ranks: Sequence[int]) -> tuple[np.float32, ...]:
        """See `Runner.values_at`."""
        field, last = source.values, source.values.size - 1
        ends = {0: field.min, last: field.max}
        if all(rank in ends for rank in ranks):
            return tuple(ends[rank]() for rank in ranks)
        # A partition costs a tenth of a sort, and does not depend on where heights stand.
        parted = np.partition(field, sorted(set(ranks)), axis=None)
        return tuple(parted[rank] for rank in ranks)

    def restrict(self, source: Raster, coarse: Level) -> Raster:
        """See `Runner.restrict`."""
        blocks.checkpoint()
        return Raster(coarse, pyramid.restrict(source.values, source.level, coarse))

    def subsample(self, source: Raster, coarse: Level) -> Raster:
        """See `Runner.subsample`."""
        blocks.checkpoint()
        return Raster(coarse, pyramid.subsample(source.values, source.level, coarse))

    def rounds(self, stage: Rounds, state: Sequence[Raster]) -> tuple[Raster, ...]:
        """See `Runner.rounds`."""
        level = state[0].level
        parts = [Part(raster.values, raster.level) for raster in state]
        done, whole = 0, max(sum(stage.sizes), 1)
        for size in stage.sizes:
            blocks.checkpoint()
            fields = stage.work(level, parts, (size,))
            parts[: len(fields)] = [Part(field, level) for field in fields]
            done += size
            self.report(done / whole)
            if blocks.is_enough():
                break
        return tuple(Raster(level, part.values) for part in parts)

    def is_enough(self) -> bool:
        """See `Runner.is_enough`."""
        return blocks.is_enough()

    def report(self, share: float) -> None:
        """See `Runner.report`."""
        self._progress(share)

    @contextlib.contextmanager
    def portion(self, begin: float, end: float) -> Iterator[None]:
        """See `Runner.portion`."""
        outer = self._progress
        self._progress = blocks.part_of(outer, begin, end)
        try:
            yield
        finally:
            self._progress = outer


def _rising(progress: Progress) -> Progress:
    """Return a progress callback that omits shares that fall behind: several stages may share a portion."""
    furthest = 0.0

    def report(share: float) -> None:
        nonlocal furthest
        if share >= furthest:
            furthest = share
            progress(share)

    return report


def _rasters(level: Level, fields: Sequence[Field]) -> tuple[Raster, ...]:
    return tuple(Raster(level, field) for field in fields)
