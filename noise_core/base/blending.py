# SPDX-License-Identifier: GPL-3.0-or-later
"""Blend modes that blended noises and the layers of a terrain share.

Each mode takes a lower and an upper layer. The upper one is a plain noise. The lower one and the
result are scaled by a *unit*: 1 if both are noises, the meters that a noise of 1 stands for if the
lower one is ground. So every mode looks the same at any height: blending in meters equals blending
the noises, times the unit.

References
----------
Inigo Quilez (2013). Smooth minimum. https://iquilezles.org/articles/smin/ (the quadratic one)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from . import intervals
from .arrays import Field

if TYPE_CHECKING:
    from .intervals import Interval

OPTIONS: Mapping[str, str] = {
    "mix": "Replaces the layers below",
    "add": "The sum",
    "subtract": "Subtract this layer from the layers below",
    "multiply": "Multiply; layers from 0 to 1 act as masks",
    "screen": "Inverse multiply; brightens",
    "difference": "Absolute difference",
    "min": "Keep the lower of the two",
    "max": "Keep the higher of the two",
    "smooth_min": "Keep the lower of the two, rounded where they meet",
    "smooth_max": "Keep the higher of the two, rounded where they meet",
}
"""Every mode with one line of help."""

ROUNDED = ("smooth_min", "smooth_max")
"""Modes that have a use for a smoothness."""

_MIN_SMOOTHNESS = 1e-20
"""Keeps a smoothness of 0 from dividing by 0; its square is still a float32."""


def blend(
    mode: str, lower: Field, upper: Field, smoothness: float = 0.0, unit: float = 1.0
) -> Field:
    """Return the blend of two layers.

    Parameters
    ----------
    mode : str
        One of `OPTIONS`.
    lower : ndarray, float32
        The lower layer, times the unit. Not written to.
    upper : ndarray of the same shape, float32
        The upper layer; its memory holds the result.
    smoothness : float
        How close the two must be for their meeting to be rounded, in units.
    unit : float
        Below 0 the lower layer is upside down, and so is the result.

    Returns
    -------
    ndarray of the same shape, float32
        Times the unit.
    """
    # What is too large for float32 becomes infinite or no number, and is refused when all is done.
    with np.errstate(over="ignore", invalid="ignore"):
        if unit >= 0.0:
            return _MODES[mode].blend(lower, upper, smoothness, unit)
        blended = _MODES[mode].blend(-lower, upper, smoothness, -unit)
        return np.negative(blended, out=blended)


def bounds(mode: str, lower: Interval, upper: Interval, smoothness: float) -> Interval:
    """Return the bounds of the blend, for a unit of 1."""
    return _MODES[mode].bounds(lower, upper, smoothness)


class _Mode(NamedTuple):
    """A blend mode: its formula and its bounds."""

    blend: Callable[[Field, Field, float, float], Field]
    """Takes (lower, upper, smoothness, unit)."""
    bounds: Callable[[Interval, Interval, float], Interval]
    """Takes (lower, upper, smoothness)."""


def _mix(lower: Field, upper: Field, smoothness: float, unit: float) -> Field:
    return _scale(upper, unit)


def _add(lower: Field, upper: Field, smoothness: float, unit: float) -> Field:
    return np.add(lower, _scale(upper, unit), out=upper)


def _subtract(lower: Field, upper: Field, smoothness: float, unit: float) -> Field:
    return np.subtract(lower, _scale(upper, unit), out=upper)


def _multiply(lower: Field, upper: Field, smoothness: float, unit: float) -> Field:
    # (lower / unit) * upper * unit
    return np.multiply(lower, upper, out=upper)


def _screen(lower: Field, upper: Field, smoothness: float, unit: float) -> Field:
    # 1 - (1 - a)(1 - b) with a = (lower / unit + 1) / 2, b likewise, back to [-1, 1], times unit.
    np.subtract(np.float32(1.0), upper, out=upper)
    upper *= np.float32(unit) - lower
    upper *= np.float32(-0.5)
    upper += np.float32(unit)
    return upper


def _difference(lower: Field, upper: Field, smoothness: float, unit: float) -> Field:
    return np.abs(_subtract(lower, upper, smoothness, unit), out=upper)


def _minimum(lower: Field, upper: Field, smoothness: float, unit: float) -> Field:
    return np.minimum(lower, _scale(upper, unit), out=upper)


def _maximum(lower: Field, upper: Field, smoothness: float, unit: float) -> Field:
    return np.maximum(lower, _scale(upper, unit), out=upper)


def _smooth_minimum(lower: Field, upper: Field, smoothness: float, unit: float) -> Field:
    rounding = _round_crease(lower, _scale(upper, unit), smoothness * unit)
    np.minimum(lower, upper, out=upper)
    return np.subtract(upper, rounding, out=upper)


def _smooth_maximum(lower: Field, upper: Field, smoothness: float, unit: float) -> Field:
    rounding = _round_crease(lower, _scale(upper, unit), smoothness * unit)
    np.maximum(lower, upper, out=upper)
    return np.add(upper, rounding, out=upper)


def _scale(upper: Field, unit: float) -> Field:
    """Multiply the upper layer by the unit, in place."""
    if unit != 1.0:
        upper *= np.float32(unit)
    return upper


def _round_crease(lower: Field, upper: Field, width: float) -> Field:
    """Return the parabola that rounds the crease: max(k - |a - b|, 0)^2 / 4k."""
    distance = lower - upper
    np.abs(distance, out=distance)
    np.subtract(np.float32(width), distance, out=distance)
    np.maximum(distance, np.float32(0.0), out=distance)
    distance *= distance
    distance *= np.float32(0.25 / max(width, _MIN_SMOOTHNESS))
    return distance


def _screen_bounds(lower: Interval, upper: Interval, smoothness: float) -> Interval:
    missing = intervals.times(
        intervals.minus((1.0, 1.0), lower), intervals.minus((1.0, 1.0), upper)
    )
    return intervals.minus((1.0, 1.0), intervals.times(missing, (0.5, 0.5)))


def _minimum_bounds(lower: Interval, upper: Interval, smoothness: float) -> Interval:
    return (min(lower[0], upper[0]), min(lower[1], upper[1]))


def _maximum_bounds(lower: Interval, upper: Interval, smoothness: float) -> Interval:
    return (max(lower[0], upper[0]), max(lower[1], upper[1]))


def _smooth_minimum_bounds(lower: Interval, upper: Interval, smoothness: float) -> Interval:
    low, high = _minimum_bounds(lower, upper, smoothness)
    return (low - smoothness / 4.0, high)


def _smooth_maximum_bounds(lower: Interval, upper: Interval, smoothness: float) -> Interval:
    low, high = _maximum_bounds(lower, upper, smoothness)
    return (low, high + smoothness / 4.0)


_MODES: Mapping[str, _Mode] = {
    "mix": _Mode(_mix, lambda lower, upper, _: upper),
    "add": _Mode(_add, lambda lower, upper, _: intervals.plus(lower, upper)),
    "subtract": _Mode(_subtract, lambda lower, upper, _: intervals.minus(lower, upper)),
    "multiply": _Mode(_multiply, lambda lower, upper, _: intervals.times(lower, upper)),
    "screen": _Mode(_screen, _screen_bounds),
    "difference": _Mode(
        _difference, lambda lower, upper, _: intervals.absolute(intervals.minus(lower, upper))
    ),
    "min": _Mode(_minimum, _minimum_bounds),
    "max": _Mode(_maximum, _maximum_bounds),
    "smooth_min": _Mode(_smooth_minimum, _smooth_minimum_bounds),
    "smooth_max": _Mode(_smooth_maximum, _smooth_maximum_bounds),
}
