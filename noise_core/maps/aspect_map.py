# SPDX-License-Identifier: GPL-3.0-or-later
"""Aspect: the compass direction in which the ground falls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import rasters
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.elementary import direction
from .bases.map import Map, map_type, ramp

if TYPE_CHECKING:
    from ..rasters.height_field import HeightField
    from ..rasters.level import Level

LEVEL = -1.0
"""Where the ground falls no way."""


@map_type("aspect", "Aspect", unit="degrees")
class Aspect(Map):
    """Downhill direction: 0 to +Y (north), 90 to +X (east), -1 where level.

    Notes
    -----
    Limits of a mask go around: ground that faces north is in [-45, 45], or [315, 405]. Level ground is
    in no mask.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.maps import Aspect

    Land that rises to the east falls to the west, at 270 degrees; a plain has no aspect:

    >>> grid = Grid(3, 3, size=100.0)
    >>> rise = np.tile([0.0, 10.0, 20.0], (3, 1))
    >>> print(Aspect().values(rise, grid)[1, 1].round(1))
    270.0
    >>> print(Aspect().values(np.zeros((3, 3)), grid)[1, 1])
    -1.0
    """

    @property
    def needs_meters(self) -> bool:
        """See `Map.needs_meters`: directions are those of any size."""
        return False

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (LEVEL, 360.0)

    def reach(self, level: Level) -> int:
        """See `Map.reach`."""
        return 1

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        result = np.empty(surface.level.shape, np.float32)

        def work(start: int, stop: int) -> None:
            frame = rasters.differences.add_frame(surface.height, surface.level, start, stop)
            x, y = rasters.differences.gradient(frame, surface.level)
            result[start:stop] = direction(-x, -y)
            result[start:stop][(x == 0.0) & (y == 0.0)] = LEVEL

        surface.by_rows(work, progress)
        return result

    def mask_values(self, values: Field, low: float, high: float, falloff: float) -> Field:
        """See `Map.mask_values`."""
        # The distance around the circle from the middle between the limits.
        middle = 0.5 * (low + high) % 360.0
        outside = np.abs(values - np.float32(middle))
        np.minimum(outside, np.float32(360.0) - outside, out=outside)
        outside -= np.float32(0.5 * (high - low))
        share = ramp(outside, falloff)
        share[values < 0.0] = 0.0
        return share
