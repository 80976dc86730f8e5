# SPDX-License-Identifier: GPL-3.0-or-later
"""The height itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..base.arrays import Field
from ..base.blocks import Progress
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..rasters.height_field import HeightField
    from ..rasters.level import Level


@map_type("height", "Height", unit="meters")
class Height(Map):
    """Height, for masks between two heights, such as a snow line.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.maps import Height

    Where snow lies: above 1,500 m, and less and less down to 1,400 m.

    >>> grid = Grid(1, 5, size=1000.0)
    >>> height = [[1000.0, 1400.0, 1450.0, 1500.0, 2000.0]]
    >>> print(Height().mask(height, grid, low=1500.0, falloff=100.0))
    [[0.  0.  0.5 1.  1. ]]
    """

    held: ClassVar[float] = 0.0

    @property
    def needs_meters(self) -> bool:
        """See `Map.needs_meters`."""
        return False

    def reach(self, level: Level) -> int:
        """See `Map.reach`."""
        return 0

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        return surface.height.copy()
