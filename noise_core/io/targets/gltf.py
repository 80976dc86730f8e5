# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of glTF, for engines, browsers and tools.

References
----------
Khronos Group (2021). glTF 2.0 specification.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..meshes import gltf
from .bases.mesh_target import MeshTarget
from .bases.target import Encoding, target_type

if TYPE_CHECKING:
    from .bases.chunk_mesh import MeshFormat


@target_type("gltf", "glTF Meshes")
class Gltf(MeshTarget):
    """Meshes with levels of detail, binary glTF with Y up: a file for each level.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.io.targets import Gltf
    >>> from noise_core.noises import Fractal
    >>> recipe = Recipe(layers=Fractal(), height=300.0, size=5000.0)
    >>> with TemporaryDirectory() as folder:
    ...     target = Gltf(levels=2, error=5.0)
    ...     report = export_heightmap(recipe, Path(folder) / "land", target=target, samples=65)
    >>> [path.name for path in report.files]
    ['land_lod0.glb', 'land_lod1.glb', 'land.glb.json']
    """

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`: images beside the meshes begin in the north."""
        return Encoding("gltf", ".glb", "<f4")

    @property
    def mesh_format(self) -> MeshFormat:
        """See `MeshTarget.mesh_format`."""
        return gltf.GltfFile()
