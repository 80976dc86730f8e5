# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinate systems by their EPSG codes."""

from __future__ import annotations

import functools

from ...base.cylinders import Cylinder
from ...base.ellipsoid import Ellipsoid
from ...base.errors import ParameterError
from ...base.georeference import GEOGRAPHIC, LOCAL, PROJECTED, SpatialSystem
from . import tables
from .reference import DepthError, SpatialReference
from .units import unit_of

WEB_MERCATOR, GOOGLE = 3857, 900_913
"""Codes of the same system, of which the second is too large for GeoTIFF."""


@functools.lru_cache(maxsize=64)
def read_code(code: int, name: str) -> SpatialReference:
    """Return the system of an EPSG code: horizontal, vertical or compound.

    Parameters
    ----------
    code : int
    name : str
        Of the file, for messages.
    """
    code = WEB_MERCATOR if code == GOOGLE else code
    if code in tables.compounds():
        across, up = tables.compounds()[code]
        return SpatialReference(read_code(across, name).system, read_code(up, name).height_unit)
    kind, *facts = tables.systems().get(code, ("",))
    if kind == "vertical":
        return SpatialReference(None, _height_unit(code, facts, name))
    if kind == GEOGRAPHIC:
        unit, ellipsoid, meridian, *more = facts
        system = SpatialSystem(
            *(GEOGRAPHIC, code, _size(unit), _body(ellipsoid)), tables.meridians()[meridian]
        )
        return SpatialReference(system, _size(more[0]) if more else None)
    if kind == PROJECTED:
        unit, ellipsoid, *more = facts
        system = SpatialSystem(
            *(PROJECTED, code, _size(unit), _body(ellipsoid)), cylinder=_cylinder(code)
        )
        return SpatialReference(system, _size(more[0]) if more else None)
    if kind == LOCAL:
        return SpatialReference(SpatialSystem(LOCAL, code, _size(facts[0])))
    return SpatialReference(_refusal(code, kind, " ".join(facts), name))


def read_conversion(code: int, name: str) -> Cylinder | None:
    """Return the cylinder of a projection with its parameters, by its EPSG code; None if it is true to scale.

    Parameters
    ----------
    code : int
    name : str
        Of the file, for messages.

    Raises
    ------
    ParameterError
        If it is neither, or not known.
    """
    kind, *facts = tables.conversions().get(code, ("unknown",))
    if kind == "scaled":
        return None
    if kind == "unscaled" or kind == "unknown":
        raise ParameterError(
            "{}: the projection must be one whose scale is known; got {} ({}): give system",
            *(name, code, " ".join(facts) or kind),
        )
    return Cylinder(kind, *map(float, facts))


def _refusal(code: int, kind: str, method: str, name: str) -> ParameterError:
    if kind == "geocentric":
        return ParameterError(
            "{}: the coordinate system must be one of a map; got EPSG:{}, which is geocentric: "
            "give system",
            *(name, code),
        )
    if kind == "unscaled":
        return ParameterError(
            "{}: the projection must be one whose scale is known; got EPSG:{} ({}): give system, "
            "such as 'local' for its meters as they are",
            *(name, code, method),
        )
    return ParameterError(
        "{}: the coordinate system must be one that is known; got EPSG:{}: give system, such as "
        "'EPSG:2056', 'geographic', 'local', or a WKT",
        *(name, code),
    )


def _height_unit(code: int, facts: list[str], name: str) -> float | ParameterError:
    unit, way = facts
    if way == "up":
        return _size(unit)
    return DepthError(
        "{}: heights must be counted upward; got EPSG:{}, whose numbers are depths: give unit, such "
        "as {:g} for heights",
        *(name, code, _size(unit)),
    )


def _size(code: str) -> float:
    unit = unit_of(int(code))
    assert unit is not None  # a test compares all codes
    return unit.size


def _body(code: str) -> Ellipsoid:
    radius, inverse = tables.ellipsoids()[code]
    return Ellipsoid(radius, 1.0 / inverse if inverse else 0.0)


def _cylinder(code: int) -> Cylinder | None:
    cylinder = tables.cylinders().get(code)
    return None if cylinder is None else Cylinder(cylinder[0], *map(float, cylinder[1:]))
