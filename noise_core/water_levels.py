# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of the water that stands on finished ground: in lakes, and in the sea."""

from __future__ import annotations

import numpy as np

from .base.arrays import Field, check_height
from .base.blocks import Cancel
from .base.grid import Grid
from .modifiers.fill_lakes import FillLakes
from .rasters.connected import label_components

SHALLOWEST = 0.5
"""Meters; what is less deep is wet ground."""

_NARROWEST = 0.01
"""Width of the smallest lake as a share of the terrain's."""


def water_levels(
    height: Field,
    grid: Grid,
    *,
    sea: float | None = None,
    lakes: Field | None = None,
    cancel: Cancel | None = None,
) -> Field:
    """Return the height of the water above every sample.

    Lakes stand where erosion has left them, and as high as the ground holds them now: what came after
    that erosion may have lowered a shore.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        Of the ground, in meters.
    grid : Grid
        Of the same shape.
    sea : float, optional
        Level of the sea in meters; all lower ground is under it, connected or not.
    lakes : ndarray of shape (rows, columns), float32, optional
        Depth in meters of the lakes that erosion has left; no lakes if not given.
    cancel : callable, optional
        See `blocks.Cancel`.

    Returns
    -------
    ndarray of shape (rows, columns), float32
        In meters; minus infinity where it is dry. Never below the ground.

    Raises
    ------
    ParameterError
        If a shape differs from the grid's.
    """
    ground = check_height(height, grid.shape, "water_levels: height")
    levels = np.full(grid.shape, -np.inf, np.float32)
    if lakes is not None and float(lakes.max(initial=0.0)) >= SHALLOWEST:
        was = check_height(lakes, grid.shape, "water_levels: lakes")
        fill = FillLakes(smallest=_NARROWEST * grid.size)
        depth = fill.apply(ground, grid, cancel=cancel).maps["lake"]
        labels, count = label_components(depth >= SHALLOWEST, grid.wrap)
        is_lake = np.zeros(count + 1, bool)
        is_lake[labels[was >= SHALLOWEST]] = True
        is_lake[count] = False
        levels = np.where(is_lake[labels], ground + depth, levels)
    if sea is not None:
        levels = np.where(ground < np.float32(sea), np.maximum(levels, np.float32(sea)), levels)
    return levels


def spread_levels(levels: Field) -> Field:
    """Return levels that go on by one sample below the shores, so that a mesh of them meets the ground."""
    rows, columns = levels.shape
    wide = np.pad(levels, 1, constant_values=-np.inf)
    highest = levels
    for row in range(3):
        for column in range(3):
            highest = np.maximum(highest, wide[row : row + rows, column : column + columns])
    return np.where(np.isfinite(levels), levels, highest)
