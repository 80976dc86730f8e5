# SPDX-License-Identifier: GPL-3.0-or-later
"""Land beyond the borders of a terrain, so that wind brings dunes from there as it takes others away.

Opposite borders meet across a strip of land. Its ground goes from the mirror image of one side over to
that of the other.
"""

from __future__ import annotations

import math

import numpy as np

from ...base.arrays import Field
from ...base.elementary import smooth_step
from ...rasters import boxes
from ...types.level import Level

_WIDTH = 1.5
"""Of the strip, in spacings of dunes: a shadow ends in it, and dunes on both sides know little of each other."""


def around(level: Level, spacing: float) -> Level:
    """Return a level with a strip beyond its last row and column, across which its edges meet."""
    if level.wrap:
        return level
    down, along = (math.ceil(_WIDTH * spacing / step) for step in (level.step_y, level.step_x))
    rows = level.rows + (down if level.rows > 1 else 0)
    columns = level.columns + (along if level.columns > 1 else 0)
    return Level(rows, columns, level.step_y, level.step_x, True, level.first)


def surround(ground: Field, level: Level, wide: Level) -> Field:
    """Return the ground of a level with that of the strip."""
    ground = _extend(ground, wide.rows - level.rows)
    return _extend(ground.T, wide.columns - level.columns).T.copy()


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
