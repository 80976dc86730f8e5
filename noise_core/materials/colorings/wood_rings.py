# SPDX-License-Identifier: GPL-3.0-or-later
"""The rings of a tree."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field
from ...base.grid import Axes
from ...base.params import noise, number
from ...noises.bases.noise import Noise
from ...noises.perlin import Perlin
from .bases.coloring import SRGB, Coloring, Rows, coloring_type, sampled_rows


@coloring_type("wood_rings", "Wood Rings")
class WoodRings(Coloring):
    """Rings of sawn wood: the fraction of 20 times the noise, in gray.

    Notes
    -----
    With v the noise taken from [-1, 1] to [0, 1] the display value is 20 v - floor(20 v). For the
    colors of wood send it through a ramp.

    References
    ----------
    Hugo Elias (2003). Perlin noise. (`g = noise * 20; grain = g - int(g)`)

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.materials.colorings import WoodRings
    >>> WoodRings().paint(Grid(64, 64), seed=1).shape
    (64, 64, 3)
    """

    space = SRGB

    source: Noise = noise(lambda: Perlin(frequency=2.0), help="The noise whose levels are rings")
    rings: float = number(
        20.0,
        help="Number of rings from the lowest to the highest noise",
        minimum=0.0,
        maximum=1e4,
        soft_maximum=100.0,
    )

    def rows(self, axes: Axes, seed: int) -> Rows:
        """See `Coloring.rows`."""
        source = sampled_rows(self.source, axes, seed)

        def rows(start: int, stop: int) -> Field:
            value = source(start, stop)
            value *= np.float32(0.5)
            value += np.float32(0.5)
            value *= np.float32(self.rings)
            value -= np.floor(value)
            return value

        return rows
