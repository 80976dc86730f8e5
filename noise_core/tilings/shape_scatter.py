# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry of scattered shapes that overlap: their outlines, and which one lies on top."""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field, Index
from .instances import BEND, COSINE, FIRST_SLAB, HALF, RANK, RANK_BITS, SINE, SLABS, Instances, X, Y
from .shapes import OUTLINES

_CANDIDATE_BITS = 31 - RANK_BITS
"""Of a score, the lowest bits tell which candidate it belongs to; 0 is none."""

_CANDIDATE = np.int32((1 << _CANDIDATE_BITS) - 1)

_SAFE = np.float32(1.001)
"""Makes up for the cosine, which is right within 0.0004."""

_ALONG, _ACROSS, _SLABS = slice(0, 2), slice(2, 4), 4
"""Rows of what is known of a shape: pairs of a and b, and where those of its slabs begin."""

_MAX_REACH = 4
"""Cells that a shape may reach: of 3 cells' length, as wide as long, and bent, 3.4."""


@dataclass(frozen=True)
class ShapeScatter:
    """Shapes of one kind, and their order where they overlap.

    Attributes
    ----------
    instances : Instances
    shape : str
        One of `OUTLINES`.
    copies : int
        Shapes per cell.
    width : float
        Of a shape, over its length.
    rounding : float
    is_ordered : bool
        Whether the larger number lies on top; otherwise that one whose middle is nearest.
    """

    instances: Instances
    shape: str
    copies: int
    width: float
    rounding: float
    is_ordered: bool

    def extents(self, shapes: Field) -> tuple[Field, Field]:
        """Return the extents of shapes along x and y, from bounding circles and boxes."""
        half = shapes[HALF]
        circle = half * np.float32(self._stretch)
        wide = np.float32(self.width + self.instances.bend)
        # Cosine and sine are those over half the length.
        along, across = (np.abs(shapes[row]) * np.square(half) for row in (COSINE, SINE))
        beside = np.minimum(circle, (along + across * wide) * _SAFE)
        above = np.minimum(circle, (across + along * wide) * _SAFE)
        return beside, above

    def order(self, rank: Field, number: Any) -> Index:
        """Return the number that orders shapes: the candidate, below its rank if shapes are ordered."""
        if not self.is_ordered:
            return np.broadcast_to(np.int32(number), rank.shape)
        order: Index = rank.astype(np.int32)
        order <<= np.int32(_CANDIDATE_BITS)
        order += np.int32(number)
        return order

    def score(self, inside: Field, order: Index) -> Index:
        """Return the scores of shapes, of which the highest is visible; negative outside a shape."""
        bits = inside.view(np.int32)
        score: Index
        if self.is_ordered:
            # Outside the sign bit is set: shifted down it is -1, and remains so after any OR.
            score = bits >> np.int32(31)
            score |= order
        else:
            # Numbers from 0 on are in the same order as their bits; those below stay below.
            score = bits & ~_CANDIDATE
            score += order
        return score

    def number(self, rank: Field) -> Field:
        """Return the random value of a rank, in [-1, 1)."""
        value: Field = rank * np.float32(2.0 ** (1 - RANK_BITS))
        value -= np.float32(1.0)
        return value

    def coefficients(self, shapes: Field, right: Field) -> Field:
        """Return the coefficients a and b of the coordinates a + b y in some shapes.

        Returns
        -------
        ndarray of shape (lines + 1, shapes), float32
            Pairs along, across, and along each slab; the bend, if there is one; the rank.
        """
        cosine, sine = shapes[COSINE], shapes[SINE]
        x, y = right - shapes[X], shapes[Y]
        over = np.float32(1.0 / self.width)
        result = np.empty((self.lines + 1, *x.shape), np.float32)
        result[0] = x * cosine - y * sine
        result[1] = sine
        result[2] = (x * sine + y * cosine) * -over
        result[3] = cosine * over
        for slab in range(self.slabs):
            first, second, middle = shapes[FIRST_SLAB + 3 * slab : FIRST_SLAB + 3 * slab + 3]
            result[_SLABS + 2 * slab] = result[0] * first + result[2] * second - middle
            result[_SLABS + 2 * slab + 1] = result[1] * first + result[3] * second
        if self.instances.bend:
            result[-2] = shapes[BEND] * over
        result[-1] = shapes[RANK]
        return result

    def inside(
        self, coefficients: Field, up: Field, spare: Field, places: Field | None = None
    ) -> tuple[Field, Field, Field]:
        """Return the distance inside shapes, and the positions along and across them.

        Parameters
        ----------
        coefficients : ndarray of shape (lines, places), float32
        up : ndarray of shape (places,), float32
        spare : ndarray of shape (3 + slabs, places), float32
            Written to.
        places : ndarray, float32, optional
            For the places along and across, if they are asked for.
        """
        along, across = spare[:2]
        _line(coefficients[_ALONG], up, along)
        _line(coefficients[_ACROSS], up, across)
        if self.instances.bend:
            aside = np.multiply(along, along, out=spare[2])
            aside *= coefficients[-1]
            across += aside
        if places is not None:
            places[:2] = spare[:2]
        slabs = [
            _line(coefficients[row : row + 2], up, out)
            for row, out in zip(range(_SLABS, _SLABS + 2 * self.slabs, 2), spare[2:])
        ]
        inside = OUTLINES[self.shape](along, across, slabs, self.width, self.rounding)
        return (inside, along, across) if places is None else (inside, places[0], places[1])

    @property
    def is_round(self) -> bool:
        """Whether shapes lie within a plain ellipse."""
        return self.shape in ("ellipse", "stone") and not self.instances.bend

    @property
    def slabs(self) -> int:
        """Number of pairs of sides in addition to the outline."""
        return SLABS * self.instances.is_stone

    @property
    def lines(self) -> int:
        """Number of coefficients that `inside` needs."""
        return _SLABS + 2 * self.slabs + (self.instances.bend > 0.0)

    def around(self, i: Index, j: Index) -> Field:
        """Return the shapes of some cells: of shape (rows, cells along y, copies, cells along x).

        Parameters
        ----------
        i : ndarray of shape (n,), int32
        j : ndarray of shape (m,), int32
        """
        i, j = np.broadcast_arrays(i, j[:, np.newaxis])
        return np.stack([self.instances.at(i, j, copy) for copy in range(self.copies)], axis=2)

    def candidate(self, across: Index, along: Index, copy: npt.NDArray[np.intp]) -> Index:
        """Return the number of the candidate in the cell at an offset; 0 if none."""
        place = (across + _MAX_REACH) * (2 * _MAX_REACH + 1) + (along + _MAX_REACH)
        return self._numbers.take(place * self.copies + copy)

    @functools.cached_property
    def _numbers(self) -> Index:
        side = 2 * _MAX_REACH + 1
        numbers = np.zeros((side, side, self.copies), np.int32)
        for number, (across, along, copy) in enumerate(self.candidates):
            numbers[across + _MAX_REACH, along + _MAX_REACH, copy] = number + 1
        return numbers

    @functools.cached_property
    def steps(self) -> int:
        """Largest distance of a candidate, in cells."""
        return max(max(abs(across), abs(along)) for across, along, _ in self.candidates)

    @functools.cached_property
    def _stretch(self) -> float:
        """Ratio of a shape's bounding radius to half its length."""
        has_corners = self.shape in ("box", "blade") or self.instances.bend > 0.0
        return math.hypot(1.0, (self.width + self.instances.bend) * has_corners)

    @functools.cached_property
    def candidates(self) -> tuple[tuple[int, int, int], ...]:
        """Offsets of cells along x and y, and the copy: all shapes that can reach a point."""
        return _candidates(
            self.instances.half[1] * self._stretch, self.instances.jitter, self.copies
        )


@functools.lru_cache(maxsize=64)
def _candidates(reach: float, jitter: float, copies: int) -> tuple[tuple[int, int, int], ...]:
    steps = range(-_MAX_REACH, _MAX_REACH + 1)
    apart = 0.5 + 0.5 * jitter
    return tuple(
        (across, along, copy)
        for across, along, copy in itertools.product(steps, steps, range(copies))
        if math.hypot(max(0.0, abs(across) - apart), max(0.0, abs(along) - apart)) < reach
    )


def _line(pair: Field, up: Field, out: Field) -> Field:
    np.multiply(up, pair[1], out=out)
    out += pair[0]
    return out
