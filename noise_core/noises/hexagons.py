# SPDX-License-Identifier: GPL-3.0-or-later
"""Hexagons: tiled floors, honeycombs, basalt."""

from __future__ import annotations

import math

import numpy as np

from ..arrays import Coordinates, Field, Points
from ..noise import noise_type
from ..params import cells_per_tile
from ..tilings import Tiles, Tiling
from ..torus import TRIANGLE_STEP, Torus, triangular_lattice

_ROW = math.sqrt(3.0)
"""Distance of every second row of hexagons that lie 1 apart."""

_COSINE = np.float32(math.sqrt(0.75))
"""Of 30 degrees."""


@noise_type("hexagons", "Hexagons", family="shape")
class Hexagons(Tiling):
    """Parts the plane into hexagons with upright sides: floors, honeycombs, armour.

    Notes
    -----
    The middles lie on a triangular lattice. Every second row of it is a lattice of rectangles, so
    the nearest middle is the nearer one of two that rounding gives. On a wrapping grid the
    lattice is stretched a little to close: see `triangular_lattice`.

    -1 stands for a joint (or a border), 1 for the highest face; random values lie in [-1, 1).

    References
    ----------
    Inigo Quilez (2020). 2D distance functions. https://iquilezles.org/articles/distfunctions2d/
    """

    frequency: float = cells_per_tile(8.0)

    def tiles(self, points: Points, seed: int, torus: Torus | None) -> Tiles:
        """See `Tiling.tiles`."""
        lattice = triangular_lattice(self.frequency * TRIANGLE_STEP, torus)
        first, second = lattice.coordinates(points)
        half = first.dtype.type(0.5)
        x: Coordinates = first - second * half  # in hexagons
        y: Coordinates = second * half  # in pairs of rows
        right, up = _rounded(x), _rounded(y)
        other_right, other_up = _between(x), _between(y)
        distance = _distance(x - right, y - up)
        is_other = np.less(_distance(x - other_right, y - other_up), distance)
        right, up = np.where(is_other, other_right, right), np.where(is_other, other_up, up)
        j = np.rint(up + up).astype(np.int32)
        i = np.rint(right + up).astype(np.int32)
        across = (x - right).astype(np.float32)
        upward = (y - up).astype(np.float32) * np.float32(_ROW)
        place = (across * np.float32(2.0), upward * np.float32(_ROW))
        return Tiles(self._inside(across, upward), place, lattice.wrapped(i, j))

    def _inside(self, x: Field, y: Field) -> Field:
        """Return how far inside a hexagon with round corners a point lies, in halves of its width.

        Parameters
        ----------
        x, y : ndarray, float32
            From the middle, in widths of a hexagon.
        """
        # Folded into the twelfth of the hexagon beside the right-hand side.
        zero, two = np.float32(0.0), np.float32(2.0)
        across: Field = np.abs(x) * two
        up: Field = np.abs(y) * two
        fold: Field = np.maximum(up * _COSINE - across * np.float32(0.5), zero)
        across = across + fold
        up = up - fold * np.float32(_ROW)
        radius = np.float32(self.rounding)
        flat = np.float32(1.0) - radius
        corner = flat * np.float32(1.0 / _ROW)
        beyond = np.maximum(np.abs(up) - corner, zero)
        out = across - flat
        rounded = np.sqrt(np.square(np.maximum(out, zero)) + np.square(beyond))
        inside: Field = radius - np.minimum(out, zero) - rounded
        inside = np.clip(inside, zero, np.float32(1.0))
        return inside


def _rounded(x: Coordinates) -> Coordinates:
    """Return the nearest whole number."""
    rounded: Coordinates = np.rint(x)
    return rounded


def _between(x: Coordinates) -> Coordinates:
    """Return the nearest number halfway between two whole ones."""
    lower: Coordinates = np.floor(x)
    lower += lower.dtype.type(0.5)
    return lower


def _distance(x: Coordinates, y: Coordinates) -> Coordinates:
    """Return the squared distance of points, of which y counts pairs of rows."""
    distance: Coordinates = np.square(x) + np.square(y) * x.dtype.type(3.0)
    return distance
