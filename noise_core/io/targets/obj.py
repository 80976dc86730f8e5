# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of Wavefront OBJ, for programs that read nothing else.

References
----------
Alias Wavefront (1995). The object file format: appendix B of the Advanced Visualizer's manual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..meshes import obj
from .bases.mesh_target import MeshTarget
from .bases.target import Encoding, target_type

if TYPE_CHECKING:
    from .bases.chunk_mesh import MeshFormat


@target_type("obj", "OBJ Meshes")
class Obj(MeshTarget):
    """Meshes with levels of detail, text with Y up: a file for each level.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.io.targets import Obj
    >>> from noise_core.noises import Fractal
    >>> recipe = Recipe(layers=Fractal(), height=300.0, size=5000.0)
    >>> with TemporaryDirectory() as folder:
    ...     target = Obj(levels=2, error=5.0)
    ...     report = export_heightmap(recipe, Path(folder) / "land", target=target, samples=65)
    >>> [path.name for path in report.files]
    ['land_lod0.obj', 'land_lod1.obj', 'land.mtl', 'land.obj.json']
    """

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`: images beside the meshes begin in the north."""
        return Encoding("obj", ".obj", "<f4")

    @property
    def mesh_format(self) -> MeshFormat:
        """See `MeshTarget.mesh_format`."""
        return obj.ObjFile()
