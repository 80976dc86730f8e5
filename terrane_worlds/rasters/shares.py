# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples that work holds for each sample of a tile, from which its cost follows."""

from __future__ import annotations

from collections.abc import Callable

from noise_core.base.grid import Grid
from noise_core.rasters.level import Level

from ..base.tiling import Tiling, Window
from . import level_fields
from .parts import part

MOST_RELIEF = 0.25
"""Typical relief of a land, as a share of its width, with which costs are reckoned before it is known."""


def with_margin(tiling: Tiling, margin: int) -> float:
    """Return the samples of a tile with a margin, for each of its own."""
    rows, columns = (min(tiling.side + 2 * margin, size) for size in tiling.shape)
    return rows * columns / tiling.side**2


def with_source(grid: Grid, tiling: Tiling, padded: Callable[[Level], Level]) -> float:
    """Return the samples of the part that a tile amid the land depends on, for each of its own.

    Parameters
    ----------
    padded : callable
        Gives the part of the land that a part of the result depends on.
    """
    side = tiling.side
    row, column = ((-(-size // side) - 1) // 2 * side for size in tiling.shape)
    tile = Window(row, column, min(side, tiling.rows - row), min(side, tiling.columns - column))
    source = padded(part(Level.from_grid(grid), tile))
    return source.rows * source.columns / side**2


def whole_level(tiling: Tiling) -> float:
    """Return the samples of a level that is worked on as a whole, for each of a tile."""
    return min(level_fields.MOST_SAMPLES, tiling.rows * tiling.columns) / tiling.side**2
