# SPDX-License-Identifier: GPL-3.0-or-later
"""Cross profiles of valleys: the exponent b of z = a |x|^b, 1 in a V and 2 in a parabola.

References
----------
H. Svensson (1959). Is the cross-section of a glacial valley a parabola? Journal of Glaciology 3.
L. Allan James (1996). Polynomial and power functions for glacial valley cross-section morphology. Earth
Surface Processes and Landforms 21. (the fit depends on where x and z begin)
"""

from __future__ import annotations

import numpy as np

from noise_core.pictures.relief_figures.rivers import Drainage
from noise_core.rasters.level import Level

LEAST_AREA = 0.004
"""Share of the land that drains through a valley that is measured."""

REACH = 0.12
"""Share of the width within which a valley's sides end."""

ALONG = 12
"""Cells along the river over which its direction is taken."""

LEAST_RELIEF = 0.08
"""Of a side, as a share of the land's relief: lower ones are plains."""

LOWER = 0.5
"""Share of a side's height that is fitted."""

POINTS = 24
FEWEST = 5


def exponents(
    height: np.ndarray, level: Level, where: np.ndarray | None = None, sea: float = -np.inf
) -> np.ndarray:
    """Return b of cross profiles along the rivers of a land.

    Parameters
    ----------
    height : ndarray of shape (rows, columns)
        In meters.
    level : Level
        Of that shape, with one spacing.
    where : ndarray of that shape, bool, optional
        Where rivers are measured.
    sea : float
        In meters.
    """
    water = Drainage.of(np.asarray(height, np.float32), level, sea)
    cells = np.flatnonzero((water.cells > LEAST_AREA * height.size) & water.drains & water.land)
    if where is not None:
        cells = cells[where.reshape(-1)[cells]]
    below = cells
    for _ in range(ALONG):
        below = water.tree.receivers[below]
    row, column = np.divmod(cells, level.columns)
    down, along = np.divmod(below, level.columns)
    found = []
    ground = np.asarray(height, np.float64)
    relief = float(np.ptp(height))
    for y, x, dy, dx in zip(row, column, down - row, along - column):
        length = np.hypot(dy, dx)
        if length > 0.5 * ALONG:
            b = exponent_across(ground, y, x, dx / length, -dy / length, level.step_x, relief)
            if b is not None:
                found.append(b)
    return np.array(found)


def exponent_across(
    height: np.ndarray, y: int, x: int, down: float, along: float, step: float, relief: float
) -> float | None:
    """Return b of the profile through a sample in a direction, None if it is no valley there."""
    reach = int(REACH * height.shape[1])
    steps = np.arange(-reach, reach + 1)
    rows, columns = y + steps * down, x + steps * along
    if min(rows.min(), columns.min()) < 0:
        return None
    if rows.max() > height.shape[0] - 2 or columns.max() > height.shape[1] - 2:
        return None
    profile = interpolate(height, rows, columns)
    sides = (profile[reach::-1], profile[reach:])
    crests = [crest(side) for side in sides]
    floor = float(min(side[: top + 1].min() for side, top in zip(sides, crests)))
    rise = min(side[top] - floor for side, top in zip(sides, crests))
    if rise < LEAST_RELIEF * relief:
        return None
    # Half of the width at some heights: where the middle lies does not matter then.
    wanted = floor + rise * LOWER * (np.arange(1, POINTS + 1) / POINTS)
    width = np.zeros(POINTS)
    for side, top in zip(sides, crests):
        rising = np.maximum.accumulate(side[: top + 1])
        rising = rising + 1e-9 * np.arange(len(rising))
        width += np.interp(wanted, rising, np.arange(len(rising)))
    seen = width > 2.0
    if seen.sum() < FEWEST:
        return None
    distance, rises = np.log(0.5 * width[seen] * step), np.log(wanted[seen] - floor)
    if np.ptp(distance) < 1e-6:
        return None
    return float(np.polyfit(distance, rises, 1)[0])


def crest(side: np.ndarray) -> int:
    """Return where a side ends: before it falls by a fifth of its rise."""
    highest = np.maximum.accumulate(side)
    fallen = highest - side > 0.2 * np.maximum(highest - side[0], 1e-9) + 5.0
    end = int(np.argmax(fallen)) if fallen.any() else len(side)
    return int(np.argmax(side[: max(end, 1)]))


def interpolate(height: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return heights between samples."""
    r, c = np.floor(rows).astype(int), np.floor(columns).astype(int)
    v, u = rows - r, columns - c
    low = height[r, c] * (1 - u) + height[r, c + 1] * u
    high = height[r + 1, c] * (1 - u) + height[r + 1, c + 1] * u
    return low * (1 - v) + high * v
