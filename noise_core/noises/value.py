# SPDX-License-Identifier: GPL-3.0-or-later
"""Value noise: one random number per lattice point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Index
from ..lattice import corners
from ..lattice.hash import hash_indices
from .bases.lattice_noise import LatticeNoise
from .bases.noise import noise_type

if TYPE_CHECKING:
    from ..lattice.corners import Nodes


@noise_type("value", "Value", family="basic")
class Value(LatticeNoise):
    """Interpolated random numbers: soft, blocky blobs.

    Notes
    -----
    A blend of numbers in [-1, 1] with weights that sum to 1 stays in [-1, 1].

    References
    ----------
    Ebert, Musgrave, Peachey, Perlin, Worley (2003). Texturing and modeling, chapter 2.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Value
    >>> noise = Value(frequency=8.0)
    >>> print(noise.sample([[0.0, 0.0], [0.125, 0.0], [0.0625, 0.0]], seed=1).round(3))
    [0.695 0.713 0.704]

    The third point lies halfway between the first two, and so does its value.

    >>> field = noise.sample_grid(Grid(33, 33), seed=1)
    >>> bool(np.abs(field).max() <= 1.0)
    True
    """

    has_slopes = False

    def nodes(self, indices: Sequence[Index], seed: int) -> Nodes:
        """Return a constant in [-1, 1) per lattice point."""
        signed = hash_indices(indices, seed).view(np.int32) >> np.int32(8)
        return corners.Nodes(signed.astype(np.float32) * np.float32(2.0**-23), ())
