# SPDX-License-Identifier: GPL-3.0-or-later
"""Beaches: sand from the cut coast settles in bays, in the profile that waves keep.

A beach falls at its own slope at the water's edge, and then ever more gently, its depth as the
power 2/3 of the distance. It ends in a berm above the water, and at its toe below it.

References
----------
Per Bruun (1954). Coast erosion and the development of beach profiles. Beach Erosion Board. (profile)
Robert G. Dean (1977). Equilibrium beach profiles: U.S. Atlantic and Gulf coasts. University of Delaware.
Robert G. Dean (1991). Equilibrium beach profiles: characteristics and applications. Journal of Coastal
Research 7. (slope at the water's edge)
Robert J. Hallermeier (1981). A profile zonation for seasonal sand beaches from wave climate. Coastal
Engineering 4. (depth of closure)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.elementary import power, power_of, smooth_step
from ...rasters import boxes
from .shore import BAND

if TYPE_CHECKING:
    from .shore import Shore

_SCALE = 0.386
"""Of Dean's A over the root of the slope at the water: 0.125 for medium sand, which lies at 1 : 10, and 0.07 to
0.16 for the finest and the coarsest that there are (Dean 1991)."""

_CLOSURE = 1.6
"""Depth to which waves move sand, in heights of waves (Hallermeier 1981, for usual steepness)."""

_BERM = 1.0
"""Height of the berm above the sea, in heights of waves: as far as their wash runs up."""

_TOE = 3.0
"""From the water's edge to where sand ends, in widths of the beach; it thins out from two on."""

_TOP_SLOPE = 0.004
"""Rise of the ground behind the berm, so that water finds its way to the sea."""

_SHELTERED, _EVEN = 0.4, 0.15
"""Force below the mean along the coast, as a share of it, at which all sand settles, and the share that does
where force is the mean."""

_LEAST = 0.1
"""Force of waves, of that at an open coast, that brings sand: in lagoons and rivers there is none."""

_ROUNDS = 4
"""Of Newton's method for the profile, whose error then is below a ten-thousandth."""

_DRIFT = 8.0
"""How far sand goes along a coast, in the shore's samples: about a sixteenth of the width."""

_SPARSE = 0.02
"""Least share of a coast on which passing sand settles: where there is less, the rest is lost."""

_WIDEST = 0.5
"""Of a beach in a calm bay, in retreats."""

_SHOWN = 0.7
"""Beaches of less than the berm's width over this are thinner than their profile, down to none."""

_JUST_BELOW = 1.0 - 1e-6
"""Takes rounding into account."""

_TINY = np.float32(1e-12)
_SAMPLES = 1 << 16


@dataclass(frozen=True)
class Beach:
    """The profile of a beach.

    Attributes
    ----------
    slope : float
        At the water's edge, rise over run.
    waves : float
        Height of waves, in meters.
    start : float
        From the foot of cliffs to where platforms reach the sea, in meters: beaches are wider by that.
    """

    slope: float
    waves: float
    start: float = 0.0

    @property
    def scale(self) -> float:
        """A of Dean's profile, in meters to the power of a third: coarse sand lies more steeply throughout."""
        return _SCALE * math.sqrt(self.slope)

    @property
    def berm(self) -> float:
        """Height of the berm above the sea, in meters."""
        return _BERM * self.waves

    @property
    def active_height(self) -> float:
        """From the berm to the depth down to which sand moves, in meters."""
        return (_BERM + _CLOSURE) * self.waves

    def depth(self, distance: Field) -> Field:
        """Return the depth of water over sand in equilibrium, in meters (Dean 1991).

        Parameters
        ----------
        distance : ndarray, float32
            From the water's edge, in meters, at least 0: depth / slope + (depth / scale)^1.5.
        """
        guess = power(distance, 2.0 / 3.0)
        guess *= np.float32(self.scale)
        np.minimum(guess, distance * np.float32(self.slope), out=guess)
        root = np.sqrt(guess)
        square, cube = np.float32(1.0 / self.slope), np.float32(power_of(self.scale, -1.5))
        for _ in range(_ROUNDS):
            wrong = (cube * root + square) * root * root - distance
            wrong /= np.maximum(
                (np.float32(3.0) * cube * root + np.float32(2.0) * square) * root, _TINY
            )
            root -= wrong
        root *= root
        return root

    def lay(self, height: Field, foot: Field, width: Field, sea: float) -> Field:
        """Return the thickness of sand on some ground, in meters.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            Of the ground, in meters.
        foot : ndarray of that shape, float32
            Distance from where the beach begins, in meters, negative seaward.
        width : ndarray of that shape, float32
            See `widths`.
        sea : float
            Level, in meters.
        """
        result = np.empty_like(height)

        def work(start: int, stop: int) -> None:
            blocks.checkpoint()
            ground, shown = height[start:stop], self._shown(width[start:stop])
            wide = shown * np.float32(self.start)
            wide += width[start:stop]
            sand = self._surface(foot[start:stop] + wide)
            sand += np.float32(sea)
            sand -= ground
            np.maximum(sand, np.float32(0.0), out=sand)
            sand *= self._near(foot[start:stop], wide)
            sand *= shown
            sand *= self._held(np.float32(sea) - ground)
            result[start:stop] = sand

        blocks.run(work, len(height), max(1, _SAMPLES // height.shape[1]))
        return result

    def _surface(self, inland: Field) -> Field:
        """Return the height of sand over the sea, by the distance inland of the water's edge, in meters."""
        zero = np.float32(0.0)
        surface = np.maximum(inland, zero)
        top = np.maximum(surface - np.float32(self.berm / self.slope), zero)
        surface -= top
        surface *= np.float32(self.slope)
        top *= np.float32(_TOP_SLOPE)
        surface += top
        surface -= self.depth(np.maximum(np.negative(inland), zero))
        return surface

    def _held(self, deep: Field) -> Field:
        """Return the share of sand that stays on ground so deep: none where waves move none up again."""
        deep *= np.float32(-1.0 / (_CLOSURE * self.waves))
        deep += np.float32(2.0)
        return np.asarray(smooth_step(np.clip(deep, np.float32(0.0), np.float32(1.0), out=deep)))

    def widths(
        self, worn: Field, force: Field, shore: Shore, share: float, retreat: float
    ) -> Field:
        """Return how far beaches go beyond their start, in meters, by the sand that comes to each place.

        Parameters
        ----------
        worn : ndarray of shape (rows, columns), float32
            The rock that waves took, in meters, on the samples of the shore.
        force : ndarray of that shape, float32
            Of waves at the shore.
        shore : Shore
            The new one.
        share : float
            Of the rock that waves took that settles.
        retreat : float
            Of an open coast, in meters.
        """
        drift = _DRIFT * shore.step
        calm = _calm(force, shore, drift)
        band = shore.band
        band *= np.float32(1.0 / (BAND * shore.step))  # its integral across the shore is 1
        places = boxes.blur(calm * band, shore.level, drift)
        np.maximum(places, np.float32(_SPARSE / drift), out=places)
        wide = boxes.blur(worn / places, shore.level, drift)
        wide *= np.float32(share / self.active_height)
        np.minimum(wide, np.float32(_WIDEST * retreat), out=wide)
        wide *= calm
        return shore.spread(wide, retreat)

    def _shown(self, width: Field) -> Field:
        """Return how much there is of a beach that grows so wide, from 0 to 1."""
        share = width * np.float32(_SHOWN * self.slope / self.berm)
        return np.asarray(smooth_step(np.minimum(share, np.float32(1.0), out=share)))

    def _near(self, foot: Field, wide: Field) -> Field:
        """Return where sand may lie: not far behind and before a beach."""
        unit, zero = np.float32(1.0), np.float32(0.0)
        run = self.berm / self.slope
        behind = np.float32(2.0) - foot / (wide + np.float32(run))
        share = smooth_step(np.clip(behind, zero, unit, out=behind))
        seaward = foot / np.maximum(wide, _TINY)
        seaward += np.float32(1.0 + _TOE)
        share *= smooth_step(np.clip(seaward, zero, unit, out=seaward))
        return np.asarray(share)


def _calm(force: Field, shore: Shore, width: float) -> Field:
    """Return the share of passing sand that settles at places of a shore, from 0 to 1.

    Parameters
    ----------
    force : ndarray of shape (rows, columns), float32
        Of waves at the shore.
    shore : Shore
    width : float
        Of the coast that a place is compared with, in meters.
    """
    mean = shore.spread(force, width)
    calm = mean - force
    calm /= np.maximum(mean * np.float32(_SHELTERED / (1.0 - _EVEN)), _TINY)
    calm += np.float32(_EVEN)
    np.clip(calm, np.float32(0.0), np.float32(1.0), out=calm)
    calm *= np.minimum(force * np.float32(1.0 / _LEAST), np.float32(1.0))
    return calm


def limit(settled: float, worn: float, share: float) -> float:
    """Return the factor that limits the sand, so that no more settles than a share of the worn rock.

    Parameters
    ----------
    settled, worn : float
        Sums of thicknesses, in meters.
    share : float
        From 0 to 1.
    """
    supply = share * worn
    return _JUST_BELOW * supply / settled if settled > supply else 1.0
