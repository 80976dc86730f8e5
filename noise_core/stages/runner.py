# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of runners: they do the stages that modifiers and maps describe, all with the same bits."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.grid import Grid
from ..rasters import totals
from ..rasters.level import Level
from .description import Connected, Local, Part, Raster, Rounds

Found = TypeVar("Found")

Pick = Callable[[Field], Field]
"""Returns new values for those of a field, sample by sample. Picklable."""

Indices = npt.NDArray[np.intp]

Read = Callable[[Indices, Indices], Field]
"""Takes numbers of rows and of columns of a field; returns their samples, not to be written to."""

_FEW = 8
"""Runs of neighboring lines that are copied one by one: more of them are as fast taken line by line."""


class Runner:
    """Base of runners. A modifier's `stages` calls its methods; heirs say how the work is done.

    Parameters
    ----------
    level : Level
        Of the whole land.
    grid : Grid, optional
        Of the same samples; maps of a height field do without.

    Attributes
    ----------
    level : Level
    """

    def __init__(self, level: Level, grid: Grid | None = None) -> None:
        self.level, self._grid = level, grid

    @property
    def grid(self) -> Grid:
        """The grid of the whole land, for noises and meters."""
        assert self._grid is not None  # modifiers always have one
        return self._grid

    # --- local, and solved as a whole ----------------------------------------------------------

    def local(self, stage: Local, *sources: Raster, on: Level | None = None) -> tuple[Raster, ...]:
        """Return the fields that a stage makes.

        Parameters
        ----------
        stage : Local
        sources : Raster
            The fields that it reads.
        on : Level, optional
            The whole level that it works on; that of the first source if not given.
        """
        raise NotImplementedError

    def gather(
        self, name: str, work: Callable[[Level, Read], Field], source: Raster, on: Level
    ) -> Raster:
        """Return a field whose samples come from some rows and columns of another one, at its far ends too.

        Parameters
        ----------
        name : str
        work : callable
            Takes the level or a part of it, and a function that reads some rows and columns. Picklable.
        source : Raster
        on : Level
            The whole level of the result.
        """
        raise NotImplementedError

    def solve(
        self, name: str, work: Callable[[Sequence[Part], Progress], Found], *sources: Raster
    ) -> Found:
        """Return numbers that work finds on levels of bounded size.

        Parameters
        ----------
        name : str
        work : callable
            Takes the whole fields; returns numbers, arrays of one axis, None, or tuples of these. Picklable.
        sources : Raster
        """
        raise NotImplementedError

    def connected(self, stage: Connected, *sources: Raster) -> Raster:
        """Return 1 where parts of a mask have a marked sample, and beside the mask; else 0."""
        raise NotImplementedError

    # --- measured --------------------------------------------------------------------------------

    def total(self, source: Raster, pick: Pick = np.asarray) -> float:
        """Return the sum of a field, or of values computed from it, in any order; see `totals`."""
        raise NotImplementedError

    def values_at(self, source: Raster, ranks: Sequence[int]) -> tuple[np.float32, ...]:
        """Return the values that would stand at some places, from 0, if all were sorted."""
        raise NotImplementedError

    def range_of(self, source: Raster) -> tuple[float, float]:
        """Return the lowest and the highest value of a field."""
        rows, columns = source.level.shape
        low, high = self.values_at(source, (0, rows * columns - 1))
        return float(low), float(high)

    def typical_range(self, source: Raster) -> tuple[float, float]:
        """Return the heights below and above which the lowest and the highest 200th lie."""
        rows, columns = source.level.shape
        low, high = self.values_at(source, totals.typical_ranks(rows * columns))
        return float(low), float(high)

    def mean(self, source: Raster) -> float:
        """Return the mean of a field."""
        rows, columns = source.level.shape
        return self.total(source) / (rows * columns)

    # --- levelled --------------------------------------------------------------------------------

    def restrict(self, source: Raster, coarse: Level) -> Raster:
        """Return a field on the next coarser level: smoothed, then sampled; see `pyramid.restrict`."""
        raise NotImplementedError

    def subsample(self, source: Raster, coarse: Level) -> Raster:
        """Return a field on the next coarser level, not smoothed; see `pyramid.subsample`."""
        raise NotImplementedError

    def restrict_all(self, source: Raster, levels: Sequence[Level]) -> list[Raster]:
        """Return a field on several levels, finest first; it is on the first one itself."""
        fields = [source]
        for coarse in levels[1:]:
            fields.append(self.restrict(fields[-1], coarse))
        return fields

    def subsample_all(self, source: Raster, levels: Sequence[Level]) -> list[Raster]:
        """Return a field on several levels, finest first, sampled without smoothing."""
        fields = [source]
        for coarse in levels[1:]:
            fields.append(self.subsample(fields[-1], coarse))
        return fields

    def rounds(self, stage: Rounds, state: Sequence[Raster]) -> tuple[Raster, ...]:
        """Return a state on one level after some rounds: fields that change, then those that do not."""
        raise NotImplementedError

    def drop(self, old: Sequence[Raster], kept: Sequence[Raster] = ()) -> None:
        """Forget fields that stages have made and no later stage reads, but those that are kept."""

    # --- while it runs -----------------------------------------------------------------------------

    def holds(self, condition: bool) -> bool:
        """Return whether a condition on measured numbers holds that lets stages be left out.

        Where the cost of stages is counted it never does.
        """
        return condition

    def is_enough(self) -> bool:
        """Return whether remaining steps may be left out; see `blocks.is_enough`."""
        return False

    def report(self, share: float) -> None:
        """Report which share of the stages, or of a `portion` of them, is done."""

    @contextlib.contextmanager
    def portion(self, begin: float, end: float) -> Iterator[None]:
        """Count progress reported inside the block from one share of the whole to another."""
        yield


def fill(runner: Runner, name: str, value: float, level: Level | None = None) -> Raster:
    """Return a field that has one value everywhere, on the land's own level if none is given."""
    stage = Local(name, _Fill(value), makes=(name,))
    (field,) = runner.local(stage, on=level or runner.level)
    return field


def read_lines(values: Field, rows: Indices, columns: Indices) -> Field:
    """Return some rows and columns of a field: neighbors as a view of it; see `Read`."""
    down, along = runs(rows), runs(columns)
    if max(len(down), len(along)) > _FEW:
        lines = values.take(rows, axis=0)
        return lines[:, along[0][1]] if len(along) == 1 else lines.take(columns, axis=1)
    if len(down) == len(along) == 1:
        return values[down[0][1], along[0][1]]
    result = np.empty((len(rows), len(columns)), values.dtype)
    for below, row in down:
        for beside, column in along:
            result[below, beside] = values[row, column]
    return result


def runs(lines: Indices) -> list[tuple[slice, slice]]:
    """Return where lines stand that are neighbors, and which ones they are."""
    if not len(lines):
        return []
    (breaks,) = (lines[1:] - lines[:-1] != 1).nonzero()
    if not len(breaks):
        first = int(lines[0])
        return [(slice(0, len(lines)), slice(first, first + len(lines)))]
    begins = [0, *(breaks + 1).tolist()]
    firsts = lines[begins].tolist()
    return [
        (slice(begin, end), slice(first, first + end - begin))
        for begin, end, first in zip(begins, [*begins[1:], len(lines)], firsts)
    ]


class _Fill:
    """Work that returns one value everywhere."""

    def __init__(self, value: float) -> None:
        self._value = np.float32(value)

    def __call__(self, target: Level, parts: Sequence[object], progress: object) -> Field:
        return np.full(target.shape, self._value)
