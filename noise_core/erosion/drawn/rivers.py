# SPDX-License-Identifier: GPL-3.0-or-later
"""Trenches along drawn rivers: ground that water cannot but follow.

Beds that are cut once are lost in the first steps of erosion: slides dam them, and the water finds another way. So a
trench is cut in every step, on every level, before the water is led. It falls all the way to the outlet, and lower
ground beside it is filled up with a bank, so that no water that has come to it leaves it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...curves.chains import HALF, Chain, Table, Z, thin
from ...flow_routing.directions import Mask
from ...rasters.level import Level
from ..earthworks import banks, profile
from . import courses, places
from .courses import RiverCourse
from .places import Cells, LevelFrame, cells_beside

_LEAST_HALF = 0.75
"""Half of the width of a bed in samples, at least: samples of narrower ones do not join."""

_BESIDE = 3
"""Samples to both sides of a river within which banks are piled up."""

_WIDEST = 24
"""Samples of half of a width, at most, beside which there are banks."""

_STEEP = 1.5
"""The same of the banks of the last trench: the ground beside it is steeper nowhere, so that little of it is cut."""

_UPSTREAM = 3
"""Cells of a river that are next to one beside it, at most."""

_STANDING = 0.6
"""Share of the steepest slope that these banks have: so steep the ground stands where rock is weakest."""

_REACH = 0.012
"""Widths of the land that these banks go at most, and samples if that is more."""

_LEAST_REACH = 4.0

_TOLERANCE = 1.0 / 32.0
"""Of the bed of the last trench, in samples."""


@dataclass(frozen=True, eq=False)
class Trenches:
    """Trenches on a level, and the ground beside them.

    Attributes
    ----------
    frame : LevelFrame
        Of the level.
    cells : ndarray of shape (n,), intp
        Numbers of the cells of all rivers, each from the head to the mouth.
    runs : sequence of slice
        Of each river in these.
    beside : ndarray of shape (m,), intp
        Numbers of cells that are near a river, but no part of it.
    nearest : ndarray of shape (m,), intp
        Places in `cells` of those that tell how high their banks are: a little upstream of the nearest one, since
        banks that are lower than any cell of the river next to them leak.
    apart : ndarray of shape (m,), float32
        How far it is beyond the cells next to a river, in meters.
    fall : float
        From one cell of a river to the next, in meters.
    bank : float
        Rise over run of banks.
    """

    frame: LevelFrame
    cells: Cells
    runs: Sequence[slice]
    beside: Cells
    nearest: Cells
    apart: Field
    fall: float
    bank: float

    @classmethod
    def of(
        cls, frame: LevelFrame, runs: Sequence[Cells], half: float, fall: float, bank: float
    ) -> Trenches:
        """Return the trenches along runs of cells, rows and columns each, of rivers that have half of a width in meters."""
        numbers = [row * frame.shape[1] + column for row, column in runs]
        ends = np.cumsum([0, *map(len, numbers)], dtype=np.intp).tolist()
        cells = np.concatenate([np.empty(0, np.intp), *numbers])
        slices = [slice(first, last) for first, last in zip(ends, ends[1:])]
        steps = frame.level.step_y, frame.level.step_x
        reach = _BESIDE + min(math.ceil(half / min(steps)), _WIDEST)
        beside, nearest, apart = cells_beside(cells, frame, reach)
        apart = np.maximum(apart - np.float32(half + math.hypot(*steps)), np.float32(0.0))
        upstream = _UPSTREAM + math.ceil(half / min(steps))
        heads = np.repeat(np.array(ends[:-1], np.intp), np.diff(ends))
        nearest = np.maximum(nearest - upstream, heads[nearest])
        return cls(frame, cells, slices, beside, nearest, apart, fall, bank)

    def cut(self, height: Field, fixed: Mask, *, to_lowest: bool) -> Field:
        """Return the height with beds that fall all the way, and banks where the ground beside them is lower.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters.
        fixed : ndarray of that shape, bool
            Cells that keep their height.
        to_lowest : bool
            Whether beds are as low as the lowest ground next to them: else rivers that are drawn along a slope would
            stand on it like canals. Only lower ground farther away gets a bank then.
        """
        result = height.copy()
        flat = result.reshape(-1)
        for run in self.runs:
            low = self._ground(height, run, to_lowest)
            fall = self.fall * np.arange(len(low), dtype=np.float64)
            bed = np.minimum.accumulate(low + fall) - fall
            np.minimum.at(flat, self.cells[run], bed.astype(np.float32))
        banks = flat[self.cells][self.nearest]
        banks -= np.float32(self.bank) * self.apart
        banks += np.float32(self.fall)
        np.maximum.at(flat, self.beside, banks)
        np.copyto(result, height, where=fixed)
        return result

    def _ground(self, height: Field, run: slice, to_lowest: bool) -> Table:
        """Return the ground along a river, which does not count in the surroundings of the land."""
        row, column = np.divmod(self.cells[run], self.frame.shape[1])
        ground = height[row, column]
        if to_lowest:
            ground = _lowest_around(height, row, column, self.frame)
        return np.where(self.frame.is_land(row, column), ground.astype(np.float64), np.inf)


def _lowest_around(height: Field, row: Cells, column: Cells, frame: LevelFrame) -> Field:
    """Return the lowest height at and next to each of some cells."""
    lowest = height[row, column]
    numbers = [frame.around(place, count) for place, count in zip((row, column), height.shape)]
    for rows, columns in itertools.product(*numbers):
        np.minimum(lowest, height[rows, columns], out=lowest)
    return lowest


@dataclass(frozen=True, eq=False)
class Rivers:
    """Drawn rivers of a land.

    Attributes
    ----------
    courses : sequence of RiverCourse
    slope : float
        By which beds fall at least, as rise over run.
    bank : float
        Rise over run of the banks of the last trench: the steepest slope that stands.
    """

    courses: Sequence[RiverCourse]
    slope: float
    bank: float

    def on(self, frame: LevelFrame, half: float = 0.0) -> Trenches:
        """Return the trenches on a level, of rivers that have half of a width in meters."""
        level = frame.level
        fall = self.slope * min(level.step_x, level.step_y)
        runs = [run for course in self.courses for run in frame.runs(course.vertices)]
        return Trenches.of(frame, runs, half, fall, _STANDING * self.bank)

    def finish(self, height: Field, level: Level, fixed: Mask) -> Field:
        """Return the height with beds as wide as they are drawn, in which all cells drain: the last trench.

        Parameters
        ----------
        height : ndarray of shape level.shape, float32
            In meters.
        level : Level
            The land's own samples.
        fixed : ndarray of that shape, bool
            Cells that keep their height.
        """
        frame = LevelFrame(level, level)
        half = max(courses.widest(self.courses), _LEAST_HALF * level.step_x)
        lowered = self.on(frame, half).cut(height, fixed, to_lowest=False)
        beds = [bed for course in self.courses for bed in _beds(course, lowered, frame)]
        law = banks.BankLaw(
            cut=_STEEP * self.bank,
            fill=self.bank,
            reach=max(_REACH * level.width, _LEAST_REACH * level.step_x),
            sides="both",
            works="cut",
            fills_inside=False,
            detail=0.0,
            width_noise=0.0,
        )
        finished = banks.shape(banks.BankGround(np.maximum(height, lowered), level), beds, law)[0]
        return np.where(fixed, height, finished)


def _beds(course: RiverCourse, lowered: Field, frame: LevelFrame) -> list[profile.PathCourse]:
    """Return the beds of a river that have the heights of a trench, one for each part of it on the land."""
    level = frame.level
    line = places.stations(course.vertices[: course.count], 0.5 / max(frame.steps()))
    cells = np.floor(frame.places(line) + 0.5).astype(np.intp)
    within = np.ones(len(line), np.bool_)
    if level.wrap:
        cells %= np.array(level.shape, np.intp)
    else:
        within = frame.contains(cells)
    tolerance = _TOLERANCE * level.step_x
    line[within, Z] = lowered[cells[within, 0], cells[within, 1]] - tolerance
    np.maximum(line[:, HALF], _LEAST_HALF * level.step_x, out=line[:, HALF])
    line[:, HALF + 1 :] = 0.0
    beds = []
    for part in places.runs_of(within):
        if len(line[part]) > 1:
            thinned = thin(line[part], level.steps_per_tile * level.step_x, tolerance)
            whole = np.zeros(len(thinned) - 1, np.bool_)
            beds.append(profile.PathCourse(Chain(thinned, False), whole))
    return beds
