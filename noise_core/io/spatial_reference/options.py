# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinate system and unit of heights as a caller writes them."""

from __future__ import annotations

import math
import re
from typing import Union

from ...base.arrays import to_float
from ...base.errors import ParameterError, format_value
from ...base.georeference import GEOGRAPHIC, LOCAL, SpatialSystem
from .epsg import read_code
from .reference import AS_THE_FILE_SAYS, SpatialOptions, SpatialReference
from .units import LENGTH, unit_of
from .wkt import read_wkt

_CODES = re.compile(r"(?:EPSG:)?(\d{1,7})(?:\s*\+\s*(?:EPSG:)?(\d{1,7}))?", re.IGNORECASE)

UnitOption = Union[str, float, None]


def spatial_options(system: str | None, unit: UnitOption) -> SpatialOptions:
    """Return the system and the unit that a caller gives instead of the file.

    Parameters
    ----------
    system : str, optional
        An EPSG code or two, such as "EPSG:2056" or "EPSG:2263+6360"; "geographic" for degrees; "local" for meters, or
        with another unit, as "local ft" or "local 0.25"; or a well-known text. None or "" for that of the file.
    unit : str or float, optional
        Of heights: meters in it, or its name, such as "ft" or "us survey foot". None or "" for that of the file.

    Raises
    ------
    ParameterError
        If it is none of these, or not known.
    """
    height_unit = None if _is_left_out(unit) else _size_of(unit, "unit")
    if system is None or _is_left_out(system):
        return AS_THE_FILE_SAYS if height_unit is None else SpatialOptions(None, height_unit)
    reference = read_system(system)
    for part in (reference.system, reference.height_unit if height_unit is None else None):
        if isinstance(part, ParameterError):
            raise part
    if not isinstance(reference.system, SpatialSystem):
        raise ParameterError("system must be one of coordinates", got=format_value(system))
    if height_unit is None and isinstance(reference.height_unit, float):
        height_unit = reference.height_unit
    return SpatialOptions(reference.system, height_unit)


def _is_left_out(option: object) -> bool:
    return option is None or (isinstance(option, str) and not option)


def read_system(system: object) -> SpatialReference:
    """Return the systems that a text names; see `spatial_options`."""
    if isinstance(system, str):
        text = system.strip()
        word, _, remainder = text.partition(" ")
        if (codes := _CODES.fullmatch(text)) is not None:
            across, up = codes.groups()
            reference = read_code(int(across), "system")
            if up is None:
                return reference
            return SpatialReference(reference.system, read_code(int(up), "system").height_unit)
        if re.match(r"\w+[\[(]", text):
            return read_wkt(text, "system")
        if word.lower() == GEOGRAPHIC and not remainder:
            return SpatialReference(SpatialSystem(GEOGRAPHIC))
        if word.lower() == LOCAL:
            return SpatialReference(SpatialSystem(LOCAL, 0, _size_of(remainder or 1.0, "system")))
    raise ParameterError(
        "system must be such as 'EPSG:2056', 'geographic', 'local', 'local ft' or a WKT",
        got=format_value(system),
    )


def _size_of(unit: object, option: str) -> float:
    """Return meters in a unit."""
    size = math.nan
    if isinstance(unit, (int, float)) and not isinstance(unit, bool):
        size = to_float(unit)
    elif isinstance(unit, str):
        known = unit_of(unit.strip(" ()"))
        try:
            size = known.size if known is not None and known.kind == LENGTH else float(unit)
        except ValueError:
            size = math.nan
    if not 1e-9 < size < 1e9:
        raise ParameterError(
            "{} must name a length, such as 'ft' or 'us survey foot', or be meters in it",
            option,
            got=format_value(unit),
        )
    return size
