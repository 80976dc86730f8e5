# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways out of flats: the shortest ones, and of these the one furthest from higher ground.

A flat is level ground that hangs together and has no lower neighbor but at its exits: the cells beside equally
high ones that drain, or that are outlets. Water takes as few steps to an exit as there can be. Of several
neighbors as close to one it takes that furthest from higher ground, then the nearest, then the first. That is
the sum of both gradients of the references; where they say that two neighbors are equally good, the shorter
way decides. A flat without an exit drains to its first cell.

References
----------
J. Garbrecht, L. W. Martz (1997). The assignment of drainage direction over flat surfaces in raster
digital elevation models. Journal of Hydrology 193.
R. Barnes, C. Lehman, D. Mulla (2014). An efficient assignment of drainage direction over flat surfaces in
raster digital elevation models. Computers & Geosciences 62.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.blocks import checkpoint
from ..base.gathering import gather
from ..rasters.connected import join_runs
from ..rasters.level import Level
from .directions import CELLS_PER_BLOCK, Cells, Directions, Mask, add_rim
from .flat_marks import FLAT, HIGH, WAY, Marks, best_ways, rim_places, rim_steps

Steps = npt.NDArray[np.int32]
"""Numbers of steps, by place in a field with a rim; 0 where there is no way."""


def drain_flats(
    marks: Marks, level: Level, closed: Sequence[int] = (), beyond: FlatsBeyond | None = None
) -> Directions:
    """Return the directions of all cells, of flats too.

    Parameters
    ----------
    marks : ndarray of shape (rows, columns), uint8
        See `mark_flats`; written to.
    level : Level
        Of that shape.
    closed : sequence of int
        Directions in which no water runs.
    beyond : FlatsBeyond, optional
        Of a part of a level, whose flats may go on.
    """
    flats = Flats.of(marks, level, closed, beyond)
    if not len(flats.places):
        return marks
    up, down = flats.count_steps(marks, beyond)
    closed_places = flats.places[np.flatnonzero(gather(down.is_left, flats.places))]
    down.grow(closed_places[flats.parts(closed_places)[1]])
    flats.direct(marks, up.steps, down.steps)
    return marks


@dataclass(frozen=True)
class FlatsBeyond:
    """Steps in the cells around a part of a level, for flats that its edges cut.

    Attributes
    ----------
    up, down : ndarray of shape (cells around,), int32
        From higher ground and to an exit, counted from 1; 0 beside flats, and as long as they are not known.
        In the order of `places_around`.
    ends : ndarray of shape (n,), intp
        Cells of the part in which flats without an exit end.
    """

    up: Steps
    down: Steps
    ends: Cells


def places_around(shape: tuple[int, int]) -> Cells:
    """Return the places of a rim around a part of that shape, row by row."""
    is_rim = np.ones((shape[0] + 2, shape[1] + 2), np.bool_)
    is_rim[1:-1, 1:-1] = False
    return np.flatnonzero(is_rim)


@dataclass(frozen=True)
class Flats:
    """The flats of a level or a part of it, by places in fields with a rim.

    Attributes
    ----------
    places : ndarray of shape (cells,), intp
        Of their cells, row by row, those in the rim left out.
    shape : tuple of two ints
        Rows and columns of a field with a rim.
    is_cut : bool
        Whether they may go on beyond the edges.
    ways : tuple of int
        Directions in which water runs, the best first.
    steps : ndarray of shape (ways,), intp
        From a place to its neighbors in these.
    inside : ndarray of shape (places,), intp, or None
        For each place that of the same cell inside the rim, if edges meet.
    """

    places: Cells
    shape: tuple[int, int]
    is_cut: bool
    ways: Sequence[int]
    steps: Cells
    inside: Cells | None

    @classmethod
    def of(
        cls, marks: Marks, level: Level, closed: Sequence[int], beyond: FlatsBeyond | None
    ) -> Flats:
        """Return the flats of marks; see `drain_flats`."""
        places = rim_places(np.flatnonzero(marks >= FLAT), level.columns)
        shape = (level.rows + 2, level.columns + 2)
        inside = None
        if level.wrap and len(places):
            numbers = np.arange(shape[0] * shape[1], dtype=np.intp).reshape(shape)[1:-1, 1:-1]
            inside = add_rim(numbers, True, 0).reshape(-1)
        ways = best_ways(level, closed)
        return cls(places, shape, beyond is not None, ways, rim_steps(ways, level.columns), inside)

    def count_steps(self, marks: Marks, beyond: FlatsBeyond | None) -> tuple[FlatSteps, FlatSteps]:
        """Return the steps from higher ground, and those to exits and to ends that are known."""
        marks_of_flats = gather(marks.reshape(-1), self.cells)
        up, down = FlatSteps.none_over(self), FlatSteps.none_over(self)
        high, exits = (
            gather(self.places, np.flatnonzero(marks_of_flats & bits)) for bits in (HIGH, WAY)
        )
        if beyond is None:
            up.grow(high)
            down.grow(exits)
        else:
            ends = rim_places(beyond.ends, marks.shape[1])
            up.grow(*_with_rim(high, beyond.up, self.shape))
            down.grow(*_with_rim(np.concatenate((exits, ends)), beyond.down, self.shape))
        return up, down

    @property
    def cells(self) -> Cells:
        """Numbers of their cells in the level."""
        width = self.shape[1]
        cells: Cells = self.places - 2 * (self.places // width) - width + 1
        return cells

    def beside(self, places: Cells, step: int) -> Cells:
        """Return the places of the neighbors by one of `steps`."""
        beside: Cells = places + step
        return beside if self.inside is None else gather(self.inside, beside)

    def parts(self, places: Cells) -> tuple[Cells, Cells]:
        """Return the number of the flat of each of these places, and where the first place of each flat stands.

        Parameters
        ----------
        places : ndarray of shape (n,), intp
            All of some flats, row by row.
        """
        begins = np.ones(len(places), np.bool_)
        np.not_equal(places[1:], places[:-1] + 1, out=begins[1:])
        runs = np.cumsum(begins, dtype=np.intp)
        run_of = np.zeros(self.shape, np.int32).reshape(-1)
        run_of[places] = runs
        pairs = [np.zeros((2, 0), np.intp)]
        for step in self.steps[self.steps > 0].tolist():
            checkpoint()
            runs_beside = gather(run_of, self.beside(places, step)).astype(np.intp)
            touching = np.flatnonzero((runs_beside > 0) & (runs_beside != runs))
            pairs.append(np.stack((runs[touching], runs_beside[touching])) - 1)
        first, second = np.concatenate(pairs, axis=1)
        count = int(np.count_nonzero(begins))
        roots = join_runs(first, second, count)
        is_root = roots == np.arange(count, dtype=np.intp)
        numbers = np.cumsum(is_root, dtype=np.intp) - 1
        return numbers[roots[runs - 1]], np.flatnonzero(begins)[is_root]

    def direct(self, marks: Marks, up: Steps, down: Steps) -> None:
        """Write the directions of all cells of flats.

        Parameters
        ----------
        marks : ndarray of shape (rows, columns), uint8
        up, down : ndarray of shape (places,), int32
            Steps from higher ground and to an exit; in the rim too.
        """
        marks_of_cells, cells = marks.reshape(-1), self.cells
        known_ways = gather(marks_of_cells, cells) & WAY  # those of exits
        marks_of_cells[cells] = known_ways
        ranks = self._ranks(up, down)
        inner = np.flatnonzero(known_ways == 0)
        by_number = np.array([0, *self.ways[::-1]], np.uint8)
        for start in range(0, len(inner), CELLS_PER_BLOCK):
            checkpoint()
            block = inner[start : start + CELLS_PER_BLOCK]
            places = gather(self.places, block)
            best = np.zeros(len(places), ranks.dtype)
            chosen = np.zeros(len(places), np.uint8)
            for number, step in enumerate(self.steps[::-1].tolist(), 1):
                rank = gather(ranks, self.beside(places, step))
                np.maximum(chosen, (rank >= best) * np.uint8(number), out=chosen)
                np.maximum(best, rank, out=best)
            chosen *= gather(down, places) != 1  # ends stay ends
            marks_of_cells[gather(cells, block)] = gather(by_number, chosen)

    def _ranks(self, up: Steps, down: Steps) -> npt.NDArray[np.signedinteger]:
        """Return numbers that are greater in better places: fewer steps to an exit, then more from higher ground."""
        highest, furthest = int(up.max()) + 1, int(down.max()) + 1
        dtype = np.int32 if highest * furthest < 1 << 31 else np.int64
        ranks: npt.NDArray[np.signedinteger] = down.astype(dtype)
        np.subtract(furthest, ranks, out=ranks, where=ranks > 0)
        ranks *= highest
        ranks += up
        return ranks


@dataclass(frozen=True)
class FlatSteps:
    """Steps from some cells of flats to all that hang together with them.

    Attributes
    ----------
    flats : Flats
    steps : ndarray of shape (places,), int32
        Counted from 1; 0 where they have not come.
    is_left : ndarray of shape (places,), bool
        Which places of flats they have not reached. They may begin in the rim, but never come there.
    """

    flats: Flats
    steps: Steps
    is_left: Mask

    @classmethod
    def none_over(cls, flats: Flats) -> FlatSteps:
        """Return those over some flats before they grow from anywhere."""
        count = flats.shape[0] * flats.shape[1]
        is_left = np.zeros(count, np.bool_)
        is_left[flats.places] = True
        return cls(flats, np.zeros(count, np.int32), is_left)

    def grow(self, seeds: Cells, starts: Steps | None = None) -> None:
        """Count the steps from some places to all that hang together with them, front by front.

        Parameters
        ----------
        seeds : ndarray of shape (n,), intp
        starts : ndarray of that shape, int32, optional
            Their steps; 1 if not given.
        """
        flats, steps, is_left = self.flats, self.steps, self.is_left
        waiting = _by_start(seeds, starts)
        front, count = seeds[:0], 0
        while len(front) or waiting:
            checkpoint()
            count = count + 1 if len(front) else waiting[-1][0]
            if waiting and waiting[-1][0] == count:
                new = waiting.pop()[1]
                new = new[np.flatnonzero(gather(steps, new) == 0)]
                steps[new], is_left[new] = count, False
                front = np.concatenate((front, new))
            beside = np.add.outer(flats.steps, front).reshape(-1)
            if flats.inside is not None:
                beside = gather(flats.inside, beside)
            elif flats.is_cut:
                beside %= len(steps)  # steps from the rim out of the field lead to the rim again
            beside = gather(beside, np.flatnonzero(gather(is_left, beside)))
            # A place that several reach is taken once: by the last, whose number stays.
            numbers = np.arange(len(beside), dtype=np.int32)
            steps[beside] = numbers
            front = gather(beside, np.flatnonzero(gather(steps, beside) == numbers))
            steps[front], is_left[front] = count + 1, False


def _with_rim(seeds: Cells, steps: Steps, shape: tuple[int, int]) -> tuple[Cells, Steps]:
    """Return places and their steps: seeds, which have 1, and those of the rim that are known."""
    known = np.flatnonzero(steps)
    rim = places_around((shape[0] - 2, shape[1] - 2))[known]
    return np.concatenate((seeds, rim)), np.concatenate(
        (np.ones(len(seeds), np.int32), steps[known])
    )


def _by_start(seeds: Cells, starts: Steps | None) -> list[tuple[int, Cells]]:
    """Return the places that start together, with their steps, the last to start first."""
    if starts is None or not len(starts) or starts.min() == starts.max():
        first = 1 if starts is None or not len(starts) else int(starts[0])
        return [(first, seeds)] if len(seeds) else []
    order = np.argsort(starts, kind="stable")
    counts, begins = np.unique(starts[order], return_index=True)
    groups = np.split(seeds[order], begins[1:])
    return list(zip(counts.tolist(), groups))[::-1]
