# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of USD, for films and simulators.

References
----------
Pixar. Universal Scene Description: payloads; variants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.params import choice, integer
from ..meshes import usd_chunks, usd_crate
from .bases.mesh_target import MeshTarget
from .bases.target import Encoding, target_type

if TYPE_CHECKING:
    from .bases.chunk_mesh import MeshFormat


@target_type("usd_chunks", "USD Meshes")
class UsdChunks(MeshTarget):
    """Meshes with levels of detail, with Z up and the variant lod, binary or text.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.io.targets import UsdChunks
    >>> from noise_core.noises import Fractal
    >>> recipe = Recipe(layers=Fractal(), height=300.0, size=5000.0)
    >>> with TemporaryDirectory() as folder:
    ...     target = UsdChunks(levels=2, error=5.0, form="usda")
    ...     report = export_heightmap(recipe, Path(folder) / "land", target=target, samples=65)
    >>> [path.name for path in report.files]
    ['land_lod0.usda', 'land_lod1.usda', 'land.usda', 'land.usda.json']
    """

    form: str = choice(
        "auto",
        help="Form of the meshes; the file that lists them is text",
        label="Files",
        options={
            "auto": "Binary where OpenUSD's Python module pxr is installed, else text",
            "usda": "Text",
            "usdc": "Binary: smaller and faster to read; needs pxr, as the package usd-core has",
        },
    )
    texture_pixels: int = integer(
        0,
        help="Pixels of the textures of the ground's layers in OpenPBR; 0 for none",
        label="Layer Textures",
        minimum=0,
        maximum=2048,
        visible_when=("material", ("pbr",)),
    )

    @property
    def pixels_of_tiles(self) -> int:
        """See `MeshTarget.pixels_of_tiles`."""
        return self.texture_pixels if self.look else 0

    @property
    def has_sea(self) -> bool:
        """See `Target.has_sea`."""
        return self.look

    @property
    def tiles_layers(self) -> bool:
        """See `Target.tiles_layers`."""
        return bool(self.pixels_of_tiles)

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`: images beside the meshes begin in the north."""
        return Encoding("usda", ".usda", "<f4")

    @property
    def mesh_format(self) -> MeshFormat:
        """See `MeshTarget.mesh_format`."""
        if self.form == "usdc" or (self.form == "auto" and usd_crate.has_crates()):
            return usd_crate.UsdCrate(has_look=self.look)
        return usd_chunks.UsdFile(has_look=self.look)
