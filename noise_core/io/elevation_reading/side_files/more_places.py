# SPDX-License-Identifier: GPL-3.0-or-later
"""Places and systems beside GeoTIFF files in the files of other programs: "land.tab" of MapInfo, "land.xml" of ESRI.

References
----------
GDAL (2024). GeoTIFF raster format: georeferencing (GDAL_GEOREF_SOURCES, TABFILE and XML).
Pitney Bowes (2016). MapInfo Professional user guide: registering raster images.
"""

from __future__ import annotations

import os
import re

from ....base.errors import ParameterError
from ...spatial_reference.epsg import read_code
from ...spatial_reference.reference import UNSAID, SpatialReference
from ..geotransform import GeoTransform
from ..tie_points import fit_tie_points
from ..xml_texts import parse_xml
from .folder import Folder, text_of

_MOST_BYTES = 1 << 24

_NUMBER = r"\s*([-+.\deE]+)\s*"
_POINT = re.compile(rf"\({_NUMBER},{_NUMBER}\)\s*\({_NUMBER},{_NUMBER}\)\s*Label", re.IGNORECASE)

_CODE = "refSysInfo/RefSystem/refSysID/identCode"

_LARGEST_EPSG = 32767
"""Larger codes are those of ESRI."""

_WEB_MERCATOR = {102_100: 3857, 102_113: 3857}
"""Codes of EPSG by those of ESRI."""


def find_tab_file(folder: Folder) -> tuple[str, GeoTransform, SpatialReference] | None:
    """Return name, coordinates and system of the file of MapInfo beside a raster; None if there is none.

    Raises
    ------
    ParameterError
        If no plane grid fits its points.
    """
    path = folder.find([f"{folder.stem}.tab"])
    if path is None:
        return None
    name, text = os.path.basename(path), text_of(path, _MOST_BYTES)
    if re.search(r'^\s*Type\s+"RASTER"', text, re.IGNORECASE | re.MULTILINE) is None:
        return None
    numbers = [tuple(map(float, point)) for point in _POINT.findall(text)]
    transform = fit_tie_points(name, [(column, row, x, y) for x, y, column, row in numbers])
    reference = UNSAID
    if re.search(r"^\s*CoordSys\s", text, re.IGNORECASE | re.MULTILINE) is not None:
        reference = SpatialReference(
            ParameterError(
                "{}: a coordinate system of MapInfo cannot be read: give system, such as 'EPSG:32632'",
                name,
            )
        )
    return name, transform, reference


def find_metadata_file(folder: Folder) -> tuple[str, SpatialReference] | None:
    """Return name and system of the metadata of ESRI beside a raster; None if they tell none."""
    path = folder.find([f"{folder.stem}.xml"])
    text = "" if path is None else text_of(path, _MOST_BYTES)
    if path is None or "identCode" not in text:
        return None
    name = os.path.basename(path)
    element = parse_xml(name, text).find(_CODE)
    digits = re.match(r"\s*(\d+)", "" if element is None else element.get("code") or "")
    code = 0 if digits is None else int(digits.group(1))
    if not code:
        return None
    code = _WEB_MERCATOR.get(code, code)
    if code <= _LARGEST_EPSG:
        return name, read_code(code, name)
    return name, SpatialReference(
        ParameterError(
            "{}: the coordinate system must be one that is known; got ESRI:{}: give system",
            *(name, code),
        )
    )
