# SPDX-License-Identifier: GPL-3.0-or-later
"""Land beyond the borders of a terrain, from which wind brings dunes as it takes others away.

Opposite borders meet across a strip of land. On the level on which dunes grow its ground goes on from one side as
that at the opposite border does (see `stages.continuation`), and over to how it goes on from the other. Finer levels have as much of the strip on either side as their steps reach:
without it wind would find a wall or a hole where the terrain begins, and leave steps along its upwind borders.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.elementary import smooth_step
from ...rasters import pyramid, taps
from ...rasters.level import Level
from ...stages.description import Part
from ...stages.runner import Indices, Read

_WIDTH = 1.5
"""Of the strip, in spacings of dunes: a shadow ends in it, and dunes on both sides know little of each other."""

BEYOND = 36
"""Samples of it on either side of a finer level. Steps there reach 15 of them, so that 21 are true in the end, and
the next finer level asks for 20: half of its own, and two for the cubic."""


@dataclass(frozen=True)
class WideLevel:
    """A level with land beyond its borders, across which its edges meet; itself if they meet as it is.

    Attributes
    ----------
    level : Level
    wide : Level
        Has the rows and columns of the level first.
    """

    level: Level
    wide: Level

    @classmethod
    def of(cls, level: Level, spacing: float) -> WideLevel:
        """Return a level on which dunes grow, with the whole strip; their spacing is in meters."""
        widths = (math.ceil(_WIDTH * spacing / step) for step in (level.step_y, level.step_x))
        return cls._widen(level, tuple(widths))

    @classmethod
    def finer(cls, level: Level) -> WideLevel:
        """Return a finer level, with the ends of the strip."""
        return cls._widen(level, (2 * BEYOND, 2 * BEYOND))

    @classmethod
    def _widen(cls, level: Level, widths: tuple[int, ...]) -> WideLevel:
        if level.wrap:
            return cls(level, level)
        rows, columns = (
            count + (width if count > 1 else 0) for count, width in zip(level.shape, widths)
        )
        wide = Level(rows, columns, level.step_y, level.step_x, True, level.first)
        return cls(level, wide)

    def surround(self, target: Level, read: Read) -> Field:
        """Return the ground of a part of the level and the strip; see `Runner.gather`.

        In the strip it goes over from the land beyond one side to that beyond the other.
        """
        down, along = (self._lines(target, axis) for axis in (0, 1))
        ground = _extend(down, along.near, read)
        if along.share.size:
            first, last = np.split(_extend(down, along.ends, read), 2, axis=1)
            strip = ground[:, along.is_strip] + (last - first)
            far = _extend(down, along.far, read) + (first - last)
            ground[:, along.is_strip] = strip + (far - strip) * along.share
        return ground

    def cut(self, target: Level, read: Read) -> Field:
        """Return a part of the level of a wide field; see `Runner.gather`."""
        rows, columns = (
            np.arange(begin, begin + count, dtype=np.intp)
            for begin, count in zip(target.begin, target.shape)
        )
        return np.ascontiguousarray(read(rows, columns))

    def source_part(self, source: Level, target: Level, finer: WideLevel) -> Level:
        """Return the part of this wide level that a part of a finer one is interpolated from."""
        if self.level.wrap:
            return pyramid.source_part(source, target)
        ends = []
        for axis in (0, 1):
            place = self._places(finer, axis)[_numbers(target, axis)]
            low, high = int(np.floor(place.min())) - 1, int(np.floor(place.max())) + 3
            ends.append((low, high - low))
        (row, rows), (column, columns) = ends
        return source.part(row, column, rows, columns)

    def prolong(
        self,
        part: Part,
        finer: WideLevel,
        target: Level,
        bounds: tuple[float, float] | None = None,
    ) -> Field:
        """Return a part of a wide field on a finer level; see `pyramid.prolong`."""
        if self.level.wrap:
            return pyramid.prolong(part.values, part.level, target, bounds)
        result = self._interpolate(part, finer, target, taps.cubic_taps)
        return result if bounds is None else np.clip(result, *bounds, out=result)

    def prolong_smoothly(self, part: Part, finer: WideLevel, target: Level) -> Field:
        """Return a part of a wide field on a finer level; see `pyramid.prolong_smoothly`."""
        if self.level.wrap:
            return pyramid.prolong_smoothly(part.values, part.level, target)
        return self._interpolate(part, finer, target, taps.spline_taps)

    def _interpolate(
        self,
        part: Part,
        finer: WideLevel,
        target: Level,
        taps_at: Callable[..., list[taps.Tap]],
    ) -> Field:
        field = part.values
        for axis in (1, 0):
            place = self._places(finer, axis)
            base = np.floor(place).astype(np.intp)
            count = self.wide.shape[axis]
            weighted = taps_at(base, place - base, count, True)
            number, begin = _numbers(target, axis), part.level.begin[axis]
            picked = [
                ((index[number] - begin) % count, weight[number])
                for index, weight in taps.drop_weightless(weighted)
            ]
            field = taps.weighted_sum(field, picked, axis)
        return field

    def _lines(self, target: Level, axis: int) -> _BorderLines:
        """Return the lines of the level that those of a part come from."""
        number, count = _numbers(target, axis), self.level.shape[axis]
        width = self.wide.shape[axis] - count
        beyond = number[number >= count] - count
        near = number.copy()
        near[number >= count] = np.minimum(beyond + 1, count - 1)
        far = np.maximum(count - 1 - width + beyond, 0)
        share = smooth_step((beyond + 1).astype(np.float32) / np.float32(width + 1))
        return _BorderLines(near, far, number >= count, share, np.array([0, count - 1], np.intp))

    def _places(self, finer: WideLevel, axis: int) -> npt.NDArray[np.float64]:
        """Return where the samples of a finer level lie among those here, in samples, along an axis."""
        coarse_count, fine_count = self.level.shape[axis], finer.level.shape[axis]
        number = np.arange(finer.wide.shape[axis], dtype=np.float64)
        place = number * np.float64((coarse_count - 1) / max(fine_count - 1, 1))
        # The later half of the strip lies before the first sample.
        end = fine_count + (len(number) - fine_count) // 2
        place[end:] = self.wide.shape[axis] - place[: len(number) - end + 1][:0:-1]
        return place


@dataclass(frozen=True)
class _BorderLines:
    """Rows or columns that a part of a wide level comes from.

    `near` has all of them, for those in the strip the ones as far from the first line as they lie beyond the last;
    `far` those as far before the last line as they lie before the first, and `share` how much the strip has of these.
    `ends` are the first and the last line.
    """

    near: Indices
    far: Indices
    is_strip: npt.NDArray[np.bool_]
    share: Field
    ends: Indices


def _numbers(target: Level, axis: int) -> Indices:
    """Return the numbers of a part's rows or columns in the whole wide level."""
    number = np.arange(target.shape[axis], dtype=np.intp) + target.begin[axis]
    return number % target.whole_shape[axis]


def _extend(down: _BorderLines, columns: Indices, read: Read) -> Field:
    """Return some columns with the rows of the strip."""
    ground = np.array(read(down.near, columns))
    if down.share.size:
        first, last = np.split(read(down.ends, columns), 2)
        strip = ground[down.is_strip] + (last - first)
        far = read(down.far, columns) + (first - last)
        ground[down.is_strip] = strip + (far - strip) * down.share[:, np.newaxis]
    return ground
