# SPDX-License-Identifier: GPL-3.0-or-later
"""Land beyond the borders of a terrain: it goes on there as it does at the opposite border.

A law that takes a border for a wall, or for a hole, leaves a rim there. So stages may work on a level that has
some samples beyond each border. Their heights rise and fall from the border on as those before the opposite border
do: such land is as steep and as rough as the terrain in the mean, which neither mirror images nor straight lines
are. On a torus that is opened it is what was there. Laws that sum the water of the whole land take
`rasters.surroundings` instead: see docs/develop/borders.md.

References
----------
Noel A. C. Cressie (1993). Statistics for Spatial Data. Wiley. (land whose increments are alike everywhere)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..rasters import totals
from ..rasters.level import Level
from .description import Part, Raster
from .runner import Indices, Read, Runner, runs

_CHANCE = 0.5
"""Of the variance along a border over the square of the mean: a border is a few hills long, and with so much of the
one the other may be theirs."""

_LEAST_SQUARE = 1e-30
"""Square meters, which keep 0 / 0 from happening."""


def widen(run: Runner, height: Raster, wide: Level) -> Raster:
    """Return heights on a level with samples beyond the borders, of those on the level without.

    Parameters
    ----------
    run : Runner
    height : Raster
    wide : Level
        Of `Level.widen`.
    """
    return run.gather("widen", _go_on, height, wide) if wide.beyond else height


def widen_amount(run: Runner, amount: Raster, wide: Level) -> Raster:
    """Return an amount, such as a thickness, likewise: beyond a border it is that before the opposite one."""
    return run.gather("widen", _repeat, amount, wide) if wide.beyond else amount


def within_borders(wide: Level, target: Level) -> Level:
    """Return a part of a level as one of the same level with samples beyond its borders.

    Parameters
    ----------
    wide : Level
        Of `Level.widen`, or a part of it.
    target : Level
        Of the level without samples beyond, or with fewer, or a part of it.
    """
    (row, column), beyond = target.begin, wide.beyond - target.beyond
    if not beyond:
        return target
    return wide.part(row + beyond - wide.begin[0], column + beyond - wide.begin[1], *target.shape)


def around(wide: Level, target: Level, reach: Callable[[Level], Level]) -> Level:
    """Return the part of a wide level that work on a part of the level needs: for `Local.across`."""
    return reach(within_borders(wide, target))


def values_on(part: Part, target: Level) -> Field:
    """Return the values of a part of a wide level on the samples of a part of the level without those beyond."""
    return on_land(part.values, part.level, target)


def on_land(field: Field, wide: Level, target: Level) -> Field:
    """Return a field of a wide level, or of a part of it, on a part of the level without those beyond."""
    return field[within_borders(wide, target).within(wide)]


def _go_on(target: Level, read: Read) -> Field:
    """Return heights of a part of a wide level; see `Runner.gather`."""
    down, along = (_Lines.of(target, axis) for axis in (0, 1))
    edges, all_rows = _edges(target, 1), np.arange(target.land_shape[0], dtype=np.intp)
    columns = _numbers_in(target.land_shape[1], along.near, *along.steps, edges)
    height = read(np.arange(down.near[0], down.near[-1] + 1, dtype=np.intp), columns)
    rows, inside = _count(down.inside), along.inside
    result = np.empty(target.shape, np.float32)
    within, beyond = height[:rows], _beyond_rows(target, read, height, down, columns)
    if inside.start < inside.stop:  # neighbors in a part too, so that they are copied at once
        first = int(np.searchsorted(columns, along.near[inside.start]))
        neighbors = slice(first, first + _count(inside))
        result[down.inside, inside] = within[:, neighbors]
        result[down.beyond, inside] = beyond[:, neighbors]
    if along.beyond.size:
        wanted = (*along.steps, edges, along.near[along.beyond])
        places = np.searchsorted(columns, np.concatenate(wanted))
        lines = np.empty((target.rows, len(places)), np.float32)
        within.take(places, axis=1, out=lines[down.inside])
        lines[down.beyond] = beyond.take(places, axis=1)
        ends = itertools.accumulate(len(numbers) for numbers in wanted[:-1])
        there, back, here, border = np.split(lines, list(ends), axis=1)
        bend = _bend(_rises(read(all_rows, edges).T), _rises(here.T), target.beyond)
        there = there - back + bend[:, np.newaxis] * along.distance
        there += border
        for numbers, beside in runs(along.beyond):
            result[:, beside] = there[:, numbers]
    return result


def _beyond_rows(target: Level, read: Read, height: Field, down: _Lines, columns: Indices) -> Field:
    """Return heights of some columns on the rows of a part beyond the borders, of those within."""
    if not down.beyond.size:
        return height[:0]
    there, back = (read(lines, columns) for lines in down.steps)
    whole = _rises(read(_edges(target, 0), np.arange(target.land_shape[1], dtype=np.intp)))
    bend = _bend(whole, whole[columns], target.beyond)
    there = there - back + bend * down.distance[:, np.newaxis]
    result: Field = height.take(down.near[down.beyond] - down.near[0], axis=0) + there
    return result


def _repeat(target: Level, read: Read) -> Field:
    """Return an amount on a part of a wide level; see `Runner.gather`."""
    return read(*(_Lines.of(target, axis).same for axis in (0, 1)))


def _numbers_in(count: int, *lines: Indices) -> Indices:
    """Return which of so many lines are among some, in order."""
    marked = np.zeros(count, np.bool_)
    for numbers in lines:
        marked[numbers] = True
    return np.flatnonzero(marked)


def _count(lines: slice) -> int:
    return int(lines.stop - lines.start)


def _edges(target: Level, axis: int) -> Indices:
    """Return the first and the last line of a land, with those as far within as the wide level goes beyond."""
    last, margin = target.land_shape[axis] - 1, target.beyond
    return np.array([0, margin, last - margin, last], np.intp)


def _rises(edges: Field) -> Field:
    """Return how much more the land rises to the last border than from the first one, of the lines of `_edges`."""
    first, second, third, fourth = edges
    rises: Field = (fourth - third) - (second - first)
    return rises


def _bend(whole: Field, here: Field, margin: int) -> Field:
    """Return by how much the rises of `_rises` bend the land beyond, from sample to sample.

    Land that falls to all its borders goes on falling beyond them. What chance makes of a few hills does not count.

    Parameters
    ----------
    whole, here : ndarray, float32
        Along the whole border, and where the bend is wanted.
    margin : int
        Samples over which they rise.
    """
    mean = totals.mean(whole)
    square = totals.mean(np.maximum(whole * whole, np.float32(_LEAST_SQUARE)))
    share = 1.0 - (square / max(mean * mean, _LEAST_SQUARE) - 1.0) * _CHANCE
    most = np.float32(max(share, 0.0) * mean)
    bend = np.clip(here, min(most, np.float32(0.0)), max(most, np.float32(0.0)))
    return bend * np.float32(1.0 / margin)


@dataclass(frozen=True)
class _Lines:
    """Rows or columns of a land that those of a part of a wide level are made of.

    Attributes
    ----------
    near : ndarray of intp
        The same line for those within the borders, the one at the border for those beyond.
    beyond : ndarray of intp
        Places in the part of the lines beyond.
    distance : ndarray of float32
        How far beyond these lie, in samples.
    steps : sequence of two ndarrays of intp
        For each of these the line as far before the opposite border, and that border.
    """

    near: Indices
    beyond: npt.NDArray[np.intp]
    distance: Field
    steps: Sequence[Indices]

    @property
    def inside(self) -> slice:
        """Places in the part of the lines within the borders."""
        marked = np.ones(len(self.near), np.bool_)
        marked[self.beyond] = False
        places = np.flatnonzero(marked)
        return slice(int(places[0]), int(places[-1]) + 1) if places.size else slice(0, 0)

    @property
    def same(self) -> Indices:
        """All lines, those beyond as far before the opposite border."""
        lines = self.near.copy()
        lines[self.beyond] = self.steps[0]
        return lines

    @classmethod
    def of(cls, target: Level, axis: int) -> _Lines:
        """Return the lines of a part along an axis."""
        last = target.land_shape[axis] - 1
        number = np.arange(target.shape[axis], dtype=np.intp) + target.begin[axis] - target.beyond
        near = np.minimum(np.maximum(number, 0), last)  # faster than clip() for few
        beyond = np.flatnonzero(number != near)
        opposite = last - near[beyond]
        there = opposite + number[beyond] - near[beyond]
        distance = np.abs(number[beyond] - near[beyond]).astype(np.float32)
        return cls(near, beyond, distance, (there, opposite))
