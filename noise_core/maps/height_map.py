# SPDX-License-Identifier: GPL-3.0-or-later
"""The height itself."""

from __future__ import annotations

from ..base.arrays import Field
from ..base.blocks import Progress
from ..types.height_field import HeightField
from ..types.map import Map, map_type


@map_type("height", "Height", unit="meters")
class Height(Map):
    """The height itself: its mask is all that lies between two heights, such as a snow line."""

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        return surface.height.copy()
