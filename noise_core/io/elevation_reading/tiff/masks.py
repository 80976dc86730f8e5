# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks and overviews in a TIFF file: its further directories, and bands that tell where there are heights.

References
----------
Adobe (1992). TIFF, revision 6.0: tags NewSubfileType (254) and ExtraSamples (338).
GDAL (2024). GeoTIFF raster format: internal masks, overviews, alpha bands.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....base.errors import Message, ParameterError
from ..elevation import ElevationInfo
from .directory import TiffDirectory
from .image import TiffSource
from .layout import TiffLayout, read_layout

_METADATA = 42112

_MOST_METADATA = 1 << 24
"""Bytes."""

_REDUCED, _MASK = 1, 4
"""Bits of the tag NewSubfileType."""

_ALPHA = (1, 2)
"""Values of the tag ExtraSamples: associated and unassociated."""

_WITH_ALPHA = (2, 4)
"""Bands in all, of which GDAL takes the last one for a mask."""


def metadata_text(tags: TiffDirectory) -> str:
    """Return the text of GDAL's own tag; empty if there is none.

    Raises
    ------
    ParameterError
        If it is too long.
    """
    if tags.length(_METADATA) > _MOST_METADATA:
        raise ParameterError(
            "{}: tag {} must have at most {} bytes",
            tags.file.name,
            _METADATA,
            _MOST_METADATA,
            got=tags.length(_METADATA),
        )
    return tags.text(_METADATA, _MOST_METADATA)


def mask_source(tags: TiffDirectory) -> TiffSource:
    """Return the first band of a directory as a mask, whose samples may be single bits.

    Raises
    ------
    ParameterError
        If it is damaged or cannot be read, or its samples are no masks.
    """
    layout = read_layout(tags, is_mask=True)
    if layout.dtype.str[1:] != "u1":
        raise ParameterError(
            "{}: a mask must have samples of 1 or 8 bits", tags.file.name, got=layout.dtype.name
        )
    return _source(tags, layout)


def find_mask(layout: TiffLayout, directories: list[TiffDirectory]) -> TiffSource | None:
    """Return the mask of an image: the first of the further directories that is one.

    Parameters
    ----------
    layout : TiffLayout
        Of the image.
    directories : list of TiffDirectory
        Further ones of the file.

    Raises
    ------
    ParameterError
        If it is damaged, cannot be read, or has another size than its image.
    """
    tags = next((directory for directory in directories if _kind(directory) == _MASK), None)
    if tags is None:
        return None
    if _size(tags) != (layout.rows, layout.columns):
        raise ParameterError(
            "{}: its mask must have {} x {} samples",
            layout.name,
            layout.columns,
            layout.rows,
            got=Message("{} x {}", *_size(tags)[::-1]),
        )
    return mask_source(tags)


def find_alpha(tags: TiffDirectory, layout: TiffLayout) -> TiffSource | None:
    """Return the band of transparency of an image, where GDAL makes a mask of it.

    That is the last of two or four bands, of 8 or 16 bits.
    """
    extra = tags.numbers(338, layout.bands).tolist()
    if not may_have_alpha(layout.bands, layout.dtype.name) or not extra or extra[-1] not in _ALPHA:
        return None
    return _source(tags, read_layout(tags, layout.bands - 1))


def may_have_alpha(bands: int, sample_type: str) -> bool:
    """Return whether GDAL makes a mask of the last of so many bands, if that is one of transparency."""
    return bands in _WITH_ALPHA and sample_type in ("uint8", "uint16")


def find_overviews(layout: TiffLayout, directories: list[TiffDirectory]) -> Iterator[TiffSource]:
    """Yield the same land in fewer samples, each with its mask if it has one.

    Parameters
    ----------
    layout : TiffLayout
        Of the image.
    directories : list of TiffDirectory
        Further ones of the file, or all of a file of overviews.

    Raises
    ------
    ParameterError
        If one of them is damaged or cannot be read.
    """
    masks = {
        _size(directory): directory
        for directory in directories
        if _kind(directory) == _REDUCED | _MASK
    }
    for tags in directories:
        if _kind(tags) != _REDUCED or not _is_fewer(layout, *_size(tags)):
            continue
        layout_of_overview = read_layout(tags)
        if (
            layout_of_overview.bands != layout.bands
            or layout_of_overview.dtype.str[1:] != layout.dtype.str[1:]
        ):
            continue
        source, mask = _source(tags, layout_of_overview), masks.get(_size(tags))
        source.mask = find_alpha(tags, layout_of_overview) if mask is None else mask_source(mask)
        yield source


def _is_fewer(layout: TiffLayout, rows: int, columns: int) -> bool:
    """Return whether an image may be an overview: as many times fewer samples along both sides."""
    if not (0 < rows <= layout.rows and 0 < columns < layout.columns):
        return False
    factor = layout.columns / columns
    return abs(layout.rows - rows * factor) <= factor + layout.rows / columns


def _kind(tags: TiffDirectory) -> int:
    return tags.integer(254, 0) & (_REDUCED | _MASK)


def _size(tags: TiffDirectory) -> tuple[int, int]:
    return tags.integer(257, 0), tags.integer(256, 0)


def _source(tags: TiffDirectory, layout: TiffLayout) -> TiffSource:
    name = tags.file.name
    info = ElevationInfo(name, "TIFF", layout.rows, layout.columns, layout.dtype.name)
    return TiffSource(info, tags.file, layout)
