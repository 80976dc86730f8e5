# SPDX-License-Identifier: GPL-3.0-or-later
"""Unreal Engine.

References
----------
Epic Games. Landscape technical guide: recommended sizes, and the height of a scale of 100.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...base.errors import ParameterError
from ...base.params import boolean, choice
from .bases.target import Encoding, FieldValue, HeightFile, Target, target_type

STEPS_PER_METER = 128.0
"""At a Z scale of 100: 65536 numbers stand for 512 m."""

MIDDLE = 32768
"""The number that lies at the height of the landscape itself."""

_TILE = re.compile(r"_x\d+_y\d+", re.IGNORECASE)


@target_type("unreal", "Unreal Engine")
class Unreal(Target):
    """Landscape heightmap: 16 bits, north edge first, files for World Partition.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.noises import Fractal
    >>> recipe = Recipe(layers=Fractal(), height=100.0, size=1000.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(recipe, Path(folder) / "land", target="unreal", samples=505)
    >>> [path.name for path in report.files]
    ['land.r16', 'land.r16.json']

    A height is stored within half a step of 16 bits:

    >>> report.largest_difference <= 0.51 * report.scale
    True
    """

    file_format: str = choice(
        "r16",
        help="Number format of the file",
        options={
            "r16": "Unsigned integers of 16 bits, little-endian",
            "png": "A gray image of 16 bits",
        },
        label="Format",
    )
    shared_borders: bool = boolean(
        False, help="Neighboring files share their border samples, as World Composition needs"
    )

    sizes = (505, 1009, 2017, 4033, 8129)
    normals = "directx"

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        if self.file_format == "png":
            return Encoding("png", ".png", "<u2")
        return Encoding("raw", ".r16", "<u2")

    @property
    def shares_borders(self) -> bool:
        """See `Target.shares_borders`: World Partition puts tiles side by side."""
        return self.shared_borders

    def check_name(self, stem: str) -> None:
        """See `Target.check_name`: the dialog would look for the other tiles."""
        if _TILE.search(stem):
            raise ParameterError(
                "{} takes names with _x0_y0 for tiles; got {!r}: choose another name",
                self.label,
                stem,
            )

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`: one number is the Z scale / 100 / 128 meters."""
        return {
            "Heightmap Resolution": f"{file.columns} x {file.rows}",
            "X Scale": 100.0 * file.spacing,
            "Y Scale": 100.0 * file.spacing,
            "Z Scale": 100.0 * STEPS_PER_METER * file.scale,
            "Location Z": 100.0 * (file.offset + MIDDLE * file.scale),
        }
