# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums over whole fields that are independent of the order of the samples.

A sum of floating-point numbers changes in its last bits when they are taken in another order, so a
terrain that is moved on its torus would not give the moved result. Whole numbers have no such bits.
"""

from __future__ import annotations

import math

import numpy as np

from ..base import blocks
from ..base.arrays import Field

_BITS = 36
"""The largest height becomes a whole number of so many bits, 12 more than float32 has."""

_CHUNK = 1 << 16
"""Samples; with `_BITS` their sum still fits the 53 bits of a float64."""


def total(field: Field) -> float:
    """Return the sum of a field, the same for every order of its samples.

    Its error is at most 2 ** -37 of the largest sample, for each sample.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.rasters.totals import total

    The sum has the same bits in any order of the samples:

    >>> field = np.float32([1e6, 0.1, -1e6, 0.1] * 100)
    >>> total(field) == total(field[::-1])
    True
    """
    largest = magnitude(field)
    return from_steps(count_steps(field, largest), largest)


def magnitude(field: Field) -> float:
    """Return how far the values of a field go from 0."""
    return max(float(field.max(initial=0.0)), -float(field.min(initial=0.0)))


def count_steps(field: Field, largest: float) -> int:
    """Return the sum of a field in steps, which add up for parts of a field.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    largest : float
        The magnitude of the whole field, on which the size of a step depends.
    """
    if largest == 0.0:
        return 0
    scale = _steps_per_unit(largest)
    flat = field.reshape(-1)
    result = 0
    for start in range(0, flat.size, _CHUNK):
        blocks.checkpoint()
        chunk = flat[start : start + _CHUNK].astype(np.float64)
        chunk *= scale
        np.rint(chunk, out=chunk)
        result += int(chunk.sum())
    return result


def from_steps(steps: int, largest: float) -> float:
    """Return the sum that a number of steps stands for; see `count_steps`."""
    return steps / _steps_per_unit(largest) if steps else 0.0


def _steps_per_unit(largest: float) -> float:
    _, exponent = math.frexp(largest)
    return math.ldexp(1.0, _BITS - exponent)


def mean(field: Field) -> float:
    """Return the mean of a field, the same for every order of its samples.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.rasters.totals import mean
    >>> round(mean(np.float32([1.0, 2.0, 3.0])), 6)
    2.0
    """
    return total(field) / field.size


def typical_range(field: Field) -> tuple[float, float]:
    """Return the heights below and above which the lowest and the highest 200th lie.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.rasters.totals import typical_range
    >>> low, high = typical_range(np.arange(1000, dtype=np.float32))
    >>> 0.0 <= low < high <= 999.0
    True
    """
    first, last = typical_ranks(field.size)
    parted = np.partition(field, (first, last), axis=None)
    return float(parted[first]), float(parted[last])


def typical_ranks(size: int) -> tuple[int, int]:
    """Return the places, in order of height, of the heights that the typical relief lies between."""
    first = size // 200
    return first, size - 1 - first
