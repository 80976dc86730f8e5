# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenEXR."""

from __future__ import annotations

from collections.abc import Mapping

from .bases.target import Encoding, FieldValue, HeightFile, Target, target_type


@target_type("exr", "OpenEXR")
class Exr(Target):
    """Float image in meters, north edge first, for film and compositing.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.noises import Fractal
    >>> recipe = Recipe(layers=Fractal(), height=200.0, size=2000.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(recipe, Path(folder) / "land", target="exr", samples=65)
    >>> [path.name for path in report.files]
    ['land.exr', 'land.exr.json']

    Floats hold meters as they are:

    >>> report.scale, report.offset
    (1.0, 0.0)
    """

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("exr", ".exr", "<f4")

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`."""
        return {"Width": file.width, "Depth": file.depth, "Meters per Sample": file.spacing}
