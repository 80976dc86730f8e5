# SPDX-License-Identifier: GPL-3.0-or-later
"""The core's source of randomness: an integer hash, and Ken Perlin's permutation.

Everything here is integer arithmetic, so it gives the same bits everywhere.

References
----------
Ken Perlin (2002). Improving noise. SIGGRAPH. (the permutation)
Chris Wellons (2018). Prospecting for hash functions. (the constants of `mix_bits`)
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..base.arrays import SEED_MASK, Hash, Index

MOST_CELLS = 1 << 30
"""Cells along an axis that an int32 index tells apart, with room for neighbors and warps."""

# One odd multiplier per axis keeps the axes apart; fractional bits of the golden ratio and of
# the square roots of the primes from 2 to 47, made odd.
# fmt: off
_AXIS_PRIMES = (
    0x9E3779B1, 0x6A09E667, 0xBB67AE85, 0x3C6EF373, 0xA54FF53B, 0x510E527F, 0x9B05688D, 0x1F83D9AB,
    0x5BE0CD19, 0xCBBB9D5D, 0x629A292B, 0x9159015B, 0x152FECD9, 0x67332667, 0x8EB44A87, 0xDB0C2E0D,
)
# fmt: on
_FIRST_MULTIPLIER = 0x7FEB352D
_SECOND_MULTIPLIER = 0x846CA68B

# Ken Perlin's reference permutation of 0..255.
# fmt: off
PERMUTATION = (
    151, 160, 137, 91, 90, 15, 131, 13, 201, 95, 96, 53, 194, 233, 7, 225,
    140, 36, 103, 30, 69, 142, 8, 99, 37, 240, 21, 10, 23, 190, 6, 148,
    247, 120, 234, 75, 0, 26, 197, 62, 94, 252, 219, 203, 117, 35, 11, 32,
    57, 177, 33, 88, 237, 149, 56, 87, 174, 20, 125, 136, 171, 168, 68, 175,
    74, 165, 71, 134, 139, 48, 27, 166, 77, 146, 158, 231, 83, 111, 229, 122,
    60, 211, 133, 230, 220, 105, 92, 41, 55, 46, 245, 40, 244, 102, 143, 54,
    65, 25, 63, 161, 1, 216, 80, 73, 209, 76, 132, 187, 208, 89, 18, 169,
    200, 196, 135, 130, 116, 188, 159, 86, 164, 100, 109, 198, 173, 186, 3, 64,
    52, 217, 226, 250, 124, 123, 5, 202, 38, 147, 118, 126, 255, 82, 85, 212,
    207, 206, 59, 227, 47, 16, 58, 17, 182, 189, 28, 42, 223, 183, 170, 213,
    119, 248, 152, 2, 44, 154, 163, 70, 221, 153, 101, 155, 167, 43, 172, 9,
    129, 22, 39, 253, 19, 98, 108, 110, 79, 113, 224, 232, 178, 185, 112, 104,
    218, 246, 97, 228, 251, 34, 242, 193, 238, 210, 144, 12, 191, 179, 162, 241,
    81, 51, 145, 235, 249, 14, 239, 107, 49, 192, 214, 31, 181, 199, 106, 157,
    184, 84, 204, 176, 115, 121, 50, 45, 127, 4, 150, 254, 138, 236, 205, 93,
    222, 114, 67, 29, 24, 72, 243, 141, 128, 195, 78, 66, 215, 61, 156, 180,
)
# fmt: on


def mix_bits(value: int) -> int:
    """Return a 32-bit integer with every bit depending on every bit of `value`.

    Examples
    --------
    >>> from noise_core.lattice.hash import mix_bits
    >>> mix_bits(1) != mix_bits(2), 0 <= mix_bits(1) < 2**32
    (True, True)
    """
    value = (value ^ (value >> 16)) * _FIRST_MULTIPLIER & SEED_MASK
    value = (value ^ (value >> 15)) * _SECOND_MULTIPLIER & SEED_MASK
    return value ^ (value >> 16)


def child_seed(seed: int, index: int) -> int:
    """Return the seed of the `index`-th octave, copy or child; child 0 keeps the seed itself.

    Keeping it means that the first octave of a fractal has the values of its source, shifted.

    Parameters
    ----------
    seed : int
        Unsigned, 32 bits.
    index : int
        At least 0.

    Examples
    --------
    >>> from noise_core.lattice.hash import child_seed
    >>> child_seed(7, 1) == child_seed(7, 1), child_seed(7, 1) != child_seed(7, 2)
    (True, True)
    """
    return seed if index == 0 else mix_bits(seed ^ mix_bits(index * _AXIS_PRIMES[0] & SEED_MASK))


def hash_indices(indices: Sequence[Index], seed: int) -> Hash:
    """Hash lattice points: 32 well-mixed bits each, with no period.

    Parameters
    ----------
    indices : sequence of 1 to 16 int32 arrays
        One index per axis; their shapes broadcast.
    seed : int
        Unsigned, 32 bits.

    Returns
    -------
    ndarray of the common shape, uint32

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.lattice.hash import hash_indices
    >>> x, y = np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
    >>> hashes = hash_indices((x, y), 7)
    >>> str(hashes.dtype), len(set(hashes.tolist()))
    ('uint32', 4)
    """
    result: Hash = _spread(indices[0], _AXIS_PRIMES[0])
    result ^= np.uint32(mix_bits(seed))
    for index, prime in zip(indices[1:], _AXIS_PRIMES[1:]):
        result = result + _spread(index, prime)
    return _mix(result)


def hash_diagonals(first: int, columns: int, rows: Index, seed: int) -> Hash:
    """Hash lattice points in rows that each begin one step further than the one before.

    That is `hash_indices` of (first + k + column, rows[k]) for row k, at half the cost.

    Parameters
    ----------
    first, columns : int
        Where row 0 begins, and how many points a row has.
    rows : ndarray of shape (n,), int32
        The second index.
    seed : int
        Unsigned, 32 bits.

    Returns
    -------
    ndarray of shape (n, columns), uint32

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.lattice.hash import hash_diagonals, hash_indices
    >>> rows = np.array([5, 7], np.int32)
    >>> hashes = hash_diagonals(3, 4, rows, 9)
    >>> column = np.arange(4, dtype=np.int32)
    >>> bool((hashes[1] == hash_indices((column + np.int32(4), rows[1:]), 9)).all())
    True
    """
    line = _spread(
        np.arange(first, first + len(rows) + columns - 1, dtype=np.int32), _AXIS_PRIMES[0]
    )
    line ^= np.uint32(mix_bits(seed))
    starts = np.ndarray((len(rows), columns), np.uint32, line, strides=2 * line.strides)
    return _mix(starts + _spread(rows, _AXIS_PRIMES[1])[:, np.newaxis])


def _mix(result: Hash) -> Hash:
    """Mix the bits of each number as `mix_bits` does; overwrites its argument."""
    shifted = np.empty_like(result)
    for shift, multiplier in ((16, _FIRST_MULTIPLIER), (15, _SECOND_MULTIPLIER)):
        np.right_shift(result, np.uint32(shift), out=shifted)
        result ^= shifted
        result *= np.uint32(multiplier)
    np.right_shift(result, np.uint32(16), out=shifted)
    result ^= shifted
    return result


def _spread(index: Index, prime: int) -> Hash:
    """Return nonlinear multiples of a prime: shape of `index`, 0 for 0.

    A sum of plain multiples would repeat wherever the multiples of a step on each axis add up to
    2^32, and their exclusive or would give (i, j) and (-i, -j) one value where both are odd.
    """
    result: Hash = np.asarray(index, np.int32).view(np.uint32) * np.uint32(prime)
    result ^= result >> np.uint32(16)
    return result


def permute_indices(indices: Sequence[Index], seed: int) -> Hash:
    """Look lattice points up in a permutation of 256, as Ken Perlin did: p[p[X] + Y] in 2-D.

    Repeats after 256 along each axis. Seed 0 is his own permutation, any other seed shuffles it.

    Parameters and return value are those of `hash_indices`; the values lie in 0..255.
    """
    table = permutation(seed)
    result: Index = table[np.asarray(indices[0]) & 255]
    for index in indices[1:]:
        result = table[result + (np.asarray(index) & 255)]
    return result.astype(np.uint32)


def permute_by_exclusive_or(indices: Sequence[Index], seed: int) -> Hash:
    """Look lattice points up as `permute_indices` does, joined by exclusive or: p[p[X] ^ Y] in 2-D."""
    table = permutation(seed)
    result: Index = table[np.asarray(indices[0]) & 255]
    for index in indices[1:]:
        result = table[result ^ (np.asarray(index) & 255)]
    return result.astype(np.uint32)


@functools.lru_cache(maxsize=64)
def permutation(seed: int) -> npt.NDArray[np.int32]:
    """Return a permutation of 0..255, doubled: shape (512,), int32, read-only.

    Parameters
    ----------
    seed : int
        0 gives Ken Perlin's own order; any other seed shuffles it (Fisher and Yates, drawing
        from `mix_bits`).
    """
    order = list(PERMUTATION)
    if seed != 0:
        state = mix_bits(seed)
        for last in range(255, 0, -1):
            state = mix_bits(state + last & SEED_MASK)
            chosen = state * (last + 1) >> 32
            order[last], order[chosen] = order[chosen], order[last]
    table = np.array(order + order, np.int32)
    table.flags.writeable = False
    return table
