# SPDX-License-Identifier: GPL-3.0-or-later
"""Drainage area: the ground whose water flows through a sample."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from .. import flow_routing
from ..base.arrays import Field
from ..base.blocks import Progress
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..rasters.height_field import HeightField


@map_type("drainage_area", "Drainage Area", unit="square meters")
class DrainageArea(Map):
    """Area that drains through each sample.

    Notes
    -----
    Water goes down to the steepest of eight neighbors, over flats and out of hollows, and leaves
    over the border. On a grid that wraps it ends in the hollows of the lowest ground.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.maps import DrainageArea

    Water of an even slope gathers on its way down; cells are 10 m wide:

    >>> grid = Grid(3, 5, size=40.0)
    >>> ramp = np.tile(np.arange(5.0)[::-1], (3, 1))
    >>> area = DrainageArea().values(ramp, grid)
    >>> area.shape, bool(area[1, 4] > area[1, 0] >= 100.0)
    ((3, 5), True)
    """

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0, math.inf)

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        return (flow_routing.surface_flow.drainage_areas(surface) * surface.cell_area).astype(
            np.float32
        )
