# SPDX-License-Identifier: GPL-3.0-or-later
"""Drainage area: the ground whose water flows through a sample."""

from __future__ import annotations

import math

import numpy as np

from ..base.arrays import Field
from ..base.blocks import Progress
from ..flow_routing import surface_flow
from ..rasters.height_field import HeightField
from .bases.map import Map, map_type


@map_type("drainage_area", "Drainage Area", unit="square meters")
class DrainageArea(Map):
    """How much ground the water of a sample comes from, its own included.

    Notes
    -----
    Water goes down to the steepest of eight neighbors, over flats and out of hollows, and leaves
    over the border. On a grid that wraps it ends in the hollows of the lowest ground.
    """

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0, math.inf)

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        return (surface_flow.drainage_areas(surface) * surface.cell_area).astype(np.float32)
