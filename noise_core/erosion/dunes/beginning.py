# SPDX-License-Identifier: GPL-3.0-or-later
"""The beginning of dunes: heaps of sand at random places, longer across the wind."""

from __future__ import annotations

import math

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.elementary import cosine_sine_of
from ...rasters import boxes
from ...rasters.level import Level

_NARROW, _WIDE = 0.16, 0.32
"""Deviations of the two Gaussians, in spacings of dunes, whose difference leaves heaps of about one size."""

_VARIATION = 0.5
"""How much the thickness varies, in its mean; with less, wind takes long to find a hold."""

_REACH = 0.28
_COPIES = (-2, -1, 1, 2)
"""Each heap lies so many times across the wind, so far apart, in spacings of dunes: crests run on."""


def heap_up(level: Level, spacing: float, direction: float, seed: int) -> Field:
    """Return sand in heaps, of a mean thickness of about 1.

    Parameters
    ----------
    level : Level
        The samples, and the places on which chance hangs.
    spacing : float
        Of dunes, in meters.
    direction : float
        Of the wind, in degrees counterclockwise from the x axis.
    seed : int
        Unsigned, 32 bits.

    Returns
    -------
    ndarray of shape (rows, columns), float32
        At least 0.
    """
    sand = level.random_bits(0, level.rows, seed).astype(np.float32)
    # Sums of many samples vary less, by as much as their number's root.
    samples = spacing / math.sqrt(level.step_x * level.step_y)
    sand *= np.float32(2.0**-31 * samples)
    sand -= np.float32(samples)
    wide = boxes.blur(sand, level, _WIDE * spacing)
    sand = boxes.blur(sand, level, _NARROW * spacing)
    sand -= wide
    sand = _lengthen(sand, level, spacing, direction)
    sand *= np.float32(_VARIATION)
    sand += np.float32(1.0)
    np.maximum(sand, np.float32(0.0), out=sand)
    return sand


def _lengthen(field: Field, level: Level, spacing: float, direction: float) -> Field:
    """Return the sum of a field and copies of it that are shifted across the wind."""
    along, across = cosine_sine_of(direction)
    down = _REACH * spacing * along / level.step_y
    right = -_REACH * spacing * across / level.step_x
    result = field.copy()
    for copy in _COPIES:
        blocks.checkpoint()
        rows = _shift_indices(level.rows, round(copy * down), level.wrap)
        columns = _shift_indices(level.columns, round(copy * right), level.wrap)
        result += field.take(rows, axis=0).take(columns, axis=1)
    return result


def _shift_indices(count: int, shift: int, wrap: bool) -> np.ndarray:
    """Return the indices of a line that is shifted, which beyond its ends is a mirror image or goes round."""
    index = boxes.around(count, abs(shift), wrap)
    return index[abs(shift) + shift :][:count]
