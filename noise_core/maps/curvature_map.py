# SPDX-License-Identifier: GPL-3.0-or-later
"""Curvature of the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import rasters
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.params import choice, number
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..rasters.height_field import HeightField
    from ..rasters.level import Level

_TINY = np.float32(1e-37)
"""Keeps 0 / 0 from happening: close to the smallest float32 of full precision."""


@map_type("curvature", "Curvature", unit="1 / meters")
class Curvature(Map):
    """Curvature: positive on crests, negative in hollows.

    Notes
    -----
    Second derivatives along a direction, as the paper has them, all with the sign of a crest.
    Plan and profile add up to twice the mean; where the ground is level both are the mean.

    References
    ----------
    Lyle W. Zevenbergen, Colin R. Thorne (1987). Quantitative analysis of land surface topography.
    Earth Surface Processes and Landforms 12.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.maps import Curvature

    A crest along y, and the hollow beside it:

    >>> grid = Grid(33, 65, size=640.0)
    >>> height = np.tile(20.0 * np.cos(np.linspace(0.0, 2.0 * np.pi, 65)), (33, 1))
    >>> bend = Curvature(kind="mean").values(height, grid)
    >>> bool(bend[16, 1] > 0.0), bool(bend[16, 32] < 0.0)
    (True, True)
    """

    held: ClassVar[float] = 8.0

    kind: str = choice(
        "mean",
        help="Direction of the curvature",
        options={
            "mean": "All around: crests against hollows",
            "plan": "Across the slope: spurs against gullies",
            "profile": "Down the slope: brows against foot slopes",
        },
    )
    radius: float = number(
        0.0,
        help="Radius of smoothing before the measurement; 0 takes the ground as it is",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=200.0,
        unit="length",
    )

    def reach(self, level: Level) -> int:
        """See `Map.reach`: at a border, parabolas go through three samples."""
        return 2 + sum(2 * stride for stride in self._strides(level))

    def _strides(self, level: Level) -> list[int]:
        """Return the strides of the averages that smooth the ground."""
        return rasters.smoothing.strides_within(self.radius / level.step_x, level.whole_shape)

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        level = surface.level
        height = rasters.smoothing.smooth_twice(surface.height, self._strides(level), level.wrap)
        result = np.empty(level.shape, np.float32)

        def work(start: int, stop: int) -> None:
            frame = rasters.differences.add_frame(height, level, start, stop, order=2)
            xx, yy, xy = rasters.differences.second_derivatives(frame, level)
            result[start:stop] = (xx + yy) * np.float32(-0.5)
            if self.kind != "mean":
                across = _anisotropy(xx, yy, xy, *rasters.differences.gradient(frame, level))
                if self.kind == "profile":
                    result[start:stop] -= across
                else:
                    result[start:stop] += across

        surface.by_rows(work, progress)
        return result


def _anisotropy(xx: Field, yy: Field, xy: Field, x: Field, y: Field) -> Field:
    """Return the excess of the derivative down the fall line over the mean of all directions.

    With the fall line at angle a it is (xx - yy) / 2 cos 2a + xy sin 2a.
    """
    squared_x, squared_y = x * x, y * y
    inverse = np.float32(1.0) / np.maximum(squared_x + squared_y, _TINY)
    squared_x -= squared_y
    squared_x *= inverse
    x *= y
    x *= inverse
    x *= xy
    x *= np.float32(2.0)
    xx -= yy
    xx *= squared_x
    xx *= np.float32(0.5)
    xx += x
    return xx
