# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinate systems in well-known text: WKT 1 of OGC and of ESRI, and WKT 2 of 2015 and 2019.

References
----------
OGC (2001). Coordinate transformation services, 01-009 (WKT 1).
ISO 19162 (2019). Geographic information: well-known text representation of coordinate reference systems.
ESRI (2024). Coordinate systems and transformations, geographic and projected.
"""

from __future__ import annotations

import dataclasses
import math
import re

from ...base.cylinders import Cylinder
from ...base.ellipsoid import Ellipsoid
from ...base.errors import ParameterError
from ...base.georeference import GEOGRAPHIC, LOCAL, PROJECTED, SpatialSystem
from . import agreement
from .methods import ProjectionParameters, cylinder_of, plain_name
from .reference import SpatialReference
from .units import ANGLE, LENGTH
from .wkt_text import WktError, WktNode, parse
from .wkt_units import UNITS, read_third_axis, read_unit, read_vertical, unit_across

_PROJECTED = frozenset({"PROJCS", "PROJCRS", "PROJECTEDCRS", "DERIVEDPROJCRS"})
_GEOGRAPHIC = frozenset(
    {"GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS"}
    | {"BASEGEOGCRS", "BASEGEODCRS", "GEOCCS"}
)
_LOCAL = frozenset({"LOCAL_CS", "ENGCRS", "ENGINEERINGCRS"})
_VERTICAL = frozenset({"VERT_CS", "VERTCS", "VERTCRS", "VERTICALCRS"})
_COMPOUND = frozenset({"COMPD_CS", "COMPOUNDCRS"})
_OUTER = {"BOUNDCRS": "SOURCECRS", "COORDINATEMETADATA": ""}
"""Nodes around a system, and the node in which it lies; without one it lies in them directly."""


_PARAMETERS = {
    "latitude_of_origin": "latitude",
    "latitude_of_natural_origin": "latitude",
    "latitude_of_center": "latitude",
    "standard_parallel_1": "parallel",
    "latitude_of_1st_standard_parallel": "parallel",
    "latitude_of_standard_parallel": "parallel",
    "central_meridian": "meridian",
    "longitude_of_natural_origin": "meridian",
    "longitude_of_false_origin": "meridian",
    "longitude_of_center": "meridian",
    "longitude_of_origin": "meridian",
    "scale_factor": "scale",
    "scale_factor_at_natural_origin": "scale",
    "false_easting": "easting",
    "easting_at_false_origin": "easting",
    "false_northing": "northing",
    "northing_at_false_origin": "northing",
    "latitude_of_false_origin": "false_latitude",
    "auxiliary_sphere_type": "sphere",
}
"""Fields of `ProjectionParameters` by names of parameters."""

_ANGLES = frozenset({"latitude", "parallel", "meridian", "false_latitude"})


def read_wkt(text: str, name: str) -> SpatialReference:
    """Return the systems in a well-known text.

    Parameters
    ----------
    text : str
    name : str
        Of the file, for messages.
    """
    try:
        nodes = [part for node in parse(text) for part in _parts(node)]
    except WktError as error:
        return SpatialReference(
            ParameterError(
                "{}: its coordinate system must be well-known text; {}: give system", name, error
            )
        )
    reference = SpatialReference()
    for node in nodes:
        reference = reference.or_else(_read_part(node, name))
    return reference


def _parts(node: WktNode) -> list[WktNode]:
    """Return the systems in a node: those of a compound one, or itself."""
    if node.keyword in _OUTER:
        inner = _OUTER[node.keyword]
        holder = node.first(inner) if inner else node
        return (
            [] if holder is None else [part for inner in holder.nodes for part in _parts(inner)][:2]
        )
    if node.keyword in _COMPOUND:
        return [part for inner in node.nodes for part in _parts(inner)]
    return [node]


def _read_part(node: WktNode, name: str) -> SpatialReference:
    """Return the reference of a node; nothing if it is no system, such as an ID."""
    try:
        if node.keyword in _VERTICAL:
            return SpatialReference(None, read_vertical(node, name))
        if node.keyword in _PROJECTED:
            return SpatialReference(_read_projected(node, name), read_third_axis(node, name))
        if node.keyword in _GEOGRAPHIC:
            return SpatialReference(_read_geographic(node, name), read_third_axis(node, name))
        if node.keyword in _LOCAL:
            unit = unit_across(node, name, LENGTH)
            return SpatialReference(SpatialSystem(LOCAL, 0, unit.size))
    except ParameterError as error:
        is_vertical = node.keyword in _VERTICAL
        return SpatialReference(None, error) if is_vertical else SpatialReference(error)
    if node.keyword == "PARAMETRICCRS":
        refusal = ParameterError(
            "{}: heights must be lengths; its vertical system has another quantity, {!r}: give unit",
            *(name, node.name),
        )
        return SpatialReference(None, refusal)
    if node.keyword.endswith(("CRS", "CS")):
        return SpatialReference(
            ParameterError(
                "{}: the coordinate system must be one of a map; got {}: give system",
                *(name, node.keyword),
            )
        )
    return SpatialReference()


def _read_projected(node: WktNode, name: str) -> SpatialSystem:
    unit = unit_across(node, name, LENGTH)
    if node.first("BASEPROJCRS", "DERIVINGCONVERSION") is not None:
        raise ParameterError(
            "{}: the coordinate system must not be derived from another map; got {}: give system",
            *(name, node.keyword),
        )
    ground = node.first(*_GEOGRAPHIC)
    if ground is None:
        raise ParameterError("{}: its projected system must have a geographic one", name)
    body, meridian = _read_body(ground, name)
    conversion = node.first("CONVERSION") or node
    method = conversion.first("METHOD", "PROJECTION")
    if method is None:
        raise ParameterError("{}: its projected system must name the projection", name)
    angle = _degrees_of(ground, name)
    parameters = _read_parameters(conversion, meridian, unit.size, angle)
    system = SpatialSystem(PROJECTED, 0, unit.size, body)
    if _is_web_mercator(node, method):
        easting, northing = _shifts_of_extension(node, parameters)
        parameters = dataclasses.replace(parameters, easting=easting, northing=northing)
        cylinder: Cylinder | None = cylinder_of("Mercator_Auxiliary_Sphere", parameters, body, name)
    else:
        cylinder = cylinder_of(method.name, parameters, body, name)
    return agreement.with_code(dataclasses.replace(system, cylinder=cylinder), _code_of(node))


def _is_web_mercator(node: WktNode, method: WktNode) -> bool:
    """Return whether WKT 1 means Web Mercator, which it cannot name: by an extension for PROJ, or by its code."""
    if plain_name(method.name) not in ("mercator_1sp", "mercator"):
        return False
    return "+nadgrids=@null" in _extension_of(node) or _code_of(node) in agreement.WEB_MERCATOR


def _extension_of(node: WktNode) -> str:
    """Return a system in words of PROJ, which counts instead of its definition; empty if there is none."""
    extension = node.first("EXTENSION")
    return " ".join(str(value) for value in extension.values) if extension else ""


def _shifts_of_extension(node: WktNode, parameters: ProjectionParameters) -> tuple[float, float]:
    """Return false easting and northing in words of PROJ, which are meters in any unit of the system."""
    words = dict(re.findall(r"\+(x_0|y_0)=([-+.\deE]+)", _extension_of(node)))
    return float(words.get("x_0", parameters.easting)), float(words.get("y_0", parameters.northing))


def _read_geographic(node: WktNode, name: str) -> SpatialSystem:
    axes = node.all("AXIS")
    coordinates = node.first("CS")
    is_cartesian = coordinates is not None and coordinates.name.lower() == "cartesian"
    if node.keyword == "GEOCCS" or is_cartesian:
        raise ParameterError(
            "{}: the coordinate system must be one of a map; got a geocentric one: give system",
            name,
        )
    unit = unit_across(node, name, ANGLE, axes)
    body, meridian = _read_body(node, name)
    system = SpatialSystem(GEOGRAPHIC, 0, unit.size, body, meridian)
    return agreement.with_code(system, _code_of(node))


def _read_body(node: WktNode, name: str) -> tuple[Ellipsoid, float]:
    """Return the ellipsoid of a geographic system and its prime meridian in degrees."""
    datum = node.first("DATUM", "GEODETICDATUM", "ENSEMBLE", "TRF") or node
    figure = datum.first("SPHEROID", "ELLIPSOID") or node.first("SPHEROID", "ELLIPSOID")
    radius, inverse = (figure.number(1), figure.number(2)) if figure is not None else (None, None)
    if figure is None or not radius or inverse is None or not (inverse == 0.0 or inverse > 1.0):
        raise ParameterError("{}: its coordinate system must name an ellipsoid: give system", name)
    length = figure.first("LENGTHUNIT", "UNIT")
    radius *= read_unit(length, name, LENGTH).size if length is not None else 1.0
    if not 1.0 <= radius <= 1e12:
        raise ParameterError(
            "{}: the radius of its body must be in meters", name, got=f"{radius:g}"
        )
    meridian = node.first("PRIMEM", "PRIMEMERIDIAN")
    degrees = 0.0
    if meridian is not None:
        angle = meridian.first("ANGLEUNIT", "UNIT")
        size = 1.0 if angle is None else read_unit(angle, name, ANGLE).size
        degrees = (meridian.number(1) or 0.0) * size
    return Ellipsoid(radius, 1.0 / inverse if inverse else 0.0), degrees


def _degrees_of(ground: WktNode, name: str) -> float:
    """Return degrees in the unit of angles of a geographic system."""
    unit = ground.first("UNIT", "ANGLEUNIT")
    return 1.0 if unit is None else read_unit(unit, name, ANGLE).size


def _read_parameters(
    conversion: WktNode, meridian: float, meters: float, degrees: float
) -> ProjectionParameters:
    """Return the parameters of a projection.

    Those without a unit are in that of the system, or of its geographic one.
    """
    values: dict[str, float] = {}
    for node in conversion.all("PARAMETER"):
        field, value = _PARAMETERS.get(plain_name(node.name), ""), node.number(1)
        if not field or value is None:
            continue
        if field in _ANGLES:
            value *= _size_in(node, degrees)
        elif field in ("easting", "northing"):
            value *= _size_in(node, meters)
        values[field] = value
    values["meridian"] = values.get("meridian", 0.0) + meridian
    sphere = int(values.pop("sphere", 0))
    return ProjectionParameters(**values, sphere=sphere)


def _size_in(node: WktNode, default: float) -> float:
    unit = node.first(*UNITS)
    size = None if unit is None else unit.number(1)
    if unit is None or size is None:
        return default
    return math.degrees(size) if unit.keyword == "ANGLEUNIT" else size


def _code_of(node: WktNode) -> int:
    """Return the EPSG code of a node; 0 if there is none."""
    for inner in node.all("AUTHORITY", "ID"):
        code = inner.number(1)
        if inner.name.upper() == "EPSG" and code is not None and 0 < code < 1e6:
            return int(code)
    return 0
