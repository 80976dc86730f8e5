# SPDX-License-Identifier: GPL-3.0-or-later
"""PNG of 16 bits."""

from __future__ import annotations

from collections.abc import Mapping

from .bases.target import Encoding, FieldValue, HeightFile, Target, target_type


@target_type("png16", "PNG, 16 Bits")
class Png16(Target):
    """Gray image of 16 bits, north edge first.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.codecs.image_files import read_image
    >>> from noise_core.noises import Gradient

    The darkest gray is the lowest height, the brightest the highest:

    >>> recipe = Recipe(layers=Gradient(), height=100.0, size=1000.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(recipe, Path(folder) / "hill", target="png16", samples=65)
    ...     gray = read_image(report.files[0])
    >>> float(gray.min()), float(gray.max())
    (0.0, 1.0)
    >>> report.lowest, report.highest
    (-100.0, 100.0)
    """

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("png", ".png", "<u2")

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`."""
        return {
            "Width": file.width,
            "Depth": file.depth,
            "Height of Black": file.offset,
            "Height of White": file.offset + 65535 * file.scale,
        }
