# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of the core that Blender's numbers of 32 bits stand for.

A property that is set to 0.1 reads as 0.10000000149. The number with the fewest digits that rounds to the
stored float is the one that a user has typed; a number with more digits is known from elsewhere.
"""

from __future__ import annotations

import functools
import math

import numpy as np


def number(stored: float, base: float | None = None) -> float:
    """Return the number that Blender's 32-bit float was rounded from: 0.1 reads as 0.10000000149.

    The former value `base` is returned unchanged if it rounds to `stored`.
    """
    if base is not None and (stored == base or np.float32(base) == np.float32(stored)):
        return base
    return _shortest(float(stored))


def signed(seed: int) -> int:
    """Return a seed of 32 bits as Blender's integers hold it, which have a sign."""
    return seed - (0x100000000 if seed > 0x7FFFFFFF else 0)


def angle(stored: float, base: float | None) -> float:
    """Return the degrees that Blender's 32-bit float in radians was made from; see `number`."""
    if base is not None and np.float32(math.radians(base)) == np.float32(stored):
        return base
    return _shortest_angle(stored)


def is_number(value: float) -> bool:
    """Return whether `number` returns a value after it was stored as a 32-bit float."""
    return _shortest(float(np.float32(value))) == value


def is_angle(value: float) -> bool:
    """Return whether `angle` returns a value in degrees after it was stored as a 32-bit float in radians."""
    return _shortest_angle(float(np.float32(math.radians(value)))) == value


@functools.lru_cache(maxsize=4096)
def _shortest(stored: float) -> float:
    """Return the number with the fewest digits that rounds to a 32-bit float."""
    return float(str(np.float32(stored)))


@functools.lru_cache(maxsize=1024)
def _shortest_angle(stored: float) -> float:
    """Return the degrees with the fewest digits that a 32-bit float in radians was made from."""
    degrees = math.degrees(stored)
    for digits in range(1, 10):
        short = float(f"{degrees:.{digits}g}")
        if np.float32(math.radians(short)) == np.float32(stored):
            return short
    return degrees
