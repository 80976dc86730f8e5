# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance to the nearest river."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.params import number
from ..flow_routing import surface_flow
from ..rasters import distance_field
from ..types.height_field import HeightField
from ..types.map import Map, map_type

DEFAULT_SHARE = 1e-3
"""Of all ground."""


@map_type("river_distance", "River Distance", unit="meters")
class RiverDistance(Map):
    """How far away the nearest river is, 0 in its bed.

    Notes
    -----
    Exact, from sample to sample, around the edges of a grid that wraps. Without any river it is
    the diagonal of the terrain.
    """

    threshold: float = number(
        0.0,
        help="Drainage area, in square meters, at which a river begins; 0 takes a thousandth of the terrain",
        minimum=0.0,
        maximum=1e12,
        soft_maximum=1e6,
    )

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0, np.inf)

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        areas = surface_flow.drainage_areas(surface)
        cells = self.threshold / surface.cell_area or DEFAULT_SHARE * areas.size
        is_river = areas >= cells
        progress(0.7)
        distance = distance_field.distance_transform(is_river, surface.level.wrap)
        distance *= np.float32(surface.spacing)
        np.minimum(distance, np.float32(surface.diagonal), out=distance)
        return distance
