# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrain3D, an extension of Godot.

References
----------
Tokisan Games. Terrain3D documentation: heightmaps; importing and exporting data.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...base.params import choice
from .bases.target import (
    Encoding,
    FieldValue,
    HeightFile,
    Target,
    powers_of_two,
    target_type,
)

LARGEST_REGION = 2048
"""Samples along a side of a region, at most."""


@target_type("terrain3d", "Terrain3D (Godot)")
class Terrain3D(Target):
    """Terrain3D: OpenEXR in meters or r16, a power of two, files that are regions.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.noises import Fractal
    >>> recipe = Recipe(layers=Fractal(), height=100.0, size=256.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(recipe, Path(folder) / "land", target="terrain3d", samples=256)
    >>> [path.name for path in report.files]
    ['land.exr', 'land.exr.json']
    """

    file_format: str = choice(
        "exr",
        help="Number format of the heights",
        options={"exr": "Floats in meters", "r16": "Unsigned integers of 16 bits, little-endian"},
        label="Format",
    )

    sizes = powers_of_two(64, 16384)

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        if self.file_format == "r16":
            return Encoding("raw", ".r16", "<u2")
        return Encoding("exr", ".exr", "<f4")

    @property
    def shares_borders(self) -> bool:
        """See `Target.shares_borders`: regions lie side by side."""
        return False

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`."""
        fields: dict[str, FieldValue] = {
            "Vertex Spacing": file.spacing,
            "Region Size": min(file.rows, file.columns, LARGEST_REGION),
            "Import Scale": 1.0,
            "Height Offset": 0.0,
        }
        if self.file_format == "r16":
            fields["R16 Range"] = [file.offset, file.offset + 65535 * file.scale]
            fields["R16 Size"] = [float(file.columns), float(file.rows)]
        return fields
