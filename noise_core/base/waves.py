# SPDX-License-Identifier: GPL-3.0-or-later
"""Waves by plain arithmetic, with the same bits on every processor."""

from __future__ import annotations

import numpy as np

from .arrays import Field

_QUARTER = np.pi / 2.0


def cosine(turns: Field) -> Field:
    """Return the cosine of a phase in turns, with an error of at most 0.0004.

    With s from -1 to 1 between the bottom and the top it is s (a + b s^2 + c s^4), the one with
    the values and slopes of a cosine at its ends and at its zeros.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.base.waves import cosine
    >>> print(cosine(np.float32([0.0, 0.25, 0.5])).round(3) + 0.0)
    [ 1.  0. -1.]
    """
    s = turns - np.floor(turns)
    s -= np.float32(0.5)
    s = np.abs(s)
    s *= np.float32(4.0)
    s -= np.float32(1.0)
    square = s * s
    wave = square * np.float32(_QUARTER - 1.5)
    wave += np.float32(2.5 - 2.0 * _QUARTER)
    wave *= square
    wave += np.float32(_QUARTER)
    wave *= s
    return wave


_SINE = (1.57078581, -0.64584642, 0.07933541, -0.0042748)
"""Of sin(pi s / 2) / s in powers of s^2 for s from -1 to 1, fitted for the smallest largest error among those
that end at 1 and level."""


def cosine_sine(turns: Field) -> tuple[Field, Field]:
    """Return cosine and sine of a phase in turns, with an error of at most 0.0000015; new arrays."""
    fraction = turns - np.rint(turns)
    beside = np.abs(fraction - np.float32(0.25))
    beside -= np.float32(0.5)
    np.abs(beside, out=beside)
    np.abs(fraction, out=fraction)
    fraction *= np.float32(-4.0)
    fraction += np.float32(1.0)
    beside *= np.float32(4.0)
    beside -= np.float32(1.0)
    return _sine_of_quarters(fraction), _sine_of_quarters(beside)


def _sine_of_quarters(s: Field) -> Field:
    """Return the sine of s quarters of a turn, s from -1 to 1."""
    square = s * s
    wave = square * np.float32(_SINE[3])
    for coefficient in _SINE[2::-1]:
        wave += np.float32(coefficient)
        if coefficient != _SINE[0]:
            wave *= square
    wave *= s
    return wave
