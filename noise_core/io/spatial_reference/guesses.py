# SPDX-License-Identifier: GPL-3.0-or-later
"""Guesses about coordinates whose system a file does not tell."""

from __future__ import annotations

import math

_SECONDS = 3600.0

_LARGEST = 1.0 / 120.0
"""Degrees, half a minute of arc: beyond it few files count in seconds."""

_FINEST = 5e-4
"""Steps below it are half a millimeter in meters: no land is measured so finely."""

_ROUNDING = 1e-4
"""Share of a step by which a number of seconds may be off whole."""


def is_degrees(
    origin: tuple[float, float], step: tuple[float, float], rows: int, columns: int
) -> bool:
    """Return whether coordinates can only be degrees of longitude and latitude.

    They are within the Earth, and either as wide as it, or their steps are those of no survey in meters: below half a
    millimeter, or whole seconds of arc (or a part, such as a third) that are no round number of degrees. All
    others may be meters: a step of 0.25 is 25 cm.
    """
    x, y = origin
    east, north = x + step[0] * (columns - 1), y + step[1] * (rows - 1)
    if not (-361.0 <= x and east <= 541.0 and y >= -91.0 and north <= 91.0):
        return False
    if step[0] * columns >= 359.0:
        return True
    return all(length < _FINEST or _is_whole_seconds(length) for length in step)


def _is_whole_seconds(step: float) -> bool:
    """Return whether a step is a number of seconds of arc, or a part of one, but no round decimal."""
    if step > _LARGEST or math.isclose(step, float(f"{step:.3g}"), rel_tol=1e-6):
        return False
    seconds = step * _SECONDS
    shares = seconds if seconds >= 1.0 else 1.0 / seconds
    return abs(shares - round(shares)) <= _ROUNDING * shares
