# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow: rivers and brooks on a logarithmic scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import flow_routing
from ..base.arrays import Field
from ..base.blocks import Progress
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..rasters.height_field import HeightField


@map_type("flow", "Flow")
class Flow(Map):
    """Rivers and brooks from 0 to 1, on a logarithmic scale of the drainage area.

    Notes
    -----
    1 if all of the terrain drains through a sample, 5/6 if a tenth, 4/6 if a hundredth and so on,
    0 if a millionth or less. So a river has the same flow at every resolution and size;
    more samples only add finer brooks.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.maps import Flow
    >>> from noise_core.noises import Fractal
    >>> grid = Grid(65, 65, size=5000.0)
    >>> flow = Flow().values(500.0 * Fractal().sample_grid(grid, seed=1), grid)
    >>> bool(flow.min() >= 0.0), bool(flow.max() <= 1.0)
    (True, True)
    """

    @property
    def needs_meters(self) -> bool:
        """See `Map.needs_meters`."""
        return False

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0, 1.0)

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        return flow_routing.flow_scale.flow_scale(
            flow_routing.surface_flow.drainage_areas(surface), surface.level
        )
