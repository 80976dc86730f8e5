# SPDX-License-Identifier: GPL-3.0-or-later
"""Auxiliary files of GDAL and ArcGIS: "land.tif.aux.xml" beside "land.tif".

References
----------
GDAL (2024). PAM: persistent auxiliary metadata, and the schema pamdataset.xsd.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ....base.errors import ParameterError
from ..bands import SEVERAL, Band, band_of, nodata_of_bands, number_of
from ..geotransform import GeoTransform
from ..tie_points import fit_tie_points
from ..xml_texts import parse_xml
from .folder import Folder, text_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MOST_BYTES = 1 << 26
"""Of a file, which may hold histograms and tables of attributes."""

_COEFFICIENTS = 6

_ROOTS = ("PAMDataset", "GeodataXform")

_BAND_WORDS = {
    **{"NoDataValue": "nodata", "Scale": "scale", "Offset": "offset", "UnitType": "unit"}
}


@dataclasses.dataclass(frozen=True)
class Auxiliary:
    """Facts in an auxiliary file.

    Attributes
    ----------
    name : str
        Of the file.
    transform : GeoTransform, optional
    fitted : GeoTransform, optional
        Coordinates that fit its tie points.
    system : str
        Coordinate system, as well-known text; empty if it is not said.
    band : Band
        Facts about the first band.
    colors : mapping of int to str
        What bands are for, by their numbers from 1 on, in lower case.
    values : str
        Numbers for holes of all bands; empty if they are not said.
    """

    name: str
    transform: GeoTransform | None
    fitted: GeoTransform | None
    system: str
    band: Band
    colors: Mapping[int, str]
    values: str

    def nodata_of(self, bands: int) -> int | float | None:
        """Return the number for holes by those of all bands; None if there are not so many.

        Raises
        ------
        ParameterError
            If there is more than one band.
        """
        if len(self.values.split()) != bands:
            return None
        return nodata_of_bands(self.name, self.values, bands)


def find_auxiliary(folder: Folder) -> Auxiliary | None:
    """Return the facts in the auxiliary file of an elevation file; None if there is none.

    Raises
    ------
    ParameterError
        If it is damaged, or says something that cannot be read.
    """
    path = folder.find([f"{folder.name}.aux.xml"])
    if path is None:
        return None
    name = os.path.basename(path)
    root = parse_xml(name, text_of(path, _MOST_BYTES))
    if root.tag not in _ROOTS:
        raise ParameterError(
            "{} must begin with {}, as auxiliary files of GDAL do",
            name,
            " or ".join(_ROOTS),
            got=root.tag,
        )
    text, points = root.findtext("GeoTransform"), root.find("GCPList")
    transform = None if text is None else _read_transform(name, text)
    fitted = None if points is None else _fit_points(name, points)
    system = (root.findtext("SRS") or "").strip()
    forms = [root] if root.tag == _ROOTS[1] else root.findall("Metadata/GeodataXform")
    if forms and not system:
        system = _read_form(name, forms[0])
    if points is not None and not system:
        system = points.get("Projection", "").strip()
    colors = {
        int(element.get("band", "0")): text.strip().lower()
        for element in root.findall("PAMRasterBand")
        if (text := element.findtext("ColorInterp")) and element.get("band", "").isdecimal()
    }
    return Auxiliary(
        name, transform, fitted, system, _read_band(name, root), colors, _read_values(root)
    )


def _read_values(root: Element) -> str:
    """Return the numbers for holes of all bands."""
    for metadata in root.findall("Metadata"):
        for item in metadata.findall("MDI") if not metadata.get("domain") else ():
            if item.get("key", "").upper() == SEVERAL:
                return item.text or ""
    return ""


def _read_transform(name: str, text: str) -> GeoTransform:
    numbers = [float(number_of(name, "GeoTransform", word)) for word in text.split(",")]
    if len(numbers) != _COEFFICIENTS:
        raise ParameterError(
            "{}: GeoTransform must have {} numbers", name, _COEFFICIENTS, got=len(numbers)
        )
    x, column_x, row_x, y, column_y, row_y = numbers
    return GeoTransform(x, column_x, row_x, y, column_y, row_y).check(name)


def _fit_points(name: str, points: Element) -> GeoTransform:
    ties = []
    for point in points.findall("GCP"):
        column, row, x, y = (
            float(number_of(name, f"GCP {key}", point.get(key, "")))
            for key in ("Pixel", "Line", "X", "Y")
        )
        ties.append((column, row, x, y))
    return fit_tie_points(name, ties)


def _read_band(name: str, root: Element) -> Band:
    texts = {}
    for element in root.findall("PAMRasterBand"):
        if element.get("band") != "1":
            continue
        for word, key in _BAND_WORDS.items():
            text = element.findtext(word)
            if text is not None and text.strip():
                texts[key] = text
    return band_of(name, texts)


def _read_form(name: str, form: Element) -> str:
    """Return the coordinate system in a transformation of ArcGIS, if it transforms nothing."""
    kind = next((value for key, value in form.items() if key.endswith("type")), "")
    if not kind.endswith("IdentityXform"):
        raise ParameterError(
            "{}: a transformation of the kind {} cannot be read; IdentityXform can",
            *(name, kind.rpartition(":")[2] or "without a name"),
        )
    return (form.findtext("SpatialReference/WKT") or "").strip()
