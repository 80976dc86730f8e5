# SPDX-License-Identifier: GPL-3.0-or-later
"""Channels of an image apart: those that say something, without what they have in common.

References
----------
Thomas Deliot, Eric Heitz (2019). Procedural Stochastic Textures by Tiling and Blending. GPU Zen 2. (Colors
along the axes of their covariance, so that channels can be treated one by one.)
Carl Gustav Jacob Jacobi (1846). Über ein leichtes Verfahren, die in der Theorie der Säcularstörungen
vorkommenden Gleichungen numerisch aufzulösen. Journal für die reine und angewandte Mathematik 30.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Field

_STEPS = 65535
"""Of a channel, in which sums are taken, so that they are sums of integers: exact in any order."""

_TURNS = 8
"""Rounds of Jacobi's rotations: four channels need five until nothing changes."""

Matrix = list[list[float]]


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
                (int((one * other).sum()) * pixels - sums[row] * sums[column])
                / pixels**2
                * (steps[row] * steps[column])
                for column, other in enumerate(codes)
            ]
            for row, one in enumerate(codes)
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
            _weigh(parts, own) + np.float32(mean) for own, mean in zip(zip(*self.axes), self.center)
        ]


def _weigh(fields: Sequence[Field], weights: Sequence[float]) -> Field:
    total = fields[0] * np.float32(weights[0])
    for field, weight in zip(fields[1:], weights[1:]):
        total += field * np.float32(weight)
    return total


def _turn_to_axes(matrix: Matrix) -> Matrix:
    """Return the eigenvectors of a symmetric matrix as columns; the matrix is changed.

    NumPy's come from the LAPACK at hand, each with other last bits and signs.
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
    for column, (one, other) in enumerate(zip(above[:], below[:])):
        above[column], below[column] = cosine * one - sine * other, sine * one + cosine * other
    matrix[p][q] = matrix[q][p] = 0.0
