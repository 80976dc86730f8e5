# SPDX-License-Identifier: GPL-3.0-or-later
"""Interval arithmetic: bounds of results from the bounds of their operands."""

from __future__ import annotations

Interval = tuple[float, float]
"""Lowest and highest value."""


def plus(first: Interval, second: Interval) -> Interval:
    """Return the interval of a sum.

    Examples
    --------
    >>> from noise_core.base.intervals import plus
    >>> plus((-1.0, 1.0), (0.0, 2.0))
    (-1.0, 3.0)
    """
    return (first[0] + second[0], first[1] + second[1])


def minus(first: Interval, second: Interval) -> Interval:
    """Return the interval of a difference.

    Examples
    --------
    >>> from noise_core.base.intervals import minus
    >>> minus((-1.0, 1.0), (0.0, 2.0))
    (-3.0, 1.0)
    """
    return (first[0] - second[1], first[1] - second[0])


def times(first: Interval, second: Interval) -> Interval:
    """Return the interval of a product.

    Examples
    --------
    >>> from noise_core.base.intervals import times
    >>> times((-1.0, 2.0), (-3.0, 1.0))
    (-6.0, 3.0)
    """
    products = [a * b for a in first for b in second]
    return (min(products), max(products))


def absolute(interval: Interval) -> Interval:
    """Return the interval of an absolute value.

    Examples
    --------
    >>> from noise_core.base.intervals import absolute
    >>> absolute((-2.0, 1.0))
    (0.0, 2.0)
    """
    low, high = interval
    if low <= 0.0 <= high:
        return (0.0, max(-low, high))
    return (min(abs(low), abs(high)), max(abs(low), abs(high)))


def hull(*intervals: Interval) -> Interval:
    """Return the smallest interval around several.

    Examples
    --------
    >>> from noise_core.base.intervals import hull
    >>> hull((0.0, 1.0), (3.0, 4.0))
    (0.0, 4.0)
    """
    return (min(low for low, _ in intervals), max(high for _, high in intervals))


def clip(interval: Interval, low: float, high: float) -> Interval:
    """Return the interval of a value that is clipped.

    Examples
    --------
    >>> from noise_core.base.intervals import clip
    >>> clip((-2.0, 0.5), -1.0, 1.0)
    (-1.0, 0.5)
    """
    return (min(max(interval[0], low), high), min(max(interval[1], low), high))
