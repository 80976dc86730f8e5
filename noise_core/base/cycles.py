# SPDX-License-Identifier: GPL-3.0-or-later
"""Looping evolution: a circle through the third and fourth dimension."""

from __future__ import annotations

import math

from .arrays import to_float
from .elementary import cosine_sine_of
from .errors import ParameterError, format_value


def around(position: float, length: float) -> tuple[float, float]:
    """Return the coordinates along the third and fourth dimension of a way that closes on itself.

    Parameters
    ----------
    position : float
        How far along the way, in tiles; it begins along the third dimension.
    length : float
        Tiles until everything is as it was.

    Returns
    -------
    tuple of two floats
        For the `evolution` of `Noise.sample_grid` and others: a point on a circle of that
        circumference, the origin at position 0. At equal steps everything changes equally fast.

    Raises
    ------
    ParameterError
        If `length` is not above 0, or a number is not finite.
    """
    along, whole = to_float(position), to_float(length)
    if not 0.0 < whole < math.inf:
        raise ParameterError(
            "{} must be in {}; got {}", "around: length", "(0, inf)", format_value(length)
        )
    if not math.isfinite(along):
        raise ParameterError(
            "{} must be finite; got {}", "around: position", format_value(position)
        )
    radius = whole / (2.0 * math.pi)
    cosine, sine = cosine_sine_of(360.0 * (along % whole / whole))
    return radius * sine, radius * (1.0 - cosine)
