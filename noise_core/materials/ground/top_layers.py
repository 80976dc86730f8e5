# SPDX-License-Identifier: GPL-3.0-or-later
"""The layer of the ground that is seen most at every sample."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import Cancel, Progress
from ...base.grid import Grid
from ...types.ground_cover import Indices
from .land_rows import LandRows
from .layers import cover_share
from .plan import GroundPlan


def top_layers(
    height: Field,
    grid: Grid,
    plan: GroundPlan,
    maps: Mapping[str, Field],
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Indices:
    """Return the layer that has the largest share of what is seen from above, at each sample.

    Layers lie over each other as their colors do: see `ground.colors.ground_colors`. Of equal shares the
    lower layer counts. Water is no layer: below it is the ground that it covers.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    grid : Grid
        Of the same shape.
    plan : GroundPlan
        With at least one layer.
    maps : mapping of str to ndarray of that shape
        Traces of water by name; see `ground_colors`.
    progress, cancel : callable, optional
        See `blocks.Progress` and `blocks.Cancel`.

    Returns
    -------
    ndarray of shape (rows, columns), uint8
        Places in `plan.layers`.

    Raises
    ------
    Cancelled
        If `cancel` returned True.
    """
    top = np.zeros(grid.shape, np.uint8)
    with blocks.cancellable(cancel):
        land = LandRows.of(height, grid, plan, maps)

        def fill(start: int, stop: int) -> None:
            blocks.checkpoint()
            rows = slice(start, stop)
            ground = land.ground(rows)
            largest = np.ones_like(ground.height)
            for at, name in enumerate(plan.layers[1:], 1):
                share = cover_share(plan.landscape.layers[name], name, ground)
                # What lies over a layer takes the same part of all below: their order stays.
                largest *= np.float32(1.0) - share
                top[rows][share > largest] = at
                np.maximum(largest, share, out=largest)

        blocks.run(fill, grid.rows, land.strip, progress=progress or blocks.unheard)
    return top
