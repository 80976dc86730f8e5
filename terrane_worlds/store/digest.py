# SPDX-License-Identifier: GPL-3.0-or-later
"""Digests of arrays that add up from tiles of any size, in any order.

Each sample's 32 bits are multiplied by an odd weight of its row and one of its column; the digest is the sum
of these products modulo 2^64. It tells apart arrays that differ by accident, and is no signature.

References
----------
Daniel Lemire, Owen Kaser (2014). Strongly universal string hashing is fast. The Computer Journal 57
    (multilinear hashing)
Guy L. Steele, Doug Lea, Christine H. Flood (2014). Fast splittable pseudorandom number generators. OOPSLA
    (the weights)
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

_GOLDEN, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_ROWS, _COLUMNS = 0x5EED, 0xC01
"""Where the sequences of weights begin."""

_BLOCK = 64
"""Rows whose bits are widened at a time."""

_MASK = (1 << 64) - 1


def tile_digest(values: npt.NDArray[np.float32], row: int = 0, column: int = 0) -> int:
    """Return the share of a tile in the digest.

    Parameters
    ----------
    values : ndarray of shape (rows, columns), float32
    row, column : int
        Of its first sample in the land.
    """
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rows, columns = bits.shape
    across = _weights(_COLUMNS, column, columns)
    sums = np.empty(rows, np.uint64)
    for start in range(0, rows, _BLOCK):
        part = bits[start : start + _BLOCK].astype(np.uint64)
        sums[start : start + _BLOCK] = np.einsum("rc,c->r", part, across)
    return int(np.sum(sums * _weights(_ROWS, row, rows), dtype=np.uint64))


def text_of(sums: int) -> str:
    """Return the digest of an array as text, given the sum of its tiles."""
    return f"{sums & _MASK:016x}"


def array_digest(values: npt.NDArray[np.float32]) -> str:
    """Return the digest of an array in memory, shape (rows, columns), as stores have it."""
    return text_of(tile_digest(values))


def joint_digest(digests: Mapping[str, str]) -> str:
    """Return one digest for several arrays by name."""
    lines = "".join(f"{name} {digest}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:32]


def _weights(sequence: int, start: int, count: int) -> npt.NDArray[np.uint64]:
    """Return odd numbers of 64 bits that hang on their places in a sequence."""
    places = np.arange(start + 1, start + count + 1, dtype=np.uint64)
    mixed = places * np.uint64(_GOLDEN) + np.uint64(sequence)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(_FIRST)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(_SECOND)
    return (mixed ^ (mixed >> np.uint64(31))) | np.uint64(1)
