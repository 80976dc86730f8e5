# SPDX-License-Identifier: GPL-3.0-or-later
"""Deep basins on the way of drawn rivers, which fill up to plains.

Erosion keeps the lakes of deep basins. The water of a river that is drawn through one would end there, unless a gorge
as deep as its floor led on: what rivers bring fills such basins in the end.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...base.arrays import Field
from ...flow_routing.routing import fill
from .courses import RiverCourse, RiverGround
from .places import LevelFrame

_DEEP = 0.5
"""Share of the depth from which on lakes are kept: finer levels may find them deeper than the coarsest."""


def fill_basins(
    height: Field, courses: Sequence[RiverCourse], ground: RiverGround, deepest: float
) -> Field | None:
    """Return the height with the deep basins that rivers pass filled to the brim; None if there are none.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        On the land's own samples, in meters.
    courses : sequence of RiverCourse
    ground : RiverGround
        On the coarsest level, where basins are found: all resolutions fill the same ones.
    deepest : float
        Depth of the lakes that erosion keeps, in meters.
    """
    frame = ground.frame
    filled = fill(ground.height, frame.level, ground.outlets)
    depth = filled - ground.height
    deep = np.unique(filled[depth > np.float32(_DEEP * deepest)])
    cells = [run for course in courses for run in frame.runs(course.vertices)]
    if not len(deep) or not cells:
        return None
    row, column = np.concatenate(cells, axis=1)
    passed = np.unique(filled[row, column][depth[row, column] > 0.0])
    passed = passed[np.isin(passed, deep)]
    is_lake = (depth > 0.0) & np.isin(filled, passed)
    if not is_lake.any():
        return None
    brim = np.where(is_lake, filled, np.float32(-np.inf))
    return np.maximum(height, brim[np.ix_(*_nearest(frame))])


def _nearest(frame: LevelFrame) -> list[np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """Return the rows, and the columns, of the level that are nearest to those of the land's own samples."""
    numbers = []
    for many, few in zip(frame.finest.shape, frame.level.shape):
        wrap = frame.level.wrap
        step = few / many if wrap else max(few - 1, 1) / max(many - 1, 1)
        place = np.floor(np.arange(many, dtype=np.float64) * step + 0.5).astype(np.intp)
        numbers.append(place % few if wrap else np.minimum(place, few - 1))
    return numbers
