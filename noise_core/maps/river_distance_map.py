# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance to the nearest river."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import flow_routing, rasters
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.params import number
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..rasters.height_field import HeightField
    from ..rasters.level import Level

DEFAULT_SHARE = 1e-3
"""Of all ground."""


@map_type("river_distance", "River Distance", unit="meters")
class RiverDistance(Map):
    """Distance to the nearest river; 0 in its bed.

    Notes
    -----
    Exact, from sample to sample, around the edges of a grid that wraps. Without any river it is
    the diagonal of the terrain.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.maps import RiverDistance
    >>> from noise_core.noises import Fractal
    >>> grid = Grid(65, 65, size=5000.0)
    >>> height = 500.0 * Fractal().sample_grid(grid, seed=1)

    A belt of woods within 200 m of the rivers that drain half a square kilometer or more:

    >>> distance = RiverDistance(threshold=500000.0)
    >>> woods = distance.mask(height, grid, high=200.0, falloff=50.0)
    >>> bool(distance.values(height, grid).min() == 0.0), bool(woods.max() == 1.0)
    (True, True)
    """

    threshold: float = number(
        0.0,
        help="Drainage area at which a river begins in square meters",
        automatic=(1.0 / 1000.0, "terrain area"),
        minimum=0.0,
        maximum=1e12,
        soft_maximum=1e6,
    )

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0, np.inf)

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        areas = flow_routing.surface_flow.drainage_areas(surface)
        is_river = areas >= self.least_cells(surface.level)
        progress(0.7)
        distance = rasters.distance_field.distance_transform(is_river, surface.level.wrap)
        return to_meters(distance, surface)

    def least_cells(self, level: Level) -> float:
        """Return how many samples drain into a river at least."""
        rows, columns = level.whole_shape
        return self.threshold / (level.step_x * level.step_x) or DEFAULT_SHARE * (rows * columns)


def to_meters(distance: Field, surface: HeightField) -> Field:
    """Turn distances in samples into meters, at most the diagonal of the land, in place."""
    distance *= np.float32(surface.spacing)
    return np.minimum(distance, np.float32(surface.diagonal), out=distance)
