# SPDX-License-Identifier: GPL-3.0-or-later
"""Wind that brings snow to sheltered ground, and sun that melts it: both by the sight line to the horizon.

References
----------
Adam Winstral, Kelly Elder, Robert E. Davis (2002). Spatial snow modeling of wind-redistributed snow
using terrain-based parameters. Journal of Hydrometeorology 3. (Sx, the largest upwind slope)
Michael Lehning, Henning Loewe, Marc Ryser, Nadine Raderschall (2008). Inhomogeneous precipitation
distribution and snow transport in steep terrain. Water Resources Research 44.
Guillaume Cordonnier, Pierre Ecormier, Eric Galin, James Gain, Bedrich Benes, Marie-Paule Cani (2018).
Interactive generation of time-evolving, snow-covered landscapes with avalanches. Computer Graphics
Forum 37. (melting by the hours of sun that a slope sees)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.elementary import cosine_sine_of, tangent_of
from ...rasters import differences
from ...rasters.level import Level
from ...rasters.shifts import shift

_STEEPEST = np.float32(1e6)
"""Rise over run; steeper counts as that, so that squares stay finite."""

REACH = 1.0 / 40.0
"""How far upwind ground shelters, as a share of the width: 300 m on a terrain of 12 km. Winstral and others
found between 100 and 300 m for drifts behind crests."""

NEAREST = 1.0 / 12.0
"""The nearest ground that is looked at, as a share of that."""

_DISTANCES = (NEAREST, 1.0 / 6.0, 1.0 / 3.0, 0.6, 1.0)
_TURNS = (-30.0, -15.0, 0.0, 15.0, 30.0)
"""Degrees to both sides of the wind in which it blows too, as Winstral and others average."""

_HALF = 0.25
"""Rise over run to the ground upwind at which shelter has 0.7 of its full effect."""

_DRIFT, _SCOUR = 1.6, 0.85
"""What full shelter adds to the snow that falls, and full exposure takes away: drifts of two to three times the
mean are measured behind crests, and next to nothing on them."""

_HOURS = ((-55.0, 20.0), (0.0, 42.0), (55.0, 20.0))
"""Of the sun: degrees from noon, and above the horizon, on a day in spring at 45 degrees of latitude."""

HOURS = len(_HOURS)
"""How many of them."""

FARTHEST = 0.25
_SHADE_DISTANCES = tuple(FARTHEST / 2.0**step for step in range(6, -1, -1))
"""Of what casts shadows, as shares of the width."""

_DUSK = 0.2
"""Over which rise of the horizon the sun sets."""


def _steepest_rise(
    height: Field, level: Level, direction: float, distances: Sequence[float]
) -> Field:
    """Return the largest rise over run towards places in a direction; below 0 if all lie lower.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters. Beyond a border it goes on as it ends.
    level : Level
        Of that shape.
    direction : float
        In degrees counterclockwise from the x axis.
    distances : sequence of float
        Of the places, in meters, above 0.

    Returns
    -------
    ndarray of shape (rows, columns), float32
    """
    along, up = cosine_sine_of(direction)
    result = np.full(level.shape, -_STEEPEST)
    for distance in distances:
        rise = shift(height, level, along * distance, up * distance)
        rise -= height
        rise *= np.float32(1.0 / distance)
        np.maximum(result, rise, out=result)
    return np.minimum(result, _STEEPEST, out=result)


def shelter(height: Field, level: Level, direction: float) -> Field:
    """Return how much the ground is sheltered from the wind.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    level : Level
        Of that shape.
    direction : float
        Where the wind blows to, in degrees counterclockwise from the x axis.

    Returns
    -------
    ndarray of that shape, float32
        From -1 on exposed crests over 0 on level ground to 1 behind crests.
    """
    reach = REACH * level.width
    total = np.zeros(level.shape, np.float32)
    for turn in _TURNS:
        upwind = direction + 180.0 + turn
        rise = _steepest_rise(height, level, upwind, [share * reach for share in _DISTANCES])
        length = rise * rise
        length += np.float32(_HALF * _HALF)
        rise /= np.sqrt(length, out=length)
        total += rise
    total *= np.float32(1.0 / len(_TURNS))
    return total


def drift(sheltered: Field, wind: float) -> Field:
    """Return the factor of the snow that falls, at least 0; `wind` is from 0 to 1, `sheltered` is written to."""
    zero = np.float32(0.0)
    lee = np.maximum(sheltered, zero)
    lee *= np.float32(_DRIFT * wind)
    np.minimum(sheltered, zero, out=sheltered)
    sheltered *= np.float32(_SCOUR * wind)
    sheltered += lee
    sheltered += np.float32(1.0)
    return sheltered


def light(height: Field, level: Level, noon: float) -> list[Field]:
    """Return which share of the sun is not hidden by ground far away, for each hour.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters, on a coarse level.
    level : Level
    noon : float
        Where the sun stands at noon, in degrees counterclockwise from the x axis.
    """
    distances = [share * level.width for share in _SHADE_DISTANCES]
    result = []
    for turn, altitude in _HOURS:
        lit = _steepest_rise(height, level, noon + turn, distances)
        lit *= np.float32(-1.0 / _DUSK)
        lit += np.float32(0.5 + tangent_of(altitude) / _DUSK)
        result.append(np.clip(lit, np.float32(0.0), np.float32(1.0), out=lit))
    return result


def sunshine(height: Field, level: Level, noon: float, lit: list[Field]) -> Field:
    """Return how much sun the ground gets in a day; 1 on level ground without shade.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    level : Level
        Of that shape.
    noon : float
        See `light`.
    lit : list of ndarray of that shape
        See `light`.
    """
    hours = [(cosine_sine_of(noon + turn), cosine_sine_of(high)) for turn, high in _HOURS]
    whole = sum(sine for _, (_, sine) in hours)
    result = np.zeros(level.shape, np.float32)

    def work(start: int, stop: int) -> None:
        blocks.checkpoint()
        frame = differences.add_frame(height, level, start, stop)
        x, y = (
            np.clip(slope, -_STEEPEST, _STEEPEST, out=slope)
            for slope in differences.gradient(frame, level)
        )
        length = x * x
        length += y * y
        length += np.float32(1.0)
        np.sqrt(length, out=length)
        total = result[start:stop]
        for ((east, north), (level_part, up)), share in zip(hours, lit):
            facing = x * np.float32(-east * level_part / whole)
            facing += y * np.float32(-north * level_part / whole)
            facing += np.float32(up / whole)
            np.maximum(facing, np.float32(0.0), out=facing)
            facing *= share[start:stop]
            total += facing
        total /= length

    blocks.run(work, level.rows, max(1, (1 << 16) // level.columns))
    return result
