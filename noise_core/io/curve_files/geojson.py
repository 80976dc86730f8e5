# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines and polygons of a GeoJSON file, and the system of their coordinates.

References
----------
IETF (2016). RFC 7946: the GeoJSON format. (degrees of WGS 84)
H. Butler et al. (2008). The GeoJSON format specification, section 3. (the member "crs")
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...base.errors import Message, ParameterError, RecipeError, format_value
from ...base.georeference import SpatialSystem
from ...base.json_texts import json_value, text_of
from ..spatial_reference.epsg import read_code
from .file_lines import DEGREES, FileLine, FileLines, Row, Wanted

_CODE = re.compile(r"(?:urn:ogc:def:crs:)?EPSG:(?:[\d.]*:)?(\d{4,6})", re.IGNORECASE)
_CRS84 = re.compile(r"urn:ogc:def:crs:OGC:[\d.]*:CRS84h?", re.IGNORECASE)

_DEEPEST = 32
"""Collections within each other."""


def read_geojson(path: Path, is_wanted: Wanted) -> FileLines:
    """Return the lines and the rings of polygons of the features of a GeoJSON file that are wanted.

    Raises
    ------
    ParameterError
        If it is no GeoJSON, or its coordinate system is not known.
    """
    name = path.name
    try:
        plain = json_value(text_of(path))
    except (RecipeError, ValueError) as error:
        raise ParameterError("{}: must be GeoJSON; {}", name, error) from error
    if not isinstance(plain, dict) or not isinstance(plain.get("type"), str):
        raise ParameterError("{}: must be GeoJSON, an object with a type", name)
    lines: list[FileLine] = []
    points = 0
    for geometry, properties in _geometries(plain, {}, name, 0):
        if geometry["type"] in ("Point", "MultiPoint"):
            points += 1
        elif is_wanted(properties):
            lines.extend(_lines(geometry, properties, name))
    notes = (Message("{}: {} points are left out", name, points),) if points else ()
    return FileLines(lines, _system(plain, name), notes)


def _geometries(
    plain: object, properties: Mapping[str, object], name: str, depth: int
) -> Iterator[tuple[dict[str, object], Mapping[str, object]]]:
    """Yield all plain geometries within an object of GeoJSON, each with the properties of its feature."""
    if plain is None:  # a feature without a place
        return
    if not isinstance(plain, dict) or depth > _DEEPEST:
        raise ParameterError(
            "{}: features and geometries must be objects", name, got=format_value(plain)
        )
    kind = plain.get("type")
    inner = {"FeatureCollection": "features", "GeometryCollection": "geometries"}.get(str(kind))
    if kind == "Feature":
        given = plain.get("properties") or {}
        given = given if isinstance(given, dict) else {}
        yield from _geometries(plain.get("geometry"), given, name, depth + 1)
    elif inner is not None:
        members = plain.get(inner)
        if not isinstance(members, list):
            raise ParameterError("{}: {} must be a list", name, inner, got=format_value(members))
        for member in members:
            yield from _geometries(member, properties, name, depth + 1)
    elif kind in _DEPTHS:
        yield plain, properties
    else:
        raise ParameterError("{}: type must be one of GeoJSON", name, got=format_value(kind))


_DEPTHS = {
    "Point": 0,
    "MultiPoint": 1,
    "LineString": 1,
    "MultiLineString": 2,
    "Polygon": 2,
    "MultiPolygon": 3,
}
"""Kinds of geometries, with the lists around each position."""


def _lines(
    geometry: Mapping[str, object], properties: Mapping[str, object], name: str
) -> Iterator[FileLine]:
    kind = str(geometry["type"])
    closed = kind.endswith("Polygon")
    groups = [geometry.get("coordinates")]
    for _ in range(_DEPTHS[kind] - (2 if closed else 1)):
        groups = [member for group in groups for member in _list_of(group, name)]
    for group in groups:
        if closed:
            rings = _list_of(group, name)
            if len(rings) > 1:
                raise ParameterError(
                    "{}: polygons must have no holes: draw islands as polygons of their own",
                    name,
                    got=Message("{} rings", len(rings)),
                )
            group = rings[0] if rings else []
        rows = [_row(position, name) for position in _list_of(group, name)]
        is_ring = closed or len(rows) > 3 and rows[0] == rows[-1]  # a roundabout is a line
        if is_ring and rows and rows[0] == rows[-1]:
            rows.pop()
        if len(set(rows)) > 1:
            yield FileLine(_with_heights(rows), is_ring, properties)


def _with_heights(rows: list[Row]) -> list[Row]:
    """Return positions of which all have a height, or none has."""
    return rows if all(len(row) == 3 for row in rows) else [row[:2] for row in rows]


def _list_of(plain: object, name: str) -> list[object]:
    if not isinstance(plain, list):
        raise ParameterError("{}: coordinates must be lists", name, got=format_value(plain))
    return plain


def _row(plain: object, name: str) -> Row:
    numbers = plain[:3] if isinstance(plain, list) else []
    is_good = len(numbers) >= 2 and all(
        isinstance(number, (int, float)) and not isinstance(number, bool) and math.isfinite(number)
        for number in numbers
    )
    if not is_good:
        raise ParameterError(
            "{}: positions must be two or three numbers", name, got=format_value(plain)
        )
    return tuple(map(float, numbers))


def _system(plain: Mapping[str, object], name: str) -> SpatialSystem:
    """Return the coordinate system of a file: degrees of WGS 84, if it names no other one."""
    if plain.get("crs") is None:
        return DEGREES
    crs = plain["crs"]
    properties = crs.get("properties") if isinstance(crs, dict) else None
    text = properties.get("name") if isinstance(properties, dict) else None
    if isinstance(text, str) and _CRS84.fullmatch(text):
        return DEGREES
    code = _CODE.fullmatch(text) if isinstance(text, str) else None
    if code is None:
        raise ParameterError(
            "{}: crs must name an EPSG code; give system", name, got=format_value(crs)
        )
    system = read_code(int(code[1]), name).system
    if isinstance(system, SpatialSystem):
        return system
    raise system or ParameterError("{}: crs must be a system across the ground", name)
