# SPDX-License-Identifier: GPL-3.0-or-later
"""The height itself."""

from __future__ import annotations

from ..arrays import Field
from ..blocks import Progress
from ..height_field import HeightField
from ..map import Map, map_type


@map_type("height", "Height", unit="meters")
class Height(Map):
    """The height itself: its mask is all that lies between two heights, such as a snow line."""

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        return surface.height.copy()
