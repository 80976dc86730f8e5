# SPDX-License-Identifier: GPL-3.0-or-later
"""Land beyond the borders of a terrain: it goes on there as it does at the opposite border.

A law that takes a border for a wall, or for a hole, leaves a rim there. So stages may work on a level that has
some samples beyond each border. Their heights rise and fall from the border on as those before the opposite border
do: such land is as steep and as rough as the terrain in the mean, which neither mirror images nor straight lines
are. On a torus that is opened it is what was there.

References
----------
Noel A. C. Cressie (1993). Statistics for Spatial Data. Wiley. (land whose increments are alike everywhere)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..rasters import totals
from ..rasters.level import Level
from .description import Part, Raster
from .runner import Indices, Read, Runner


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


def within_borders(wide: Level, target: Level) -> Level:
    """Return a part of a level as one of the same level with samples beyond its borders.

    Parameters
    ----------
    wide : Level
        Of `Level.widen`, or a part of it.
    target : Level
        Of the level without samples beyond, or a part of it.
    """
    if not wide.beyond:
        return target
    (row, column), beyond = target.begin, wide.beyond
    return wide.part(row + beyond - wide.begin[0], column + beyond - wide.begin[1], *target.shape)


def around(wide: Level, target: Level, reach: Callable[[Level], Level]) -> Level:
    """Return the part of a wide level that work on a part of the level needs: for `Local.across`."""
    return reach(within_borders(wide, target))


def values_on(part: Part, target: Level) -> Field:
    """Return the values of a part of a wide level on the samples of a part of the level without those beyond."""
    return part.values[within_borders(part.level, target).within(part.level)]


def _go_on(target: Level, read: Read) -> Field:
    """Return heights of a part of a wide level; see `Runner.gather`."""
    down, along = (_Lines.of(target, axis) for axis in (0, 1))
    columns = np.unique(np.concatenate((along.near, *along.steps)))
    height = read(down.near, columns)
    if down.beyond.size:
        there, back = (read(lines, columns) for lines in down.steps)
        there -= back
        there += _bend(target, read, 0) * down.distance[:, np.newaxis]
        height[down.beyond] += there
    near, *steps = (np.searchsorted(columns, lines) for lines in (along.near, *along.steps))
    if not along.beyond.size:
        return height.take(near, axis=1)
    there, back = (height.take(lines, axis=1) for lines in steps)
    there -= back
    there += _bend(target, read, 1) * along.distance
    result = height.take(near, axis=1)
    result[:, along.beyond] += there
    return result


def _bend(target: Level, read: Read, axis: int) -> np.float32:
    """Return how much more the land rises to the last border than from the first one, from sample to sample.

    Land that falls to all its borders goes on falling beyond them. What chance makes of a few hills is none.
    """
    last, margin = target.land_shape[axis] - 1, target.beyond
    lines = np.array([0, margin, last - margin, last], np.intp)
    others = np.arange(target.land_shape[1 - axis], dtype=np.intp)
    first, second, third, fourth = read(lines, others) if axis == 0 else read(others, lines).T
    rises = (fourth - third) - (second - first)
    mean, least = totals.mean(rises), np.float32(_LEAST_SQUARE)
    square = totals.mean(np.maximum(rises * rises, least))
    share = max(0.0, 1.0 - (square / max(mean * mean, _LEAST_SQUARE) - 1.0) * _CHANCE)
    return np.float32(share * mean / margin)


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

    @classmethod
    def of(cls, target: Level, axis: int) -> _Lines:
        """Return the lines of a part along an axis."""
        last = target.land_shape[axis] - 1
        number = np.arange(target.shape[axis], dtype=np.intp) + target.begin[axis] - target.beyond
        near = np.clip(number, 0, last)
        beyond = np.flatnonzero(number != near)
        opposite = last - near[beyond]
        there = opposite + number[beyond] - near[beyond]
        distance = np.abs(number[beyond] - near[beyond]).astype(np.float32)
        return cls(near, beyond, distance, (there, opposite))
