# SPDX-License-Identifier: GPL-3.0-or-later
"""Land beyond the borders of a terrain, from which wind brings dunes as it takes others away.

Opposite borders meet across a strip of land. On the level on which dunes grow its ground goes from the mirror image
of one side over to that of the other. Finer levels have as much of the strip on either side as their steps reach:
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
from ...rasters import boxes, pyramid, taps
from ...rasters.level import Level

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

    def surround(self, ground: Field) -> Field:
        """Return the ground of the level with that of the strip."""
        ground = _extend(ground, self.wide.rows - self.level.rows)
        return _extend(ground.T, self.wide.columns - self.level.columns).T.copy()

    def cut(self, field: Field) -> Field:
        """Return the part of a wide field that lies on the level."""
        return np.ascontiguousarray(field[: self.level.rows, : self.level.columns])

    def prolong(
        self, field: Field, finer: WideLevel, bounds: tuple[float, float] | None = None
    ) -> Field:
        """Return a wide field on a finer level; see `pyramid.prolong`."""
        if self.level.wrap:
            return pyramid.prolong(field, self.wide, finer.wide, bounds)
        result = self._interpolate(field, finer, taps.cubic_taps)
        return result if bounds is None else np.clip(result, *bounds, out=result)

    def prolong_smoothly(self, field: Field, finer: WideLevel) -> Field:
        """Return a wide field on a finer level; see `pyramid.prolong_smoothly`."""
        if self.level.wrap:
            return pyramid.prolong_smoothly(field, self.wide, finer.wide)
        return self._interpolate(field, finer, taps.spline_taps)

    def _interpolate(
        self, field: Field, finer: WideLevel, taps_at: Callable[..., list[taps.Tap]]
    ) -> Field:
        for axis in (1, 0):
            place = self._places(finer, axis)
            base = np.floor(place).astype(np.intp)
            weighted = taps_at(base, place - base, self.wide.shape[axis], True)
            field = taps.weighted_sum(field, taps.drop_weightless(weighted), axis)
        return field

    def _places(self, finer: WideLevel, axis: int) -> npt.NDArray[np.float64]:
        """Return where the samples of a finer level lie among those here, in samples, along an axis."""
        own, other = self.level.shape[axis], finer.level.shape[axis]
        number = np.arange(finer.wide.shape[axis], dtype=np.float64)
        place = number * np.float64((own - 1) / max(other - 1, 1))
        # The later half of the strip lies before the first sample.
        after = other + (len(number) - other) // 2
        place[after:] = self.wide.shape[axis] - place[: len(number) - after + 1][:0:-1]
        return place


def _extend(field: Field, count: int) -> Field:
    """Return a field with rows from its last one over to its first one."""
    if count == 0:
        return field
    rows = len(field)
    index = boxes.around(rows, count, False)
    share = smooth_step(np.arange(1, count + 1, dtype=np.float32) / np.float32(count + 1))
    strip = field.take(index[rows + count :], axis=0)
    strip += (field.take(index[:count], axis=0) - strip) * share[:, np.newaxis]
    return np.concatenate((field, strip))
