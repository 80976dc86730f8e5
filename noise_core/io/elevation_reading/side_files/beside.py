# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts about an elevation file from the files beside it, in the order in which GDAL takes them.

References
----------
GDAL (2024). GeoTIFF raster format: georeferencing (GDAL_GEOREF_SOURCES). PNG, AAIGrid and SRTMHGT formats.
"""

from __future__ import annotations

import dataclasses
import os
from typing import NamedTuple

from ....base.errors import Message, ParameterError
from ...spatial_reference.prj import read_prj
from ..elevation_file import ElevationFile
from ..source import InputFile
from ..tiff import masks
from ..tiff.image import TiffSource
from .auxiliary import Auxiliary, find_auxiliary
from .folder import Folder, text_of
from .mask_file import find_mask_file
from .more_places import find_metadata_file, find_tab_file
from .overview_file import add_overview_file
from .world_file import find_world_file, read_world_file

_MOST_SYSTEM = 1 << 20
"""Bytes of a coordinate system as text."""

_ALPHA, _UNDEFINED = "alpha", "undefined"
"""What a band is for."""


class SideFiles(NamedTuple):
    """Which files beside it count for a format."""

    has_mask: bool = False
    """A mask, such as "land.tif.msk"."""
    has_numbers: bool = False
    """Scale, offset and unit in an auxiliary file."""
    has_holes: bool = False
    """Number for holes in an auxiliary file."""
    has_place: bool = False
    """Coordinates and system in an auxiliary file; world files."""
    has_system: bool = False
    """System in a file such as "land.prj"."""
    has_more_places: bool = False
    """Place and system in files of MapInfo and ESRI."""
    is_auxiliary_first: bool = False
    """Whether coordinates of an auxiliary file count instead of those of the file and of world files."""


def read_side_files(opened: InputFile, file: ElevationFile, kinds: SideFiles) -> ElevationFile:
    """Return a file with the facts of those beside it.

    Parameters
    ----------
    opened : InputFile
    file : ElevationFile
        Facts of the file itself.
    kinds : SideFiles
        Which files beside it count.

    Raises
    ------
    ParameterError
        If one of them is damaged, or says something that cannot be read.
    """
    if opened.is_alone:
        return file
    folder = Folder(opened.path)
    auxiliary = find_auxiliary(folder) if kinds.has_numbers else None
    if auxiliary is not None:
        file = _with_numbers(file, auxiliary, kinds)
    if kinds.has_place:
        file = _with_place(file, folder, auxiliary, kinds)
    if kinds.has_system:
        file = _with_system(file, folder, auxiliary)
    if kinds.has_mask:
        info = file.source.info
        mask, notes = find_mask_file(folder, info.rows, info.columns)
        if mask is not None:
            file = dataclasses.replace(file, mask=mask)
            file.source.find_overviews = tuple  # they have no part of it
        elif isinstance(file.source, TiffSource):
            add_overview_file(folder, file.source)
        file = dataclasses.replace(file, notes=(*file.notes, *notes))
    return file


def _with_numbers(file: ElevationFile, auxiliary: Auxiliary, kinds: SideFiles) -> ElevationFile:
    band = auxiliary.band
    if not kinds.has_holes:  # nor does it count for a unit that the format itself has
        unit = band.unit if file.band.unit is None else None
        band = dataclasses.replace(band, nodata=None, unit=unit)
    if (nodata := auxiliary.nodata_of(file.bands)) is not None:
        band = dataclasses.replace(band, nodata=nodata)
    if isinstance(file.source, TiffSource):
        file = _with_colors(file, auxiliary)
    note = Message("More by {}", auxiliary.name)
    return dataclasses.replace(file, band=file.band.overlay(band), notes=(*file.notes, note))


def _with_colors(file: ElevationFile, auxiliary: Auxiliary) -> ElevationFile:
    """Return a file whose last band is transparency only if the file beside it does not say another thing.

    Raises
    ------
    ParameterError
        If the file beside it alone says so.
    """
    color = auxiliary.colors.get(file.bands, _UNDEFINED)
    if color not in (_ALPHA, _UNDEFINED):
        return dataclasses.replace(file, alpha=None)
    may_be = masks.may_have_alpha(file.bands, file.source.info.sample_type)
    if color == _ALPHA and file.alpha is None and may_be:
        raise ParameterError(
            "{}: transparency that it alone tells (ColorInterp of band {}) cannot be read",
            *(auxiliary.name, file.bands),
        )
    return file


def _with_place(
    file: ElevationFile, folder: Folder, auxiliary: Auxiliary | None, kinds: SideFiles
) -> ElevationFile:
    """Return a file with coordinates and the system of those beside it: each counts before those that follow."""
    transform, notes = file.transform, file.notes
    by_auxiliary = None if auxiliary is None else auxiliary.transform
    if by_auxiliary is not None and kinds.is_auxiliary_first:
        transform = by_auxiliary
    reference, by_tab = file.reference, None
    if kinds.has_more_places and transform is None and by_auxiliary is None:
        by_tab = find_tab_file(folder)
    if by_tab is not None:
        name, transform, reference = by_tab
        notes = (*notes, Message("Place by {}", name))
    if transform is None and (path := find_world_file(folder)) is not None:
        transform = read_world_file(path)
        notes = (*notes, Message("Place by {}", os.path.basename(path)))
    if transform is None:
        transform = by_auxiliary
    if transform is None and auxiliary is not None:
        transform = auxiliary.fitted
    if kinds.has_more_places and (by_metadata := find_metadata_file(folder)) is not None:
        name, system = by_metadata
        reference = system.or_else(reference)
        notes = (*notes, Message("Coordinate system by {}", name))
    if auxiliary is not None and auxiliary.system:
        reference = read_prj(auxiliary.system, auxiliary.name).or_else(reference)
    is_placed = file.is_placed or transform is not file.transform
    return dataclasses.replace(
        file, transform=transform, reference=reference, is_placed=is_placed, notes=notes
    )


def _with_system(file: ElevationFile, folder: Folder, auxiliary: Auxiliary | None) -> ElevationFile:
    """Return a file with coordinates but no system with that of a file beside it: .prj, or else .aux.xml.

    GDAL reads no system of ASCII grids from .aux.xml; it would be meters then in any unit.
    """
    if file.transform is None or file.reference.system is not None:
        return file
    if (path := folder.find([f"{folder.stem}.prj"])) is not None:
        name, text = os.path.basename(path), text_of(path, _MOST_SYSTEM)
    elif auxiliary is not None and auxiliary.system:
        name, text = auxiliary.name, auxiliary.system
    else:
        return file
    note = Message("Coordinate system by {}", name)
    return dataclasses.replace(
        file, reference=file.reference.or_else(read_prj(text, name)), notes=(*file.notes, note)
    )
