# SPDX-License-Identifier: GPL-3.0-or-later
"""Soft minimum: a minimum without a crease."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..base.arrays import Field

NEWTON_STEPS = 6
"""Enough for float32: the first steps at least halve the distance to the root, the last three
square the error. Checked in the tests for up to 21 equal values."""

_HEAVIEST = (2.0, 4.0, 8.0, 21.0)


RESOLUTION = 2.0**-24
"""Width below which float32 distances do not change."""


def soft_minimum(values: Sequence[Field] | Field, width: float) -> Field:
    """Return the minimum over the first axis, smooth where values are closer than `width`.

    The result s is the level at which ``sum(max(0, s + width - value)^2) = width^2``. A value
    alone within `width` gives itself; the result does not depend on the order of the values, its
    slope is continuous, and values beyond ``minimum + width`` have no part in it, so that
    nothing is cut off by searching only so far. With m equal values it is width (1 - 1/sqrt(m))
    below them, and never lower than that below the smallest of m.

    The sum is convex and rises with s. Newton's method, begun above the root at the minimum
    itself, falls to it without ever passing it; measured in widths, the same steps do for all.
    """
    lowest = values[0].copy()
    for value in values[1:]:
        np.minimum(lowest, value, out=lowest)
    if width < RESOLUTION or len(values) == 1:
        return lowest
    near = np.float32(width)
    if len(values) == 2:
        return _soft_minimum_of_two(values[0], values[1], lowest, near)
    gaps: list[Field] = [np.subtract(value, lowest) for value in values]
    for gap in gaps:
        gap /= near
    level = _newton(gaps)
    level *= near
    level += lowest
    return level


def _newton(gaps: Sequence[Field]) -> Field:
    """Return how far below zero the soft minimum is, for a width of 1 and a least gap of 0."""
    level = np.ones_like(gaps[0])
    gap, total, squares = (np.empty_like(level) for _ in range(3))
    for _ in range(NEWTON_STEPS):
        total.fill(0.0)
        squares.fill(-1.0)
        for distance in gaps:
            np.subtract(level, distance, out=gap)
            np.maximum(gap, np.float32(0.0), out=gap)
            total += gap
            gap *= gap
            squares += gap
        total += total
        squares /= total
        level -= squares
    level -= np.float32(1.0)
    return level


def _soft_minimum_of_two(first: Field, second: Field, lowest: Field, width: np.float32) -> Field:
    """Return the soft minimum of two values: the root of a square equation."""
    gap = first - second
    np.absolute(gap, out=gap)
    gap /= width
    np.minimum(gap, np.float32(1.0), out=gap)
    level = gap * gap
    np.subtract(np.float32(2.0), level, out=level)
    np.sqrt(level, out=level)
    level += gap
    level -= np.float32(2.0)
    level *= np.float32(0.5) * width
    level += lowest
    return level


def largest_drop(dimension: int, width: float) -> float:
    """Return how far below zero the soft minimum of the distances to feature points can be.

    Let u_k be how far inside the width the cell of a point lies along axis k, from 1 (reached)
    to 0 (width away). With width at most 1 each axis has three cells with u above 0: the own
    one, 1, and the two beside it, together at most 1: 1 - t and t. No metric is less than its
    longest axis, so the points weigh at most W = sum over cells of min_k u_k^2, which is the
    integral over v of 2v times the number of cells with all u_k > v. For t_1 <= ... <= t_d <= 1/2
    that is a sum of convex functions of one t_k each, so it is largest where some are 1/2 and all
    others 0: the maximum over m of 2^(d - m) (3^m + 3) / 4 for m > 0, and 2^d: 2, 4, 8, 21.
    """
    return width * (1.0 - 1.0 / math.sqrt(_HEAVIEST[dimension - 1]))
