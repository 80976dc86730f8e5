# SPDX-License-Identifier: GPL-3.0-or-later
"""Projection files of ArcInfo before ArcGIS: a word and its value a line, then parameters.

References
----------
ESRI (1999). ARC/INFO command references: PROJECTDEFINE.
J. P. Snyder (1987). Map projections, a working manual. USGS Professional Paper 1395, table 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...base.ellipsoid import WGS84, Ellipsoid
from ...base.errors import ParameterError
from ...base.georeference import GEOGRAPHIC, LOCAL, PROJECTED, SpatialSystem
from .methods import ProjectionParameters, cylinder_of, plain_name
from .reference import SpatialReference
from .units import ANGLE, LENGTH, unit_of

_LINE = re.compile(r"\s*([A-Za-z]+)\s+(.*?)\s*$")

_UNITS_OF_ANGLES = {"dd": 1.0, "dm": 1.0 / 60.0, "ds": 1.0 / 3600.0}
"""Degrees in decimal degrees, minutes and seconds."""

_TRUE_TO_SCALE = frozenset(
    """
    utm stateplane transverse lambert lambert_conformal_conic albers lambert_azimuth
    lambert_azimuthal azimuthal_equidistant equidistant equidistant_conic polyconic polar
    polar_stereographic stereographic oblique_mercator hotine hotine_oblique_mercator
    newzealand_grid new_zealand_grid greatbritain_grid great_britain_grid krovak cassini bonne
    rso alaska_e alaska_grid transverse_mercator
    """.split()
)
"""Projections by ArcInfo's names, as `plain_name` gives them."""

_SPHERES = {"sphere": 6_370_997.0}
_EARTHLY = re.compile(
    r"none|clarke|bessel|everest|airy|grs|wgs|int|krass|australian|new_?international|"
    r"hayford|hough|helmert|fischer|mod|walbeck|xian|walbeck|south|mercury|sixth"
)
"""Beginnings of names of ellipsoids of the Earth, which differ by less than 0.03 percent."""


def is_arc_info(text: str) -> bool:
    """Return whether a text is such a file."""
    return (
        re.match(r"\s*(projection|units|zunits|datum|spheroid)\s", text, re.IGNORECASE) is not None
    )


def read_arc_info(text: str, name: str) -> SpatialReference:
    """Return the systems in a projection file of ArcInfo.

    Parameters
    ----------
    text : str
    name : str
        Of the file, for messages.
    """
    words, parameters = _read_lines(text)
    up = _read_height_unit(words, name)
    try:
        return SpatialReference(_read_system(words, parameters, name), up)
    except ParameterError as error:
        return SpatialReference(error, up)


def _read_lines(text: str) -> tuple[dict[str, str], list[list[float]]]:
    """Return the words with their values, in lower case, and the numbers of each line of parameters."""
    words: dict[str, str] = {}
    parameters: list[list[float]] = []
    for line in text.splitlines():
        plain = line.partition("/*")[0]
        numbers = re.findall(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?", plain)
        if "parameters" in words or re.match(r"\s*parameters", plain, re.IGNORECASE):
            words.setdefault("parameters", "")
            if numbers:
                parameters.append([float(one) for one in numbers[:3]])
        elif (found := _LINE.match(plain)) is not None:
            words[found.group(1).lower()] = found.group(2).lower()
    return words, parameters


def _read_system(
    words: Mapping[str, str], parameters: list[list[float]], name: str
) -> SpatialSystem:
    projection = plain_name(words.get("projection", ""))
    if projection == "geographic":
        body = _read_body(words, parameters, name)
        return SpatialSystem(GEOGRAPHIC, 0, _read_angle(words.get("units", "dd"), name), body)
    unit = _read_length(words.get("units", ""), name, "system")
    if projection in ("local", ""):
        return SpatialSystem(LOCAL, 0, unit)
    body = _read_body(words, [], name)
    if projection in _TRUE_TO_SCALE:
        return SpatialSystem(PROJECTED, 0, unit, body)
    if projection == "mercator" and len(parameters) >= 4:
        meridian, parallel, easting, northing = map(_degrees_of, parameters[:4])
        numbers = ProjectionParameters(
            meridian=meridian, parallel=parallel, easting=easting * unit, northing=northing * unit
        )
        cylinder = cylinder_of("mercator", numbers, body, name)
        return SpatialSystem(PROJECTED, 0, unit, body, cylinder=cylinder)
    raise ParameterError(
        "{}: the projection must be one whose scale is known; got {!r}: give system, such as "
        "'local' for its meters as they are",
        *(name, words.get("projection", "")),
    )


def _degrees_of(numbers: list[float]) -> float:
    """Return a number, or an angle of degrees, minutes and seconds."""
    degrees, *rest = numbers
    share = sum(value / 60.0 ** (at + 1) for at, value in enumerate(rest))
    is_negative = any(str(value).startswith("-") for value in numbers)
    return -(abs(degrees) + abs(share)) if is_negative else degrees + share


def _read_body(words: Mapping[str, str], parameters: list[list[float]], name: str) -> Ellipsoid:
    """Return the ellipsoid: by two half axes in meters, or its name."""
    axes = [value for line in parameters for value in line]
    if len(axes) >= 2 and min(axes[:2]) > 1e5:
        return Ellipsoid(axes[0], max(0.0, 1.0 - axes[1] / axes[0]))
    spheroid = words.get("spheroid", "none") or "none"
    if spheroid in _SPHERES:
        return Ellipsoid(_SPHERES[spheroid], 0.0)
    if _EARTHLY.match(plain_name(spheroid)) is None:
        raise ParameterError(
            "{}: the ellipsoid must be one that is known; got {!r}: give system", name, spheroid
        )
    return WGS84


def _read_angle(text: str, name: str) -> float:
    known = _UNITS_OF_ANGLES.get(text)
    unit = unit_of(text) if known is None else None
    if known is None and (unit is None or unit.kind != ANGLE):
        raise ParameterError(
            "{}: Units must be DD, DM, DS or another unit of angles; got {!r}: give system",
            *(name, text),
        )
    return known if unit is None and known is not None else unit.size if unit is not None else 1.0


def _read_length(text: str, name: str, option: str) -> float:
    """Return meters in a unit, which may be a number of them in a meter."""
    unit = unit_of("us survey foot") if text in ("feet", "foot") else unit_of(text)
    if unit is not None and unit.kind == LENGTH:
        return unit.size
    try:
        count = float(text)
    except ValueError:
        count = 0.0
    if 1e-9 < count < 1e9:
        return 1.0 / count
    raise ParameterError(
        "{}: its unit must be a length that is known; got {!r}: give {}", name, text, option
    )


def _read_height_unit(words: Mapping[str, str], name: str) -> float | ParameterError | None:
    text = words.get("zunits", "no")
    if text in ("no", "none", ""):
        return None
    try:
        return _read_length(text, name, "unit")
    except ParameterError as error:
        return error
