# SPDX-License-Identifier: GPL-3.0-or-later
"""Mapbox Terrain-RGB.

References
----------
Mapbox. Mapbox Terrain-RGB v1 tileset reference.
"""

from __future__ import annotations

from ..pyramids.map_targets import ColorTarget
from .bases.target import Encoding, target_type


@target_type("terrain_rgb", "Terrain-RGB Tiles")
class TerrainRgb(ColorTarget):
    """Tiles for maps in a browser: colors in steps of 0.1 m from -10,000 m on, as Mapbox has them."""

    _client_encoding = "mapbox"

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("png", ".png", "<u3", steps=(0.1, -10_000.0))
