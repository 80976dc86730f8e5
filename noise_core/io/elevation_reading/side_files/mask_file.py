# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask files of GDAL: "land.tif.msk" beside "land.tif", a TIFF file that is 0 where there is no height.

References
----------
GDAL (2024). RFC 15: band masks.
"""

from __future__ import annotations

import os

from ....base.errors import Message, ParameterError
from ..source import HeightSource, InputFile
from ..tiff import directory, masks
from .folder import Folder

_FLAGS = "INTERNAL_MASK_FLAGS_1"
"""Without it GDAL takes the file for none."""

_SIGNATURES = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")


def find_mask_file(
    folder: Folder, rows: int, columns: int
) -> tuple[HeightSource | None, tuple[Message, ...]]:
    """Return the mask of an elevation file of so many samples, None if it has none, and notes.

    Raises
    ------
    ParameterError
        If the file is damaged, no TIFF, or of another size.
    """
    path = folder.find([f"{folder.name}.msk"])
    if path is None:
        return None, ()
    file = InputFile(path)
    if not file.head.startswith(_SIGNATURES):
        raise ParameterError(
            "{} must be a TIFF file, as masks of GDAL are",
            os.path.basename(path),
            got=Message("one that begins with {!r}", file.head[:4]),
        )
    tags = directory.TiffDirectory(file)
    if _FLAGS not in masks.metadata_text(tags):
        return None, (Message("{} is no mask: it does not say {}", file.name, _FLAGS),)
    mask = masks.mask_source(tags)
    shape = mask.info.rows, mask.info.columns
    if shape != (rows, columns):
        raise ParameterError(
            "{} must have {} x {} samples, as the heights have",
            file.name,
            columns,
            rows,
            got=f"{shape[1]} x {shape[0]}",
        )
    return mask, (Message("Holes by {}", file.name),)
