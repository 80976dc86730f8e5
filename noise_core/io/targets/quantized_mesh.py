# SPDX-License-Identifier: GPL-3.0-or-later
"""Quantized meshes for CesiumJS and its relatives.

References
----------
Cesium GS (2019). quantized-mesh 1.0 terrain format.
"""

from __future__ import annotations

from ..pyramids import mesh_tiles
from ..pyramids.map_targets import MapTarget
from .bases.pyramid import TilePyramid
from .bases.target import Encoding, target_type

_CELLS = 64
"""Along a side of a tile: what CesiumJS counts on when it chooses zooms."""


@target_type("quantized_mesh", "Quantized Mesh Tiles")
class QuantizedMesh(MapTarget):
    """Tiled meshes with layer.json for globes in a browser such as CesiumJS.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.noises import Fractal
    >>> recipe = Recipe(layers=Fractal(), height=300.0, size=5000.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(recipe, Path(folder) / "land", target="quantized_mesh", samples=65)
    >>> "layer.json" in [path.name for path in report.files]
    True
    """

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`: tiles have different ranges, so that to the outside these are meters."""
        return Encoding("quantized_mesh", ".terrain", "<f4", north_first=False)

    @property
    def pyramid(self) -> TilePyramid:
        """See `Target.pyramid`: from zoom 0 on, which is where clients begin."""
        return mesh_tiles.MeshTiles(
            self.latitude, self.longitude, self.margin, _CELLS, 0, self.max_zoom
        )
