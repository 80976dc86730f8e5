# SPDX-License-Identifier: GPL-3.0-or-later
"""Bricks in courses, for walls, planks, paving and roof tiles."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Field, Index, Points
from ..base.params import number
from ..base.torus import apply_matrix, square_lattice
from ..lattice import lattice_cells
from ..lattice.hash import hash_indices
from .bases.noise import noise_type
from .bases.tiling import TilePattern, Tiles

if TYPE_CHECKING:
    from ..base.torus import Lattice, Torus

_COURSE = 0xC0
"""Tells a course's random shift from the numbers of its bricks."""


@noise_type("bricks", "Bricks", family="shape")
class Bricks(TilePattern):
    """Courses of bricks, every second one shifted: walls, planks, paving.

    Notes
    -----
    A cell of the lattice is one brick wide and two courses high, so that on a wrapping grid a
    whole number of pairs of courses closes, for every bond. The distance to the border is that
    to a rectangle with rounded corners, in halves of the short side.

    -1 stands for a joint (or a border), 1 for the highest face; random values lie in [-1, 1).

    References
    ----------
    Ebert, Musgrave, Peachey, Perlin, Worley (2003). Texturing and modeling, chapter 2.
    Inigo Quilez (2020). 2D distance functions. https://iquilezles.org/articles/distfunctions2d/

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Bricks
    >>> wall = Bricks(columns=4.0, rows=12.0, shift=0.5)
    >>> field = wall.sample_grid(Grid(256, 256, wrap=True))
    >>> low, high = wall.bounds()
    >>> bool(low <= field.min() and field.max() <= high)
    True

    A wrapping grid repeats the wall without a seam, at any resolution:

    >>> coarse = wall.sample_grid(Grid(128, 128, wrap=True))
    >>> bool((coarse == field[::2, ::2]).all())
    True
    """

    columns: float = number(
        4.0,
        help="Bricks per tile along a course",
        minimum=0.01,
        maximum=1e5,
        soft_minimum=1.0,
        soft_maximum=32.0,
        unit="frequency",
        visible_when=("output", ("face", "edge", "value", "x")),
    )
    rows: float = number(
        12.0,
        help="Courses per tile; a wrapping grid takes an even number",
        minimum=0.01,
        maximum=1e5,
        soft_minimum=2.0,
        soft_maximum=64.0,
        unit="frequency",
    )
    shift: float = number(
        0.5,
        help="Shift of every second course, in bricks",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("output", ("face", "edge", "value", "x")),
    )
    random_shift: float = number(
        0.0,
        help="Random shift of each course, in bricks",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("output", ("face", "edge", "value", "x")),
    )

    @property
    def is_random(self) -> bool:
        """See `TilePattern.is_random`."""
        return self.random_shift > 0.0

    def finest(self) -> float:
        """Return how many courses or bricks lie along a tile."""
        return max(self.columns, self.rows)

    def tiles(self, points: Points, seed: int, torus: Torus | None) -> Tiles:
        """See `TilePattern.tiles`."""
        scale = ((self.columns, 0.0), (0.0, 0.5 * self.rows))
        lattice = square_lattice(1.0, None if torus is None else torus.through(scale))
        along, across = lattice.coordinates(apply_matrix(scale, points))
        (brick, pair), (rightward, upward) = lattice_cells.split_cells((along, across))
        upward = upward * np.float32(2.0)
        second: Index = np.greater_equal(upward, np.float32(1.0)).astype(np.int32)
        upward = upward - second.astype(np.float32)
        shift: Field = second.astype(np.float32) * np.float32(self.shift)
        if self.random_shift:
            shift = shift + self._chance(pair, second, lattice, seed)
        # A course's shift is the same all along it, so whole bricks are taken off beforehand.
        whole = np.floor(shift)
        rightward = rightward - (shift - whole)
        is_left: Index = np.less(rightward, np.float32(0.0)).astype(np.int32)
        rightward = rightward + is_left.astype(np.float32)
        column = brick - whole.astype(np.int32) - is_left
        i, j = lattice.wrap(column, pair)
        one, two = np.float32(1.0), np.float32(2.0)
        indices = (i, j * np.int32(2) + second)
        return Tiles(rightward * two - one, upward * two - one, indices)

    def inside(self, x: Field, y: Field) -> Field:
        """See `TilePattern.inside`: the distance to a rectangle with round corners."""
        wide, high = max(self.rows / self.columns, 1.0), max(self.columns / self.rows, 1.0)
        radius = np.float32(self.rounding)
        beyond_x = np.abs(x) * np.float32(wide) - (np.float32(wide) - radius)
        beyond_y = np.abs(y) * np.float32(high) - (np.float32(high) - radius)
        zero = np.float32(0.0)
        corner = np.square(np.maximum(beyond_x, zero)) + np.square(np.maximum(beyond_y, zero))
        side = np.minimum(np.maximum(beyond_x, beyond_y), zero)
        inside: Field = radius - side - np.sqrt(corner)
        inside = np.clip(inside, zero, np.float32(1.0))
        return inside

    def _chance(self, pair: Index, second: Index, lattice: Lattice, seed: int) -> Field:
        """Return a random shift for each course."""
        course: Index = pair
        if lattice.periods is not None:
            # On a turned torus a course may come round to another one, which needs its shift.
            _, turns = lattice.periods
            course = np.mod(course, np.int32(math.gcd(*turns)))
        chance = hash_indices((course * np.int32(2) + second,), seed ^ _COURSE) >> np.uint32(8)
        shift: Field = chance.astype(np.float32)
        shift *= np.float32(self.random_shift * 2.0**-24)
        return shift
