# SPDX-License-Identifier: GPL-3.0-or-later
"""Roughness of the ground at every sample, as a material of its layers has it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.grid import Grid
from .land_rows import LandRows
from .layers import blend, cover_share, smooth_ramp
from .plan import GroundPlan

_WATER = 0.06
"""Of water with small waves."""

_FILM = 0.04
"""Meters of water over which its surface begins."""

PLAIN = 0.9
"""Of ground without layers."""


def ground_roughness(
    height: Field, grid: Grid, plan: GroundPlan, maps: Mapping[str, Field], depth: Field
) -> Field:
    """Return the roughness of land, from 0 (a mirror) to 1 (chalk).

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    grid : Grid
        Of the same shape.
    plan : GroundPlan
    maps : mapping of str to ndarray of that shape
        Traces of water by name; see `colors.ground_colors`.
    depth : ndarray of that shape
        Of the water in meters.

    Returns
    -------
    ndarray of shape (rows, columns), float32

    Raises
    ------
    Cancelled
        If the job is cancelled.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.landscapes.look import Look
    >>> from noise_core.materials.ground.roughness import ground_roughness
    >>> from noise_core.noises import Fractal
    >>> from noise_core.pictures.thumbnail import plan_of
    >>> grid = Grid(48, 48, size=4000.0)
    >>> height = 800.0 * Fractal().sample_grid(grid, seed=1)
    >>> dry = 0.0 * height
    >>> rough = ground_roughness(height, grid, plan_of(Look(palette="alpine")), {}, dry)
    >>> bool(0.0 < rough.min() <= rough.max() <= 1.0)
    True
    """
    plan = plan.covered_by(maps)
    land = LandRows.of(height, grid, plan, maps)
    rough = np.full(grid.shape, PLAIN, np.float32)

    def fill(start: int, stop: int) -> None:
        blocks.checkpoint()
        rows = slice(start, stop)
        found, ground = rough[rows], land.ground(rows)
        for at, name in enumerate(plan.layers):
            layer = plan.landscape.layers[name]
            share = cover_share(layer, name, ground) if at else np.ones_like(found)
            blend(found, layer.roughness, share)
        if depth[rows].any():
            blend(found, _WATER, smooth_ramp(depth[rows].copy(), 0.0, _FILM))

    blocks.run(fill, grid.rows, land.strip)
    return rough
