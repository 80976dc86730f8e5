# SPDX-License-Identifier: GPL-3.0-or-later
"""Plates, their motion, and the borders between them.

Plates are the Voronoi cells of scattered points. With half the difference of the squared distances to two
points, over a length R, places are told apart without a seam where three plates meet: there the effects of
their borders add up by shares, which are continuous everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field
from ...base.elementary import cosine_sine_of
from ...lattice.hash import mix_bits
from .borders import Border, BorderScale
from .scatter import ScatteredPoint, Scattering

JITTER = 0.8
"""Of the points: at 1 some plates would be slivers."""

CHANCES = 3
"""Numbers of chance that a plate has: two for its motion, one for its borders."""

_SIDEWAYS = 0.35
"""Speed of plates across the main direction, at most, in that along it."""

_LENGTH = 1.4
"""R, in cells: belts between points that are farther apart than that are as many times narrower."""

_BITS = 23
"""Of a number of chance."""

_ZERO = np.float32(0.0)
_TINY = np.float32(1e-12)


@dataclass(frozen=True)
class Plate:
    """A plate.

    Attributes
    ----------
    cell : tuple of two ints
        See `ScatteredPoint`; the order of plates.
    x, y : float
        Of its point, in meters.
    motion : tuple of two floats
        Along x and y, at most about 1.
    bits : int
        Of chance.
    """

    cell: tuple[int, int]
    x: float
    y: float
    motion: tuple[float, float]
    bits: int

    @classmethod
    def moving(cls, point: ScatteredPoint, drift: float) -> Plate:
        """Return the plate around a point; it moves to and fro along a bearing in degrees."""
        along, across, chance = point.chance
        along = 0.3 * along + (0.7 if along > 0.0 else -0.7)  # no plate rests
        cosine, sine = cosine_sine_of(drift)
        across *= _SIDEWAYS
        motion = (along * cosine - across * sine, along * sine + across * cosine)
        return cls(point.cell, point.x, point.y, motion, int((chance + 1.0) * (1 << _BITS)))


@dataclass(frozen=True)
class BorderLine:
    """The line midway between two plates, and the motion across it.

    Attributes
    ----------
    middle : tuple of two floats
        A point on it, in meters.
    normal : tuple of two floats
        The direction from the first plate to the second, at length 1.
    apart : float
        Distance of their points, in meters.
    border : Border
    """

    middle: tuple[float, float]
    normal: tuple[float, float]
    apart: float
    border: Border

    @classmethod
    def between(cls, first: Plate, second: Plate, scale: BorderScale) -> BorderLine:
        """Return the border of two plates, which come in the order of their cells."""
        x, y = second.x - first.x, second.y - first.y
        apart = float(np.sqrt(np.float64(x * x + y * y)))
        normal = (x / apart, y / apart)
        east, north = (
            velocity - other_velocity
            for velocity, other_velocity in zip(first.motion, second.motion)
        )
        closing = 0.5 * (east * normal[0] + north * normal[1])
        sliding = 0.5 * (north * normal[0] - east * normal[1])
        step = (second.cell[0] - first.cell[0]) * 7 + second.cell[1] - first.cell[1]
        seed = mix_bits(first.bits ^ mix_bits(second.bits + step))
        closing, sliding = (max(-1.0, min(1.0, speed)) for speed in (closing, sliding))
        border = Border(scale, closing, sliding, 1.0 if seed & 1 else -1.0, seed)
        return cls(((first.x + second.x) / 2.0, (first.y + second.y) / 2.0), normal, apart, border)

    @property
    def is_calm(self) -> bool:
        """Whether the plates do not move past each other."""
        return self.border.closing == 0.0 and self.border.sliding == 0.0


@dataclass(frozen=True)
class Plates:
    """Plates around a land.

    Attributes
    ----------
    plates : tuple of Plate
        In the order of their cells.
    scale : BorderScale
    reach : float
        Half the largest difference of squared distances over `length` within which a border acts, in meters.
    length : float
        R, in meters.
    """

    plates: tuple[Plate, ...]
    scale: BorderScale
    reach: float
    length: float

    @classmethod
    def scatter(
        cls,
        scattering: Scattering,
        box: tuple[float, float, float, float],
        drift: float,
        scale: BorderScale,
    ) -> Plates:
        """Return the plates that matter in a box; see `Scattering.points`."""
        margin = 2.0 * max(scattering.width, scattering.depth)
        left, right, low, high = box
        wide = (left - margin, right + margin, low - margin, high + margin)
        points = scattering.points(wide, JITTER, CHANCES)
        plates = [Plate.moving(point, drift) for point in points]
        plates.sort(key=lambda plate: plate.cell)
        length = _LENGTH * max(scattering.width, scattering.depth)
        return cls(tuple(plates), scale, scale.width, length)

    def act(self, x: Field, y: Field) -> tuple[Field, Field, Field]:
        """Return the rise of some places, and how far they are moved along x and y, in meters.

        Parameters
        ----------
        x, y : ndarray of shape (n,), float32
            In meters.
        """
        rise, east, north = np.zeros((3, x.size), np.float32)
        near = self._near(x, y)
        squares = [self._square(plate, x, y) for plate in near]
        nearest = np.minimum.reduce(squares)
        shares = []
        for square in squares:
            blocks.checkpoint()
            share = square - nearest
            share *= np.float32(-0.5 / (self.length * self.reach))
            share += np.float32(1.0)
            np.maximum(share, _ZERO, out=share)
            share *= share
            share *= share
            shares.append(share)
        pairs = self._moving_pairs(near)
        # Their shares add up to 1 where any has one; far from all borders nothing happens anyway.
        whole = _pair_sum(shares)
        np.maximum(whole, _TINY, out=whole)
        for first, second, line in pairs:
            blocks.checkpoint()
            weight = shares[first] * shares[second]
            across = squares[first] - squares[second]
            across *= np.float32(0.5 / min(line.apart, self.length))
            at = np.flatnonzero((weight > _ZERO) & (np.abs(across) < np.float32(self.scale.width)))
            if at.size:
                weight = weight[at] / whole[at]
                self._add(line, across[at], (x[at], y[at]), weight, at, (rise, east, north))
        return rise, east, north

    def _moving_pairs(self, near: list[Plate]) -> list[tuple[int, int, BorderLine]]:
        """Return the pairs of some plates, by number, that move past each other."""
        result = []
        for first, plate in enumerate(near):
            for second in range(first + 1, len(near)):
                line = BorderLine.between(plate, near[second], self.scale)
                if not line.is_calm:
                    result.append((first, second, line))
        return result

    @staticmethod
    def _add(
        line: BorderLine,
        across: Field,
        place: tuple[Field, Field],
        weight: Field,
        at: npt.NDArray[np.intp],
        totals: tuple[Field, Field, Field],
    ) -> None:
        """Add the relief of a border at some places."""
        (east, north), (middle_x, middle_y) = line.normal, line.middle
        along = (place[1] - np.float32(middle_y)) * np.float32(east)
        along -= (place[0] - np.float32(middle_x)) * np.float32(north)
        totals[0][at] += line.border.rise(across, along) * weight
        if line.border.scale.slip > 0.0 and line.border.sliding != 0.0:
            moved = line.border.displacement(across)
            moved *= weight
            totals[1][at] += moved * np.float32(-north)
            totals[2][at] += moved * np.float32(east)

    def _near(self, x: Field, y: Field) -> list[Plate]:
        """Return the plates that can have a share at any of some places."""
        box = (float(x.min()), float(x.max()), float(y.min()), float(y.max()))
        extents = [_distances(plate, box) for plate in self.plates]
        limit = min(most for _, most in extents) + 2.0 * self.length * self.reach
        return [plate for plate, (least, _) in zip(self.plates, extents) if least <= limit * 1.0001]

    @staticmethod
    def _square(plate: Plate, x: Field, y: Field) -> Field:
        """Return the squared distance from a plate's point."""
        square = x - np.float32(plate.x)
        square *= square
        down = y - np.float32(plate.y)
        down *= down
        square += down
        return square


def _pair_sum(shares: list[Field]) -> Field:
    """Return the sum of the products of all pairs."""
    result, earlier = np.zeros_like(shares[0]), np.zeros_like(shares[0])
    for share in shares:
        result += share * earlier
        earlier += share
    return result


def _distances(plate: Plate, box: tuple[float, float, float, float]) -> tuple[float, float]:
    """Return the least and the largest squared distance of a plate's point from a box."""
    least = most = 0.0
    for place, low, high in ((plate.x, box[0], box[1]), (plate.y, box[2], box[3])):
        near, far = max(low - place, place - high, 0.0), max(abs(place - low), abs(place - high))
        least, most = least + near * near, most + far * far
    return least, most
