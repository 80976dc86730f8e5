# SPDX-License-Identifier: GPL-3.0-or-later
"""Unity.

References
----------
Unity Technologies. Unity C# reference source: ImportRawHeightmap, which divides by 65536 and takes the
first row for the smallest z unless it flips.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...base.params import boolean, choice
from .bases.target import (
    Encoding,
    FieldValue,
    HeightFile,
    Target,
    powers_of_two,
    target_type,
)

STEPS = 65536
"""Numbers that the height of a terrain stands for."""


@target_type("unity", "Unity")
class Unity(Target):
    """RAW heightmap of 16 bits, south edge first unless flipped.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.noises import Fractal
    >>> recipe = Recipe(layers=Fractal(), height=100.0, size=1000.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(recipe, Path(folder) / "land", target="unity", samples=129)
    >>> [path.name for path in report.files]
    ['land.raw', 'land.raw.json']

    These values are typed into Unity's Import Raw window:

    >>> sorted(report.fields)
    ['Byte Order', 'Depth', 'Flip Vertically', 'Position Y', 'Resolution', 'Terrain Height', 'Terrain Length', 'Terrain Width']
    """

    byte_order: str = choice(
        "windows",
        help="Byte order of the numbers",
        options={
            "windows": "Lowest byte first (little-endian)",
            "mac": "Highest byte first (big-endian)",
        },
    )
    flipped: bool = boolean(
        False, help="North edge first; needs Flip Vertically in Unity's import dialog"
    )

    sizes = powers_of_two(32, 4096, plus=1)
    is_square = True

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        number = "<u2" if self.byte_order == "windows" else ">u2"
        return Encoding("raw", ".raw", number, north_first=self.flipped)

    @property
    def counts_tiles_from_north(self) -> bool:
        """See `Target.counts_tiles_from_north`: z rises to the north."""
        return False

    def tile_name(self, stem: str, column: int, row: int) -> str:
        """See `Target.tile_name`: x, then z."""
        return f"{stem}_{column}_{row}"

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`."""
        return {
            "Depth": "Bit 16",
            "Resolution": file.columns,
            "Byte Order": self.byte_order.title(),
            "Flip Vertically": self.flipped,
            "Terrain Width": file.width,
            "Terrain Length": file.depth,
            "Terrain Height": STEPS * file.scale,
            "Position Y": file.offset,
        }
