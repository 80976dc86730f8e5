# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of USD, for films and simulators.

References
----------
Pixar. Universal Scene Description: payloads; variants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..meshes import usd_chunks
from .bases.mesh_target import MeshTarget
from .bases.target import Encoding, target_type

if TYPE_CHECKING:
    from .bases.chunk_mesh import MeshFormat


@target_type("usd_chunks", "USD Meshes")
class UsdChunks(MeshTarget):
    """Meshes with levels of detail, text with Z up and the variant lod.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.io.targets import UsdChunks
    >>> from noise_core.noises import Fractal
    >>> recipe = Recipe(layers=Fractal(), height=300.0, size=5000.0)
    >>> with TemporaryDirectory() as folder:
    ...     target = UsdChunks(levels=2, error=5.0)
    ...     report = export_heightmap(recipe, Path(folder) / "land", target=target, samples=65)
    >>> [path.name for path in report.files]
    ['land_lod0.usda', 'land_lod1.usda', 'land.usda', 'land.usda.json']
    """

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`: images beside the meshes begin in the north."""
        return Encoding("usda", ".usda", "<f4")

    @property
    def mesh_format(self) -> MeshFormat:
        """See `MeshTarget.mesh_format`."""
        return usd_chunks.UsdFile()
