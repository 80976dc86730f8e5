# SPDX-License-Identifier: GPL-3.0-or-later
"""Guesses about coordinates whose system a file does not tell."""

from __future__ import annotations

_LARGEST_STEP = 0.5
"""Degrees between samples: half a degree is 55 km. No length in meters is as short as that."""


def is_degrees(origin: tuple[float, float], step: tuple[float, float], rows: int) -> bool:
    """Return whether coordinates are likely to be degrees of longitude and latitude."""
    x, y = origin
    top = y + step[1] * (rows - 1)
    return max(step) < _LARGEST_STEP and abs(x) <= 361.0 and y >= -91.0 and top <= 91.0
