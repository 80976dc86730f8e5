# SPDX-License-Identifier: GPL-3.0-or-later
"""TIFF and GeoTIFF.

References
----------
Adobe (1992). TIFF, revision 6.0.
OGC (2019). GeoTIFF standard 1.1, 19-008r4.
"""

from __future__ import annotations

from ....base.errors import Message
from ..elevation import ElevationInfo
from ..formats_registry import ElevationFormat, elevation_format
from ..source import HeightSource, InputFile, value_range_of
from ..tiff import directory, geokeys, image, layout


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
        place, is_top_first, notes = geokeys.read_georeference(tags, form.rows)
        factor, offset = geokeys.read_height_scale(tags)
        if (factor, offset) != (1.0, 0.0):
            note = Message("Numbers become meters: times {:.6g}, plus {:.6g}", factor, offset)
            notes = (*notes, note)
        is_placed = place is not None or bool(geokeys.read_keys(tags))
        info = ElevationInfo(
            file.name,
            ("Geo" if is_placed else "") + ("BigTIFF" if tags.is_big else "TIFF"),
            form.rows,
            form.columns,
            form.dtype.name,
            place,
            None if place is None else place.spacing(form.rows),
            geokeys.read_nodata(tags),
            None if is_placed else value_range_of(form.dtype),
            (*form.notes, *notes),
        )
        return image.TiffSource(
            info, file, form, is_top_first=is_top_first, factor=factor, offset=offset
        )
