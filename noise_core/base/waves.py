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
