# SPDX-License-Identifier: GPL-3.0-or-later
"""TIFF and GeoTIFF.

References
----------
Adobe (1992). TIFF, revision 6.0.
OGC (2019). GeoTIFF standard 1.1, 19-008r4, sections 7 and C for the georeference.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import ClassVar

from ....base.errors import Message, ParameterError
from ...spatial_reference.geokeys import read_geokeys
from ...spatial_reference.reference import UNSAID
from .. import bands
from ..elevation import ElevationInfo
from ..elevation_file import ElevationFile
from ..formats_registry import ElevationFormat, elevation_format
from ..geotransform import GeoTransform, by_points
from ..side_files.beside import SideFiles, read_side_files
from ..source import InputFile
from ..tie_points import fit_tie_points
from ..tiff import directory, geo_keys, image, layout, masks

_PIXEL_SCALE, _TIE_POINT, _TRANSFORMATION = 33550, 33922, 34264
_NODATA = 42113
"""GDAL's own: the number for holes as text."""

_ORIENTATION, _BOTTOM_FIRST = 274, 4

_FEWEST_TIES, _MOST_TIES = 3, 1 << 14
"""Points by which the place is found where there is no scale."""

_RASTER, _POINT = 1025, 2
"""Key that says whether samples are points, and its value if they are."""


_SIDE_FILES = SideFiles(*[True] * len(SideFiles._fields))


@elevation_format(
    "tiff",
    "GeoTIFF",
    extensions=(".tif", ".tiff", ".gtiff"),
    signatures=(b"ii*\0", b"mm\0*", b"ii+\0", b"mm\0+"),
)
class Tiff(ElevationFormat):
    """TIFF and BigTIFF, with the place on Earth if it is a GeoTIFF.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core import read_elevation
    >>> from noise_core.codecs.image_writing import image_bytes
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "land.tif"
    ...     _ = path.write_bytes(image_bytes(np.float32([[0.0, 1.0]]), "tiff", 16))
    ...     land = read_elevation(path, height_range=(0.0, 500.0))
    >>> print(land.heights)
    [[  0. 500.]]
    """

    tells_place: ClassVar[bool] = True

    def open(self, file: InputFile) -> ElevationFile:
        """See `ElevationFormat.open`."""
        tags = directory.TiffDirectory(file)
        directories = list(tags.others())
        form = layout.read_layout(tags)
        keys = geo_keys.read_keys(tags)
        transform, is_placed, notes = read_transform(tags, is_point=keys.get(_RASTER) == _POINT)
        reference = read_geokeys(keys, file.name)
        is_geo = transform is not None or reference != UNSAID
        band = bands.read_metadata(file.name, masks.metadata_text(tags), form.bands)
        if (text := tags.text(_NODATA, 64)) and band.nodata is None:
            band = dataclasses.replace(band, nodata=bands.number_of(file.name, "GDAL_NODATA", text))
        label = ("Geo" if is_geo else "") + ("BigTIFF" if tags.is_big else "TIFF")
        info = ElevationInfo(
            *(file.name, label, form.rows, form.columns, form.dtype.name), notes=form.notes
        )
        source = image.TiffSource(info, file, form)
        source.find_overviews = functools.partial(masks.find_overviews, form, directories)
        file_facts = ElevationFile(
            source,
            transform=transform,
            reference=reference,
            band=band,
            bands=form.bands,
            mask=masks.find_mask(form, directories),
            alpha=masks.find_alpha(tags, form),
            is_top_first=tags.integer(_ORIENTATION, 1) != _BOTTOM_FIRST,
            is_placed=is_placed,
            notes=notes,
        )
        return read_side_files(file, file_facts, _SIDE_FILES)


def read_transform(
    tags: directory.TiffDirectory, *, is_point: bool
) -> tuple[GeoTransform | None, bool, tuple[Message, ...]]:
    """Return the coordinates of samples, whether they tell the place, and notes.

    Parameters
    ----------
    tags : directory.TiffDirectory
    is_point : bool
        Whether the file takes samples for points.

    Raises
    ------
    ParameterError
        If samples cannot have such coordinates.
    """
    scale, tie = _numbers(tags, _PIXEL_SCALE, 3), _numbers(tags, _TIE_POINT, 6 * _MOST_TIES)
    matrix = _numbers(tags, _TRANSFORMATION, 16)
    notes: tuple[Message, ...] = ()
    is_scaled = len(scale) >= 2 and scale[0] != 0.0 != scale[1]
    if is_scaled:
        if scale[1] < 0.0:
            notes = (Message("A negative scale of y is taken for positive, as GDAL does"),)
        across, down = scale[0], -abs(scale[1])
        column, row, _, x, y, _ = tie[:6] if len(tie) >= 6 else (0.0,) * 6
        transform = GeoTransform(x - column * across, across, 0.0, y - row * down, 0.0, down)
    elif len(matrix) == 16:
        transform = GeoTransform(
            *(matrix[3], matrix[0], matrix[1]), *(matrix[7], matrix[4], matrix[5])
        )
    elif len(tie) >= 6 * _FEWEST_TIES:
        ties = [
            (tie[at], tie[at + 1], tie[at + 3], tie[at + 4]) for at in range(0, len(tie) - 5, 6)
        ]
        transform = fit_tie_points(tags.file.name, ties)
        notes = (Message("Place by {} tie points", len(ties)),)
    else:
        if tie:
            notes = (Message("Tie points alone: neither its place nor its size is known"),)
        return None, True, notes
    if is_point:  # places are the middle of samples, not their corners
        steps = (transform.column_x, transform.column_y, transform.row_x, transform.row_y)
        transform = dataclasses.replace(by_points(transform.x, transform.y, steps), is_point=True)
    return transform.check(tags.file.name), not is_scaled or len(tie) >= 6, notes


def _numbers(tags: directory.TiffDirectory, tag: int, most: int) -> tuple[float, ...]:
    """Return the numbers of a tag; none if it is missing.

    Raises
    ------
    ParameterError
        If one of them is not finite.
    """
    numbers = tags.doubles(tag, most)
    if tags.length(tag) and not numbers:
        raise ParameterError("{} is damaged: tag {} must have numbers", tags.file.name, tag)
    return numbers
