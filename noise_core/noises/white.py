# SPDX-License-Identifier: GPL-3.0-or-later
"""White noise: an independent random value in every cell of a fine lattice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.arrays import Field, Index
from ..lattice.hash import hash_indices
from .bases.cell_noise import CellNoise
from .bases.noise import noise_type


@noise_type("white", "White", family="basic")
class White(CellNoise):
    """One random value per cell: grain, dither or blocks.

    Notes
    -----
    A noise is a function of position, so that it does not depend on the resolution: a grid with
    more samples than cells shows the cells as flat squares, one with fewer picks some of
    them. Values are uniform in [-1, 1), in steps of 2^-23; those of different cells have
    nothing to do with each other.

    References
    ----------
    Ebert, Musgrave, Peachey, Perlin, Worley (2003). Texturing and modeling, chapter 2.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import White

    One value per cell: 4 x 4 blocks of 2 x 2 samples.

    >>> blocks = White(frequency=4.0).sample_grid(Grid(8, 8, wrap=True), seed=6)
    >>> bool(np.array_equal(blocks[::2], blocks[1::2]))
    True
    >>> len(np.unique(blocks))
    16
    """

    def cell_values(self, index: Sequence[Index], seed: int) -> Field:
        """See `CellNoise.cell_values`."""
        signed = hash_indices(index, seed).view(np.int32) >> np.int32(8)
        return signed.astype(np.float32) * np.float32(2.0**-23)
