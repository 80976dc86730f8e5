# SPDX-License-Identifier: GPL-3.0-or-later
"""Godot."""

from __future__ import annotations

from collections.abc import Mapping

from .bases.target import Encoding, FieldValue, HeightFile, Target, target_type


@target_type("godot", "Godot")
class Godot(Target):
    """OpenEXR of floats in meters; Godot would load a PNG of 16 bits with 8.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.noises import Fractal
    >>> recipe = Recipe(layers=Fractal(), height=100.0, size=1000.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(recipe, Path(folder) / "land", target="godot", samples=129)
    >>> [path.name for path in report.files]
    ['land.exr', 'land.exr.json']
    """

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("exr", ".exr", "<f4")

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`: of a plane mesh with a shader, or of a height map shape."""
        return {
            "Import As": "Image",
            "Map Width": file.columns,
            "Map Depth": file.rows,
            "Mesh Size X": file.width,
            "Mesh Size Y": file.depth,
            "Meters per Sample": file.spacing,
        }
