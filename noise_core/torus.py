# SPDX-License-Identifier: GPL-3.0-or-later
"""Seamless by construction: the two vectors after which everything repeats, and lattices that fit them."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .arrays import Coordinates, Points

if TYPE_CHECKING:
    from .arrays import Index

Matrix = tuple[tuple[float, float], tuple[float, float]]
"""A 2 x 2 matrix by rows."""


def product(left: Matrix, right: Matrix) -> Matrix:
    """Return the matrix product of two 2 x 2 matrices."""
    (a, b), (c, d) = left
    (e, f), (g, h) = right
    return ((a * e + b * g, a * f + b * h), (c * e + d * g, c * f + d * h))


def inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a 2 x 2 matrix."""
    (a, b), (c, d) = matrix
    determinant = a * d - b * c
    return ((d / determinant, -b / determinant), (-c / determinant, a / determinant))


def mapped(matrix: Matrix, points: Points) -> Points:
    """Return one or two coordinates after a linear map, in new arrays of their own dtype."""
    (xx, xy), (yx, yy) = matrix
    if len(points) == 1:
        return (multiplied(points[0], xx),)
    x, y = points
    if xy == 0.0 and yx == 0.0:
        return (multiplied(x, xx), multiplied(y, yy))
    return (multiplied(x, xx) + multiplied(y, xy), multiplied(x, yx) + multiplied(y, yy))


def multiplied(axis: Coordinates, factor: float) -> Coordinates:
    """Return one coordinate times a number, in its own dtype."""
    product: Coordinates = axis * axis.dtype.type(factor)
    return product


@dataclass(frozen=True)
class Torus:
    """A plane rolled up: `periods` holds the two period vectors as its columns, in tiles."""

    periods: Matrix

    def through(self, matrix: Matrix) -> Torus:
        """Return the torus as seen after the points went through a linear map."""
        return Torus(product(matrix, self.periods))


@dataclass(frozen=True)
class Lattice:
    """A lattice laid over the plane; on a torus it is stretched a little so that it closes.

    A point p has lattice coordinates ``matrix @ p`` (and ``frequency * z`` along further
    axes). ``periods`` holds the period vectors in whole lattice steps as its columns.
    """

    matrix: Matrix
    frequency: float
    periods: tuple[tuple[int, int], tuple[int, int]] | None

    @property
    def is_aligned(self) -> bool:
        """Whether the lattice's axes are those of the points: rows and columns separate."""
        is_diagonal = self.matrix[0][1] == 0.0 and self.matrix[1][0] == 0.0
        if self.periods is None:
            return is_diagonal
        return is_diagonal and self.periods[0][1] == 0 and self.periods[1][0] == 0

    def coordinates(self, points: Points) -> tuple[Coordinates, ...]:
        """Return the lattice coordinates of points, in the points' own dtype."""
        plane = mapped(self.matrix, points[:2])
        return plane + tuple(multiplied(axis, self.frequency) for axis in points[2:])

    def wrapped(self, i: Index, j: Index) -> tuple[Index, Index]:
        """Return the one representative of lattice points that the torus makes the same."""
        if self.periods is None:
            return i, j
        (a, b), (c, d) = self.periods
        if b == 0 and c == 0:
            return np.mod(i, np.int32(a)), np.mod(j, np.int32(d))
        determinant = a * d - b * c
        wide_i, wide_j = i.astype(np.int64), j.astype(np.int64)
        along_first = (d * wide_i - b * wide_j) // determinant
        along_second = (a * wide_j - c * wide_i) // determinant
        return (
            (wide_i - a * along_first - b * along_second).astype(np.int32),
            (wide_j - c * along_first - d * along_second).astype(np.int32),
        )


@functools.lru_cache(maxsize=256)
def square_lattice(frequency: float, torus: Torus | None) -> Lattice:
    """Return the square lattice with `frequency` cells per tile, closing on the torus if there is one.

    Each period vector, measured in cells, is rounded to whole cells; the map from points to
    cells is then the one linear map that takes the true periods to the rounded ones.
    """
    matrix: Matrix = ((frequency, 0.0), (0.0, frequency))
    if torus is None:
        return Lattice(matrix, frequency, None)
    (a, b), (c, d) = product(matrix, torus.periods)
    rounded = [[round(a), round(b)], [round(c), round(d)]]
    # A torus thinner than half a cell still needs one: never let the periods collapse.
    if rounded[0][0] * rounded[1][1] - rounded[0][1] * rounded[1][0] == 0:
        rounded = [[_at_least_one(a), 0], [0, _at_least_one(d)]]
    periods = ((rounded[0][0], rounded[0][1]), (rounded[1][0], rounded[1][1]))
    as_floats: Matrix = (
        (float(periods[0][0]), float(periods[0][1])),
        (float(periods[1][0]), float(periods[1][1])),
    )
    (p, q), (r, s) = torus.periods
    if q == 0.0 and r == 0.0 and periods[0][1] == 0 and periods[1][0] == 0:
        return Lattice(((periods[0][0] / p, 0.0), (0.0, periods[1][1] / s)), frequency, periods)
    return Lattice(product(as_floats, inverse(torus.periods)), frequency, periods)


def _at_least_one(length: float) -> int:
    return max(1, round(abs(length)))
