# SPDX-License-Identifier: GPL-3.0-or-later
"""Shifts by which a seed moves the octaves of fractals and the copies of warps.

Noise on a lattice is not alike everywhere: Perlin noise is 0 at each corner of a cell, for every seed. Shifts
drawn evenly over whole cells give all places the same chances. They are added to coordinates and change
nothing else, so that a noise that closes on a torus still closes: the pattern moves around it.

The lower half of a seed says where, the whole seed says which values. Seeds with the same lower half
move a noise by the same shift, and share all work that depends on cells and places in them. Copies of a
displacement are such seeds.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from ..base.arrays import SEED_MASK
from .affine import Offset
from .hash import child_seed, mix_bits

CELLS = 4
"""Cells along each axis that shifts are drawn from. More than one, since the triangles of simplex noise do
not repeat after a square cell: of four, no place in a triangle has one chance in twenty more than another."""

IN_PLACE: Offset = (0.0, 0.0, 0.0, 0.0)
"""Shift of noise that no seed moves."""

_LOWER_HALF = 0xFFFF


def copy_seed(seed: int, index: int) -> int:
    """Return a seed with other values and the same shifts.

    Parameters
    ----------
    seed : int
        Unsigned, 32 bits.
    index : int
        Number of the copy, at least 1.

    Examples
    --------
    >>> from noise_core.lattice.seed_shifts import copy_seed, share_shifts
    >>> copies = [copy_seed(7, 1), copy_seed(7, 2)]
    >>> copies[0] == copies[1], share_shifts(copies), share_shifts([7, 8])
    (False, True, False)
    """
    return child_seed(seed, index) & ~_LOWER_HALF | seed & _LOWER_HALF


def share_shifts(seeds: Sequence[int]) -> bool:
    """Return whether all seeds move a noise by the same shift."""
    return all((seed ^ seeds[0]) & _LOWER_HALF == 0 for seed in seeds)


@functools.lru_cache(maxsize=1024)
def seed_shift(seed: int, index: int, span: float) -> Offset:
    """Return how far a seed moves an octave or a copy along each axis, in tiles.

    Parameters
    ----------
    seed : int
        Unsigned, 32 bits.
    index : int
        Number of the octave or of the level of copies.
    span : float
        Shifts lie in [0, span), evenly; see `Noise.seed_span`.

    Examples
    --------
    >>> from noise_core.lattice.seed_shifts import seed_shift
    >>> shift = seed_shift(7, 0, 1.0)
    >>> len(shift), all(0.0 <= part < 1.0 for part in shift), seed_shift(7, 0, 0.0)
    (4, True, (0.0, 0.0, 0.0, 0.0))
    """
    if span == 0.0:
        return IN_PLACE
    state = child_seed(seed & _LOWER_HALF, 1 + index)
    # Of 16 bits: added to coordinates of a grid they are seldom rounded.
    x, y, z, w = (
        span * ((mix_bits(state + axis & SEED_MASK) >> 16) * 2.0**-16) for axis in range(4)
    )
    return (x, y, z, w)
