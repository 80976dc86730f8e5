# SPDX-License-Identifier: GPL-3.0-or-later
"""The height itself."""

from __future__ import annotations

from ..base.arrays import Field
from ..base.blocks import Progress
from ..rasters.height_field import HeightField
from ..rasters.level import Level
from .bases.map import Map, map_type


@map_type("height", "Height", unit="meters")
class Height(Map):
    """The height itself: its mask is all that lies between two heights, such as a snow line."""

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
