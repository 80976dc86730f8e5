# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrarium.

References
----------
Mapzen, Tilezen (2017). Joerd documentation: formats, terrarium.
"""

from __future__ import annotations

from ..pyramids.map_targets import ColorTarget
from .bases.target import Encoding, target_type


@target_type("terrarium", "Terrarium Tiles")
class Terrarium(ColorTarget):
    """Browser map tiles: colors in steps of 1/256 m from -32,768 m, for MapLibre.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.noises import Fractal
    >>> recipe = Recipe(layers=Fractal(), height=300.0, size=5000.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(recipe, Path(folder) / "land", target="terrarium", samples=65)

    Heights are stored in steps of 1/256 m:

    >>> report.largest_difference <= 0.0021
    True
    """

    _client_encoding = "terrarium"

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("png", ".png", "<u3", steps=(1.0 / 256.0, -32_768.0))
