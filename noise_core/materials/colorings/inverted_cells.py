# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells, bright in the middle."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field
from ...base.grid import Axes
from ...base.params import noise
from ...noises.bases.noise import Noise
from ...noises.cellular import Cellular
from .bases.coloring import SRGB, Coloring, Rows, coloring_type, sampled_rows


@coloring_type("inverted_cells", "Inverted Cells")
class InvertedCells(Coloring):
    """Cells bright in the middle and dark at the edges.

    Notes
    -----
    With n the noise in [-1, 1] the display value is (1 - n) / 2: 1 at a feature point.

    References
    ----------
    Steven Worley (1996). A cellular texture basis function. SIGGRAPH.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.materials.colorings import InvertedCells
    >>> InvertedCells().paint(Grid(32, 64), seed=1).shape
    (32, 64, 3)
    """

    space = SRGB

    source: Noise = noise(Cellular, help="The distance")

    def rows(self, axes: Axes, seed: int) -> Rows:
        """See `Coloring.rows`."""
        source = sampled_rows(self.source, axes, seed)

        def rows(start: int, stop: int) -> Field:
            value = source(start, stop)
            value *= np.float32(-0.5)
            value += np.float32(0.5)
            return value

        return rows
