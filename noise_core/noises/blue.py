# SPDX-License-Identifier: GPL-3.0-or-later
"""Blue noise: a random value in every cell, unlike those around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from ..base.arrays import SEED_MASK, Field, Index
from ..dithering import void_and_cluster
from ..types.cell_noise import CellNoise
from ..types.noise import noise_type

_SPREAD = 0x9E3779B1
"""2^32 over the golden ratio, made odd: seeds in a row give 15 bits that differ (Knuth 1973, Fibonacci hashing)."""


@noise_type("blue", "Blue", family="basic")
class Blue(CellNoise):
    """One random value per cell, unlike those of its neighbors: dither and grain without clumps.

    Notes
    -----
    The values of 64 x 64 cells repeat; a terrain or an image that wraps joins without a line if it has
    a multiple of 64 cells a side. In each such square every value occurs once, from -1 to 1 in even steps, so a
    threshold keeps the share of the cells that it says, spread evenly. Another seed turns, mirrors and
    moves them. It has two dimensions.

    References
    ----------
    Robert Ulichney (1993). The void-and-cluster method for dither array generation. SPIE 1913.
    """

    dimensions: ClassVar[tuple[int, ...]] = (2,)

    def cell_values(self, index: Sequence[Index], seed: int) -> Field:
        """See `CellNoise.cell_values`."""
        side = void_and_cluster.SIDE
        bits = (seed * _SPREAD & SEED_MASK) >> 17
        column, row = (np.asarray(axis) for axis in index)
        column, row = (row, column) if bits & 1 else (column, row)
        column = -column if bits & 2 else column
        row = -row if bits & 4 else row
        across, down = np.int32(bits >> 3 & side - 1), np.int32(bits >> 9 & side - 1)
        last = np.int32(side - 1)
        ranks = void_and_cluster.mask_ranks()[(row + down) & last, (column + across) & last]
        # Middles of even steps, which float32 holds exactly.
        values: Field = (ranks * np.int32(2) + np.int32(1 - side * side)).astype(np.float32)
        return values * np.float32(1.0 / (side * side))
