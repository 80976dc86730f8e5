# SPDX-License-Identifier: GPL-3.0-or-later
"""Land and sea."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field
from ...base.grid import Axes
from ...base.params import noise
from ...noises.bases.noise import Noise
from ...noises.fractal import Fractal
from .bases.coloring import SRGB, Coloring, Rows, coloring_type, sampled_rows

_SHORE = np.float32(128.0 / 255.0)


@coloring_type("sea_level", "Sea Level")
class SeaLevel(Coloring):
    """Green land, brighter when higher, and blue sea, darker when deeper.

    Notes
    -----
    With v the noise taken from [-1, 1] to [0, 1], the display value from 128 / 255 on is (0, v, 0)
    and below that (0, 0, 2v): the "zoo of noises" makes bytes, of which 128 is the first on land.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.materials.colorings import SeaLevel
    >>> SeaLevel().paint(Grid(64, 64), seed=3).shape
    (64, 64, 3)
    """

    space = SRGB

    source: Noise = noise(Fractal, help="The height")

    def rows(self, axes: Axes, seed: int) -> Rows:
        """See `Coloring.rows`."""
        source = sampled_rows(self.source, axes, seed)

        def rows(start: int, stop: int) -> Field:
            value = source(start, stop)
            value *= np.float32(0.5)
            value += np.float32(0.5)
            is_land = (value >= _SHORE).astype(np.float32)
            green = value * is_land
            blue = (value - green) * np.float32(2.0)
            return np.stack((np.zeros_like(value), green, blue))

        return rows
