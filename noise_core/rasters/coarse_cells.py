# SPDX-License-Identifier: GPL-3.0-or-later
"""Square cells of a coarse measurement over the samples of a grid: means, and fields with given means.

A sample belongs to the cell that it lies in. Cells are counted from the origin of the world, and need not
be a whole number of samples wide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field
from .level import Level
from .taps import Tap, cubic_taps, drop_weightless, shift_index, weighted_sum

_SAMPLES_PER_BLOCK = 1 << 16

_BITS = 36
"""The largest value becomes a whole number of so many bits: sums of those do not depend on their order."""

_FEW = 2.0
"""Samples; in narrower cells these are taken to be evenly spread, wherever they lie: the mean of a cell would else
come from its neighbors as much as from itself."""

_ROUNDS = 20
"""Of the iteration for values whose interpolation has given means; each leaves three eighths of the error, and
three fifths where a border leaves a single sample of a cell."""

_SNAP = 1e-6
"""Cells; a sample that lies no further before an edge lies on it."""

_Indices = npt.NDArray[np.intp]


@dataclass(frozen=True)
class CellLine:
    """Cells along one axis.

    Attributes
    ----------
    starts, counts : ndarray of shape (cells,), intp
        The first sample of each cell, and how many it has.
    taps : list of Tap
        The cells that each sample is interpolated from.
    mixing : list of Tap
        The cells that the mean of such samples in each cell comes from.
    evening : list of Tap
        The cells from whose means those at evenly spaced places come: cells that have other numbers of
        samples, above all those at the ends, have their middles elsewhere.
    """

    starts: _Indices
    counts: _Indices
    taps: list[Tap]
    mixing: list[Tap]
    evening: list[Tap]

    @classmethod
    def along(cls, first: int, count: int, width: float, wrap: bool) -> CellLine:
        """Return the cells of some samples.

        Parameters
        ----------
        first : int
            Place of the first sample in the world.
        count : int
            How many samples there are.
        width : float
            Of a cell, in samples; at least 1. The cells at both ends may be narrower.
        wrap : bool
            Whether the last cell meets the first; then cells are stretched to a whole number.
        """
        if wrap:
            width = count / max(1, round(count / width))
        begin = _part_of_cell(first, width)
        samples = np.arange(count, dtype=np.intp)
        cell = np.floor(samples / width + (begin + _SNAP)).astype(np.intp)
        starts = np.flatnonzero(np.diff(cell, prepend=-1))
        counts = np.diff(starts, append=count)
        numbers = np.arange(len(starts), dtype=np.intp)
        within = (samples.astype(np.float64) + 0.5) / width + begin - cell
        if width < _FEW:
            within = (samples - starts[cell] + 0.5) / counts[cell].astype(np.float64)
        is_late = (within >= 0.5).astype(np.intp)
        base = cell - 1 + is_late
        taps = cubic_taps(base, within + 0.5 - is_late, len(starts), wrap)
        mixing = []
        for offset in range(-2, 3):
            share = np.zeros(len(starts))
            for step, (_, weight) in enumerate(taps, -1):
                share += np.bincount(cell, weight * (base + step == cell + offset), len(starts))
            mixing.append((shift_index(numbers, offset, len(starts), wrap), share / counts))
        middles = starts + 0.5 * (counts - 1)
        places = (numbers + 0.5 - begin) * width - 0.5
        evening = _evening(places - middles, middles, count if wrap else None)
        return cls(starts, counts, *map(drop_weightless, (taps, mixing, evening)))

    def solve(self, means: Field, axis: int) -> Field:
        """Return the values along an axis whose interpolation has given means (Jacobi's iteration)."""
        values = means
        for _ in range(_ROUNDS):
            values = values + (means - weighted_sum(values, self.mixing, axis))
        return values


def _evening(
    shift: npt.NDArray[np.float64], middles: npt.NDArray[np.float64], period: int | None
) -> list[Tap]:
    """Return the taps of values that lie off some middles, along the lines through those around."""
    count, wrap = len(middles), period is not None
    numbers = np.arange(count, dtype=np.intp)
    previous, following = (shift_index(numbers, offset, count, wrap) for offset in (-1, 1))
    span = middles[following] - middles[previous]
    if period is not None:
        span = np.remainder(span - 0.5, period) + 0.5  # one or two cells go around the whole
    weight = np.where(following == previous, 0.0, shift / np.where(span > 0.0, span, 1.0))
    return [(previous, -weight), (numbers, np.ones(count)), (following, weight)]


def _part_of_cell(first: int, width: float) -> float:
    """Return how far the first sample lies in its cell, in cells: from `-_SNAP` to 1."""
    place = Fraction(first) / Fraction(width)  # places have no limit
    begin = float(place - math.floor(place))
    return begin - math.floor(begin + _SNAP)


@dataclass(frozen=True)
class CoarseCells:
    """Cells over the samples of a level.

    Attributes
    ----------
    rows, columns : CellLine
        Along a column and along a row.
    wrap : bool
        Whether edges meet.
    """

    rows: CellLine
    columns: CellLine
    wrap: bool

    @classmethod
    def over(cls, level: Level, size: float) -> CoarseCells:
        """Return the cells of a size in meters, which is no less than the spacing of the samples."""
        rows, columns = (
            CellLine.along(first, count, size / step, level.wrap)
            for first, count, step in zip(level.first, level.shape, (level.step_y, level.step_x))
        )
        return cls(rows, columns, level.wrap)

    def means(self, field: Field) -> Field:
        """Return the mean of a field in each cell: shape (cells along a column, cells along a row)."""
        largest = max(float(field.max()), -float(field.min()))
        if largest == 0.0:
            return np.zeros((len(self.rows.starts), len(self.columns.starts)), np.float32)
        scale = math.ldexp(1.0, _BITS - math.frexp(largest)[1])
        along = np.empty((field.shape[0], len(self.columns.starts)), np.int64)

        def add_up(start: int, stop: int) -> None:
            blocks.checkpoint()
            whole = field[start:stop].astype(np.float64)
            whole *= scale
            along[start:stop] = np.add.reduceat(
                np.rint(whole, out=whole).astype(np.int64), self.columns.starts, axis=1
            )

        blocks.run(add_up, len(field), max(1, _SAMPLES_PER_BLOCK // field.shape[1]))
        blocks.checkpoint()
        sums = np.add.reduceat(along, self.rows.starts, axis=0).astype(np.float64)
        sums /= scale * self.rows.counts[:, np.newaxis] * self.columns.counts
        return sums.astype(np.float32)

    def even_means(self, field: Field) -> Field:
        """Return the means of a field as if all cells were alike: a slope has even steps."""
        means = weighted_sum(self.means(field), self.rows.evening, 0)
        return weighted_sum(means, self.columns.evening, 1)

    def interpolate(self, values: Field) -> Field:
        """Return a smooth field through values of the cells."""
        return weighted_sum(weighted_sum(values, self.columns.taps, 1), self.rows.taps, 0)

    def take_off_means(self, field: Field) -> Field:
        """Return a field without its means, which are taken off by a smooth field.

        The cells' edges do not show, since the correction crosses them smoothly.
        """
        values = self.columns.solve(self.rows.solve(self.means(field), 0), 1)
        correction = self.interpolate(values)
        return np.subtract(field, correction, out=correction)
