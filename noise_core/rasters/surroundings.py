# SPDX-License-Identifier: GPL-3.0-or-later
"""Land around the coarsest level of an open land, on which water comes in and goes on.

Without it a border would have no water but its own, and nowhere to go but a step beyond it: valleys would be
shallow along all four sides, which shows as a rim. What lies beyond is unknown. It is taken to rise and fall on the
whole as the land at its border does, and to be as rough as the land before that border. The coarsest level gives
a land its shape, so that it alone needs surroundings.

For laws that sum the water of the whole land. What reads a few samples around each takes `stages.continuation`, which
keeps the roughness beside the border, not where water goes on the whole: see docs/develop/borders.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..base.arrays import Field
from ..base.elementary import smooth_step
from . import smoothing
from .level import Level

_MARGIN = 12
"""Samples on each side: without surroundings, a land changes by nine tenths of its usual amount so far inside.
Eight take a third less time, and leave badlands and canyons gentler at their borders."""

_WIDEST = 16.0
"""Samples between those whose average is the shape of the land on the whole; see `smoothing.strides`. If all of
the land went on turned upside down, borders would be worn half as much again as the rest; if all were mirrored,
rivers would run along them."""


@dataclass(frozen=True)
class Surroundings:
    """Samples around a level.

    Attributes
    ----------
    level : Level
        The land's own, a whole one.
    down, along : int
        Samples before its first and after its last row, and column.

    Examples
    --------
    A slope goes on as it is, with its roughness:

    >>> import numpy as np
    >>> from noise_core.rasters.surroundings import Surroundings
    >>> from noise_core.rasters.level import Level
    >>> around = Surroundings.of(Level(3, 40, 10.0, 10.0, False), is_open=True)
    >>> around.level.shape, around.wide.shape
    ((3, 40), (27, 64))
    >>> slope = np.tile(np.arange(40.0, dtype=np.float32), (3, 1))
    >>> print(around.extend(slope)[0, :14])
    [-12. -11. -10.  -9.  -8.  -7.  -6.  -5.  -4.  -3.  -2.  -1.   0.   1.]
    >>> around.cut(around.extend(slope)).shape
    (3, 40)
    """

    level: Level
    down: int
    along: int

    @classmethod
    def of(cls, level: Level, is_open: bool) -> Surroundings:
        """Return the surroundings of a level; none if no river leaves over its border, or it has no border."""
        has_any = is_open and not level.wrap
        down, along = (_MARGIN if has_any and count > 1 else 0 for count in level.shape)
        return cls(level, down, along)

    @property
    def wide(self) -> Level:
        """The level with the samples around it, at the same places of the world."""
        level = self.level
        return replace(
            level,
            rows=level.rows + 2 * self.down,
            columns=level.columns + 2 * self.along,
            first=(level.first[0] - self.down, level.first[1] - self.along),
        )

    def extend(self, field: Field) -> Field:
        """Return a field of the level on the wide one."""
        if self.level.shape == self.wide.shape:
            return field
        strides = smoothing.strides_within(4.0 * _WIDEST, self.level.shape)
        shape = smoothing.smooth_twice(field, strides, wrap=False)
        wide = field - shape
        for axis, width in enumerate((self.down, self.along)):
            wide = _go_on(wide, width, axis)
            shape = smoothing.pad(shape, width, axis, wrap=False)
        wide += shape
        wide[self._inside] = field
        return wide

    def cut(self, field: Field) -> Field:
        """Return a field of the wide level on the land's own."""
        return np.ascontiguousarray(field[self._inside])

    @property
    def _inside(self) -> tuple[slice, slice]:
        rows, columns = self.level.shape
        return slice(self.down, self.down + rows), slice(self.along, self.along + columns)


def _go_on(field: Field, width: int, axis: int) -> Field:
    """Return a field with samples at both ends of an axis: those before each end once more, without a step."""
    count = field.shape[axis]
    if width == 0:
        return field
    way = np.arange(width, 0, -1, dtype=np.float32) / np.float32(width + 1)
    shares = smooth_step(way)
    shares = shares[:, np.newaxis] if axis == 0 else shares
    numbers, first, last = np.arange(width, dtype=np.intp), 0, count - 1
    low = field.take(numbers % count, axis=axis)
    high = field.take((numbers - width) % count, axis=axis)
    before = field.take([first], axis=axis) - field.take([width % count], axis=axis)
    after = field.take([last], axis=axis) - field.take([(last - width) % count], axis=axis)
    low += np.flip(before * shares, axis)
    high += after * shares
    return np.concatenate((low, field, high), axis=axis)
