# SPDX-License-Identifier: GPL-3.0-or-later
"""First and second derivatives of a height field, in strips of rows.

References
----------
Lyle W. Zevenbergen, Colin R. Thorne (1987). Quantitative analysis of land surface topography.
Earth Surface Processes and Landforms 12.
"""

from __future__ import annotations

import numpy as np

from ..base.arrays import Field
from .level import Level


def add_frame(height: Field, level: Level, start: int, stop: int, order: int = 1) -> Field:
    """Return some rows with a frame of one sample around them.

    The frame holds the samples there. Beyond a border the field goes on like the line, or the parabola,
    through the samples next to it: differences across the border are one-sided. Lines are best
    for slopes, which parabolas exaggerate on rough ground; second derivatives need parabolas.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
    level : Level
        Of that shape.
    start, stop : int
        First row and the one after the last.
    order : int
        1 for lines, 2 for parabolas.

    Returns
    -------
    ndarray of shape (stop - start + 2, columns + 2), float32
    """
    frame = np.empty((stop - start + 2, level.columns + 2), np.float32)
    frame[1:-1, 1:-1] = height[start:stop]
    frame[0, 1:-1] = _row(height, start - 1, level.wrap, order)
    frame[-1, 1:-1] = _row(height, stop, level.wrap, order)
    if level.wrap:
        frame[:, 0] = frame[:, -2]
        frame[:, -1] = frame[:, 1]
    else:
        inner = frame[:, 1:-1].T
        frame[:, 0] = _beyond(inner, order)
        frame[:, -1] = _beyond(inner[::-1], order)
    return frame


def _row(height: Field, row: int, wrap: bool, order: int) -> Field:
    rows = len(height)
    if wrap or 0 <= row < rows:
        values: Field = height[row % rows]
        return values
    return _beyond(height if row < 0 else height[::-1], order)


def _beyond(field: Field, order: int) -> Field:
    """Return the row before the first one, had the field gone on as it begins."""
    count = min(len(field), order + 1)
    beyond: Field = field[0]
    if count == 2:
        beyond = field[0] + (field[0] - field[1])
    elif count == 3:
        beyond = np.float32(3.0) * (field[0] - field[1]) + field[2]
    return beyond


def gradient(
    frame: Field, level: Level, factors: tuple[float, float] = (1.0, 1.0)
) -> tuple[Field, Field]:
    """Return the derivatives along x and along y inside a frame, in meters per meter.

    Factors of the two cost nothing here.
    """
    x = frame[1:-1, 2:] - frame[1:-1, :-2]
    y = frame[2:, 1:-1] - frame[:-2, 1:-1]
    x *= np.float32(0.5 / level.step_x * factors[0])
    y *= np.float32(0.5 / level.step_y * factors[1])
    return x, y


def second_derivatives(frame: Field, level: Level) -> tuple[Field, Field, Field]:
    """Return the derivatives twice along x, twice along y, and along both, in 1 / meter."""
    middle = frame[1:-1, 1:-1]
    # Differences of differences: a sum of heights would round away what is looked for.
    xx = frame[1:-1, 2:] - middle
    xx -= middle - frame[1:-1, :-2]
    xx *= np.float32(1.0 / (level.step_x * level.step_x))
    yy = frame[2:, 1:-1] - middle
    yy -= middle - frame[:-2, 1:-1]
    yy *= np.float32(1.0 / (level.step_y * level.step_y))
    xy = frame[2:, 2:] - frame[2:, :-2]
    xy -= frame[:-2, 2:]
    xy += frame[:-2, :-2]
    xy *= np.float32(0.25 / (level.step_x * level.step_y))
    return xx, yy, xy
