# SPDX-License-Identifier: GPL-3.0-or-later
"""The force of waves at a shore: how much open water lies before it, and how they bend to headlands.

Waves gain height over open water, so their force at a place is the mean length of open water over
the directions that they come from. Where it grows shallow they turn towards it: headlands stand out
into water on many sides and are struck harder, bays less.

References
----------
Tsuguo Sunamura (1992). Geomorphology of Rocky Coasts. Wiley. (force of waves and strength of rock)
Andrew D. Ashton, A. Brad Murray, Olivier Arnoult (2001). Formation of coastline features by large-scale
instabilities induced by high-angle waves. Nature 414. (waves from many directions, shadows of capes)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.elementary import cosine_sine_of
from ...rasters import boxes, taps
from ...rasters.level import Level

_DIRECTIONS = 24
"""From which waves come, all around: a step of 15 degrees is no wider than a bay's mouth looks."""

_FIRST = 4
"""Samples that are looked at one by one: on a way of fewer the directions between those of the grid are lost."""

_FOCUS = 1.6
"""How much headlands draw waves to them: their force times 1 + this share of the water around above a half."""

_OTHERS = 0.02
"""Weight of values that are farther away."""

_TINY = np.float32(1e-12)


@dataclass(frozen=True)
class Waves:
    """Waves before a terrain: their directions and fetches.

    Attributes
    ----------
    direction : float
        Where they run to, in degrees counterclockwise from the x axis.
    spread : float
        How far others come from to either side of that, in degrees, above 0.
    fetch : float
        Length of open water over which they gain all their force, in meters.
    """

    direction: float
    spread: float
    fetch: float

    def force(self, water: Field, level: Level) -> Field:
        """Return the force of waves where they arrive, 1 before an open and straight coast.

        Parameters
        ----------
        water : ndarray of shape (rows, columns), float32
            Share of water at each sample, from 0 to 1.
        level : Level
        """
        result = np.zeros(level.shape, np.float32)
        whole = 0.0
        for number in range(_DIRECTIONS):
            turn = (number - _DIRECTIONS // 2) * 360.0 / _DIRECTIONS
            weight = self._weight(turn)
            if weight > 0.0:
                blocks.checkpoint()
                fetch = self._open_water(water, level, self.direction + turn)
                fetch *= np.float32(weight)
                result += fetch
                whole += weight * _ahead(turn)
        result *= np.float32(1.0 / whole)
        return result

    def _weight(self, turn: float) -> float:
        """Return how much of the waves comes from a direction so many degrees off the main one."""
        if turn == 0.0 or abs(turn) >= self.spread:
            return 1.0 if turn == 0.0 else 0.0
        cosine, _ = cosine_sine_of(90.0 * turn / self.spread)
        return cosine * cosine

    def _open_water(self, water: Field, level: Level, direction: float) -> Field:
        """Return how much of the fetch against a direction is open, from 0 to 1.

        Results for a length are put together to twice the length.
        """
        cosine, sine = cosine_sine_of(direction)
        sides = ((level.step_x, level.columns), (level.step_y, level.rows))
        step = min(least for least, count in sides if count > 1)
        passed, share = np.ones_like(water), np.zeros_like(water)
        for number in range(1, _FIRST + 1):
            passed *= _from(water, level, number * step * cosine, number * step * sine)
            share += passed
        share *= np.float32(1.0 / _FIRST)
        length = _FIRST * step
        while length < self.fetch:
            blocks.checkpoint()
            beyond = _from(share, level, length * cosine, length * sine)
            beyond *= passed
            share += beyond
            share *= np.float32(0.5)
            passed *= _from(passed, level, length * cosine, length * sine)
            length *= 2.0
        return share


def _ahead(turn: float) -> float:
    """Return whether a straight coast before the main direction sees another: half of one along it."""
    return 1.0 if abs(turn) < 90.0 else 0.5 if abs(turn) == 90.0 else 0.0


def focus(water: Field, level: Level, width: float) -> Field:
    """Return by how much waves bend to each place of a shore; 1 on a straight one.

    Parameters
    ----------
    water : ndarray of shape (rows, columns), float32
        Share of water, from 0 to 1.
    level : Level
    width : float
        Of headlands and bays, in meters.
    """
    openness = boxes.blur(water, level, width)
    openness -= np.float32(0.5)
    openness *= np.float32(2.0 * _FOCUS)
    openness += np.float32(1.0)
    np.maximum(openness, np.float32(0.1), out=openness)
    return openness


def spread(values: Field, where: Field, level: Level, width: float, far: float) -> Field:
    """Return the mean of values at some places, weighted by their nearness; 0 far from all.

    Parameters
    ----------
    values, where : ndarray of shape (rows, columns), float32
        `where` says how much a place counts, at least 0.
    level : Level
    width : float
        Standard deviation of the weights, in meters.
    far : float
        That of others, which count where the first ones are none; three times as far there are values.
    """
    counted = values * where
    result = boxes.blur(counted, level, width)
    whole = boxes.blur(where, level, width)
    for total, field in ((result, counted), (whole, where)):
        far_field = boxes.blur(field, level, far)
        far_field *= np.float32(_OTHERS)
        total += far_field
    result /= np.maximum(whole, _TINY)
    return result


def _from(field: Field, level: Level, along: float, down: float) -> Field:
    """Return the values so many meters against a direction; beyond a border those at it."""
    row, column = round(down / level.step_y), round(along / level.step_x)
    rows, columns = (
        taps.shift_index(np.arange(count, dtype=np.intp), -by, count, level.wrap)
        for count, by in ((level.rows, row), (level.columns, column))
    )
    return field.take(rows, axis=0).take(columns, axis=1)
