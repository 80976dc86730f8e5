# SPDX-License-Identifier: GPL-3.0-or-later
"""Rings of places around a rectangle: the farther out, the farther apart.

Cells are about as large as they are far away. Places of one side of a ring lie on a line: a field is
sampled there along one axis after the other, which takes a quarter of the time of any places.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.elementary import powers_of
from ...rasters.taps import cubic_weights

Numbers = npt.NDArray[np.float64]

REACH = 2.0
"""Widths of the terrain to which the rings go on beyond its border, and depths likewise."""

_CELLS = 192
"""Most cells along the longer side of a ring: 80,000 places in all."""

_LONGER = 1.5
"""Length of a cell across the rings over that along them, on average: it is 1 at the border, and 2 farthest
off, where one sees it shortened from the terrain."""

_FEWEST = 4
"""Cells along the shorter side."""


@dataclass(frozen=True)
class FieldExtent:
    """Area of a field of samples, from a place to minus that, in widths of the terrain.

    Attributes
    ----------
    x, y : float
        Half the width and half the depth.
    is_mirrored : bool
        Whether it goes on as its mirror image; else with the values at its border.
    """

    x: float
    y: float
    is_mirrored: bool = False


@dataclass(frozen=True)
class LandRings:
    """Rings around a terrain whose middle is the origin, counted in widths of the terrain.

    Places of a ring go round anticlockwise, as seen from above, from the corner at the smallest x and y.

    Attributes
    ----------
    depth : float
        Of the terrain.
    cells : tuple of two ints
        Cells of a ring along x and along y.
    scales : ndarray of shape (rings,), float64
        How many times as large as the terrain each ring is: more than 1, the last one 1 + 2 `REACH`.
    """

    depth: float
    cells: tuple[int, int]
    scales: Numbers

    @classmethod
    def around(cls, rows: int, columns: int) -> LandRings:
        """Return the rings around a terrain of so many vertices: their cells are no finer than its own."""
        longer, shorter = max(rows, columns) - 1, min(rows, columns) - 1
        most = min(longer, _CELLS)
        fewest = max(min(round(most * shorter / longer), shorter), min(_FEWEST, shorter))
        cells = (most, fewest) if columns >= rows else (fewest, most)
        # For no number of cells is this close enough to a whole number for last bits to matter.
        count = math.ceil(math.log(1.0 + 2.0 * REACH) / math.log1p(2.0 * _LONGER / most))
        shares = np.arange(1, count + 1, dtype=np.float64) / count
        shares *= (1.0 + (_LONGER - 1.0) * shares) / _LONGER
        scales = powers_of(1.0 + 2.0 * REACH, shares)
        return cls((rows - 1) / (columns - 1), cells, scales)

    @property
    def places_each(self) -> int:
        """Places in one ring."""
        return 2 * sum(self.cells)

    @property
    def shape(self) -> tuple[int, int]:
        """Rings, and places in each."""
        return len(self.scales), self.places_each

    @cached_property
    def away(self) -> Numbers:
        """Distance of each ring from the terrain, as a share of its width or depth."""
        return 0.5 * (self.scales - 1.0)

    def inner(self, count: int) -> LandRings:
        """Return the innermost rings."""
        return LandRings(self.depth, self.cells, self.scales[:count])

    def points(self) -> Numbers:
        """Return all places: shape (rings, places in each, 2)."""
        x, y = np.empty(self.shape), np.empty(self.shape)
        for side in self._sides():
            along, across = (x, y) if side.is_along_x else (y, x)
            along[:, side.places], across[:, side.places] = side.along, side.across[:, np.newaxis]
        return np.stack((x, y), axis=-1)

    def sample(self, field: Field, extent: FieldExtent, *, is_smooth: bool = False) -> Field:
        """Return the values of a field at all places: straight between samples, or smoothly (Catmull-Rom).

        Parameters
        ----------
        field : ndarray of shape (rows, columns), float32
            Row 0 at the smallest y.
        extent : FieldExtent
        is_smooth : bool, optional

        Returns
        -------
        ndarray of shape (rings, places in each), float32
        """
        sampled = np.empty(self.shape, np.float32)
        weigh = _smooth if is_smooth else _straight
        for side in self._sides():
            lines, halves = field, (extent.x, extent.y)
            if not side.is_along_x:
                lines, halves = field.T, (extent.y, extent.x)
            across = _numbers(side.across, halves[1], lines.shape[0], extent.is_mirrored)
            along = _numbers(side.along, halves[0], lines.shape[1], extent.is_mirrored)
            rows = sum(lines[at] * share[:, np.newaxis] for at, share in weigh(across, len(lines)))
            # One index into all rows at once is faster than one for each.
            flat = np.ravel(np.ascontiguousarray(rows, np.float32))
            first = np.arange(len(along), dtype=np.intp)[:, np.newaxis] * lines.shape[1]
            total = np.zeros(along.shape, np.float32)
            for at, share in weigh(along, lines.shape[1]):
                total += flat[first + at] * share
            sampled[:, side.places] = total
        return sampled

    def _sides(self) -> list[_Side]:
        """Return the sides in the order of their places, each without its last corner."""
        sides, start = [], 0
        for number in range(4):
            is_along_x = number % 2 == 0
            count = self.cells[number % 2]
            long, wide = (1.0, self.depth) if is_along_x else (self.depth, 1.0)
            steps = np.arange(count, dtype=np.intp) / count - 0.5
            if number >= 2:
                steps = -steps
            sign = 1.0 if number in (1, 2) else -1.0
            along = self.scales[:, np.newaxis] * steps * long
            across = self.scales * (0.5 * sign * wide)
            sides.append(_Side(slice(start, start + count), is_along_x, along, across))
            start += count
        return sides


@dataclass(frozen=True)
class _Side:
    """Side of all rings: its places, their coordinates along it, and one coordinate for each ring."""

    places: slice
    is_along_x: bool
    along: Numbers
    across: Numbers


Taps = list[tuple[npt.NDArray[np.intp], Field]]
"""Numbers of samples, and their shares."""


def _numbers(places: Numbers, half: float, count: int, is_mirrored: bool) -> Numbers:
    """Return places as numbers of samples, which may lie between two."""
    share = (places + half) * (0.5 / half)
    if is_mirrored:
        share = 1.0 - np.abs(1.0 - np.mod(share, 2.0))
    return np.clip(share, 0.0, 1.0) * (count - 1)


def _straight(numbers: Numbers, count: int) -> Taps:
    first = np.minimum(numbers.astype(np.intp), max(count - 2, 0))
    straight = (numbers - first).astype(np.float32)
    return [(first, np.float32(1.0) - straight), (np.minimum(first + 1, count - 1), straight)]


def _smooth(numbers: Numbers, count: int) -> Taps:
    first = np.minimum(numbers.astype(np.intp), max(count - 2, 0))
    t = (numbers - first).astype(np.float32)
    shares = enumerate(cubic_weights(t), -1)
    return [(np.clip(first + at, 0, count - 1), share) for at, share in shares]
