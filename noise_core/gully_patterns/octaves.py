# SPDX-License-Identifier: GPL-3.0-or-later
"""Octaves of gullies: the width, height and direction of each size."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field, Index
from ..base.elementary import power_of, presence_of, tangent_of
from ..base.torus import Lattice, Matrix, Torus, apply_matrix, inverse, square_lattice
from ..fractals.sums import amplitudes
from ..lattice.hash import child_seed
from ..lattice.seed_shifts import seed_shift

Coordinate = npt.NDArray[np.float64]
"""One coordinate of many points, in float64 so that it is as fine far from the origin."""

Directions = Callable[[Coordinate, Coordinate], tuple[Field, Field]]
"""Called with x and y of many points, in tiles: returns which way is up there, in new arrays, of
any length."""

WAVES_PER_CELL = 0.7
"""Gullies that lie side by side in a cell: fewer blur into blobs, more repeat like a comb."""

_FIRST_CHILD = 0x300
"""Seeds of octaves; a fractal that gives the ground takes those before."""


@dataclass(frozen=True)
class GullyOctave:
    """The gullies of one size.

    Attributes
    ----------
    lattice : Lattice
        The cells in which they lie.
    shift : tuple of two floats
        Added to lattice coordinates: by the seed, less than a cell, a whole fraction of 2^16, so that one
        period more stays one in float64.
    seed : int
        Unsigned, 32 bits.
    amplitude : float
        Half their depth, compared with the first octave; 0 if they are not drawn at all.
    presence : float
        The share of them that is left where a grid can hardly show them.
    turn : tuple of two floats
        Cosine and sine of the angle between their flanks' steepest way and their own direction.
    """

    lattice: Lattice
    shift: tuple[float, float]
    seed: int
    amplitude: float
    visible_share: float
    turn: tuple[float, float]

    @functools.cached_property
    def covector(self) -> Matrix | None:
        """Map of directions into the lattice, up to their length; None for the identity."""
        (xx, xy), (yx, yy) = self.lattice.matrix
        if xy == 0.0 and yx == 0.0 and xx == yy:
            return None
        (a, b), (c, d) = inverse(self.lattice.matrix)
        size = math.sqrt(abs(xx * yy - xy * yx))
        return ((a * size, c * size), (b * size, d * size))

    def across(self, x: Field, y: Field) -> tuple[Field, Field]:
        """Return unit vectors across the gullies in lattice coordinates; the given ones if it is square."""
        if self.covector is None:
            return x, y
        turned_x, turned_y = cast("tuple[Field, Field]", apply_matrix(self.covector, (x, y)))
        normalize(turned_x, turned_y)
        return turned_x, turned_y

    def to_lattice(self, x: Coordinate, y: Coordinate) -> tuple[Coordinate, Coordinate]:
        """Return the lattice coordinates of points in tiles."""
        i, j = cast("tuple[Coordinate, Coordinate]", self.lattice.coordinates((x, y)))
        i += self.shift[0]
        j += self.shift[1]
        return i, j

    def to_tiles(self, i: Index, j: Index) -> tuple[Coordinate, Coordinate]:
        """Return the positions of lattice points, in tiles."""
        to_tile = inverse(self.lattice.matrix)
        whole = (i - np.float64(self.shift[0]), j - np.float64(self.shift[1]))
        return cast("tuple[Coordinate, Coordinate]", apply_matrix(to_tile, whole))


@dataclass(frozen=True, kw_only=True)
class GullyPattern:
    """Settings of gullies; see the parameters of the same names.

    Attributes
    ----------
    frequency : float
        How many of the largest gullies lie side by side along a tile.
    octaves, persistence, lacunarity : float
    branching : float
        In degrees.
    """

    frequency: float
    octaves: float
    persistence: float
    lacunarity: float
    branching: float

    def finest(self) -> float:
        """Return how many cells of the last octave lie along a tile."""
        last = power_of(self.lacunarity, math.ceil(self.octaves) - 1)
        return self.frequency * last / WAVES_PER_CELL

    def total(self) -> float:
        """Return the sum of all amplitudes."""
        return math.fsum(amplitudes(self.octaves, self.persistence))

    def build_octaves(
        self, seed: int, torus: Torus | None, step: float = 0.0
    ) -> tuple[GullyOctave, ...]:
        """Return the octaves.

        Parameters
        ----------
        seed : int
            Unsigned, 32 bits.
        torus : Torus or None
            Periods, if the pattern repeats: cells are rounded to a whole number of them.
        step : float
            Spacing of a grid's samples in tiles; octaves that it cannot hold are left out. 0
            leaves out none.
        """
        octaves_found = []
        steepness = tangent_of(self.branching)
        climbed = 1.0
        for number, amplitude in enumerate(amplitudes(self.octaves, self.persistence)):
            waves = self.frequency * power_of(self.lacunarity, number)
            presence = presence_of(waves * step)
            if presence == 0.0:
                break
            # The flanks of this octave's gullies, added to the ground and the octaves before: both
            # are across each other, so that their steepest way is turned by the same angle anywhere.
            flank = steepness * power_of(self.persistence * self.lacunarity, number)
            length = math.sqrt(climbed * climbed + flank * flank)
            octave_seed = child_seed(seed, _FIRST_CHILD + number)
            octaves_found.append(
                GullyOctave(
                    square_lattice(waves / WAVES_PER_CELL, torus),
                    seed_shift(octave_seed, number, 1.0)[:2],
                    octave_seed,
                    amplitude,
                    presence,
                    (climbed / length, flank / length),
                )
            )
            climbed = length
        return tuple(octaves_found)


_NO_SQUARE = np.float32(1e-36)
"""What is shorter than the root of this counts as no direction; its own square may be lost."""


def normalize(x: Field, y: Field, length: Field | None = None) -> None:
    """Scale directions to length 1, in place; a zero vector stays zero, and none gets longer.

    Parameters
    ----------
    x, y : ndarrays
    length : ndarray, optional
        Gets the length that they had.
    """
    square = np.multiply(x, x, out=length)
    part = y * y
    square += part
    square += _NO_SQUARE
    np.sqrt(square, out=square)
    np.divide(np.float32(1.0), square, out=part)
    x *= part
    y *= part
