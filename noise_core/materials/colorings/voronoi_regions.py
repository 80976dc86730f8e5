# SPDX-License-Identifier: GPL-3.0-or-later
"""A map of regions in random colors."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field
from ...base.grid import Axes
from ...base.params import cells_per_tile, number
from ...lattice.hash import hash_indices
from ...noises.cellular import Cellular
from .bases.coloring import SRGB, Coloring, Rows, coloring_type, sampled_rows

_CHANNELS = 0x52  # of a seed: any number that no other part of a coloring uses


@coloring_type("voronoi_regions", "Voronoi Regions")
class VoronoiRegions(Coloring):
    """Voronoi cells in random colors.

    Notes
    -----
    The random number of a region, in steps of 2^-23, is hashed again for red, green and blue:
    each is a display value, uniform in [0, 1).

    References
    ----------
    Georgy Voronoi (1908). Nouvelles applications des paramètres continus à la théorie des formes
    quadratiques.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.materials.colorings import VoronoiRegions

    Each region has one color, so a picture has few of them:

    >>> pixels = VoronoiRegions().paint(Grid(64, 64), seed=1)
    >>> len(np.unique(pixels.reshape(-1, 3), axis=0)) < 64 * 64
    True
    """

    space = SRGB

    frequency: float = cells_per_tile()
    jitter: float = number(
        1.0,
        help="Random offset of the points from the middle of their cell",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )

    def rows(self, axes: Axes, seed: int) -> Rows:
        """See `Coloring.rows`."""
        cells = Cellular(frequency=self.frequency, jitter=self.jitter, output="cell")
        source = sampled_rows(cells, axes, seed)

        def rows(start: int, stop: int) -> Field:
            key = np.rint(source(start, stop) * np.float32(2.0**23)).astype(np.int32)
            colors = np.empty((3, *key.shape), np.float32)
            for channel in range(3):
                number = hash_indices((key, np.full_like(key, channel)), seed ^ _CHANNELS)
                np.multiply(number >> np.uint32(8), 2.0**-24, out=colors[channel], casting="unsafe")
            return colors

        return rows
