# SPDX-License-Identifier: GPL-3.0-or-later
"""Sand that wind takes up, carries and lays down.

A continuum of Werner's slabs: in one step all sand in the air hops on by one cell. Where the wind
blows, the load approaches its capacity over a length of saturation; the ground loses the sand that the
wind takes up. In the shadow behind a brink the capacity is 0, so the load settles there. Wind is
faster on ground higher than that upwind of it, and needs a way to gain speed behind a shadow.

Shadow, upwind ground and speed travel with the hops: dunes move much more slowly than wind, so none of
them has to be worked out again in each step.

References
----------
B. T. Werner (1995). Eolian dunes: computer simulations and attractor interpretation. Geology 23.
Gerd Sauermann, Klaus Kroy, Hans J. Herrmann (2001). Continuum saltation model for sand dunes.
Physical Review E 64. (saturation, separation bubble)
Hiraku Momiji, Ricardo Carretero-Gonzalez, Steven R. Bishop, Andrew Warren (2000). Simulation of the
effect of wind speedup in the formation of transverse dune fields. Earth Surface Processes and
Landforms 25.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.elementary import cosine_sine_of, tangent_of
from ...rasters.level import Level

REACH = 1
"""Samples that one step reaches."""

_LOAD = 1.0 / 240.0
"""Sand in the air over flat ground. Less takes more steps to the same dunes, more makes brinks blunt."""

_SATURATION = 1.0 / 6.0
_SETTLING = 1.0 / 14.0
_UPWIND = 1.0 / 3.0
_RECOVERY = 1.0 / 3.0
"""Lengths over which the load saturates in the wind, settles in a shadow, over which the ground upwind is
averaged, and over which wind gains speed behind a shadow."""

_DIM = 1.0 / 500.0
"""Depth below the shadow's surface at which the wind has ceased."""

_SPEEDUP = 55.0
"""Gain of what wind carries by height above the mean upwind."""

_LEAST, _MOST = 0.2, 2.0
"""Of what wind carries, as a multiple of that on flat ground."""

_SHADOW_ANGLE = 5.0
"""How steeply a shadow's surface falls, in degrees.

All lengths above are multiples of the spacing of dunes. They and this angle were tried together on flat
ground: brinks run on and fork, windward slopes have 5 to 14 degrees, and dunes are a fifteenth as high as
they are apart. A separation bubble has 10 to 15 degrees (Sauermann and others 2001), but then dunes became
two to three times as high here, with windward slopes of 20 degrees and more."""

_SPREAD = 8.0
"""How far wind turns to either side from step to step, in degrees: without it sand lies in streaks."""

_GOLDEN = 0.6180339887498949
"""Multiples of it modulo 1 fill an interval evenly, however many are taken (van der Corput, Weyl)."""

_SHARE = np.float32(0.5)
"""Of the sand that lies at a place the wind takes at most so much in a step."""


@dataclass(frozen=True)
class Hop:
    """Step of the wind.

    Attributes
    ----------
    down, along : int
        Rows and columns to the next sample, -1 to 1.
    length : float
        In meters, of the mean step in this direction.
    """

    down: int
    along: int
    length: float


def hops(level: Level, direction: float, count: int) -> list[Hop]:
    """Return steps of a wind whose mean goes in a direction, in degrees counterclockwise from the x axis."""
    result = []
    row = column = 0.0
    last = (0, 0)
    for number in range(count):
        turn = (2.0 * ((number * _GOLDEN) % 1.0) - 1.0) * _SPREAD
        cosine, sine = cosine_sine_of(direction + turn)
        along, down = cosine / level.step_x, sine / level.step_y
        longest = max(abs(along), abs(down))
        row, column = row + down / longest, column + along / longest
        place = (int(np.rint(row)), int(np.rint(column)))
        result.append(Hop(place[0] - last[0], place[1] - last[1], 1.0 / longest))
        last = place
    return result


@dataclass(frozen=True)
class Wind:
    """The wind's transport of sand, where dunes are so many meters apart."""

    spacing: float

    @property
    def load(self) -> float:
        """Sand in the air over flat ground, as a thickness in meters."""
        return _LOAD * self.spacing

    def blow(self, dunes: Dunes, hop: Hop) -> Dunes:
        """Return the dunes one step later, without their outermost samples."""
        inner = (slice(1, -1), slice(1, -1))
        surface = dunes.ground[inner] + dunes.sand[inner]
        shadow = _shift(dunes.shadow, hop) - np.float32(hop.length * tangent_of(_SHADOW_ANGLE))
        np.maximum(shadow, surface, out=shadow)
        lit = shadow - surface
        lit *= np.float32(-1.0 / (_DIM * self.spacing))
        lit += np.float32(1.0)
        np.maximum(lit, np.float32(0.0), out=lit)
        upwind = self._approach(_shift(dunes.upwind, hop), shadow, hop, _UPWIND)
        speed = self._approach(_shift(dunes.speed, hop), np.float32(1.0), hop, _RECOVERY)
        speed *= lit
        load = _shift(dunes.load, hop).copy()
        taken = self._capacity(shadow, upwind, speed)
        taken -= load
        lit *= np.float32(self._share(hop, _SATURATION) - self._share(hop, _SETTLING))
        lit += np.float32(self._share(hop, _SETTLING))
        taken *= lit
        sand = dunes.sand[inner] * _SHARE
        np.minimum(taken, sand, out=taken)
        np.subtract(dunes.sand[inner], taken, out=sand)
        load += taken
        return Dunes(dunes.ground[inner], sand, load, shadow, upwind, speed)

    def _capacity(self, shadow: Field, upwind: Field, speed: Field) -> Field:
        """Return the load that the wind can carry, in meters."""
        carried = shadow - upwind
        carried *= np.float32(_SPEEDUP / self.spacing)
        carried += np.float32(1.0)
        np.clip(carried, np.float32(_LEAST), np.float32(_MOST), out=carried)
        carried *= speed
        carried *= np.float32(self.load)
        return carried

    def _approach(
        self, values: Field, target: Field | np.float32, hop: Hop, length: float
    ) -> Field:
        """Return values that have approached others over one hop."""
        result: Field = target - values
        result *= np.float32(self._share(hop, length))
        result += values
        return result

    def _share(self, hop: Hop, length: float) -> float:
        return min(hop.length / (length * self.spacing), 1.0)


@dataclass(frozen=True)
class Dunes:
    """Sand on some ground, and the wind over it; all of one shape, float32.

    Attributes
    ----------
    ground : ndarray
        Height of the fixed ground, in meters.
    sand, load : ndarray
        Thickness of lying sand, and of sand in the air, in meters.
    shadow : ndarray
        Height of the shadow's surface, which is that of the sand outside of shadows.
    upwind : ndarray
        Mean of the shadow's surface upwind.
    speed : ndarray
        Share of its full speed that the wind has gained behind the last shadow.
    """

    ground: Field
    sand: Field
    load: Field
    shadow: Field
    upwind: Field
    speed: Field

    @classmethod
    def lay(cls, ground: Field, sand: Field, load: float) -> Dunes:
        """Return sand on ground over which wind is about to blow."""
        surface = ground + sand
        full = np.ones_like(ground)
        return cls(ground, sand, full * np.float32(load), surface, surface, full)

    def fields(self) -> tuple[Field, ...]:
        """Return all fields, in the order of the attributes."""
        return tuple(getattr(self, field.name) for field in dataclasses.fields(self))


def _shift(field: Field, hop: Hop) -> Field:
    """Return a view of the values one hop upwind of all but the outermost samples."""
    rows, columns = field.shape
    return field[1 - hop.down : rows - 1 - hop.down, 1 - hop.along : columns - 1 - hop.along]
