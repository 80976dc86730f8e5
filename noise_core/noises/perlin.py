# SPDX-License-Identifier: GPL-3.0-or-later
"""Gradient noise, with the classic choices of fade, gradients and lattice."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..base import gathering
from ..base.arrays import Field, Hash, Index
from ..base.elementary import circle
from ..base.grid import Axes
from ..base.params import choice
from ..lattice import corners
from ..lattice import hash as lattice
from .bases.lattice_noise import LatticeNoise
from .bases.noise import noise_type

if TYPE_CHECKING:
    from ..base.torus import Lattice
    from ..lattice.corners import Nodes
    from ..lattice.lattice_terms import LatticeTerm

_BOUNDS = {
    3: {"linear": 1.0648282, "cubic": 1.0449052, "quintic": 1.0363539},
    4: {"linear": 1.5653133, "cubic": 1.5452000, "quintic": 1.5365824},
}
"""Largest sums of the improved noise. A corner adds at most its weight times the largest product
of an edge vector with the distance, which is the sum of the two largest (in 4-D, three largest)
of |dx|, |dy|, |dz|, |dw|. These are the maxima of that total over the cell, rounded up."""


@noise_type("perlin", "Perlin", family="basic")
class Perlin(LatticeNoise):
    """Classic smooth gradient noise for rolling hills.

    Notes
    -----
    2-D with unit vectors is bounded by 1/sqrt(2): by Jensen's inequality the weighted mean of the
    corner distances is at most the root of the mean square, largest in the cell's middle. They
    are rescaled to 1. The four diagonals are bounded by 1 as they are. In 3-D and 4-D the
    gradients are the edge vectors of the improved noise for either choice.

    At points of n = 5 to 16 coordinates the gradients are the 2^n vectors whose parts are all 2 / n or
    -2 / n, and the bound is 1 as well: the largest sum is 2 / n times that of the distances along each
    axis, weighted over the corners, which is 1/2 for each of n axes, in the middle of a cell, for every fade.
    Few sums come near it: the standard deviation is 0.07 in 8-D, where it is 0.29 in 2-D. (From 9 coordinates
    on the table of 256 chooses from 256 of them.) A point has 2^n corners, so each further coordinate takes twice as long.

    Indexed gradients are 256 unit vectors in any dimension, times 2 / sqrt(n), so that they are bounded by 1: with
    the weights of the corners, the mean square of their distances is at most n / 4, in the middle of a cell.
    Multiply by sqrt(n) / 2 for the noise of unit vectors. In 2-D vector k points to k / 256 of a turn, as
    with the circle.

    The permutations repeat after 256 cells along each axis.

    References
    ----------
    Ken Perlin (1985). An image synthesizer. SIGGRAPH.
    Ken Perlin (2002). Improving noise. SIGGRAPH.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Perlin
    >>> noise = Perlin(frequency=4.0)
    >>> print(noise.sample([[0.1, 0.2], [0.3, 0.4], [0.25, 0.5]], seed=7).round(2))
    [-0.19  0.28  0.  ]

    The last point is a lattice point, where the noise is 0. On a grid that wraps the noise is seamless:

    >>> field = noise.sample_grid(Grid(64, 64, wrap=True), seed=7)
    >>> step = np.abs(np.diff(field, axis=1)).max()
    >>> bool(np.abs(field[:, 0] - field[:, -1]).max() <= step)
    True

    Ken Perlin's table of 256 instead of the hash, in 3-D:

    >>> classic = Perlin(frequency=4.0, lattice="permutation", gradients="diagonal", fade="cubic")
    >>> classic.sample(np.zeros((5, 3))).shape
    (5,)
    """

    gradients: str = choice(
        "circle",
        help="Set of gradients",
        options={
            "circle": "256 directions all around: no preferred direction",
            "diagonal": "The four diagonals, as in the classic algorithm",
            "indexed": "256 unit vectors by their number, in any dimension",
        },
        advanced=True,
    )
    lattice: str = choice(
        "hash",
        help="Source of the random values",
        options={
            "hash": "An integer hash: any seed, no period",
            "permutation": "Ken Perlin's table of 256: repeats after 256 cells",
            "permutation_xor": "The same table, looked up by exclusive or instead of a sum",
        },
        classic=("permutation", "permutation_xor"),
        advanced=True,
    )

    def nodes(self, indices: Sequence[Index], seed: int) -> Nodes:
        """Return the slopes at lattice points, scaled so that the noise fills [-1, 1]."""
        hashes = _LATTICES[self.lattice](indices, seed)
        if len(indices) > _TABLE_DIMENSIONS and self.gradients != "indexed":
            return corners.Nodes(None, _signed_slopes(hashes, len(indices), self.lattice != "hash"))
        table = _slopes(self.gradients, len(indices), self.fade)
        # Only the lowest bits choose; both lattices mix them well.
        place = (hashes & np.uint32(table.shape[1] - 1)).astype(np.intp)
        return corners.Nodes(None, tuple(gathering.gather(column, place) for column in table))

    def in_cells(
        self,
        index: Sequence[Index],
        offset: Sequence[Field],
        lattice: Lattice,
        seeds: Sequence[int],
    ) -> list[Field]:
        """See `LatticeNoise.in_cells`."""
        fields = super().in_cells(index, offset, lattice, seeds)
        if self.gradients == "diagonal" and len(index) == 3:
            # The classic 3-D sum, which is not rescaled, is kept within the stated bound.
            return [np.clip(field, -1.0, 1.0, out=field) for field in fields]
        return fields

    def _term(self, axes: Axes, seeds: Sequence[int], by: int | None) -> LatticeTerm | None:
        # None where the classic sum has to be clipped.
        is_clipped = self.gradients == "diagonal" and len(axes.rest) == 1
        return None if is_clipped else super()._term(axes, seeds, by)


_LATTICES = {
    "hash": lattice.hash_indices,
    "permutation": lattice.permute_indices,
    "permutation_xor": lattice.permute_by_exclusive_or,
}

_TABLE_DIMENSIONS = 8
"""Up to so many dimensions the vectors of all signs stand in a table, from which 8 bits can choose."""


@functools.cache
def _slopes(gradients: str, dimension: int, fade: str) -> Field:
    """Return the slopes to choose from: shape (dimension, a power of two), float32."""
    if gradients == "indexed" and dimension > 2:
        table = _unit_vectors(dimension) * (2.0 / math.sqrt(dimension))
    elif dimension == 1:
        # The middle of a cell is worth half of each slope's length: twice as steep fills [-1, 1].
        steep = np.array([2.0, -2.0]) if gradients == "diagonal" else np.linspace(-2.0, 2.0, 256)
        table = steep[np.newaxis]
    elif dimension == 2 and gradients != "diagonal":
        table = circle(np.arange(256, dtype=np.float64) * (360.0 / 256.0)) * math.sqrt(2.0)
    elif dimension == 2:
        table = np.array([[1.0, -1.0, -1.0, 1.0], [1.0, 1.0, -1.0, -1.0]])
    elif dimension == 3:
        classic = gradients == "diagonal"
        table = _edges_3d() / (1.0 if classic else _BOUNDS[3][fade])
    elif dimension == 4:
        table = _edges_4d() / _BOUNDS[4][fade]
    else:
        table = np.array(list(itertools.product((1.0, -1.0), repeat=dimension))).T * (
            2.0 / dimension
        )
    slopes: Field = np.ascontiguousarray(table, np.float32)
    slopes.flags.writeable = False
    return slopes


def _signed_slopes(hashes: Hash, dimension: int, is_byte: bool) -> tuple[Field, ...]:
    """Return slopes of 2 / dimension whose signs are bits of hashes; new arrays.

    Parameters
    ----------
    hashes : ndarray of uint32
    dimension : int
        At most 16.
    is_byte : bool
        Whether they are below 256. Seven of these bits are then spread, and the last one turns the
        vector around, so that all 256 together point nowhere.
    """
    bits = hashes
    if is_byte:
        table = np.array([lattice.mix_bits(number) for number in range(1, 129)], np.uint32)
        bits = np.concatenate((table, ~table))[hashes.astype(np.intp)]
    size = np.float32(2.0 / dimension)
    return tuple(
        size - (bits >> np.uint32(axis) & np.uint32(1)).astype(np.float32) * (size + size)
        for axis in range(dimension)
    )


def _unit_vectors(dimension: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return 256 vectors of length 1 in all directions, the second half opposite to the first.

    Each part is a sum of twelve random numbers, and so about as in a normal distribution, whose
    vectors prefer no direction.
    """
    numbers = np.arange(128 * dimension * 12, dtype=np.int32)
    parts = lattice.hash_indices((numbers,), 0).astype(np.float64) * 2.0**-32 - 0.5
    vectors = parts.reshape(dimension, 128, 12).sum(axis=2)
    vectors /= np.sqrt((vectors * vectors).sum(axis=0))
    return np.concatenate((vectors, -vectors), axis=1)


def _edges_3d() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the 12 edge vectors in the order of the improved noise, four of them twice."""
    signs = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]
    edges = [(a, b, 0.0) for a, b in signs]
    edges += [(a, 0.0, b) for a, b in signs]
    edges += [(0.0, a, b) for a, b in signs]
    edges += [(1.0, 1.0, 0.0), (0.0, -1.0, 1.0), (-1.0, 1.0, 0.0), (0.0, -1.0, -1.0)]
    return np.array(edges).T


def _edges_4d() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the 32 vectors with one zero and three signs."""
    edges = []
    for zero in range(4):
        for signs in itertools.product((1.0, -1.0), repeat=3):
            edges.append((*signs[:zero], 0.0, *signs[zero:]))
    return np.array(edges).T
