# SPDX-License-Identifier: GPL-3.0-or-later
"""World files: six lines with the steps of an image and the place of its first sample.

References
----------
ESRI (2021). World files for raster datasets.
"""

from __future__ import annotations

import os

from ....base.errors import ParameterError
from ..geotransform import GeoTransform, by_points
from .folder import Folder, text_of

_LINES = 6

_MOST_BYTES = 1 << 16


def find_world_file(folder: Folder) -> str | None:
    """Return the path of the world file: of "land.tif" it is "land.tfw", "land.tifw" or "land.wld"."""
    letters = folder.extension[1:]
    names = [f"{letters[0]}{letters[-1]}w", f"{letters}w", "wld"] if letters else ["wld"]
    return folder.find(f"{folder.stem}.{name}" for name in names)


def read_world_file(path: str) -> GeoTransform:
    """Return the coordinates that a world file tells.

    Raises
    ------
    ParameterError
        If it is damaged.
    """
    name = os.path.basename(path)
    lines = [line.strip() for line in text_of(path, _MOST_BYTES).splitlines() if line.strip()]
    try:
        numbers = [float(line.split()[0].replace(",", ".")) for line in lines[:_LINES]]
    except ValueError:
        numbers = []
    if len(numbers) < _LINES:
        raise ParameterError(
            "{} must have a number in each of six lines, as world files have",
            name,
            got=repr(" ".join(lines)[:80]),
        )
    column_x, column_y, row_x, row_y, x, y = numbers
    return by_points(x, y, (column_x, column_y, row_x, row_y)).check(name)
