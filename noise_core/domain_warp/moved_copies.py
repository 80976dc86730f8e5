# SPDX-License-Identifier: GPL-3.0-or-later
"""Shifts that make one noise, or one picture, serve as all copies of a domain warp.

Quilez bends a noise by copies of itself that are looked up elsewhere; Gonzalez Vivo and Lowe have the
same with these numbers, in units of the noise's coordinates: q = (n(p), n(p + (1, 1))),
r = (n(p + q + (1.7, 9.2) + 0.15 t), n(p + q + (8.3, 2.8) + 0.126 t)). A unit is as far as a noise of 1
moves a point, so shifts grow with a warp's strength.

References
----------
Inigo Quilez (2002). Domain warping. https://iquilezles.org/articles/warp/
Patricio Gonzalez Vivo, Jen Lowe (2015). The book of shaders, chapter 13.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..lattice.hash import mix_bits

SHIFTS = (((0.0, 0.0), (1.0, 1.0), (5.2, 1.3)), ((1.7, 9.2), (8.3, 2.8), (3.1, 6.4)))
"""Of the copies along x, y and z, for both levels; the documents have none along z."""

DRIFTS = ((0.0, 0.0, 0.0), (0.15, 0.126, 0.138))
"""By how much of the time each copy is moved in addition, along both axes."""

_FRACTION = 2.0**-16


def copy_shift(
    level: int, axis: int, unit: float, time: Sequence[float] = ()
) -> tuple[float, float]:
    """Return how far the copy of a level and an axis is moved aside along x and y, in tiles.

    Parameters
    ----------
    level, axis : int
    unit : float
        How far a noise of 1 moves a point, in tiles.
    time : sequence of up to two floats
        One counts along both axes; with two each axis has its own, so that a circle comes back.
    """
    x, y = SHIFTS[level][axis]
    drift = DRIFTS[level][axis]
    across, along = (time[0], time[-1]) if time else (0.0, 0.0)
    return (unit * (x + drift * across), unit * (y + drift * along))


def picture_shift(seed: int) -> tuple[float, float]:
    """Return how far a seed moves a picture along x and y, in tiles: less than one, and not at all for 0."""
    if seed == 0:
        return (0.0, 0.0)
    bits = mix_bits(seed)
    return ((bits >> 16) * _FRACTION, (bits & 0xFFFF) * _FRACTION)
