# SPDX-License-Identifier: GPL-3.0-or-later
"""Beds of rock and the joints across them: where a cliff stands out, and where it is undercut.

Hard beds stand out as ledges with steep faces and weather back in blocks, which joints divide; soft beds
between them are worn back below, so that hard ones overhang. Joints come in sets of parallel planes, upright
or nearly so (Selby, Hillslope Materials and Processes, 1993; Parsons, Hillslope Form, 1988).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...lattice.hash import hash_indices
from ...noises.fractal import Fractal
from ...noises.perlin import Perlin
from ..scene import Cliffs
from .cutting import Numbers, Reals

_SOFT = (0.12, 0.30)
"""Share of a pair of beds that the soft one takes: from and to."""

_MISSING = 0.35
"""Share of the soft beds that are left out, so that the hard ones around them are one."""

_WEAK = 0.3
"""Share of the hard beds that stand back."""

_CHIMNEY = 0.13
"""Share of the blocks that stand back from foot to top of a cliff."""

_LIP = 0.07
"""Thickness of the lower and of the upper edge of a hard bed, in ledges."""

_STEEPENED = 0.85
"""Of the run of a slope over a hard bed, by which its face is steeper."""

_EDGE = 0.035
"""Half the width of a joint, in joints' distances."""


def _share(*indices: Numbers, seed: int) -> Reals:
    """Return numbers from 0 to 1 by chance, which depend on some indices."""
    hashed = hash_indices([np.asarray(index, np.int32) for index in indices], seed & 0xFFFFFFFF)
    result: Reals = (hashed >> np.uint32(8)).astype(np.float64) * 2.0**-24
    return result


@dataclass(frozen=True)
class CliffBeds:
    """Soft and hard beds in turn, from the lowest ground up.

    Attributes
    ----------
    levels : ndarray of shape (5 * pairs,), float64
        Of each pair: foot of the soft bed, foot of the hard one, upper side of its lower edge, its middle,
        and the lower side of its upper edge. Meters across the beds.
    names : ndarray of shape (pairs,), int64
        Number of each pair, wherever the beds begin.
    thickness : float
        Of a pair on average, in meters.
    """

    levels: Reals
    names: Numbers
    thickness: float

    @classmethod
    def between(cls, low: float, high: float, thickness: float, seed: int) -> CliffBeds:
        """Return the beds of ground between two heights; those of a height do not depend on the ends."""
        # Feet lie on a lattice of even steps, each moved by less than half a step; some are left out.
        step = thickness * (1.0 - _MISSING)
        index = np.arange(int(low // step) - 3, int(high // step) + 5, dtype=np.int64)
        foot = (index + (_share(index, seed=seed) - 0.5) * 0.7) * step
        kept = _share(index, seed=seed + 2) >= _MISSING
        kept[[0, -1]] = True
        index, foot = index[kept], foot[kept]
        top = np.append(foot[1:], foot[-1] + step)
        share = _SOFT[0] + (_SOFT[1] - _SOFT[0]) * _share(index, seed=seed + 1)
        hard = foot + share * (top - foot)
        lip = np.minimum(_LIP * thickness, 0.2 * (top - hard))
        levels = np.stack((foot, hard, hard + lip, 0.5 * (hard + top), top - lip), axis=1)
        return cls(levels.reshape(-1), index, thickness)

    def pairs_of(self, values: Reals) -> tuple[Numbers, Reals]:
        """Return the place of the pair of beds at each value, and the place among its five levels from 0 to 5."""
        last = len(self.levels) - 2
        number = np.clip(np.searchsorted(self.levels, values, side="right") - 1, 0, last)
        low, high = self.levels[number], self.levels[number + 1]
        place = number + np.clip((values - low) / (high - low), 0.0, 1.0)
        pair = np.minimum(np.floor(place / 5.0).astype(np.int64), len(self.names) - 1)
        return pair, place - 5.0 * pair

    def middle_of(self, pair: Numbers) -> Reals:
        """Return the height of the middle of the hard bed of a pair."""
        result: Reals = self.levels[5 * pair + 3]
        return result


@dataclass(frozen=True)
class Joints:
    """Upright planes in parallel, at uneven distances.

    Attributes
    ----------
    planes : ndarray of shape (planes,), float64
        In meters across them.
    apart : float
        Meters between them on average.
    """

    planes: Reals
    apart: float

    @classmethod
    def between(cls, low: float, high: float, apart: float, seed: int) -> Joints:
        """Return the joints between two places; those at a place do not depend on the ends."""
        index = np.arange(int(low // apart) - 2, int(high // apart) + 3, dtype=np.int64)
        return cls((index + (_share(index, seed=seed) - 0.5) * 0.8) * apart, apart)

    def levels(self) -> Reals:
        """Return both sides of each joint, in rising order."""
        edge = np.array((-_EDGE, _EDGE)) * self.apart
        return (self.planes[:, np.newaxis] + edge).reshape(-1)

    def blocks_of(self, values: Reals) -> Numbers:
        """Return the number of the block between two joints, for each place."""
        first = round(self.planes[0] / self.apart) if len(self.planes) else 0
        result: Numbers = np.searchsorted(self.planes, values) + np.int64(first)
        return result


def bedding(points: Reals, thickness: float, seed: int) -> Reals:
    """Return the place of points across the beds, which dip a little and bend: meters.

    Parameters
    ----------
    points : ndarray of shape (points, 3), float64
        Meters.
    thickness : float
    seed : int
    """
    tilt = (_share(np.arange(2, dtype=np.int64), seed=seed + 5) - 0.5) * 0.14
    bend = Fractal(source=Perlin(frequency=1.0), octaves=3)
    waves = bend.sample(points[:, :2] / (45.0 * thickness), seed & 0xFFFFFFFF)
    result: Reals = points[:, 2] + points[:, :2] @ tilt + 0.8 * thickness * waves
    return result


@dataclass(frozen=True)
class Rock:
    """How far the faces of a cliff stand out, in meters along their level normal."""

    beds: CliffBeds
    cliffs: Cliffs

    def relief(
        self, points: Reals, across: Reals, blocks: Numbers, sets: Numbers, tangent: Reals
    ) -> Reals:
        """Return how far each point stands out of the even slope.

        Parameters
        ----------
        points : ndarray of shape (points, 3), float64
        across : ndarray of shape (points,), float64
            Their places across the beds; see `bedding`.
        blocks, sets : ndarray of shape (points,), int64
            The block between two joints, and the set of joints.
        tangent : ndarray of shape (points,), float64
            Of the slope.
        """
        thick = self.beds.thickness
        pair, place = self.beds.pairs_of(across)
        name = self.beds.names[pair]
        # Feet of the soft and the hard bed, upper side of its lower edge, its middle, lower side of its upper edge.
        is_hard = np.interp(place, (0.0, 1.0, 2.0, 4.0, 5.0), (0.0, 0.0, 1.0, 1.0, 0.0))
        run = (across - self.beds.middle_of(pair)) / tangent
        steepened = np.interp(place, (0.0, 1.0, 4.0, 5.0), (0.0, _STEEPENED, _STEEPENED, 0.0)) * run
        presence = self._presence(points, name)
        worn = self.cliffs.undercut * (0.7 + 0.6 * self._share(name, part=8))
        stand = self._standing(blocks, sets, name) * thick
        ledges = steepened + is_hard * stand - (1.0 - is_hard) * worn
        rough = self._noise(points / (0.9 * thick), 14) * (0.11 * self.cliffs.roughness)
        result: Reals = presence * ledges + (self._columns(points, blocks, sets) + rough) * thick
        return result

    def _presence(self, points: Reals, name: Numbers) -> Reals:
        """Return how clearly a bed shows, from 0 to 1: it comes and goes along a cliff."""
        thick = self.beds.thickness
        place = np.column_stack((points[:, :2] / (7.0 * thick), name * 3.7))
        return np.clip(0.72 + 1.3 * self._noise(place, 7), 0.12, 1.0)

    def _standing(self, blocks: Numbers, sets: Numbers, name: Numbers) -> Reals:
        """Return how far blocks of hard beds stand out, in ledges; they fall together with neighbors."""
        wide = blocks >> (self._share(name, sets, part=9) * 2.6).astype(np.int64)
        each = (self._share(wide, name, sets, part=10) - 0.5) * 0.30
        scar = np.column_stack((blocks / 3.3, name / 2.7, sets * 5.3))
        fallen = self._noise(scar, 11) > 0.30
        weak = self._share(name, part=13) < _WEAK
        hard = np.where(weak, -0.30, 0.14 * self._share(name, part=15))
        result: Reals = each + hard - np.where(fallen, 0.26, 0.0)
        return result

    def _columns(self, points: Reals, blocks: Numbers, sets: Numbers) -> Reals:
        """Return how far buttresses and chimneys stand out over the whole height of a cliff, in ledges."""
        thick = self.beds.thickness
        swell = 0.6 + self._noise(points / np.array((9.0, 9.0, 14.0)) / thick, 17)
        buttress = (self._share(blocks >> 2, sets, part=12) - 0.5) * 0.62
        chimney = (self._share(blocks, sets, part=16) < _CHIMNEY) * -0.42
        result: Reals = (buttress + chimney) * np.clip(swell, 0.0, 1.2)
        return result

    def _noise(self, places: Reals, part: int) -> Reals:
        noise = Fractal(source=Perlin(frequency=1.0), octaves=3)
        return noise.sample(places, (self.cliffs.cliffs_seed + part) & 0xFFFFFFFF).astype(
            np.float64
        )

    def _share(self, *indices: Numbers, part: int) -> Reals:
        return _share(*indices, seed=self.cliffs.cliffs_seed + part)
