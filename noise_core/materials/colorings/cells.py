# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells, dark in the middle."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field
from ...base.grid import Axes
from ...base.params import noise
from ...noises.bases.noise import Noise
from ...noises.cellular import Cellular
from .bases.coloring import SRGB, Coloring, Rows, coloring_type, sampled_rows


@coloring_type("cells", "Cells")
class Cells(Coloring):
    """Cells dark in the middle and bright at the edges.

    Notes
    -----
    With n the noise in [-1, 1] the display value is (n + 1) / 2: 0 at a feature point.

    References
    ----------
    Steven Worley (1996). A cellular texture basis function. SIGGRAPH.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.materials.colorings import Cells
    >>> pixels = Cells().paint(Grid(64, 64, wrap=True), seed=1)
    >>> pixels.shape, bool(pixels.min() >= 0.0), bool(pixels.max() <= 1.0)
    ((64, 64, 3), True, True)
    """

    space = SRGB

    source: Noise = noise(Cellular, help="The distance")

    def rows(self, axes: Axes, seed: int) -> Rows:
        """See `Coloring.rows`."""
        source = sampled_rows(self.source, axes, seed)

        def rows(start: int, stop: int) -> Field:
            value = source(start, stop)
            value *= np.float32(0.5)
            value += np.float32(0.5)
            return value

        return rows
