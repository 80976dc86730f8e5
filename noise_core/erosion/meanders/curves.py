# SPDX-License-Identifier: GPL-3.0-or-later
"""Center lines of rivers as curves in meters, one after the other, each downstream.

All distances along a curve are in widths of its river, so that small and large rivers bend alike. Only
+, -, *, / and square roots are taken, in the order of the points: the bits are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

STEP = 0.5
"""Widths between neighboring points: a bend some eleven widths long has over twenty."""

_FEWEST = 4
"""Points of a curve."""

_TINY = 1e-30


@dataclass(frozen=True)
class RiverCurves:
    """Points of all rivers.

    Attributes
    ----------
    x, y : ndarray of shape (points,), float64
        In meters from the first sample, across edges that meet: they may lie beyond the terrain then.
    level : ndarray of that shape, float64
        Height of the banks in meters; it never rises downstream.
    width : ndarray of that shape, float64
        In meters.
    freedom : ndarray of that shape, float64
        How freely the river wanders there, from 0, where it is steep, to 1.
    starts : ndarray of shape (rivers + 1,), intp
        Where each river begins, and the end of the last.
    """

    x: Floats
    y: Floats
    level: Floats
    width: Floats
    freedom: Floats
    starts: Indices

    @classmethod
    def of(cls, columns: Sequence[Floats], starts: Indices) -> RiverCurves:
        """Return curves by x, y, level, width and freedom of their points."""
        x, y, level, width, freedom = columns
        return cls(x, y, level, width, freedom, starts)

    @property
    def count(self) -> int:
        """Number of rivers."""
        return len(self.starts) - 1

    @property
    def first(self) -> Indices:
        """First point of each river."""
        return self.starts[:-1]

    @property
    def last(self) -> Indices:
        """Last point of each river."""
        return self.starts[1:] - 1

    def numbers(self) -> Indices:
        """Return the river of each point."""
        return np.repeat(np.arange(self.count, dtype=np.intp), np.diff(self.starts))

    def steps(self) -> Floats:
        """Return the meters from the point before to each one, 0 at the first of a river."""
        result = np.zeros(len(self.x), np.float64)
        across, along = np.diff(self.x), np.diff(self.y)
        result[1:] = np.sqrt(across * across + along * along)
        result[self.first] = 0.0
        return result

    def lengths(self) -> Floats:
        """Return the length of each river in meters."""
        run = np.cumsum(self.steps(), dtype=np.float64)
        length: Floats = run[self.last] - run[self.first]
        return length

    def run(self) -> Floats:
        """Return the meters from the source of its river to each point."""
        total = np.cumsum(self.steps(), dtype=np.float64)
        total -= np.repeat(total[self.first], np.diff(self.starts))
        return total

    def normals(self) -> tuple[Floats, Floats]:
        """Return the direction to the left of the flow at each point, of length 1: x and y."""
        x, y = (self._central(values) for values in (self.x, self.y))
        length = np.maximum(np.sqrt(x * x + y * y), _TINY)
        return -y / length, x / length

    def bends(self) -> Floats:
        """Return the curvature times the width at each point: above 0 where a river turns left; 0 at ends."""
        result = np.zeros(len(self.x), np.float64)
        across, along = np.diff(self.x), np.diff(self.y)
        earlier, later = slice(None, -1), slice(1, None)
        length = np.maximum(np.sqrt(across * across + along * along), _TINY)
        across, along = across / length, along / length
        turn = across[earlier] * along[later] - along[earlier] * across[later]
        result[1:-1] = 2.0 * turn / (length[earlier] + length[later]) * self.width[1:-1]
        result[self.first] = result[self.last] = 0.0
        return result

    def move(self, shift: Floats) -> RiverCurves:
        """Return the curves with each point moved so many meters to the left of the flow."""
        x, y = self.normals()
        return replace(self, x=self.x + shift * x, y=self.y + shift * y)

    def smooth(self, rounds: int) -> RiverCurves:
        """Return smoother curves with the same ends: each round spreads points by half a squared step."""
        x, y = self.x.copy(), self.y.copy()
        for _ in range(rounds):
            for values in (x, y):
                self.relax(values)
        return replace(self, x=x, y=y)

    def relax(self, values: Floats) -> None:
        """Smooth values along each river by (1, 2, 1) / 4, in place; those of its ends stay."""
        ends = np.concatenate((self.first, self.last))
        kept = values[ends]
        values[1:-1] = 0.25 * (values[:-2] + values[2:]) + 0.5 * values[1:-1]
        values[ends] = kept

    def drop(self, is_kept: npt.NDArray[np.bool_]) -> RiverCurves:
        """Return the curves without some points, of which none is an end."""
        counts_before = np.concatenate((np.zeros(1, np.intp), np.cumsum(is_kept, dtype=np.intp)))
        return RiverCurves.of(
            [values[is_kept] for values in self.columns()], counts_before[self.starts]
        )

    def resample(self) -> RiverCurves:
        """Return the curves with points evenly apart, `STEP` widths, on cubics through these."""
        steps = self.steps()
        steps[1:] /= 0.5 * (self.width[1:] + self.width[:-1])
        run = np.cumsum(steps, dtype=np.float64)
        begin = run[self.first]
        length = run[self.last] - begin
        counts = np.maximum(np.rint(length / STEP).astype(np.intp) + 1, _FEWEST)
        starts = np.concatenate((np.zeros(1, np.intp), np.cumsum(counts, dtype=np.intp)))
        number = np.repeat(np.arange(self.count, dtype=np.intp), counts)
        place = np.arange(starts[-1], dtype=np.intp) - starts[number]
        distance = begin[number] + length[number] * (place / (counts[number] - 1.0))
        # Runs go on from river to river, so one search serves all; a river stays within its points.
        base = np.searchsorted(run, distance, side="right") - 1
        base = np.clip(base, self.first[number], self.last[number] - 1)
        gap = np.maximum(run[base + 1] - run[base], _TINY)
        share = np.clip((distance - run[base]) / gap, 0.0, 1.0)
        previous = np.maximum(base - 1, self.first[number])
        beyond = np.minimum(base + 2, self.last[number])
        x, y = (_cubic(values, previous, base, beyond, share) for values in (self.x, self.y))
        straight = [
            values[base] + share * (values[base + 1] - values[base])
            for values in (self.level, self.width, self.freedom)
        ]
        return RiverCurves.of([x, y, *straight], starts)

    def _central(self, values: Floats) -> Floats:
        """Return differences over two steps, over one at ends."""
        result = np.empty(len(values), np.float64)
        result[1:-1] = values[2:] - values[:-2]
        result[self.first] = values[self.first + 1] - values[self.first]
        result[self.last] = values[self.last] - values[self.last - 1]
        return result

    def columns(self) -> tuple[Floats, ...]:
        """Return all that is known of the points; see `of`."""
        return (self.x, self.y, self.level, self.width, self.freedom)


def _cubic(values: Floats, previous: Indices, base: Indices, beyond: Indices, t: Floats) -> Floats:
    """Return values between points on a curve through all (Catmull & Rom 1974)."""
    a, b, c, d = (values[index] for index in (previous, base, base + 1, beyond))
    result: Floats = b + 0.5 * t * (
        c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a))
    )
    return result


def upstream_mean(values: Floats, fade: Floats, doublings: int) -> Floats:
    """Return the means of values here and upstream, with weights that fade by a factor each point.

    Parameters
    ----------
    values : ndarray of shape (points,), float64
    fade : ndarray of that shape, float64
        Factor from each point to the one before, below 1; 0 at the source of each river.
    doublings : int
        2 to the power of this many points are looked at.
    """
    total, weight, factor = values.copy(), np.ones_like(values), fade.copy()
    for power in range(doublings):
        reach = 1 << power
        if reach >= len(values):
            break
        later = total[reach:] + factor[reach:] * total[:-reach]
        total[reach:] = later
        weight[reach:] = weight[reach:] + factor[reach:] * weight[:-reach]
        factor[reach:] = factor[reach:] * factor[:-reach]
        factor[:reach] = 0.0
    result: Floats = total / weight
    return result
