# SPDX-License-Identifier: GPL-3.0-or-later
"""A smooth limit for noises whose sums are nearly normally distributed."""

from __future__ import annotations

import numpy as np

from .arrays import Field

TYPICAL = 0.3
"""Standard deviation that sums should have: what is cut off lies beyond five of them. Near that of one
octave of Perlin noise, 0.29."""

_END = np.float32(1.5)
"""Where x - 4/27 x^3 is 1 and level."""

_BEND = np.float32(4.0 / 27.0)


def limit(field: Field) -> Field:
    """Return x - 4/27 x^3 up to 1.5 and from there on 1, in place: within [-1, 1], with a slope everywhere.

    The bend adds waves three times as fine. Of a normally distributed sum with the standard deviation
    `TYPICAL` they get 6 (4/27)^2 0.3^4 = 0.1 % of the energy.
    """
    np.clip(field, -_END, _END, out=field)
    square = field * field
    square *= -_BEND
    square += np.float32(1.0)
    field *= square
    return field


def limit_slope(field: Field) -> Field:
    """Return the derivative of `limit` by the field: a new array, in [0, 1]."""
    slope = np.clip(field, -_END, _END)
    slope *= slope
    slope *= np.float32(-3.0) * _BEND
    slope += np.float32(1.0)
    return slope
