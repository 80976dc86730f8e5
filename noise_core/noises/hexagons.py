# SPDX-License-Identifier: GPL-3.0-or-later
"""Hexagons: tiled floors, honeycombs, basalt."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Coordinates, Field, Index, Points
from ..base.params import cells_per_tile
from ..base.torus import TRIANGLE_STEP, apply_matrix, triangular_lattice
from .bases.noise import noise_type
from .bases.tiling import TilePattern, Tiles

if TYPE_CHECKING:
    from ..base.torus import Torus

_ROW = math.sqrt(3.0)
"""Distance of every second row of hexagons that lie 1 apart."""

_COSINE = np.float32(math.sqrt(0.75))
"""Of 30 degrees."""


@noise_type("hexagons", "Hexagons", family="shape")
class Hexagons(TilePattern):
    """Hexagons with vertical sides: floors, honeycombs, armor.

    Notes
    -----
    The middles lie on a triangular lattice. Every second row of it is a lattice of rectangles, so
    the nearest middle is the nearer one of two that rounding gives. On a wrapping grid the
    lattice is stretched a little to close: see `triangular_lattice`.

    -1 stands for a joint (or a border), 1 for the highest face; random values lie in [-1, 1).

    References
    ----------
    Inigo Quilez (2020). 2D distance functions. https://iquilezles.org/articles/distfunctions2d/

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Hexagons
    >>> floor = Hexagons(frequency=8.0)
    >>> field = floor.sample_grid(Grid(128, 128, wrap=True))
    >>> low, high = floor.bounds()
    >>> bool(low <= field.min() and field.max() <= high)
    True
    """

    frequency: float = cells_per_tile(8.0)

    def tiles(self, points: Points, seed: int, torus: Torus | None) -> Tiles:
        """See `TilePattern.tiles`."""
        lattice = triangular_lattice(self.frequency * TRIANGLE_STEP, torus)
        (a, b), (c, d) = lattice.matrix
        # Lattice coordinates i, j as x = i - j / 2, in hexagons, and y = j / 2, in pairs of rows.
        # On an aligned torus each depends on one coordinate alone.
        x, y = apply_matrix(((a - 0.5 * c, b - 0.5 * d), (0.5 * c, 0.5 * d)), points)
        (right, across), (up, along) = _nearest(x), _nearest(y)
        (other_right, other_across), (other_up, other_along) = _nearest(x, 0.5), _nearest(y, 0.5)
        distance = _distance(across, along)
        is_other = np.less(_distance(other_across, other_along), distance)
        share = is_other.astype(np.float32)
        across = across + share * (other_across - across)
        along = along + share * (other_along - along)
        # The middle is at i = x + y, j = 2 y; at the other one both lie half a step further.
        i = np.where(is_other, other_right + other_up + np.int32(1), right + up)
        j = np.where(is_other, other_up * np.int32(2) + np.int32(1), up * np.int32(2))
        # A hexagon is 1 wide and 2 / sqrt(3) high, two rows are sqrt(3) apart.
        indices = lattice.wrap(i, j)
        return Tiles(across * np.float32(2.0), along * np.float32(3.0), indices)

    def inside(self, x: Field, y: Field) -> Field:
        """See `TilePattern.inside`: the distance to a hexagon with round corners."""
        zero = np.float32(0.0)
        # Folded into the twelfth of the hexagon beside the right-hand side.
        across: Field = np.abs(x)
        up: Field = np.abs(y) * np.float32(2.0 / _ROW)
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


def _nearest(x: Coordinates, offset: float = 0.0) -> tuple[Index, Field]:
    """Return the integer n for which n + offset is nearest, and the remaining distance."""
    whole: Coordinates = np.rint(x - x.dtype.type(offset))
    return whole.astype(np.int32), (x - whole - x.dtype.type(offset)).astype(np.float32)


def _distance(x: Field, y: Field) -> Field:
    """Return the squared distance of points, of which y counts pairs of rows."""
    distance: Field = np.square(x) + np.square(y) * np.float32(3.0)
    return distance
