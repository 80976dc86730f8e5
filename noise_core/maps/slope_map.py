# SPDX-License-Identifier: GPL-3.0-or-later
"""Slope of the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import rasters
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.elementary import arctangent
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..rasters.height_field import HeightField
    from ..rasters.level import Level


@map_type("slope", "Slope", unit="degrees")
class Slope(Map):
    """Steepness: 0 is level, 90 upright.

    References
    ----------
    Lyle W. Zevenbergen, Colin R. Thorne (1987). Quantitative analysis of land surface topography.
    Earth Surface Processes and Landforms 12.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.maps import Slope

    Land that rises 10 m every 10 m is 45 degrees steep:

    >>> grid = Grid(3, 3, size=20.0)
    >>> rise = np.tile([0.0, 10.0, 20.0], (3, 1))
    >>> print(Slope().values(rise, grid)[1, 1].round(2))
    45.0

    The mask of ground that a car can drive on, with a soft edge of 5 degrees:

    >>> print(Slope().mask(rise, grid, high=30.0, falloff=5.0)[1, 1])
    0.0
    """

    held: ClassVar[float] = 7.0

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0, 90.0)

    def reach(self, level: Level) -> int:
        """See `Map.reach`."""
        return 1

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        result = np.empty(surface.level.shape, np.float32)

        def work(start: int, stop: int) -> None:
            frame = rasters.differences.add_frame(surface.height, surface.level, start, stop)
            result[start:stop] = arctangent(
                steepness(*rasters.differences.gradient(frame, surface.level))
            )

        surface.by_rows(work, progress)
        return result


def steepness(x: Field, y: Field) -> Field:
    """Return the length of a gradient, the tangent of the slope; writes into both."""
    x *= x
    y *= y
    x += y
    return np.sqrt(x, out=x)
