# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of GeoTIFF for a coordinate system, so that other programs and `read_geokeys` find the same meters.

References
----------
OGC (2019). GeoTIFF standard 1.1, 19-008r4, section 7 and annex C.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Union

from ...base.cylinders import Cylinder
from ...base.ellipsoid import WGS84, Ellipsoid
from ...base.georeference import GEOGRAPHIC, LOCAL, SpatialSystem
from . import geokeys as names
from .epsg import read_code

Number = Union[int, float]

_SHORT, _DOUBLE = 3, 12
_KEYS, _NUMBERS = 34735, 34736
_METER, _DEGREE = 9001, 9102
_POINT = 2
_UNITS = {1.0: _METER, 0.3048: 9002, 1200.0 / 3937.0: 9003}
"""Codes of lengths by their meters: meter, foot, US survey foot."""

_MERIDIAN, _SCALE, _PARALLEL = 3080, 3092, 3078
_CENTER_MERIDIAN, _CENTER_LATITUDE = 3088, 3089
_EASTING, _NORTHING = 3082, 3083

_MOST_CODE = 32766

METHODS = {"mercator": 7, "equirectangular": 17, "equal_area": 28, "miller": 20}


@dataclasses.dataclass
class KeyList:
    """Keys of a system with their values, in the order of their numbers.

    Attributes
    ----------
    values : dict of int to int or float
        Whole numbers stand in the list itself, floats in a tag of their own.
    """

    values: dict[int, Number] = dataclasses.field(default_factory=dict)

    def entries(self) -> list[tuple[int, int, Sequence[Number]]]:
        """Return the tags of a file: number, type and values."""
        keys: list[Number] = [1, 1, 0, len(self.values)]  # GeoTIFF 1.0: so many keys follow
        floats: list[Number] = []
        for key, value in sorted(self.values.items()):
            if isinstance(value, int):
                keys += [key, 0, 1, value]
            else:
                keys += [key, _NUMBERS, 1, len(floats)]
                floats.append(value)
        entries: list[tuple[int, int, Sequence[Number]]] = [(_KEYS, _SHORT, keys)]
        return [*entries, (_NUMBERS, _DOUBLE, floats)] if floats else entries


def write_geokeys(system: SpatialSystem) -> list[tuple[int, int, Sequence[Number]]]:
    """Return the tags that say a system, of samples that are points.

    A geographic one without a code is in degrees, see `Georeference.in_degrees`. A system without a code, or with one too large for a key, is described as far as its meters need it:
    programs that need to know more of it then ask.
    """
    keys = KeyList({1025: _POINT})
    code = system.epsg if 0 < system.epsg <= _MOST_CODE else 0
    if system.kind == LOCAL:
        keys.values |= _linear_unit(system.unit)
    elif system.kind == GEOGRAPHIC:
        keys.values[names.MODEL] = 2
        keys.values |= {names.GEOGRAPHIC_CODE: code} if code else _geographic(system)
    else:
        keys.values |= {names.MODEL: 1, **_linear_unit(system.unit)}
        if code:
            keys.values[names.PROJECTED_CODE] = code
            if read_code(code, "").height_unit is not None:  # the heights of the file are in meters
                keys.values[names.VERTICAL_UNIT] = _METER
        elif system.cylinder is not None:
            keys.values |= _projected_keys(system, system.cylinder)
        elif not system.is_on_earth:
            keys.values |= _body(system.ellipsoid)
    return keys.entries()


def _linear_unit(unit: float) -> dict[int, Number]:
    codes = [code for size, code in _UNITS.items() if math.isclose(size, unit, rel_tol=1e-9)]
    code = codes[0] if codes else names.USER_DEFINED
    size: dict[int, Number] = {names.LINEAR_SIZE: float(unit)}
    return {names.LINEAR_UNIT: code, **(size if code == names.USER_DEFINED else {})}


def _geographic(system: SpatialSystem) -> dict[int, Number]:
    """Return the keys of degrees without a code; none for those of the Earth, counted from Greenwich."""
    if system.ellipsoid == WGS84 and not system.meridian:
        return {}
    return {
        names.ANGULAR_UNIT: _DEGREE,
        names.MERIDIAN_LONGITUDE: float(system.meridian),
        **_body(system.ellipsoid),
    }


def _body(body: Ellipsoid) -> dict[int, Number]:
    """Return the keys of a geographic system that nothing but its ellipsoid is known of."""
    shape: dict[int, Number] = {names.POLAR_RADIUS: float(body.radius)}
    if body.flattening:
        shape = {names.INVERSE_FLATTENING: 1.0 / body.flattening}
    user = names.USER_DEFINED
    return {
        names.GEOGRAPHIC_CODE: user,
        names.DATUM: user,
        names.ELLIPSOID: user,
        names.RADIUS: float(body.radius),
        **shape,
    }


def _projected_keys(system: SpatialSystem, cylinder: Cylinder) -> dict[int, Number]:
    """Return the keys of a projection onto a cylinder.

    The projection is that of the sphere that its formulas are taken of, if there is one.
    """
    surface, unit = cylinder.surface(system.ellipsoid), system.unit
    if cylinder.method == "miller":  # whose readers take the sphere of the same surface themselves
        surface = system.ellipsoid
    keys: dict[int, Number] = {
        names.PROJECTED_CODE: names.USER_DEFINED,
        names.PROJECTION: names.USER_DEFINED,
        names.METHOD: METHODS[cylinder.method],
        names.ANGULAR_UNIT: _DEGREE,
        _EASTING: cylinder.easting / unit,
        _NORTHING: cylinder.northing / unit,
        **_body(surface),
    }
    if cylinder.method == "mercator":
        return {**keys, _MERIDIAN: cylinder.meridian, 3081: 0.0, _SCALE: cylinder.scale}
    parallel = parallel_of(cylinder.scale, surface)
    if cylinder.method == "equal_area":
        return {**keys, _MERIDIAN: cylinder.meridian, _PARALLEL: parallel}
    return {
        **keys,
        _CENTER_MERIDIAN: cylinder.meridian,
        _CENTER_LATITUDE: 0.0,
        **({_PARALLEL: parallel} if cylinder.method == "equirectangular" else {}),
    }


def parallel_of(scale: float, body: Ellipsoid) -> float:
    """Return the latitude in degrees whose parallel is such a share of the equator."""
    square = body.eccentricity_squared
    cosine = scale * math.sqrt((1.0 - square) / (1.0 - square * scale * scale))
    return math.degrees(math.acos(min(1.0, cosine)))
