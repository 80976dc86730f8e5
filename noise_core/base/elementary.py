# SPDX-License-Identifier: GPL-3.0-or-later
"""Powers, logarithms, angles and smooth steps with the same bits on every processor.

NumPy's functions differ in the last bit between generations of processors, and so do the C libraries
under Python's `math` and `**`. IEEE 754 rounds addition, multiplication, division and square root
exactly; all functions here use only these and integers.
"""

from __future__ import annotations

import functools
import math
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from . import gathering
from .arrays import Field

AnyNumbers = TypeVar("AnyNumbers", float, npt.NDArray[np.float32], npt.NDArray[np.float64])

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


def _reflect(angle: Field, whole: float, where: Field) -> Field:
    """Return ``whole - angle`` where `where` is 1, and `angle` where it is 0."""
    # A sign and an offset: choosing by a mask costs many times as much.
    angle *= np.float32(1.0) - np.float32(2.0) * where
    angle += np.float32(whole) * where
    return angle


def smooth_step(share: AnyNumbers) -> AnyNumbers:
    """Return s s (3 - 2 s) for a share s from 0 to 1: from 0 to 1 too, level at both ends.

    Parameters
    ----------
    share : float or ndarray
        From 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.base.elementary import smooth_step
    >>> print(smooth_step(np.array([0.0, 0.25, 0.5, 1.0])))
    [0.      0.15625 0.5     1.     ]
    """
    result: AnyNumbers = share * share * (3.0 - 2.0 * share)
    return result


def presence_of(waves_per_sample: float) -> float:
    """Return 1 for at least four samples a wave, 0 for two or fewer, and a smooth way between."""
    samples = 1.0 / waves_per_sample if waves_per_sample > 0.0 else math.inf
    return smooth_step(min(max(samples / 2.0 - 1.0, 0.0), 1.0))


def arctangent(tangent: Field) -> Field:
    """Return the angle in degrees, 0 to 90, of a tangent that is at least 0; right within 2e-5."""
    unit = np.float32(1.0)
    quotient: Field = np.minimum(tangent, unit)
    quotient /= np.maximum(tangent, unit)
    angle = _first_octant(quotient)
    return _reflect(angle, 90.0, (tangent > unit).astype(np.float32))


def direction(x: Field, y: Field) -> Field:
    """Return the angle of a vector in degrees, [0, 360), from +y clockwise; right within 5e-5.

    The zero vector has angle 0.
    """
    across, along = np.abs(x), np.abs(y)
    quotient: Field = np.minimum(across, along)
    quotient /= np.maximum(np.maximum(across, along), _TINY)
    angle = _first_octant(quotient)
    angle = _reflect(angle, 90.0, (across > along).astype(np.float32))
    angle = _reflect(angle, 180.0, (y < 0).astype(np.float32))
    angle = _reflect(angle, 360.0, (x < 0).astype(np.float32))
    angle[angle >= np.float32(360.0)] = 0.0
    return angle


def logarithm2(values: Field) -> Field:
    """Return the logarithm to base 2 of numbers above 1.2e-38; right within 1e-6 or the last bit.

    The exponent is read off the bits of the number, the rest is a short series.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.base.elementary import logarithm2
    >>> print(logarithm2(np.float32([1.0, 8.0])).round(4))
    [0. 3.]
    """
    bits = np.ascontiguousarray(values, np.float32).view(np.int32)
    exponent = ((bits >> _EXPONENT_BITS) - _EXPONENT_BIAS).astype(np.float32)
    fraction = ((bits & _MANTISSA) | (_EXPONENT_BIAS << _EXPONENT_BITS)).view(np.float32)
    # The fraction is in [1, 2); the series wants it around 1, in [1 / sqrt 2, sqrt 2).
    middle = np.float32(np.sqrt(2.0))
    z = (fraction - middle) / (fraction + middle)
    series = _series(z * z, _LOGARITHM)
    series *= z
    series += np.float32(0.5)
    return exponent + series


_STEP_BITS = 9
"""Intervals of a table of powers in each octave: 512."""

_WITHIN = _EXPONENT_BITS - _STEP_BITS
"""Bits of a float32 that say where in its interval it lies."""

_OCTAVES = 255
"""Exponents of finite float32s; the first one is that of numbers too small for full precision."""

_ANY_INTERVAL = (1 << (31 - _WITHIN)) - 1
"""Leaves out the sign."""

_CHUNK = 1 << 14
"""Samples: some arrays of 128 KB stay in a processor's own cache."""

_MAX_EXPONENT = 900.0
"""Exponent of the largest power of two in a table: no float32 comes near, and float64 has room above."""

_LN_2 = 0.6931471805599453
_LOGARITHM_64 = tuple(2.8853900817779268 / (2 * k + 1) for k in range(13))
_EXPONENTIAL_64 = tuple(1.0 / math.factorial(k) for k in range(16))
"""Series of log2((1 + z) / (1 - z)) / z in z^2 for |z| < 0.172, and of exp(x) for |x| < 0.35: 1e-16."""

_MAX_PRODUCT_EXPONENT = 16.0
"""The largest exponent whose products are taken; rounding grows with it."""

_Numbers = npt.NDArray[np.float64]


def power(base: Field, exponent: float) -> Field:
    """Return numbers raised to a power, as a new array.

    Parameters
    ----------
    base : ndarray, float32
        Finite, at least 0. A `Dual` is raised with its derivatives.
    exponent : float
        Above 0.

    Returns
    -------
    ndarray of that shape, float32
        Within 0.501 units in the last place of the exact power for exponents up to 1, 0.52 up to 4, 0.75 up to
        8, 4 up to 16; within as many as the exponent if that is a whole or half number. It never falls where
        the base rises; 0 and 1 stay. Infinite, with NumPy's warning, where float32 has no such number.

    Notes
    -----
    Whole and half exponents up to 16 take products and a square root. For others each octave of the base has 512 intervals, and in each runs the parabola through the power at both
    ends and in the middle, after Tang's table-driven functions. The table for an exponent (3 MB, 2 ms) is
    kept. 4 ns a sample on a processor on which NumPy's own takes 1.1 with AVX-512 and 5 to 8 without.

    References
    ----------
    Ping Tak Peter Tang (1989). Table-driven implementation of the exponential function in IEEE
    floating-point arithmetic. ACM Transactions on Mathematical Software 15.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.base.elementary import power
    >>> print(power(np.float32([1.0, 4.0, 9.0]), 0.5).round(4))
    [1. 2. 3.]
    """
    if exponent <= _MAX_PRODUCT_EXPONENT and (2.0 * exponent).is_integer():
        return _product(base, exponent)
    if not isinstance(base, np.ndarray):
        return base.power(exponent)
    begin, slope, bend = _power_table(float(exponent))
    flat = np.ascontiguousarray(base, np.float32).reshape(-1)
    result = np.empty(flat.size, np.float32)
    count = min(_CHUNK, flat.size)
    wholes, places = np.empty(count, np.int32), np.empty(count, np.intp)
    within, values, parts = np.empty((3, count), np.float64)
    for start in range(0, flat.size, _CHUNK):
        bits = flat[start : start + _CHUNK].view(np.int32)
        whole, place = wholes[: bits.size], places[: bits.size]
        x, value, part = within[: bits.size], values[: bits.size], parts[: bits.size]
        np.bitwise_and(bits, np.int32((1 << _WITHIN) - 1), out=whole)
        x[...] = whole
        np.right_shift(bits, np.int32(_WITHIN), out=whole)
        np.bitwise_and(whole, np.int32(_ANY_INTERVAL), out=whole)
        place[...] = whole
        gathering.gather(bend, place, value)
        value *= x
        gathering.gather(slope, place, part)
        value += part
        value *= x
        gathering.gather(begin, place, part)
        value += part
        result[start : start + bits.size] = value
    return result.reshape(base.shape)


def _product(base: Field, exponent: float) -> Field:
    """Return a power whose exponent is a whole or half number."""
    whole = int(exponent)
    result = np.sqrt(base) if exponent > whole else np.ones(base.shape, np.float32)
    square = base.copy()
    while whole:
        if whole & 1:
            result *= square
        whole >>= 1
        if whole:  # one more may be too large for float32
            square *= square
    return result


@functools.lru_cache(maxsize=4)
def _power_table(exponent: float) -> tuple[_Numbers, _Numbers, _Numbers]:
    """Return the power at the beginning of each interval, and the coefficients of a parabola within it."""
    steps = 1 << _STEP_BITS
    halves = np.arange(2 * steps + 1, dtype=np.intp) / (2.0 * steps)
    octaves = _exponential2(np.float64(exponent) * np.arange(-127.0, _OCTAVES - 127.0))
    powers = octaves[:, np.newaxis] * _exponential2(exponent * _logarithm2(1.0 + halves))
    # Below the smallest number of full precision floats are evenly spaced down to zero.
    powers[0, 1:] = _exponential2(exponent * (_logarithm2(halves[1:]) - 126.0))
    powers[0, 0] = 0.0
    begin, middle, end = powers[:, :-1:2], powers[:, 1::2], powers[:, 2::2]
    half = float(1 << (_WITHIN - 1))
    bend = ((end - middle) - (middle - begin)) / (2.0 * half * half)
    slope = (middle - begin) / half - bend * half
    table = np.zeros((3, _OCTAVES + 1, steps))
    table[0, _OCTAVES] = np.inf
    table[:, :_OCTAVES] = begin, slope, bend
    table.flags.writeable = False
    first, second, third = table.reshape(3, -1)
    return first, second, third


def power_of(base: float, exponent: float) -> float:
    """Return one number raised to a power, in float64; right within 1e-13 of it.

    Parameters
    ----------
    base : float
        Above 0.
    exponent : float
        The result may not be beyond 2^900.

    Examples
    --------
    >>> from noise_core.base.elementary import power_of
    >>> round(power_of(2.0, 0.5), 6)
    1.414214
    """
    if exponent == int(exponent) and abs(exponent) <= 64.0:
        product = math.prod([base] * int(abs(exponent)))
        return product if exponent >= 0.0 else 1.0 / product
    return float(powers_of(base, np.array(exponent)))


def powers_of(base: float, exponents: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return one number raised to several powers, in float64; see `power_of`, but nothing is exact."""
    return _exponential2(exponents * _logarithm2(np.array(base)))


_CIRCLE = tuple(
    (1.0 / math.factorial(2 * k), 1.0 / math.factorial(2 * k + 1)) for k in range(9, -1, -1)
)
"""Of the series of cosine and sine, the last one first."""


def cosine_sine_of(degrees: float) -> tuple[float, float]:
    """Return cosine and sine of an angle in degrees, in float64; exact at multiples of 90 degrees.

    Examples
    --------
    >>> from noise_core.base.elementary import cosine_sine_of

    Quarter turns are exact:

    >>> cosine_sine_of(90.0)
    (0.0, 1.0)
    """
    # Both are exact: the quarter, and what is left of it, from -45 to 45.
    remainder = math.remainder(degrees, 90.0)
    quarter = round((math.fmod(degrees, 360.0) - remainder) / 90.0) % 4
    x = remainder * 0.017453292519943295
    square = x * x
    cosine = sine = 0.0
    for even, odd in _CIRCLE:
        cosine = even - cosine * square
        sine = odd - sine * square
    sine *= x
    turned = ((cosine, sine), (-sine, cosine), (-cosine, -sine), (sine, -cosine))[quarter]
    return turned[0] + 0.0, turned[1] + 0.0  # -0 becomes 0


def tangent_of(degrees: float) -> float:
    """Return the tangent of an angle in degrees, in float64.

    Examples
    --------
    >>> from noise_core.base.elementary import tangent_of
    >>> round(tangent_of(45.0), 12)
    1.0
    """
    cosine, sine = cosine_sine_of(degrees)
    return sine / cosine


def circle(degrees: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return cosines and sines of some angles in degrees: shape (2, n); slow, for tables."""
    pairs = [cosine_sine_of(angle) for angle in degrees.tolist()]
    return np.array(pairs, np.float64).reshape(-1, 2).T


def _logarithm2(x: _Numbers) -> _Numbers:
    """Return the logarithm to base 2 of numbers above 0, in float64."""
    fraction, exponent = np.frexp(x)
    is_low = fraction < 0.7071067811865476
    fraction = np.where(is_low, fraction + fraction, fraction)
    z = (fraction - 1.0) / (fraction + 1.0)
    return (exponent - is_low) + z * _series_64(z * z, _LOGARITHM_64)


def _exponential2(x: _Numbers) -> _Numbers:
    """Return powers of two, in float64; at most 2^900."""
    x = np.minimum(x, _MAX_EXPONENT)
    whole = np.rint(x)
    fraction = _series_64((x - whole) * _LN_2, _EXPONENTIAL_64)
    result: _Numbers = np.ldexp(fraction, np.maximum(whole, -2000.0).astype(np.int32))
    return result


def _series_64(x: _Numbers, coefficients: tuple[float, ...]) -> _Numbers:
    total = coefficients[-1] * x
    for coefficient in coefficients[-2:0:-1]:  # in place single numbers would be slow
        total = (total + coefficient) * x
    return total + coefficients[0]
