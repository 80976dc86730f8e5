# SPDX-License-Identifier: GPL-3.0-or-later
"""Fade curves: the weight of a lattice point along the way to its neighbor.

References
----------
Ken Perlin (1985). An image synthesizer. SIGGRAPH. (cubic)
Ken Perlin (2002). Improving noise. SIGGRAPH. (quintic)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ..base.arrays import Field

Fade = Callable[[Field], Field]

OPTIONS: Mapping[str, str] = {
    "linear": "Straight: creases along the lattice",
    "cubic": "3t² - 2t³: smooth, with visible kinks in the shading",
    "quintic": "6t⁵ - 15t⁴ + 10t³: smooth in the shading too",
}
"""The keys of all fades with their help, for `params.choice`."""


def linear(t: Field) -> Field:
    """Return t."""
    return t.copy()


def cubic(t: Field) -> Field:
    """Return 3t^2 - 2t^3."""
    weight = t * np.float32(-2.0)
    weight += np.float32(3.0)
    weight *= t
    weight *= t
    return weight


def quintic(t: Field) -> Field:
    """Return 6t^5 - 15t^4 + 10t^3.

    Written around the middle, with s = t - 1/2, as 1/2 + s (15/8 + s^2 (6s^2 - 5)): eight times
    more exact in float32 than in powers of t.
    """
    middle = t - np.float32(0.5)
    square: Field = np.square(middle)
    weight = square * np.float32(6.0)
    weight -= np.float32(5.0)
    weight *= square
    weight += np.float32(1.875)
    weight *= middle
    weight += np.float32(0.5)
    return weight


FADES: Mapping[str, Fade] = {"linear": linear, "cubic": cubic, "quintic": quintic}


def with_slope(fade: str, t: Field, rise: np.float32) -> tuple[Field, Field]:
    """Return a fade and its derivative, where `rise` is that of t.

    The quintic is written out, in a third of the time and with the bits of automatic differentiation.
    """
    if fade != "quintic":
        from ..base.derivatives import Dual, split_parts  # here: most noise needs no derivatives

        value, (slope,) = split_parts(FADES[fade](Dual(t, {0: np.full(1, rise)}).field), 1)
        return value, slope
    middle = t - np.float32(0.5)
    square = middle * middle
    square_slope = middle * rise
    square_slope += square_slope
    weight = square * np.float32(6.0)
    weight -= np.float32(5.0)
    slope = square_slope * np.float32(6.0)
    slope *= square
    square_slope *= weight
    slope += square_slope
    weight *= square
    weight += np.float32(1.875)
    slope *= middle
    slope += np.multiply(weight, rise, out=square)
    weight *= middle
    weight += np.float32(0.5)
    return weight, slope
