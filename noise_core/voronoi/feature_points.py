# SPDX-License-Identifier: GPL-3.0-or-later
"""Feature points of cellular noise: one in each cell of a lattice, with a given jitter."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Field, Hash, Index
from ..base.torus import Lattice, inverse
from ..lattice.hash import hash_indices
from .distances import Metric

Offset = tuple[int, ...]
"""A step from the own cell to another one, along each axis."""

_REMIX_MULTIPLIERS = (0x2C1B3C6D, 0x297A2D39)
_HALF_WORD = np.uint32(0xFFFF)
_STEP = np.float32(2.0**-16)
_HALF = np.float32(0.5)
_POSITION_STEPS = np.float32(2.0**20)
"""Places are multiples of 1 / this, so that they stay exact when a few whole cells are added."""


@dataclass(frozen=True)
class FeaturePoints:
    """Points of a lattice, one in each cell.

    Parameters
    ----------
    lattice : Lattice
    seed : int
        Unsigned, 32 bits.
    jitter : float
        0: all in the middle of their cell; 1: anywhere in it.
    """

    lattice: Lattice
    seed: int
    jitter: float

    def positions(self, indices: Sequence[Index]) -> tuple[Field, ...]:
        """Return the positions of the points in their cells: one array per axis, within (0, 1).

        Each axis has its own 16 bits, taken in the middle of their step: no point lies on
        the border of its cell, so no two points meet.
        """
        bits = self._hash(indices)
        words = [bits] if len(indices) <= 2 else [bits, _remix(bits, 0)]
        axes = []
        for axis in range(len(indices)):
            word = words[axis // 2]
            half = word & _HALF_WORD if axis % 2 else word >> np.uint32(16)
            place = half.astype(np.float32)
            place += _HALF
            place *= _STEP
            if self.jitter != 1.0:
                place -= _HALF
                place *= np.float32(self.jitter)
                place += _HALF
                place *= _POSITION_STEPS
                np.rint(place, out=place)
                place /= _POSITION_STEPS
            axes.append(place)
        return tuple(axes)

    def cell_values(self, indices: Sequence[Index]) -> Field:
        """Return a number per cell, uniform in [-1, 1) and independent of the point's place."""
        signed = _remix(self._hash(indices), 1).view(np.int32) >> np.int32(8)
        return signed.astype(np.float32) * np.float32(2.0**-23)

    def tile_coordinates(self, indices: Sequence[Index], axis: int) -> Field:
        """Return where the points lie in their tile along x (0) or y (1): -1 at its beginning, 1 at its end.

        On a torus a point lies in the first of the tiles that it repeats in.
        """
        indices = self._wrap(indices)
        at = [cell + place for cell, place in zip(indices, self.positions(indices))]
        (xx, xy), (yx, yy) = inverse(self.lattice.matrix)
        if len(at) == 1:  # a turn leaves a line its scale
            along = at[0] / math.hypot(self.lattice.matrix[0][0], self.lattice.matrix[1][0])
        else:
            along = at[0] * (yx if axis else xx) + at[1] * (yy if axis else xy)
        along -= np.floor(along)
        return (2.0 * along - 1.0).astype(np.float32)

    def _hash(self, indices: Sequence[Index]) -> Hash:
        return hash_indices(self._wrap(indices), self.seed)

    def _wrap(self, indices: Sequence[Index]) -> Sequence[Index]:
        if self.lattice.periods is None or len(indices) < 2:
            return indices
        return (*self.lattice.wrap(indices[0], indices[1]), *indices[2:])


def _remix(bits: Hash, which: int) -> Hash:
    """Return other well-mixed bits derived from these."""
    result = bits ^ (bits >> np.uint32(15))
    result *= np.uint32(_REMIX_MULTIPLIERS[which])
    result ^= result >> np.uint32(12)
    result *= np.uint32(_REMIX_MULTIPLIERS[1 - which])
    result ^= result >> np.uint32(15)
    return result


@functools.lru_cache(maxsize=64)
def rings(
    metric: Metric, dimension: int, jitter: float, limit: float
) -> tuple[tuple[Offset, ...], ...]:
    """Return the cells, in rings, whose points can lie nearer than `limit` to a place in the middle cell.

    Along an axis the points of the cell `o` steps away come as near as ``|o| - 1/2 - jitter/2``
    to the own cell, and not nearer. With the largest n-th distance as the limit (see
    `Metric.largest`) no other cell can hold one of the n nearest points.

    For the nearest in 2-D, jitter 1, Euclidean: limit sqrt(2), so two steps along one axis
    (gap 1) have to be searched, two along both (gap sqrt(2)) need not: 21 cells. The second
    nearest (limit sqrt(2.5)), the third (sqrt(3.25)) and the fourth (sqrt(3.38)) need all 25.

    Returns
    -------
    tuple
        Ring 0 holds the own cell and all its neighbors; ring n the cells n + 1 steps away.
    """
    steps = 1
    while steps + 0.5 - jitter / 2.0 < limit:
        steps += 1
    rings_by_step: list[list[Offset]] = [[] for _ in range(steps)]
    for offset in itertools.product(range(-steps, steps + 1), repeat=dimension):
        farthest = max(abs(step) for step in offset)
        gaps = [max(0.0, abs(step) - 0.5 - jitter / 2.0) for step in offset]
        if farthest <= 1 or metric.norm(gaps) < limit:
            rings_by_step[max(0, farthest - 1)].append(offset)
    return tuple(tuple(ring) for ring in rings_by_step)


def ring_gap(ring: int, jitter: float, offsets: Sequence[Field]) -> Field:
    """Return how near points of a ring or beyond can be, for places in the own cell.

    Along one of the axes they are at least ``ring + 1`` cells away from the own one, and no
    metric is less than its longest axis.

    Parameters
    ----------
    ring : int
        At least 1.
    jitter : float
    offsets : sequence of arrays
        Positions within the own cell, per axis.
    """
    nearest: Field = functools.reduce(
        np.minimum, [np.minimum(offset, np.float32(1.0) - offset) for offset in offsets]
    )
    return nearest + lowest_gap(ring, jitter)


def lowest_gap(ring: int, jitter: float) -> np.float32:
    """Return how near points of a ring or beyond can be to any place in the own cell."""
    return np.float32(ring + 0.5 - jitter / 2.0)
