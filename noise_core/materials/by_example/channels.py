# SPDX-License-Identifier: GPL-3.0-or-later
"""An example as channels that do not correlate and are normally distributed, and samples with its values again.

References
----------
Thomas Deliot, Eric Heitz (2019). Procedural Stochastic Textures by Tiling and Blending. GPU Zen 2. (Colors
along the axes of their covariance, so that channels can be treated one by one.)
Carl Gustav Jacob Jacobi (1846). Über ein leichtes Verfahren, die in der Theorie der Säcularstörungen
vorkommenden Gleichungen numerisch aufzulösen. Journal für die reine und angewandte Mathematik 30.
Eric Heitz, Fabrice Neyret (2018). High-Performance By-Example Noise using a Histogram-Preserving Blending
Operator. Proceedings of the ACM on Computer Graphics and Interactive Techniques 1.
Michael J. Wichura (1988). Algorithm AS 241: The percentage points of the normal distribution. Applied
Statistics 37.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.elementary import logarithm2
from ...base.gathering import gather

_STEPS = 65535
"""Of a channel, in which sums are taken, so that they are sums of integers: exact in any order."""

_TURNS = 8
"""Rounds of Jacobi's rotations: four channels need five until nothing changes."""

Matrix = list[list[float]]

Numbers = npt.NDArray[np.float64]
Codes = npt.NDArray[np.uint16]

_CODES = 1 << 16
"""Even steps between the least and the largest value, by which values are counted."""

_CELLS = 1 << 14
"""Of a table, which is linear within each: a step of the steepest histogram is a 16 384th of the range."""

_LN_2 = 0.6931471805599453
_LEAST_SHARE = 1e-7
"""A share of 0 would be minus infinity; among fewer samples than this share's inverse it makes no difference."""

# Wichura's PPND7: right within 1e-7 of the value.
_MIDDLE = (3.3871327179, 50.434271938, 159.29113202, 59.109374720)
_MIDDLE_BELOW = (1.0, 17.895169469, 78.757757664, 67.187563600)
_TAIL = (1.4234372777, 2.7568153900, 1.3067284816, 0.17023821103)
_TAIL_BELOW = (1.0, 0.73700164250, 0.12021132975)


@dataclass(frozen=True)
class ColorAxes:
    """Axes of colors along which they do not correlate.

    Attributes
    ----------
    center : tuple of float
        The mean of each channel.
    axes : tuple of tuples of float
        A unit vector of channels for each axis.
    """

    center: tuple[float, ...]
    axes: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, planes: Field) -> ColorAxes:
        """Return the axes of an image.

        Parameters
        ----------
        planes : ndarray of shape (channels, rows, columns), float32
            None of them of one value only.
        """
        pixels = planes[0].size
        lows = [float(plane.min()) for plane in planes]
        steps = [(float(plane.max()) - low) / _STEPS for plane, low in zip(planes, lows)]
        codes = [
            np.rint((plane.astype(np.float64) - low) / step).astype(np.int64)
            for plane, low, step in zip(planes, lows, steps)
        ]
        sums = [int(code.sum()) for code in codes]
        covariance = [
            [
                (int((first * second).sum()) * pixels - sums[row] * sums[column])
                / pixels**2
                * (steps[row] * steps[column])
                for column, second in enumerate(codes)
            ]
            for row, first in enumerate(codes)
        ]
        center = tuple(low + step * total / pixels for low, step, total in zip(lows, steps, sums))
        vectors = _turn_to_axes(covariance)
        return cls(center, tuple(zip(*vectors)))

    def split(self, planes: Field) -> Field:
        """Return colors along the axes."""
        apart = [plane - np.float32(mean) for plane, mean in zip(planes, self.center)]
        return np.stack([_weigh(apart, axis) for axis in self.axes])

    def join(self, parts: Sequence[Field]) -> list[Field]:
        """Return the channels of colors along the axes."""
        return [
            _weigh(parts, axis) + np.float32(mean)
            for axis, mean in zip(zip(*self.axes), self.center)
        ]


def _weigh(fields: Sequence[Field], weights: Sequence[float]) -> Field:
    total = fields[0] * np.float32(weights[0])
    for field, weight in zip(fields[1:], weights[1:]):
        total += field * np.float32(weight)
    return total


def _turn_to_axes(matrix: Matrix) -> Matrix:
    """Return the eigenvectors of a symmetric matrix as columns; the matrix is changed.

    NumPy's come from the installed LAPACK, each with other last bits and signs.
    """
    size = len(matrix)
    vectors = [[float(row == column) for column in range(size)] for row in range(size)]
    for _ in range(_TURNS):
        for p in range(size):
            for q in range(p + 1, size):
                if matrix[p][q] != 0.0:
                    _rotate(matrix, vectors, p, q)
    return vectors


def _rotate(matrix: Matrix, vectors: Matrix, p: int, q: int) -> None:
    """Turn two axes so that they do not correlate."""
    half = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q])
    if math.isinf(half * half):
        matrix[p][q] = matrix[q][p] = 0.0
        return
    tangent = math.copysign(1.0, half) / (abs(half) + math.sqrt(half * half + 1.0))
    cosine = 1.0 / math.sqrt(tangent * tangent + 1.0)
    sine = tangent * cosine
    for row in (*matrix, *vectors):
        row[p], row[q] = cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]
    above, below = matrix[p], matrix[q]
    for column, (upper, lower) in enumerate(zip(above[:], below[:])):
        above[column], below[column] = cosine * upper - sine * lower, sine * upper + cosine * lower
    matrix[p][q] = matrix[q][p] = 0.0


@dataclass(frozen=True, eq=False)
class Histogram:
    """Frequencies of values.

    Attributes
    ----------
    low, high : float
        The least value and the largest one.
    below : ndarray of shape (65537,), float64
        Share of the values below the beginning of each step, from 0 to 1.
    """

    low: float
    high: float
    below: Numbers

    @classmethod
    def of(cls, values: Field, weights: Numbers | None = None) -> Histogram:
        """Return the histogram of finite values.

        Parameters
        ----------
        values : ndarray, float32
        weights : ndarray of that shape, float64, optional
            How often each counts: whole numbers, so that their sums are exact.
        """
        low, high = float(values.min()), float(values.max())
        return cls.of_codes(_codes_of(values, low, high), low, high, weights)

    @classmethod
    def of_codes(
        cls, codes: Codes, low: float, high: float, weights: Numbers | None = None
    ) -> Histogram:
        """Return the histogram of values in steps."""
        more = None if weights is None else weights.reshape(-1)
        counts = np.bincount(codes.reshape(-1), more, _CODES).astype(np.float64)
        below = np.concatenate(([0.0], np.cumsum(counts, dtype=np.float64)))
        return cls(low, high, below / below[-1])

    def quantiles(self, shares: Numbers) -> Numbers:
        """Return the values that shares of all, from 0 to 1, lie below."""
        code = np.searchsorted(self.below[1:], shares, side="left")
        last = _CODES - 1
        return self.low + np.minimum(code, last) * ((self.high - self.low) / last)

    def normal_scores(self) -> Field:
        """Return the standard normal value of each step: as many lie below it, half of the step's own with them."""
        middle = 0.5 * (self.below[1:] + self.below[:-1])
        return normal_quantiles(middle).astype(np.float32)


@dataclass(frozen=True, eq=False)
class ValueTable:
    """A rising function of numbers, as a table that is linear between the middles of its cells.

    Attributes
    ----------
    low : float
        Where it begins; below, and beyond its end, it goes on level.
    cell : float
        Width of a cell.
    values : ndarray of shape (cells + 1,), float32
        In the middle of each cell; the last one is there twice.
    """

    low: float
    cell: float
    values: Field

    @classmethod
    def matching(cls, samples: Field, target: Histogram) -> ValueTable:
        """Return the function that gives samples the histogram of a target."""
        low, high = float(samples.min()), float(samples.max())
        cell = (high - low) / _CELLS if high > low else 1.0
        place = ((samples.reshape(-1) - np.float32(low)) * np.float32(1.0 / cell)).astype(np.intp)
        counts = np.bincount(np.minimum(place, _CELLS - 1), minlength=_CELLS)
        middle = (np.cumsum(counts, dtype=np.int64) - 0.5 * counts) / samples.size
        # A cell without samples has the value of the nearest with some: where all samples of an interval
        # are equal, they would otherwise take a part of the next value.
        filled = np.flatnonzero(counts)
        borders = 0.5 * (filled[1:] + filled[:-1])
        nearest = filled[np.searchsorted(borders, np.arange(_CELLS, dtype=np.int64))]
        values = target.quantiles(middle[nearest]).astype(np.float32)
        return cls(low, cell, np.append(values, values[-1:]))

    def apply(self, field: Field) -> Field:
        """Return the function of numbers, as a new array."""
        place = (field.reshape(-1) - np.float32(self.low)) * np.float32(1.0 / self.cell)
        place -= np.float32(0.5)
        np.clip(place, np.float32(0.0), np.float32(len(self.values) - 2), out=place)
        column = place.astype(np.intp)
        place -= column.astype(np.float32)
        begin, end = np.empty_like(place), np.empty_like(place)
        gather(self.values, column, begin)
        column += 1
        gather(self.values, column, end)
        end -= begin
        end *= place
        begin += end
        return begin.reshape(field.shape)


def to_normal(values: Field, weights: Numbers | None = None) -> Field:
    """Return values as numbers whose histogram is the standard normal one, in the same order.

    Parameters
    ----------
    values : ndarray, float32
        Finite.
    weights : ndarray of that shape, float64, optional
        See `Histogram.of`.
    """
    low, high = float(values.min()), float(values.max())
    codes = _codes_of(values, low, high)
    scores = Histogram.of_codes(codes, low, high, weights).normal_scores()
    return scores[codes]


def normal_quantiles(shares: Numbers) -> Numbers:
    """Return the numbers that shares of a standard normal distribution lie below; right within 2e-6."""
    shares = np.clip(shares, _LEAST_SHARE, 1.0 - _LEAST_SHARE)
    offset = shares - 0.5
    square = 0.180625 - offset * offset
    middle = offset * _ratio(square, _MIDDLE, _MIDDLE_BELOW)
    outside = np.minimum(shares, 1.0 - shares)
    root = np.sqrt(logarithm2(outside.astype(np.float32)) * -_LN_2) - 1.6
    tail = _ratio(root.astype(np.float64), _TAIL, _TAIL_BELOW)
    return np.where(np.abs(offset) <= 0.425, middle, np.where(offset < 0.0, -tail, tail))


def _ratio(x: Numbers, above: tuple[float, ...], below: tuple[float, ...]) -> Numbers:
    """Return a ratio of two polynomials."""
    return _polynomial(x, above) / _polynomial(x, below)


def _polynomial(x: Numbers, coefficients: tuple[float, ...]) -> Numbers:
    total = np.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = total * x + coefficient
    return total


def _codes_of(values: Field, low: float, high: float) -> Codes:
    """Return values in even steps from the least to the largest one."""
    last = _CODES - 1
    steps = (values.astype(np.float64) - low) * (last / (high - low) if high > low else 0.0)
    return np.rint(steps).astype(np.uint16)
