# SPDX-License-Identifier: GPL-3.0-or-later
"""Steepness of ground, and smooth transitions between gentle and steep."""

from __future__ import annotations

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from ..base.elementary import tangent_of
from .boxes import around
from .level import Level

_SAMPLES = 1 << 16


def steepness(height: Field, level: Level) -> Field:
    """Return rise over run, by differences over two spacings; over one at a border.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    level : Level
        Spacing, and whether edges meet.

    Returns
    -------
    ndarray of shape (rows, columns), float32

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.rasters.level import Level
    >>> from noise_core.rasters.steepness import steepness
    >>> ramp = np.tile(np.arange(5, dtype=np.float32), (3, 1))
    >>> print(steepness(ramp, Level.from_grid(Grid(3, 5, size=40.0)))[1].round(2))
    [0.1 0.1 0.1 0.1 0.1]
    """
    rows, columns = level.shape
    result = np.empty(level.shape, np.float32)
    beside = _beside(columns, level.wrap)
    along = (1.0 / (_spans(columns, level.wrap) * level.step_x)).astype(np.float32)
    below, above = _beside(rows, level.wrap)
    across = (1.0 / (_spans(rows, level.wrap) * level.step_y)).astype(np.float32)

    def measure(start: int, stop: int) -> None:
        rise = _differences(height[start:stop], beside)
        rise *= along
        rises_along = _rows(height, above[start:stop]) - _rows(height, below[start:stop])
        rises_along *= across[start:stop, np.newaxis]
        # Scaled by the larger one, so that squares neither overflow nor vanish.
        np.abs(rise, out=rise)
        np.abs(rises_along, out=rises_along)
        larger = np.maximum(rise, rises_along)
        np.minimum(rise, rises_along, out=rise)
        np.maximum(larger, np.float32(1e-30), out=rises_along)
        rise /= rises_along
        rise *= rise
        rise += np.float32(1.0)
        np.sqrt(rise, out=rise)
        np.multiply(rise, larger, out=result[start:stop])

    blocks.run(measure, rows, max(1, _SAMPLES // columns))
    return result


def smoothstep(values: Field, low: float, high: float) -> Field:
    """Apply a smoothstep in place: 0 up to `low`, 1 from `high`, smooth between."""
    values -= np.float32(low)
    values *= np.float32(1.0 / max(high - low, 1e-6))
    np.clip(values, np.float32(0.0), np.float32(1.0), out=values)
    slope = np.float32(3.0) - np.float32(2.0) * values
    values *= values
    values *= slope
    return values


def rise_over_run(degrees: float) -> float:
    """Return the steepness of an angle; 90 degrees count as a millionth less.

    Examples
    --------
    >>> from noise_core.rasters.steepness import rise_over_run
    >>> round(rise_over_run(45.0), 6)
    1.0
    """
    return tangent_of(min(degrees, 89.9999))


def _differences(lines: Field, beside: tuple[np.ndarray, np.ndarray]) -> Field:
    """Return what each sample of a row's one neighbor is higher than the other."""
    result = np.empty(lines.shape, np.float32)
    np.subtract(lines[:, 2:], lines[:, :-2], out=result[:, 1:-1])
    for end in (0, -1):
        before, after = (int(index[end]) for index in beside)
        np.subtract(lines[:, after], lines[:, before], out=result[:, end])
    return result


def _rows(height: Field, index: np.ndarray) -> Field:
    """Return some rows, not to be written to: a view of neighbors."""
    first, last = int(index[0]), int(index[-1])
    are_neighbors = last - first == len(index) - 1
    return height[first : last + 1] if are_neighbors else height.take(index, axis=0)


def _beside(count: int, wrap: bool) -> tuple[np.ndarray, np.ndarray]:
    index = around(count, 1, wrap)
    return index[:-2], index[2:]


def _spans(count: int, wrap: bool) -> np.ndarray:
    """Return the number of spacings between the two neighbors of each sample."""
    spans = np.full(count, 2.0)
    if not wrap:
        spans[0] = spans[-1] = 1.0
    return spans
