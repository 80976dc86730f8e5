# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies on a regular grid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...grid import Axes
from .octaves import Directions, Octave
from .phases import needed, tables
from .rows import Rows


class GridCells(Rows):
    """What the samples of a grid have to do with the cells of all octaves; see `Rows`."""

    @classmethod
    def of(
        cls,
        octaves: Sequence[Octave],
        axes: Axes,
        directions: Directions,
        threads: int | None = None,
    ) -> GridCells | None:
        """Return them with all tables worked out, or None if there are more cells than samples.

        None also for lattices that are not aligned with the grid.
        """
        ends = np.array([[axes.x[0], axes.y[0]], [axes.x[-1], axes.y[-1]]])
        x, y = ends[[0, 1, 0, 1], 0], ends[[0, 0, 1, 1], 1]
        cells = needed(octaves, x, y, len(axes.x) * len(axes.y))
        if cells is None or not all(octave.lattice.is_aligned for octave in octaves):
            return None
        return cls(octaves, tables(octaves, cells, directions, threads), axes.x, axes.y)
