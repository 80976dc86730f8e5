# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance to drawn curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.params import land_curves, number
from ..curves import chains, measures, named
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..curves.land_curve import LandCurve
    from ..rasters.height_field import HeightField
    from ..rasters.level import Level

_AUTOMATIC = 0.1
"""Greatest distance in widths of the land, if none is given."""

_TOLERANCE = 1.0 / 65536.0
"""Of chains, in widths of the land."""


def _none() -> tuple[LandCurve, ...]:
    return ()


@map_type("curve_distance", "Curve Distance", unit="meters")
class CurveDistance(Map):
    """Distance to the nearest of some drawn curves; below 0 inside closed ones.

    Notes
    -----
    Exact, from sample to curve, around the edges of a grid that wraps. Without any curve it is the greatest
    distance.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import CurvePoint, Grid, LandCurve
    >>> from noise_core.maps import CurveDistance

    A lake, and its shore up to 50 m away:

    >>> corners = [(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)]
    >>> lake = LandCurve(points=[CurvePoint(at=at) for at in corners], closed=True)
    >>> grid = Grid(9, 9, size=800.0)
    >>> distance = CurveDistance(curves=[lake], farthest=500.0)
    >>> print(distance.values(np.zeros(grid.shape), grid)[4])
    [ 200.  100.    0. -100. -200. -100.    0.  100.  200.]
    >>> shore = distance.mask(np.zeros(grid.shape), grid, low=0.0, high=50.0)
    """

    held: ClassVar[float] = 0.0

    curves: tuple[LandCurve | str, ...] = land_curves(
        _none, help="Curves that distances are measured from"
    )
    farthest: float = number(
        0.0,
        help="Greatest distance in meters, which ground farther away has",
        automatic=(1.0 / 10.0, "terrain"),
        minimum=0.0,
        maximum=1e9,
        soft_maximum=5000.0,
        unit="length",
    )

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        most = self.farthest * (1.0 + 1e-6) or np.inf
        return (-most, most)

    def reach(self, level: Level) -> int:
        """See `Map.reach`: heights do not count."""
        return 0

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        blocks.checkpoint()
        level = surface.level
        size = level.steps_per_tile * level.step_x
        curves = named.only_curves(self.curves, "CurveDistance.curves")
        lines = [chains.chain_of(curve, size, _TOLERANCE * size) for curve in curves]
        values = measures.curve_distance(lines, level, self.farthest or _AUTOMATIC * size)
        progress(1.0)
        return values
