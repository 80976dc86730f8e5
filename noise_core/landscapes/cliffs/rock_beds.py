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
from .cutting import Numbers, Reals

_SOFT, _HARD = (0.16, 0.42), (0.55, 1.55)
"""Thickness of soft and of hard beds, in ledges: from and to."""

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
class Beds:
    """Soft and hard beds in turn, from the lowest ground up.

    Attributes
    ----------
    levels : ndarray of shape (5 * pairs,), float64
        Of each pair: foot of the soft bed, foot of the hard one, upper side of its lower edge, its middle,
        and the lower side of its upper edge. Meters across the beds.
    thickness : float
        Of a ledge on average, in meters.
    seed : int
    """

    levels: Reals
    thickness: float
    seed: int

    @classmethod
    def between(cls, low: float, high: float, thickness: float, seed: int) -> Beds:
        """Return the beds of ground between two heights; those of a height do not depend on the ends."""
        # Pairs lie on a lattice of even steps, each moved by less than half a step.
        step = thickness * (sum(_SOFT) + sum(_HARD)) * 0.5
        index = np.arange(int(low // step) - 2, int(high // step) + 3, dtype=np.int64)
        moved = (_share(index, seed=seed) - 0.5) * 0.6
        foot = (index + moved) * step
        height = np.append(np.diff(foot), step)
        soft = height * (0.16 + 0.16 * _share(index, seed=seed + 1))
        hard = foot + soft
        top = foot + height
        lip = np.minimum(_LIP * thickness, 0.2 * (top - hard))
        levels = np.stack((foot, hard, hard + lip, 0.5 * (hard + top), top - lip), axis=1)
        return cls(levels.reshape(-1), thickness, seed)

    def pairs_of(self, values: Reals) -> tuple[Numbers, Reals]:
        """Return the pair of beds at each value, and the place among its five levels from 0 to 5."""
        number = np.clip(np.searchsorted(self.levels, values, side="right") - 1, 0, len(self.levels) - 2)
        low, high = self.levels[number], self.levels[number + 1]
        place = number + np.clip((values - low) / (high - low), 0.0, 1.0)
        pair = np.floor(place / 5.0).astype(np.int64)
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
    tilt = (_share(np.arange(2, dtype=np.int64), seed=seed + 5) - 0.5) * 0.07
    bend = Fractal(source=Perlin(frequency=1.0), octaves=3)
    waves = bend.sample(points[:, :2] / (45.0 * thickness), seed & 0xFFFFFFFF)
    result: Reals = points[:, 2] + points[:, :2] @ tilt + 0.8 * thickness * waves
    return result


@dataclass(frozen=True)
class Rock:
    """How far the faces of a cliff stand out, in meters along their level normal."""

    beds: Beds
    undercut: float
    roughness: float
    seed: int

    def relief(self, points: Reals, across: Reals, blocks: Numbers, sets: Numbers, tangent: Reals) -> Reals:
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
        thick, seed = self.beds.thickness, self.seed
        pair, place = self.beds.pairs_of(across)
        # Feet of the soft bed, of the hard one, upper side of its lower edge, middle, lower side of its upper edge.
        is_hard = np.interp(place, (0.0, 1.0, 2.0, 4.0, 5.0), (0.0, 0.0, 1.0, 1.0, 0.0))
        run = (across - self.beds.middle_of(pair)) / tangent
        steepened = _STEEPENED * run * np.interp(place, (0.0, 1.0, 2.0, 4.0, 5.0), (0.0, 1.0, 1.0, 1.0, 0.0))
        chance = Perlin(frequency=1.0).sample(
            np.column_stack((points[:, :2] / (6.0 * thick), pair * 3.7)), (seed + 7) & 0xFFFFFFFF
        )
        worn = self.undercut * (0.75 + 0.5 * _share(pair, seed=seed + 8)) * np.clip(0.8 + chance, 0.25, 1.3)
        wide = blocks >> (_share(pair, sets, seed=seed + 9) * 2.5).astype(np.int64)
        stand = (_share(wide, pair, sets, seed=seed + 10) - 0.5) * 0.30 * thick
        fallen = _share(wide, pair >> 1, sets, seed=seed + 11) < 0.10
        buttress = (_share(blocks >> 2, sets, seed=seed + 12) - 0.5) * 0.34 * thick
        hardness = (_share(pair, seed=seed + 13) - 0.5) * 0.24 * thick
        rough = Fractal(source=Perlin(frequency=1.0), octaves=3).sample(points / (0.8 * thick), (seed + 14) & 0xFFFFFFFF)
        stand = np.where(fallen, -0.26 * thick, stand) + hardness
        result: Reals = (
            steepened
            + is_hard * stand
            + buttress
            - (1.0 - is_hard) * worn
            + rough * (0.07 * thick * self.roughness)
        )
        return result
