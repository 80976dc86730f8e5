# SPDX-License-Identifier: GPL-3.0-or-later
"""Periods of a seamless plane, and lattices that close on them."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import blocks
from .arrays import Coordinates, Points

if TYPE_CHECKING:
    from .arrays import Index

Matrix = tuple[tuple[float, float], tuple[float, float]]
"""A 2 x 2 matrix by rows."""

TRIANGLE_STEP = math.sqrt(2.0 / 3.0)
"""Distance of two points in a row, in cells: what Gustavson's skew makes the edges of a triangle."""

TRIANGLE_ROW = math.sqrt(0.5)
"""Distance of two rows: the height of a triangle."""


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


def apply_matrix(matrix: Matrix, points: Points) -> Points:
    """Return one or two coordinates after a linear map, as new arrays of the same dtype."""
    (xx, xy), (yx, yy) = matrix
    if len(points) == 1:
        # A turn leaves a line its scale.
        return (multiply(points[0], math.hypot(xx, yx)),)
    x, y = points
    if xy == 0.0 and yx == 0.0:
        return (multiply(x, xx), multiply(y, yy))
    return (_weighted_sum(x, xx, y, xy), _weighted_sum(x, yx, y, yy))


def _weighted_sum(x: Coordinates, a: float, y: Coordinates, b: float) -> Coordinates:
    """Return ``a x + b y`` as a new array; a term with a factor of 0 does not broadcast with the other."""
    if a == 0.0 or b == 0.0:
        return multiply(y, b) if a == 0.0 else multiply(x, a)
    total, second = multiply(x, a), multiply(y, b)
    if total.shape != second.shape:
        with blocks.short_buffers():
            return total + second
    total += second
    return total


def multiply(axis: Coordinates, factor: float) -> Coordinates:
    """Return one coordinate times a number, in its own dtype."""
    product: Coordinates = axis * axis.dtype.type(factor)
    return product


@dataclass(frozen=True)
class Torus:
    """A periodic plane: `periods` holds the two period vectors as its columns, in tiles."""

    periods: Matrix

    def through(self, matrix: Matrix) -> Torus:
        """Return the torus in linearly mapped coordinates."""
        return Torus(product(matrix, self.periods))


def closed_wave(
    frequencies: tuple[float, float], torus: Torus
) -> tuple[tuple[float, float], float]:
    """Return the periodic wave vector nearest to one in waves a tile, and its wave length in tiles."""
    sides = list(zip(*torus.periods))
    along = [frequencies[0] * side[0] + frequencies[1] * side[1] for side in sides]
    counts = [round(length) for length in along]
    if counts == [0, 0]:
        # The period is shorter than half a tile that way: one wave fits along one side.
        shares = [abs(length) / math.hypot(*side) for length, side in zip(along, sides)]
        chosen = shares.index(max(shares))
        counts[chosen] = 1 if along[chosen] >= 0.0 else -1
    (xx, xy), (yx, yy) = inverse(torus.periods)
    wave = (counts[0] * xx + counts[1] * yx, counts[0] * xy + counts[1] * yy)
    return wave, 1.0 / math.hypot(*wave)


def laps_of(offset: Points, torus: Torus) -> Points:
    """Return an offset as fractions of the periods, without whole periods: -0.5 to 0.5."""
    laps = apply_matrix(inverse(torus.periods), offset)
    return tuple(axis - np.rint(axis) for axis in laps)


def nearest_images(offset: Points, torus: Torus) -> list[Points]:
    """Return the periodic images of an offset that include the shortest one."""
    short = apply_matrix(torus.periods, laps_of(offset, torus))
    (xx, xy), (yx, yy) = torus.periods
    if abs(xx * xy + yx * yy) < 1e-12:
        return [short]
    # On a skewed torus a neighbor may be closer.
    images = []
    for first, second in itertools.product((-1.0, 0.0, 1.0), repeat=2):
        shift = (first * xx + second * xy, first * yx + second * yy)
        images.append(tuple(axis + axis.dtype.type(step) for axis, step in zip(short, shift)))
    return images


@dataclass(frozen=True, eq=False)
class Lattice:
    """A lattice on the plane; on a torus it is stretched slightly so that it closes.

    A point p has lattice coordinates ``matrix @ p`` (and ``frequency * z`` along further
    axes). ``periods`` holds the period vectors in whole lattice steps as its columns.
    """

    matrix: Matrix
    frequency: float
    periods: tuple[tuple[int, int], tuple[int, int]] | None

    @property
    def is_aligned(self) -> bool:
        """Whether the lattice's axes are parallel to those of the points, so that they separate."""
        is_diagonal = self.matrix[0][1] == 0.0 and self.matrix[1][0] == 0.0
        if self.periods is None:
            return is_diagonal
        return is_diagonal and self.periods[0][1] == 0 and self.periods[1][0] == 0

    def coordinates(self, points: Points) -> tuple[Coordinates, ...]:
        """Return the lattice coordinates of points, in the points' own dtype."""
        plane = apply_matrix(self.matrix, points[:2])
        return plane + tuple(multiply(axis, self.frequency) for axis in points[2:])

    def wrap(self, i: Index, j: Index) -> tuple[Index, Index]:
        """Return the representative of lattice points that are equal on the torus."""
        if self.periods is None:
            return i, j
        (a, b), (c, d) = self.periods
        if b == 0 and c == 0:
            return np.mod(i, np.int32(a)), np.mod(j, np.int32(d))
        if c == 0:
            turns = j // np.int32(d)
            return np.mod(i - np.int32(b) * turns, np.int32(a)), j - np.int32(d) * turns
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


@functools.lru_cache(maxsize=256)
def triangular_lattice(frequency: float, torus: Torus | None) -> Lattice:
    """Return the triangular lattice with `frequency` cells per tile, closing on the torus if any.

    Lattice coordinates (i, j) belong to the point ``((i - j / 2) * TRIANGLE_STEP, j * TRIANGLE_ROW)`` in cells:
    the basis vectors enclose 120 degrees, so the diagonal i = j cuts a cell into two triangles.

    On a torus whose periods run along x and y, the rows stay parallel to x: a whole number of
    points fits along x, an even number of rows along y.
    """
    down = frequency / TRIANGLE_ROW
    matrix: Matrix = ((frequency / TRIANGLE_STEP, 0.5 * down), (0.0, down))
    if torus is None:
        return Lattice(matrix, frequency, None)
    (p, q), (r, s) = torus.periods
    if q == 0.0 and r == 0.0:
        points = _whole(p * frequency / TRIANGLE_STEP)
        pairs = _whole(0.5 * s * down)
        down = 2 * pairs / s
        matrix = ((points / p, 0.5 * down), (0.0, down))
        return Lattice(matrix, frequency, ((points, pairs), (0, 2 * pairs)))
    (a, b), (c, d) = product(matrix, torus.periods)
    periods = ((round(a), round(b)), (round(c), round(d)))
    if periods[0][0] * periods[1][1] == periods[0][1] * periods[1][0]:
        # Thinner than half a cell: still needs one point per period.
        periods = ((_whole(p * frequency / TRIANGLE_STEP), 0), (0, _whole(s * down)))
    rounded: Matrix = (
        (float(periods[0][0]), float(periods[0][1])),
        (float(periods[1][0]), float(periods[1][1])),
    )
    return Lattice(product(rounded, inverse(torus.periods)), frequency, periods)


@dataclass(frozen=True, eq=False)
class SimplexLattice:
    """The lattice of simplices in three or four dimensions, closing along x and y on a torus.

    A point p has lattice coordinates ``matrix @ p``; there the simplices are cut from unit cubes.
    ``periods`` holds the two period vectors in whole lattice steps.
    """

    matrix: tuple[tuple[float, ...], ...]
    periods: tuple[tuple[int, ...], tuple[int, ...]] | None

    def coordinates(self, points: Points) -> Points:
        """Return the lattice coordinates of points, in the points' own dtype."""
        real = np.result_type(*(axis.dtype for axis in points)).type
        return tuple(
            functools.reduce(np.add, (axis * real(factor) for axis, factor in zip(points, row)))
            for row in self.matrix
        )

    def wrap(self, *indices: Index) -> tuple[Index, ...]:
        """Return the representative of lattice points that are equal on the torus."""
        if self.periods is None:
            return indices
        first, second = self.periods
        # Any two axes tell how often each period fits, if the periods differ along them.
        determinant, i, j = max(
            (
                (first[i] * second[j] - first[j] * second[i], i, j)
                for i, j in itertools.combinations(range(len(indices)), 2)
            ),
            key=lambda minor: abs(minor[0]),
        )
        along, across = indices[i].astype(np.int64), indices[j].astype(np.int64)
        turns = (second[j] * along - second[i] * across) // determinant
        remainders = (first[i] * across - first[j] * along) // determinant
        return tuple(
            (index - step * turns - other * remainders).astype(np.int32)
            for index, step, other in zip(indices, first, second)
        )


@functools.lru_cache(maxsize=256)
def simplex_lattice(dimension: int, frequency: float, torus: Torus | None) -> SimplexLattice:
    """Return the lattice of simplices with `frequency` cells per tile, as Gustavson skews it.

    On a torus each period vector is rounded to the nearest lattice vector, which may stick out
    of the plane a little: the map from points to the lattice is the linear one that takes the
    true periods to the rounded ones and leaves the further axes as they are. So a slice runs
    slightly askew through the lattice, and never along one of its layers.
    """
    skew = (math.sqrt(dimension + 1.0) - 1.0) / dimension
    matrix = frequency * (np.eye(dimension) + skew)
    periods = None
    if torus is not None:
        size = np.linalg.det(matrix)
        to_tile = inverse(torus.periods)
        real = _columns(matrix[:, :2].tolist(), torus.periods)
        first, second = (_nearest_lattice_vector(vector) for vector in real)
        matrix[:, :2] = np.transpose(_columns(list(zip(first, second)), to_tile))
        if np.linalg.det(matrix) < 0.1 * size:
            # A torus thinner than a cell still needs one lattice step per period.
            first, second = ((1, 0, 0, 0)[:dimension], (0, 1, 0, 0)[:dimension])
            matrix[:, :2] = np.transpose(_columns(list(zip(first, second)), to_tile))
        periods = (first, second)
    return SimplexLattice(tuple(tuple(row) for row in matrix.tolist()), periods)


def _columns(rows: Sequence[Sequence[float]], matrix: Matrix) -> list[list[float]]:
    """Return the two columns of the product of a matrix of two columns, given by rows, and another.

    In Python's own arithmetic, since products of a BLAS differ between processors.
    """
    return [[x * a + y * b for x, y in rows] for a, b in zip(*matrix)]


def _nearest_lattice_vector(vector: list[float]) -> tuple[int, ...]:
    """Return the whole lattice coordinates nearest to some, measured as points lie apart."""
    dimension = len(vector)
    unskew = (1.0 - 1.0 / math.sqrt(dimension + 1.0)) / dimension

    def distance(corner: tuple[int, ...]) -> float:
        offset = [axis - whole for axis, whole in zip(vector, corner)]
        shift = unskew * sum(offset)
        return sum((axis - shift) ** 2 for axis in offset)

    choices = ((math.floor(axis), math.floor(axis) + 1) for axis in vector)
    return min(itertools.product(*choices), key=distance)


def _whole(length: float) -> int:
    """Return the nearest nonzero integer."""
    return round(length) or (-1 if length < 0.0 else 1)


def _at_least_one(length: float) -> int:
    return max(1, round(abs(length)))
