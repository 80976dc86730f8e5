# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of overviews: "land.tif.ovr" beside "land.tif", a TIFF file with the same land in fewer samples.

References
----------
GDAL (2024). gdaladdo: external overviews.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ..source import InputFile
from ..tiff import directory, masks
from ..tiff.image import TiffSource
from .folder import Folder


def add_overview_file(folder: Folder, source: TiffSource) -> None:
    """Let a source find the overviews in the file beside it too, if there is one; it is not opened before."""
    path = folder.find([f"{folder.name}.ovr"])
    if path is None:
        return
    inside = source.find_overviews

    def find() -> Iterator[TiffSource]:
        first = directory.TiffDirectory(InputFile(path))
        directories = [first, *first.others()]
        yield from itertools.chain(inside(), masks.find_overviews(source.layout, directories))

    source.find_overviews = find
