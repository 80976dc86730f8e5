# SPDX-License-Identifier: GPL-3.0-or-later
"""The two usual ways to cut a map of the Earth into tiles.

References
----------
Open Geospatial Consortium (2022). Two dimensional tile matrix set and tile set metadata, 2.0: annexes
on WebMercatorQuad and WorldCRS84Quad.
Open Source Geospatial Foundation (2012). Tile map service specification: global-geodetic profile.
"""

from __future__ import annotations

import math

from ..targets.bases.pyramid import TileScheme


class WebMercator(TileScheme):
    """Square of the Mercator projection of a sphere, rows from the north (z/x/y)."""

    roots = 1
    north_first = True
    highest_latitude = math.degrees(math.atan(math.sinh(math.pi)))

    def share_of(self, latitude: float) -> float:
        """See `TileScheme.share_of`."""
        return 0.5 - math.asinh(math.tan(math.radians(latitude))) / (2.0 * math.pi)

    def latitude_at(self, share: float) -> float:
        """See `TileScheme.latitude_at`."""
        return math.degrees(math.atan(math.sinh(math.pi * (1.0 - 2.0 * share))))

    def degrees_of_latitude(self, latitude: float) -> float:
        """See `TileScheme.degrees_of_latitude`."""
        return 360.0 * math.cos(math.radians(latitude))


class Geographic(TileScheme):
    """Two squares side by side in degrees, rows from the south (TMS, global geodetic)."""

    roots = 2
    north_first = False
    highest_latitude = 90.0

    def share_of(self, latitude: float) -> float:
        """See `TileScheme.share_of`."""
        return (latitude + 90.0) / 180.0

    def latitude_at(self, share: float) -> float:
        """See `TileScheme.latitude_at`."""
        return 180.0 * share - 90.0

    def degrees_of_latitude(self, latitude: float) -> float:
        """See `TileScheme.degrees_of_latitude`: 180, and less since degrees of longitude are shorter there."""
        return 180.0 * math.sqrt(math.cos(math.radians(latitude)))
