# SPDX-License-Identifier: GPL-3.0-or-later
"""TIFF and GeoTIFF.

References
----------
Adobe (1992). TIFF, revision 6.0.
OGC (2019). GeoTIFF standard 1.1, 19-008r4, sections 7 and C for the georeference.
"""

from __future__ import annotations

import re

from ....base.arrays import MAX_HEIGHT
from ....base.errors import Message
from ....base.georeference import Georeference
from ...spatial_reference.geokeys import GeoKeys, read_geokeys
from ...spatial_reference.reference import (
    Extent,
    SpatialReference,
    read_height_unit,
    settle_height_unit,
    settle_system,
)
from ..elevation import ElevationInfo
from ..formats_registry import ElevationFormat, elevation_format
from ..source import HeightSource, InputFile, value_range_of
from ..tiff import directory, geo_keys, image, layout

_PIXEL_SCALE, _TIE_POINT, _TRANSFORMATION = 33550, 33922, 34264
_METADATA, NODATA = 42112, 42113
"""GDAL's own: a text in XML, and the number for holes as text."""

_RASTER, _POINT = 1025, 2
"""Key that says whether samples are points, and its value if they are."""

_UNIT_TYPE = re.compile(r'role="unittype"\s*>\s*([^<]{0,40}?)\s*<', re.IGNORECASE)

_NUMBER = r'role="{}"\s*>\s*([-+.\deE]{{1,40}})\s*<'
"""Pattern of a number in GDAL's metadata, by its role: scale or offset."""


@elevation_format(
    "tiff",
    "GeoTIFF",
    extensions=(".tif", ".tiff", ".gtiff"),
    signatures=(b"ii*\0", b"mm\0*", b"ii+\0", b"mm\0+"),
)
class Tiff(ElevationFormat):
    """TIFF and BigTIFF, with the place on Earth if it is a GeoTIFF."""

    def open(self, file: InputFile) -> HeightSource:
        """See `ElevationFormat.open`."""
        tags = directory.TiffDirectory(file)
        form = layout.read_layout(tags)
        keys = geo_keys.read_keys(tags)
        reference = read_geokeys(keys, file.name)
        place, is_top_first, notes = read_georeference(
            tags, keys, reference, (form.rows, form.columns)
        )
        factor, offset = read_height_scale(tags, reference)
        if (factor, offset) != (1.0, 0.0):
            note = Message("Numbers become meters: times {:.6g}, plus {:.6g}", factor, offset)
            notes = (*notes, note)
        is_placed = place is not None or bool(keys)
        info = ElevationInfo(
            file.name,
            ("Geo" if is_placed else "") + ("BigTIFF" if tags.is_big else "TIFF"),
            form.rows,
            form.columns,
            form.dtype.name,
            place,
            None if place is None else place.spacing(form.rows),
            read_nodata(tags),
            None if is_placed else value_range_of(form.dtype),
            (*form.notes, *notes),
        )
        return image.TiffSource(
            info, file, form, is_top_first=is_top_first, factor=factor, offset=offset
        )


def read_georeference(
    tags: directory.TiffDirectory,
    keys: GeoKeys,
    reference: SpatialReference,
    shape: tuple[int, int],
) -> tuple[Georeference | None, bool, tuple[Message, ...]]:
    """Return the georeference, whether row 0 is the one with the largest y, and notes.

    Parameters
    ----------
    tags : directory.TiffDirectory
    keys : mapping
    reference : SpatialReference
        What the file says of its system.
    shape : tuple of two ints
        Rows and columns of the image.
    """
    axes = _read_axes(tags)
    is_top_first = tags.integer(274, 1) != 4  # Orientation: 4 begins at the bottom
    if axes is None:
        return None, is_top_first, ()
    x, column_x, row_x, y, column_y, row_y = axes
    is_straight = abs(row_x) <= 1e-9 * abs(column_x) and abs(column_y) <= 1e-9 * abs(row_y)
    if not is_straight or column_x <= 0.0 or row_y == 0.0:
        return None, is_top_first, (Message("Turned or mirrored: its place is not kept"),)
    is_top_first = row_y < 0.0
    is_point = keys.get(_RASTER) == _POINT
    if not is_point:  # the tie point is a corner of the first sample
        x, y = x + column_x / 2.0, y + row_y / 2.0
    low = y + row_y * (shape[0] - 1) if is_top_first else y
    extent = Extent((x, low), (column_x, abs(row_y)), *shape)
    system, notes = settle_system(reference, tags.file.spatial, extent, tags.file.name)
    return Georeference(system, extent.origin, extent.step, is_point), is_top_first, notes


def _read_axes(
    tags: directory.TiffDirectory,
) -> tuple[float, float, float, float, float, float] | None:
    """Return x and y of the first sample's tie, and what they change by per column and row."""
    matrix = tags.doubles(_TRANSFORMATION, 16)
    if len(matrix) == 16:
        return (matrix[3], matrix[0], matrix[1], matrix[7], matrix[4], matrix[5])
    scale, tie = tags.doubles(_PIXEL_SCALE, 3), tags.doubles(_TIE_POINT, 6)
    if len(scale) < 2 or len(tie) < 6:
        return None
    column, row, _, x, y, _ = tie
    return (x - column * scale[0], scale[0], 0.0, y + row * scale[1], 0.0, -scale[1])


def read_height_scale(
    tags: directory.TiffDirectory, reference: SpatialReference
) -> tuple[float, float]:
    """Return what numbers are multiplied by to become meters, and what is added then.

    They come from the unit of height, and from the scale and offset that GDAL writes for numbers
    such as decimeters.
    """
    text = tags.text(_METADATA, 1 << 16)
    named = _UNIT_TYPE.search(text)
    if named is not None and named.group(1):
        reference = read_height_unit(named.group(1), tags.file.name).or_else(reference)
    unit = settle_height_unit(reference, tags.file.spatial) or 1.0
    scale, offset = _read_number(text, "scale", 1.0), _read_number(text, "offset", 0.0)
    return unit * (scale or 1.0), unit * offset


def _read_number(text: str, role: str, default: float) -> float:
    found = re.search(_NUMBER.format(role), text)
    try:
        value = float(found.group(1)) if found is not None else default
    except ValueError:
        return default
    return value if abs(value) <= MAX_HEIGHT else default


def read_nodata(tags: directory.TiffDirectory) -> float | None:
    """Return the number that stands for a hole, if there is one."""
    try:
        return float(tags.text(NODATA, 64))
    except ValueError:
        return None
