# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on fields in strips of rows with a margin around each, for steps that look at their neighbors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from . import boxes
from .level import Level

_SAMPLES = 48 << 10
"""Samples of a strip: 20 arrays of 192 KB."""


def work_in_strips(
    fields: list[Field],
    level: Level,
    reach: int,
    count: int,
    work: Callable[[list[Field]], list[Field]],
) -> list[Field]:
    """Return new fields that are made strip by strip of others with a margin around each strip.

    Parameters
    ----------
    fields : list of ndarray of shape level.shape, float32
    level : Level
        Beyond a border lies the mirror image of the samples before it, or those at the other edge.
    reach : int
        Width of the margin in samples; may be more than there are.
    count : int
        How many fields are made.
    work : callable
        Returns them, float32, without the margin.
    """
    rows, columns = (boxes.around(size, reach, level.wrap) for size in (level.rows, level.columns))
    result = [np.empty(level.shape, np.float32) for _ in range(count)]

    def run(start: int, stop: int) -> None:
        some = rows[start : stop + 2 * reach]
        parts = [field.take(some, axis=0).take(columns, axis=1) for field in fields]
        for out, made in zip(result, work(parts)):
            out[start:stop] = made

    blocks.run(run, level.rows, max(8, _SAMPLES // len(columns)))
    return result
