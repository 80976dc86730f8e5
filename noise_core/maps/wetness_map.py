# SPDX-License-Identifier: GPL-3.0-or-later
"""Topographic wetness."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import flow_routing, rasters
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.elementary import logarithm2
from .bases.map import Map, map_type
from .slope_map import steepness

if TYPE_CHECKING:
    from ..rasters.height_field import HeightField

_TINY = np.float32(1e-37)
"""Keeps logarithms finite: close to the smallest float32 of full precision."""

LEAST_SLOPE = 1e-3
"""A meter per kilometer: level ground is taken as this steep, else it would be wet without end."""


@map_type("wetness", "Wetness")
class Wetness(Map):
    """Soil moisture: high where much water arrives and little can leave.

    Notes
    -----
    The topographic wetness index ln(a / tan b): a is the drainage area per meter of width, in
    meters, here of one sample; b the slope of the ground, with hollows filled. Commonly from 3 on
    ridges to 15 and more on valley floors. It rises with the spacing of the samples.

    References
    ----------
    Keith J. Beven, Michael J. Kirkby (1979). A physically based, variable contributing area model
    of basin hydrology. Hydrological Sciences Bulletin 24.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.maps import Wetness, slope
    >>> from noise_core.noises import Fractal
    >>> grid = Grid(65, 65, size=5000.0)
    >>> height = 500.0 * Fractal().sample_grid(grid, seed=1)
    >>> wetness = Wetness().values(height, grid)

    Level ground is wetter than steep ground:

    >>> steepness = slope(height, grid)
    >>> bool(wetness[steepness < 5.0].mean() > wetness[steepness > 20.0].mean())
    True
    """

    whole_land: ClassVar[str] = "slopes are those of the terrain with all hollows filled"

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        drained = flow_routing.surface_flow.drainage_areas(surface)
        filled = flow_routing.surface_flow.flow_tree(surface).filled
        result = np.empty(surface.level.shape, np.float32)

        def work(start: int, stop: int) -> None:
            frame = rasters.differences.add_frame(filled, surface.level, start, stop)
            slope = steepness(*rasters.differences.gradient(frame, surface.level))
            np.maximum(slope, np.float32(LEAST_SLOPE), out=slope)
            ratio = (drained[start:stop] * surface.spacing).astype(np.float32)
            ratio /= slope
            index = logarithm2(np.maximum(ratio, _TINY, out=ratio))
            index *= np.float32(np.log(2.0))
            result[start:stop] = index

        surface.by_rows(work, progress)
        return result
