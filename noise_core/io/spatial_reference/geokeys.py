# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinate systems in the keys of GeoTIFF.

References
----------
OGC (2019). GeoTIFF standard 1.1, 19-008r4, section 7 and annex C.
N. Ritter, M. Ruth (2000). GeoTIFF format specification 1.0, sections 2.7 and 6.3.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from typing import Union

from ...base.ellipsoid import WGS84, Ellipsoid
from ...base.errors import Message, ParameterError
from ...base.georeference import GEOGRAPHIC, LOCAL, PROJECTED, SpatialSystem
from . import agreement, tables
from .epsg import read_code, read_conversion
from .methods import ProjectionParameters, cylinder_of
from .reference import UNSAID, SpatialReference
from .units import ANGLE, LENGTH, unit_of
from .wkt import read_wkt

GeoKeys = Mapping[int, Union[int, float, str]]
"""Values by the numbers of their keys."""

MODEL, CITATION, GEOGRAPHIC_CODE, GEOGRAPHIC_CITATION = 1024, 1026, 2048, 2049
DATUM, MERIDIAN, ANGULAR_UNIT, ANGULAR_SIZE = 2050, 2051, 2054, 2055
ELLIPSOID, RADIUS, POLAR_RADIUS, INVERSE_FLATTENING, MERIDIAN_LONGITUDE = (
    2056,
    2057,
    2058,
    2059,
    2061,
)
PROJECTED_CODE, PROJECTED_CITATION, PROJECTION, METHOD = 3072, 3073, 3074, 3075
LINEAR_UNIT, LINEAR_SIZE = 3076, 3077
VERTICAL_CODE, VERTICAL_DATUM, VERTICAL_UNIT = 4096, 4098, 4099

USER_DEFINED = 32767
UNDEFINED = 0

_OLD_VERTICAL_CODES = frozenset({*range(5001, 5034), *range(5101, 5107)})
"""Codes of GeoTIFF 1.0, which name a datum alone."""

_CITED_UNIT = re.compile(r"\bL?Units\s*=\s*([^|\n\r\0]+?)\s*(?:[|\n\r\0]|$)")

_ESRI = re.compile(r"ESRI PE String\s*=\s*", re.IGNORECASE)

METHODS = {
    1: "Transverse_Mercator",
    2: "Transverse_Mercator",  # of Alaska
    3: "Hotine_Oblique_Mercator",
    4: "Laborde_Oblique_Mercator",
    5: "Swiss_Oblique_Mercator",
    6: "Hotine_Oblique_Mercator",
    7: "Mercator",
    8: "Lambert_Conformal_Conic_2SP",
    9: "Lambert_Conformal_Conic_1SP",
    10: "Lambert_Azimuthal_Equal_Area",
    11: "Albers_Conic_Equal_Area",
    12: "Azimuthal_Equidistant",
    13: "Equidistant_Conic",
    14: "Stereographic",
    15: "Polar_Stereographic",
    16: "Oblique_Stereographic",
    17: "Equirectangular",
    18: "Cassini_Soldner",
    19: "Gnomonic",
    20: "Miller_Cylindrical",
    21: "Orthographic",
    22: "Polyconic",
    23: "Robinson",
    24: "Sinusoidal",
    25: "VanDerGrinten",
    26: "New_Zealand_Map_Grid",
    27: "Transverse_Mercator_South_Orientated",
    28: "Cylindrical_Equal_Area",
}
"""Projections by the values of the key of methods."""

_LATITUDES = (3081, 3085, 3089)  # of the natural origin, the false origin, the center
_LONGITUDES = (3080, 3084, 3088, 3095)
_EASTINGS, _NORTHINGS = (3082, 3086, 3090), (3083, 3087, 3091)
_PARALLEL, _SCALES = 3078, (3092, 3093)


def read_geokeys(keys: GeoKeys, name: str) -> SpatialReference:
    """Return the systems that the keys of a GeoTIFF say.

    Parameters
    ----------
    keys : mapping of int to int, float or str
    name : str
        Of the file, for messages.
    """
    if not keys:
        return UNSAID
    vertical = SpatialReference(None, _read_height_unit(keys, name))
    for key in (PROJECTED_CITATION, CITATION, GEOGRAPHIC_CITATION):
        match = _ESRI.search(str(keys.get(key, "")))
        if match is not None:
            text = str(keys[key])[match.end() :].rstrip("|\0 ")
            reference = read_wkt(text, name)
            coded = _code_of(keys, PROJECTED_CODE) or _code_of(keys, GEOGRAPHIC_CODE)
            if isinstance(reference.system, SpatialSystem) and not reference.system.epsg:
                reference = SpatialReference(
                    agreement.with_code(reference.system, coded), reference.height_unit
                )
            return vertical.or_else(reference)
    try:
        return vertical.or_else(_read_horizontal(keys, name))
    except ParameterError as error:
        return vertical.or_else(SpatialReference(error))


def _read_horizontal(keys: GeoKeys, name: str) -> SpatialReference:
    model = keys.get(MODEL, UNDEFINED)
    if model == 3:
        raise ParameterError(
            "{}: the coordinate system must be one of a map; got a geocentric one: give system",
            name,
        )
    if model == 1 or (model != 2 and keys.get(PROJECTED_CODE)):
        return _read_projected(keys, name)
    if model == 2 or keys.get(GEOGRAPHIC_CODE):
        return _read_geographic(keys, name)
    size = _linear_unit(keys, name)
    if size is not None:
        return SpatialReference(SpatialSystem(LOCAL, 0, size))
    return UNSAID


def _code_of(keys: GeoKeys, key: int) -> int:
    """Return a code that is neither missing nor user-defined; 0 otherwise."""
    code = keys.get(key, UNDEFINED)
    return int(code) if isinstance(code, int) and code not in (UNDEFINED, USER_DEFINED) else 0


def _read_geographic(keys: GeoKeys, name: str) -> SpatialReference:
    code = _code_of(keys, GEOGRAPHIC_CODE)
    size = _unit_size(keys, ANGULAR_UNIT, ANGULAR_SIZE, ANGLE, name)
    if code:
        reference = read_code(code, name)
        if not isinstance(reference.system, SpatialSystem) or size is None:
            return reference
        if math.isclose(size, reference.system.unit, rel_tol=1e-6):
            return reference
        raise ParameterError(
            "{}: the unit of angles must be that of EPSG:{}; got one of {:g} degrees: give system",
            *(name, code, size),
        )
    body, meridian = _read_body(keys, name)
    return SpatialReference(SpatialSystem(GEOGRAPHIC, 0, size or 1.0, body, meridian))


def _read_body(keys: GeoKeys, name: str) -> tuple[Ellipsoid, float]:
    """Return the ellipsoid and the prime meridian in degrees of a geographic system."""
    code = _code_of(keys, GEOGRAPHIC_CODE)
    if code:
        system = read_code(code, name).system
        if isinstance(system, SpatialSystem):
            return system.ellipsoid, system.meridian
    radius, inverse = keys.get(RADIUS), keys.get(INVERSE_FLATTENING)
    polar = keys.get(POLAR_RADIUS)
    meridian = keys.get(MERIDIAN_LONGITUDE, 0.0)
    degrees = float(meridian) if isinstance(meridian, (int, float)) else 0.0
    if isinstance(radius, (int, float)) and 1.0 <= radius <= 1e12:
        if isinstance(inverse, (int, float)) and inverse > 1.0:
            return Ellipsoid(float(radius), 1.0 / inverse), degrees
        if isinstance(polar, (int, float)) and 0.0 < polar <= radius:
            return Ellipsoid(float(radius), 1.0 - polar / radius), degrees
        return Ellipsoid(float(radius), 0.0), degrees
    figure = tables.ellipsoids().get(str(keys.get(ELLIPSOID, "")))
    if figure is not None:
        return Ellipsoid(figure[0], 1.0 / figure[1] if figure[1] else 0.0), degrees
    return WGS84, degrees


def _read_projected(keys: GeoKeys, name: str) -> SpatialReference:
    code = _code_of(keys, PROJECTED_CODE)
    size = _linear_unit(keys, name)
    if code:
        reference = read_code(code, name)
        system = reference.system
        if not isinstance(system, SpatialSystem) or size is None:
            return reference
        if math.isclose(size, system.unit, rel_tol=1e-5) or system.is_geographic:
            return reference
        note = Message("In units of {:.8g} m by its keys, not of {:.8g} m", size, system.unit)
        system = dataclasses.replace(system, unit=size, epsg=0)
        return SpatialReference(system, reference.height_unit, (note,))
    body, meridian = _read_body(keys, name)
    notes: tuple[Message, ...] = ()
    if size is None:
        size, notes = 1.0, (Message("Coordinates are taken for meters: the file does not say"),)
    cylinder = None
    if conversion := _code_of(keys, PROJECTION):
        cylinder = read_conversion(conversion, name)
    elif METHOD in keys:
        angle = _unit_size(keys, ANGULAR_UNIT, ANGULAR_SIZE, ANGLE, name) or 1.0
        parameters = _read_parameters(keys, meridian, size, angle)
        cylinder = cylinder_of(_method_of(keys), parameters, body, name)
    else:
        notes = (*notes, Message("Its projection is not told: its lengths are taken as they are"))
    system = SpatialSystem(PROJECTED, 0, size, body, cylinder=cylinder)
    return SpatialReference(system, None, notes)


def _method_of(keys: GeoKeys) -> str:
    """Return the name of the projection. Mercator's without a parallel is the kind with a scale."""
    method = keys[METHOD]
    name = METHODS.get(int(method)) if isinstance(method, (int, float)) else None
    if name == "Mercator" and _PARALLEL not in keys:
        return "Mercator_1SP"
    return name or f"method {method}"


def _read_parameters(
    keys: GeoKeys, meridian: float, unit: float, angle: float
) -> ProjectionParameters:
    """Return the parameters of a projection, which are in the units of the system in meters and degrees."""

    def first(names: tuple[int, ...], default: float) -> float:
        values = (keys[key] for key in names if key in keys)
        return next((float(value) for value in values if isinstance(value, (int, float))), default)

    return ProjectionParameters(
        latitude=first(_LATITUDES, 0.0) * angle,
        parallel=first((_PARALLEL,), 0.0) * angle,
        meridian=first(_LONGITUDES, 0.0) * angle + meridian,
        scale=first(_SCALES, 1.0),
        easting=first(_EASTINGS, 0.0) * unit,
        northing=first(_NORTHINGS, 0.0) * unit,
    )


# --- units ---------------------------------------------------------------------------------------


def _linear_unit(keys: GeoKeys, name: str) -> float | None:
    """Return meters in a unit of coordinates: by its key, or by the citations of ERDAS and ESRI.

    Raises
    ------
    ParameterError
        If it is not known, or both say different units.
    """
    size = _unit_size(keys, LINEAR_UNIT, LINEAR_SIZE, LENGTH, name)
    for key in (PROJECTED_CITATION, CITATION):
        match = _CITED_UNIT.search(str(keys.get(key, "")))
        if match is None:
            continue
        unit = unit_of(match.group(1))
        is_clear = unit is not None and unit.kind == LENGTH
        if is_clear and size is not None and unit is not None:
            is_clear = math.isclose(size, unit.size, rel_tol=1e-5)
        if unit is None or not is_clear:
            raise ParameterError(
                "{}: the unit must be a length that is known; got {!r} in its citation: give system",
                *(name, match.group(1)),
            )
        return size or unit.size
    return size


def _unit_size(keys: GeoKeys, key: int, size_key: int, kind: str, name: str) -> float | None:
    """Return the size of a unit in meters or degrees; None if the keys do not say.

    Raises
    ------
    ParameterError
        If its code is not known, or a unit of its own has no size.
    """
    code = keys.get(key, UNDEFINED)
    if code == UNDEFINED:
        return None
    if code == USER_DEFINED:
        size = keys.get(size_key)
        if isinstance(size, (int, float)) and 0.0 < size < 1e9:
            return float(size) if kind == LENGTH else math.degrees(size)
    else:
        unit = unit_of(code) if isinstance(code, int) else None
        if unit is not None and unit.kind == kind:
            return unit.size
    raise ParameterError(
        "{}: the unit must be a {} that is known; got the code {}: give {}",
        *(name, kind, code, "unit" if key == VERTICAL_UNIT else "system"),
    )


def _read_height_unit(keys: GeoKeys, name: str) -> float | ParameterError | None:
    """Return meters in a unit of height: by the key of the unit, or by the code of the vertical system."""
    try:
        size = _unit_size(keys, VERTICAL_UNIT, 0, LENGTH, name)
    except ParameterError as error:
        return error
    code = _code_of(keys, VERTICAL_CODE)
    if not code or code in _OLD_VERTICAL_CODES:
        return size
    unit = read_code(code, name).height_unit
    if isinstance(unit, ParameterError):
        return unit
    if unit is None and size is None:
        return ParameterError(
            "{}: the vertical system must be one that is known; got EPSG:{}: give unit", name, code
        )
    if unit is not None and size is not None and not math.isclose(unit, size, rel_tol=1e-5):
        return ParameterError(
            "{}: heights must be in the unit of EPSG:{}, {:.8g} m; its keys say {:.8g} m: give unit",
            *(name, code, unit, size),
        )
    return size if unit is None else unit
