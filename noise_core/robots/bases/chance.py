# SPDX-License-Identifier: GPL-3.0-or-later
"""Random numbers of a piece of ground, by name: the same bits on every machine."""

from __future__ import annotations

import zlib

import numpy as np
import numpy.typing as npt

from ...lattice.hash import hash_indices, mix_bits

Numbers = npt.NDArray[np.float64]


class Chance:
    """Random numbers by the names of the quantities that they decide.

    Each name has numbers of its own, so that a new quantity leaves the others as they were.

    Parameters
    ----------
    seed : int
        Unsigned, 32 bits.

    Examples
    --------
    >>> from noise_core.robots.bases.chance import Chance
    >>> first, again = Chance(7).draw("height", 2, 3), Chance(7).draw("height", 2, 3)
    >>> first.shape, bool((first == again).all())
    ((2, 3), True)
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def draw(self, name: str, *shape: int) -> Numbers:
        """Return numbers from 0 to below 1: float64 of this shape."""
        seed = mix_bits(self.seed ^ zlib.crc32(name.encode()))
        index = np.arange(int(np.prod(shape)), dtype=np.int32)
        return (hash_indices((index,), seed).astype(np.float64) * 2.0**-32).reshape(shape)

    def between(self, name: str, low: float, high: float, *shape: int) -> Numbers:
        """Return numbers from `low` to below `high`: float64 of this shape."""
        return low + (high - low) * self.draw(name, *shape)

    def noise_seed(self) -> int:
        """Return the seed of a noise."""
        return mix_bits(self.seed)
