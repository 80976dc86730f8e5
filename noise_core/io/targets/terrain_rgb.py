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
    """Browser map tiles: colors in steps of 0.1 m from -10,000 m, as by Mapbox.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.noises import Fractal
    >>> recipe = Recipe(layers=Fractal(), height=300.0, size=5000.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(recipe, Path(folder) / "land", target="terrain_rgb", samples=65)

    Heights are stored in steps of 0.1 m:

    >>> report.largest_difference <= 0.051
    True
    """

    _client_encoding = "mapbox"

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("png", ".png", "<u3", steps=(0.1, -10_000.0))
