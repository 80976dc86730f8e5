# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies on a regular grid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.grid import Axes
from .octaves import Directions, GullyOctave
from .phases import build_tables, cell_budget, required_cells_within
from .rows import CellRows

MAX_CELLS_PER_SAMPLE = 2.0
"""Along an axis; beyond, fewer cells are needed point by point."""


class GridCells(CellRows):
    """The cells of all octaves around the samples of a grid; see `CellRows`."""

    @classmethod
    def build(
        cls,
        octaves: Sequence[GullyOctave],
        axes: Axes,
        directions: Directions,
        threads: int | None = None,
    ) -> GridCells | None:
        """Return the cells with all tables computed, or None if points are cheaper for the grid.

        That is so if the whole grid has far more cells than samples, or
        if lattices are not aligned with it.
        """
        if not all(octave.lattice.is_aligned for octave in octaves):
            return None
        cells_per_tile = max(max(map(max, octave.lattice.matrix)) for octave in octaves)
        if axes.step * cells_per_tile > MAX_CELLS_PER_SAMPLE:
            return None
        ends = np.array([[axes.x[0], axes.y[0]], [axes.x[-1], axes.y[-1]]])
        x, y = ends[[0, 1, 0, 1], 0], ends[[0, 0, 1, 1], 1]
        # Seen along a single row there are so many more cells than samples.
        most = cell_budget(len(axes.x) * len(axes.y)) + 64 * (len(axes.x) + len(axes.y))
        cells = required_cells_within(octaves, x, y, most)
        assert cells is not None  # that are so close to samples
        return cls(octaves, build_tables(octaves, cells, directions, threads), axes.x, axes.y)
