# SPDX-License-Identifier: GPL-3.0-or-later
"""Blue noise: a random value in every cell, unlike those around it, by the void-and-cluster method.

References
----------
Robert Ulichney (1993). The void-and-cluster method for dither array generation. SPIE 1913.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import SEED_MASK, Field, Index
from ..base.elementary import powers_of
from ..lattice.hash import hash_indices
from .bases.cell_noise import CellNoise
from .bases.noise import noise_type

_SPREAD = 0x9E3779B1
"""2^32 over the golden ratio, made odd: seeds in a row give 15 bits that differ (Knuth 1973, Fibonacci hashing)."""

SIDE = 64
"""Cells along a side of the mask, a power of two."""

_SIGMA = 1.5
"""Cells: standard deviation of what a cell weighs on its neighbors, as Ulichney found best."""

_FIRST = 0.1
"""Share of the cells in the pattern that ranks begin from, as Ulichney has it."""

_E = 2.718281828459045

_Weights = npt.NDArray[np.float64]


@noise_type("blue", "Blue", family="basic")
class Blue(CellNoise):
    """One random value per cell, unlike its neighbors: dither and grain without clumps.

    Notes
    -----
    The values of 64 x 64 cells repeat; a terrain or an image that wraps joins without a line if it has
    a multiple of 64 cells a side. In each such square every value occurs once, from -1 to 1 in even steps, so a
    threshold keeps the share of the cells that it says, spread evenly. Another seed turns, mirrors and
    moves them. It has two dimensions.

    References
    ----------
    Robert Ulichney (1993). The void-and-cluster method for dither array generation. SPIE 1913.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Blue, White
    >>> grid = Grid(64, 64, wrap=True)
    >>> blue, white = (cls(frequency=64.0).sample_grid(grid) for cls in (Blue, White))

    Neighbors of blue noise differ by more than those of white noise:

    >>> def difference(field):
    ...     return float(np.abs(field - np.roll(field, 1, axis=1)).mean())
    >>> difference(blue) > 1.1 * difference(white)
    True
    """

    dimensions: ClassVar[tuple[int, ...]] = (2,)

    def cell_values(self, index: Sequence[Index], seed: int) -> Field:
        """See `CellNoise.cell_values`."""
        side = SIDE
        bits = (seed * _SPREAD & SEED_MASK) >> 17
        column, row = (np.asarray(axis) for axis in index)
        column, row = (row, column) if bits & 1 else (column, row)
        column = -column if bits & 2 else column
        row = -row if bits & 4 else row
        across, down = np.int32(bits >> 3 & side - 1), np.int32(bits >> 9 & side - 1)
        last = np.int32(side - 1)
        ranks = mask_ranks()[(row + down) & last, (column + across) & last]
        # Middles of even steps, which float32 holds exactly.
        values: Field = (ranks * np.int32(2) + np.int32(1 - side * side)).astype(np.float32)
        return values * np.float32(1.0 / (side * side))


@functools.lru_cache(maxsize=1)
def mask_ranks() -> npt.NDArray[np.int32]:
    """Return the rank of each cell, shape (SIDE, SIDE), each from 0 once: takes some tenths of a second.

    Cells of ranks below any limit are spread evenly, as far from each other as so many can be.

    Raises
    ------
    Cancelled
        If the job was cancelled.
    """
    pattern = _DitherPattern()
    order = np.argsort(hash_indices(list(np.indices((SIDE, SIDE), np.int32)), 0), axis=None)
    count = int(_FIRST * SIDE * SIDE)
    for cell in order[:count].tolist():
        pattern.set(cell)
    pattern.spread()
    ranks = np.empty(SIDE * SIDE, np.int32)
    start = pattern.copy()
    for rank in range(count - 1, -1, -1):
        cell = start.tightest_cluster()
        start.clear(cell)
        ranks[cell] = rank
    for rank in range(count, SIDE * SIDE):
        # Once most are set, the largest void is also the tightest cluster of those that are not.
        cell = pattern.largest_void()
        pattern.set(cell)
        ranks[cell] = rank
    ranks.flags.writeable = False
    return ranks.reshape(SIDE, SIDE)


class _DitherPattern:
    """Which cells are set, and how much the set ones weigh on each, on a torus."""

    def __init__(self) -> None:
        self.is_set = np.zeros(SIDE * SIDE, np.bool_)
        self.weight: _Weights = np.zeros((SIDE, SIDE), np.float64)

    def copy(self) -> _DitherPattern:
        """Return an independent copy."""
        duplicate = _DitherPattern()
        duplicate.is_set, duplicate.weight = self.is_set.copy(), self.weight.copy()
        return duplicate

    def set(self, cell: int) -> None:
        """Set a cell."""
        blocks.checkpoint()
        self.is_set[cell] = True
        self.weight += _around(cell)

    def clear(self, cell: int) -> None:
        """Clear a cell."""
        blocks.checkpoint()
        self.is_set[cell] = False
        self.weight -= _around(cell)

    def tightest_cluster(self) -> int:
        """Return the set cell that the others weigh most on."""
        return int(np.where(self.is_set, self.weight.reshape(-1), -np.inf).argmax())

    def largest_void(self) -> int:
        """Return the cell that is not set and that the set ones weigh least on."""
        return int(np.where(self.is_set, np.inf, self.weight.reshape(-1)).argmin())

    def spread(self) -> None:
        """Move cells from the tightest cluster to the largest void until that changes nothing."""
        while True:
            cell = self.tightest_cluster()
            self.clear(cell)
            void = self.largest_void()
            self.set(void)
            if void == cell:
                return


def _around(cell: int) -> _Weights:
    """Return the weights of one cell on all others."""
    row, column = divmod(cell, SIDE)
    table = _weights()
    return table[SIDE - row : 2 * SIDE - row, SIDE - column : 2 * SIDE - column]


@functools.lru_cache(maxsize=1)
def _weights() -> _Weights:
    """Return the weights of the first cell on all, twice along both axes: shape (2 SIDE, 2 SIDE)."""
    whole = np.arange(2 * SIDE, dtype=np.int32) % np.int32(SIDE)
    apart: _Weights = np.minimum(whole, np.int32(SIDE) - whole).astype(np.float64)
    along = powers_of(_E, np.asarray(apart * apart * (-0.5 / (_SIGMA * _SIGMA)), np.float64))
    table: _Weights = along[:, np.newaxis] * along
    return table
