# SPDX-License-Identifier: GPL-3.0-or-later
"""The rings of a tree."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field
from ...base.grid import Axes
from ...base.params import noise, number
from ...noises.perlin import Perlin
from ...types.coloring import Coloring, Rows, coloring_type, sampled_rows
from ...types.noise import Noise


@coloring_type("wood_rings", "Wood Rings")
class WoodRings(Coloring):
    """Rings as in sawn wood: the fraction of 20 times the noise, in gray.

    Notes
    -----
    With n the noise in [-1, 1] it is 20 n - floor(20 n). For the colors of wood send it through
    a ramp.

    References
    ----------
    Hugo Elias (2003). Perlin noise. (`g = noise * 20; grain = g - int(g)`)
    """

    source: Noise = noise(lambda: Perlin(frequency=2.0), help="The noise whose levels are rings")
    rings: float = number(
        20.0,
        help="Rings between a noise of 0 and of 1",
        minimum=0.0,
        maximum=1e4,
        soft_maximum=100.0,
    )

    def rows(self, axes: Axes, seed: int) -> Rows:
        """See `Coloring.rows`."""
        source = sampled_rows(self.source, axes, seed)

        def rows(start: int, stop: int) -> Field:
            value = source(start, stop)
            value *= np.float32(self.rings)
            value -= np.floor(value)
            return value

        return rows
