# SPDX-License-Identifier: GPL-3.0-or-later
"""Arctangent and logarithm from arithmetic alone, so that every processor gives the same bits.

NumPy's own float32 functions take another path on each generation of processors and differ in
the last bit. What a map says may steer a modifier, so it must not.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Field

_ARCTANGENT = (
    0.9999999114,
    -0.3333209351,
    0.1997137513,
    -0.1402941969,
    0.09942759,
    -0.05990471493,
    0.02455712444,
    -0.004780455446,
)
"""Of arctan(t) / t in powers of t^2, t from 0 to 1, fitted for the smallest largest error: 9e-8."""

_LOGARITHM = (2.8853900798, 0.9617988538, 0.5767138336, 0.4317483411)
"""Of log2((1 + z) / (1 - z)) / z in powers of z^2 for |z| < 0.172, likewise: 2e-9."""

_TINY = np.float32(1e-37)
"""Keeps 0 / 0 from happening: close to the smallest float32 of full precision."""

_EXPONENT_BITS = 23
_EXPONENT_BIAS = 127
_MANTISSA = 0x7FFFFF
"""How IEEE 754 lays out a float32."""


def _series(x: Field, coefficients: tuple[float, ...]) -> Field:
    total = np.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total *= x
        total += np.float32(coefficient)
    return total


def _first_octant(quotient: Field) -> Field:
    """Return the angle in degrees of a tangent from 0 to 1."""
    angle = _series(quotient * quotient, _ARCTANGENT)
    angle *= quotient
    angle *= np.float32(180.0 / np.pi)
    return angle


def _turned(angle: Field, whole: float, where: Field) -> Field:
    """Return ``whole - angle`` where `where` is 1, and `angle` where it is 0."""
    # A sign and an offset: choosing by a mask costs many times as much.
    angle *= np.float32(1.0) - np.float32(2.0) * where
    angle += np.float32(whole) * where
    return angle


def arctangent(tangent: Field) -> Field:
    """Return the angle in degrees, 0 to 90, of a tangent that is at least 0; right within 2e-5."""
    one = np.float32(1.0)
    quotient: Field = np.minimum(tangent, one)
    quotient /= np.maximum(tangent, one)
    angle = _first_octant(quotient)
    return _turned(angle, 90.0, (tangent > one).astype(np.float32))


def direction(x: Field, y: Field) -> Field:
    """Return the angle of a vector in degrees, [0, 360), from +y clockwise; right within 5e-5.

    The zero vector has angle 0.
    """
    across, along = np.abs(x), np.abs(y)
    quotient: Field = np.minimum(across, along)
    quotient /= np.maximum(np.maximum(across, along), _TINY)
    angle = _first_octant(quotient)
    angle = _turned(angle, 90.0, (across > along).astype(np.float32))
    angle = _turned(angle, 180.0, (y < 0).astype(np.float32))
    angle = _turned(angle, 360.0, (x < 0).astype(np.float32))
    angle[angle >= np.float32(360.0)] = 0.0
    return angle


def logarithm2(values: Field) -> Field:
    """Return the logarithm to base 2 of numbers above 1.2e-38; right within 1e-6 or the last bit.

    The exponent is read off the bits of the number, the rest is a short series.
    """
    bits = np.ascontiguousarray(values, np.float32).view(np.int32)
    exponent = ((bits >> _EXPONENT_BITS) - _EXPONENT_BIAS).astype(np.float32)
    fraction = ((bits & _MANTISSA) | (_EXPONENT_BIAS << _EXPONENT_BITS)).view(np.float32)
    # The fraction is in [1, 2); the series wants it around 1, in [1 / sqrt 2, sqrt 2).
    middle = np.float32(np.sqrt(2.0))
    z = (fraction - middle) / (fraction + middle)
    rest = _series(z * z, _LOGARITHM)
    rest *= z
    rest += np.float32(0.5)
    return exponent + rest
