# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts about the numbers of a band: nodata, scale, offset and unit.

References
----------
GDAL (2024). GDAL raster data model: band metadata. GeoTIFF raster format: internal nodata, metadata.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping

from ...base.arrays import MAX_HEIGHT
from ...base.errors import ParameterError
from .xml_texts import parse_xml

Number = int | float
"""A whole number as it is: floats would round those of 64 bits."""

_TOO_LARGE = 1 << 64
"""For samples of any type."""

SEVERAL = "NODATA_VALUES"


@dataclasses.dataclass(frozen=True)
class Band:
    """Facts about the numbers of a band; None where a file is silent.

    Attributes
    ----------
    nodata : int or float, optional
        Number that stands for a hole.
    scale, offset : float, optional
        Heights are offset + scale * number, in the unit.
    unit : str, optional
        Name of the unit of heights.
    """

    nodata: Number | None = None
    scale: float | None = None
    offset: float | None = None
    unit: str | None = None

    @property
    def is_scaled(self) -> bool:
        """Whether the file says how heights are made of numbers."""
        return self.scale is not None or self.offset is not None

    def overlay(self, upper: Band) -> Band:
        """Return the facts of both; where they contradict each other the other one counts.

        A scale without an offset takes the old offset away, and the other way round, as in GDAL.
        """
        scaled = upper if upper.is_scaled else self
        return Band(
            self.nodata if upper.nodata is None else upper.nodata,
            scaled.scale,
            scaled.offset,
            self.unit if upper.unit is None else upper.unit,
        )


def number_of(name: str, key: str, text: str) -> Number:
    """Return a number that stands as text in a file; a decimal comma counts as a point.

    Raises
    ------
    ParameterError
        If it is none.
    """
    plain = text.strip().replace(",", ".")
    try:
        whole = int(plain) if plain.lstrip("+-").isdecimal() else _TOO_LARGE
        return whole if abs(whole) < _TOO_LARGE else float(plain)
    except ValueError:
        raise ParameterError("{}: {} must be a number", name, key, got=repr(text[:80])) from None


def band_of(name: str, texts: Mapping[str, str]) -> Band:
    """Return a band by texts with the keys nodata, scale, offset, unit, each of which may be missing.

    Raises
    ------
    ParameterError
        If one is no number, or heights would not be finite.
    """
    numbers = {
        key: number_of(name, key, texts[key])
        for key in ("nodata", "scale", "offset")
        if key in texts
    }
    for key in ("scale", "offset"):
        value = float(numbers.get(key, 1.0))
        if not math.isfinite(value) or abs(value) > MAX_HEIGHT or (key == "scale" and not value):
            raise ParameterError(
                "{}: {} must be a number up to {:g} other than 0",
                name,
                key,
                MAX_HEIGHT,
                got=f"{value:g}",
            )
    scale, offset = (float(numbers[key]) if key in numbers else None for key in ("scale", "offset"))
    return Band(numbers.get("nodata"), scale, offset, texts.get("unit", "").strip() or None)


def nodata_of_bands(name: str, text: str, bands: int) -> Number:
    """Return the number for holes by those of so many bands.

    Raises
    ------
    ParameterError
        If there is more than one band, of which all must have their number, or it is none.
    """
    if bands > 1:
        raise ParameterError(
            "{}: holes by the numbers of all bands ({}: {}) cannot be read", name, SEVERAL, text
        )
    return number_of(name, SEVERAL, text)


def read_metadata(name: str, text: str, bands: int) -> Band:
    """Return the band of GDAL's own tag of a TIFF file, the first one.

    Parameters
    ----------
    name : str
        Of the file.
    text : str
        Of the tag, in XML.
    bands : int
        Of the file.

    Raises
    ------
    ParameterError
        If it is damaged, or tells holes in a way that cannot be read.
    """
    texts: dict[str, str] = {}
    for item in parse_xml(name, text).iter("Item") if text else ():
        role, sample = item.get("role", "").lower(), item.get("sample")
        key, value = {"unittype": "unit"}.get(role, role), item.text or ""
        if sample == "0" and key in ("scale", "offset", "unit"):
            texts[key] = value
        if sample is None and item.get("name") == SEVERAL and len(value.split()) == bands:
            nodata_of_bands(name, value, bands)
            texts["nodata"] = value
    return band_of(name, texts)
