# SPDX-License-Identifier: GPL-3.0-or-later
"""Write noise_core/io/spatial_reference/epsg.txt from PROJ's database of EPSG codes.

    python tools/epsg_table.py

Needs pyproj as the dependency group `systems` pins it.
"""

from __future__ import annotations

import contextlib
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyproj

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from noise_core.base.cylinders import Cylinder
from noise_core.base.ellipsoid import WGS84, Ellipsoid
from noise_core.base.errors import ParameterError
from noise_core.io.spatial_reference.methods import ProjectionParameters, cylinder_of
from noise_core.io.spatial_reference.tables import FILE

DEGREE, GREENWICH = 9102, 8901
DEGREES = {9107, 9108, 9110, 9111, 9115, 9116, 9117, 9118, 9119, 9120, 9121, 9122}
"""Ways to write degrees as text; as numbers in a file they are degrees."""

RADIAN = 57.29577951308232

PARAMETERS = {
    8801: "latitude",
    8802: "meridian",
    8805: "scale",
    8806: "easting",
    8807: "northing",
    8821: "false_latitude",
    8822: "meridian",
    8823: "parallel",
    8826: "easting",
    8827: "northing",
}
"""Fields of `ProjectionParameters` by EPSG's codes of parameters."""

DECIMETER = 0.1
"""PROJ's own "dm" is a centimeter in its database."""


class Database:
    """PROJ's database, and the units, ellipsoids and meridians that its systems use."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.rows = connection.execute
        self.ellipsoids: set[int] = set()
        self.meridians: set[int] = set()

    def version(self, key: str) -> str:
        """Return a line of its metadata."""
        return str(self.rows("select value from metadata where key = ?", (key,)).fetchone()[0])

    def unit(self, authority: str, code: Any) -> tuple[str, float]:
        """Return kind and size of a unit in meters or radians."""
        query = "select type, conv_factor from unit_of_measure where auth_name = ? and code = ?"
        kind, size = self.rows(query, (authority, code)).fetchone()
        return kind, size

    def axes(self, code: int) -> list[tuple[int, str]]:
        """Return unit and orientation of the axes of a coordinate system."""
        query = (
            "select uom_code, orientation from axis where coordinate_system_auth_name = 'EPSG' "
            "and coordinate_system_code = ? order by coordinate_system_order"
        )
        return [
            (DEGREE if unit in DEGREES else int(unit), way)
            for unit, way in self.rows(query, (code,))
        ]

    def body(self, datum: int) -> tuple[int, int]:
        """Return codes of ellipsoid and prime meridian of a geodetic datum."""
        query = (
            "select ellipsoid_code, prime_meridian_code from geodetic_datum "
            "where auth_name = 'EPSG' and code = ?"
        )
        ellipsoid, meridian = self.rows(query, (datum,)).fetchone()
        self.ellipsoids.add(ellipsoid)
        self.meridians.add(meridian)
        return ellipsoid, meridian

    def ellipsoid(self, code: int) -> tuple[float, float]:
        """Return radius in meters and inverse flattening, which is 0 for a sphere."""
        query = (
            "select semi_major_axis, inv_flattening, semi_minor_axis, uom_code from ellipsoid "
            "where auth_name = 'EPSG' and code = ?"
        )
        radius, inverse, polar, unit = self.rows(query, (code,)).fetchone()
        if inverse is None:
            inverse = 0.0 if polar == radius else radius / (radius - polar)
        return radius * self.unit("EPSG", unit)[1], inverse

    def longitude(self, code: int) -> float:
        """Return a prime meridian in degrees east of Greenwich."""
        query = (
            "select longitude, uom_code from prime_meridian where auth_name = 'EPSG' and code = ?"
        )
        longitude, unit = self.rows(query, (code,)).fetchone()
        return self.degrees(longitude, unit)

    def degrees(self, value: float, unit: int) -> float:
        """Return an angle in degrees; some are written as degrees.minutes-seconds."""
        if unit == 9110:
            sign, text = (-1 if value < 0 else 1), f"{abs(value):.10f}"
            whole, _, digits = text.partition(".")
            return sign * (
                int(whole) + int(digits[:2]) / 60 + float(digits[2:4] + "." + digits[4:]) / 3600
            )
        if unit == DEGREE or unit in DEGREES:
            return value
        return value * self.unit("EPSG", unit)[1] * RADIAN


Groups = dict[tuple[object, ...], list[int]]


def units(database: Database) -> Iterator[str]:
    """Yield the lines of lengths and angles with their names."""
    query = (
        "select type, auth_name, code, name, conv_factor, proj_short_name from unit_of_measure "
        "where type in ('length', 'angle') and conv_factor is not null "
        "and name not like '%per %' order by type desc, auth_name, code"
    )
    alias = (
        "select alt_name from alias_name where table_name = 'unit_of_measure' and auth_name = ? "
        "and code = ?"
    )
    units: list[str] = []
    number = 109_500  # for those of PROJ, whose codes are words
    for kind, authority, code, name, size, short in database.rows(query).fetchall():
        names = [name, *(text for (text,) in database.rows(alias, (authority, code)))]
        if short and " " not in short:
            names.append(short)
        if authority == "PROJ":
            code, number = number, number + 1
            size = DECIMETER if name == "decimeter" else size
        factor = size * RADIAN if kind == "angle" else size
        factor = (
            1.0 if int(code) in (DEGREE, 9122) else 0.9 if int(code) in (9105, 9106) else factor
        )
        units.append(f"{kind} {code} {factor!r} {'|'.join(dict.fromkeys(names))}")
    yield from units


def geodetic(database: Database) -> Groups:
    """Return geographic and geocentric systems, grouped by their common numbers."""
    groups: Groups = defaultdict(list)
    query = (
        "select code, type, coordinate_system_code, datum_code from geodetic_crs "
        "where auth_name = 'EPSG'"
    )
    for code, kind, system, datum in database.rows(query).fetchall():
        if kind == "geocentric":
            groups[("geocentric", database.axes(system)[0][0])].append(code)
            continue
        ellipsoid, meridian = database.body(datum)
        (unit, _), (second, _), *up = database.axes(system)
        assert unit == second, code
        groups[("geographic", unit, ellipsoid, meridian, *(unit for unit, _ in up))].append(code)
    return groups


def projected(database: Database) -> tuple[Groups, list[str]]:
    """Return projected systems, grouped by their common numbers, and the lines of cylinders."""
    groups: Groups = defaultdict(list)
    cylinders: list[str] = []
    query = (
        "select p.code, p.coordinate_system_code, g.datum_code, p.conversion_code from projected_crs p "
        "join geodetic_crs g on g.code = p.geodetic_crs_code and g.auth_name = p.geodetic_crs_auth_name "
        "where p.auth_name = 'EPSG' order by p.code"
    )
    for code, system, datum, conversion in database.rows(query).fetchall():
        ellipsoid, meridian = database.body(datum)
        (unit, _), (second, _), *up = database.axes(system)
        assert unit == second, code
        method, parameters = conversion_of(database, conversion, meridian)
        radius, inverse = database.ellipsoid(ellipsoid)
        body = Ellipsoid(radius, 1.0 / inverse if inverse else 0.0)
        try:
            cylinder = cylinder_of(method, parameters, body, str(code))
        except ParameterError:
            groups[("unscaled", *method.split())].append(code)
            continue
        groups[("projected", unit, ellipsoid, *(unit for unit, _ in up))].append(code)
        if cylinder is not None:
            cylinders.append(f"cylinder {code} {cylinder.method} {' '.join(numbers_of(cylinder))}")
    return groups, cylinders


def conversions(database: Database) -> Groups:
    """Return projections with their parameters, on WGS 84, grouped by their common numbers."""
    groups: Groups = defaultdict(list)
    query = (
        "select code, method_name from conversion where auth_name = 'EPSG' and method_code in "
        "(select c.method_code from conversion c join projected_crs p on p.conversion_code = c.code "
        "and p.conversion_auth_name = c.auth_name) order by code"
    )
    for code, method in database.rows(query).fetchall():
        _, parameters = conversion_of(database, code, GREENWICH)
        try:
            cylinder = cylinder_of(method, parameters, WGS84, str(code))
        except ParameterError:
            groups[("conversion", "unscaled", *method.split())].append(code)
            continue
        facts = ("scaled",) if cylinder is None else (cylinder.method, *numbers_of(cylinder))
        groups[("conversion", *facts)].append(code)
    return groups


def numbers_of(cylinder: Cylinder) -> tuple[str, ...]:
    """Return the numbers of a cylinder as the table has them."""
    numbers = (
        *(cylinder.scale, cylinder.meridian, cylinder.easting),
        *(cylinder.northing, cylinder.radius),
    )
    return tuple(f"{number!r}" for number in numbers)


def conversion_of(database: Database, code: int, meridian: int) -> tuple[str, ProjectionParameters]:
    """Return the method of a conversion, and its parameters in degrees and meters."""
    columns = ", ".join(f"param{n}_code, param{n}_value, param{n}_uom_code" for n in range(1, 8))
    query = f"select method_name, {columns} from conversion where auth_name = 'EPSG' and code = ?"
    method, *parameters = database.rows(query, (code,)).fetchone()
    values: dict[str, float] = {}
    for parameter, value, unit in zip(parameters[::3], parameters[1::3], parameters[2::3]):
        if parameter in PARAMETERS:
            kind, size = database.unit("EPSG", unit) if unit != 9110 else ("angle", 0.0)
            is_angle = kind == "angle"
            values[PARAMETERS[parameter]] = (
                database.degrees(value, unit) if is_angle else value * size
            )
    values["meridian"] = values.get("meridian", 0.0) + database.longitude(meridian)
    return method, ProjectionParameters(**values)  # type: ignore[arg-type]


def others(database: Database) -> tuple[Groups, str]:
    """Return vertical and local systems, grouped by their common numbers, and the line of compound ones."""
    groups: Groups = defaultdict(list)
    for table, kind in (("vertical_crs", "vertical"), ("engineering_crs", "local")):
        query = f"select code, coordinate_system_code from {table} where auth_name = 'EPSG'"
        for code, system in database.rows(query).fetchall():
            unit, way = database.axes(system)[0]
            groups[(kind, unit, *([way] if kind == "vertical" else []))].append(code)
    query = (
        "select code, horiz_crs_code, vertical_crs_code from compound_crs where auth_name = 'EPSG' "
        "order by code"
    )
    parts = " ".join(f"{code}={across}+{up}" for code, across, up in database.rows(query))
    return groups, f"compound {parts}"


def ranges(codes: list[int]) -> str:
    """Return codes as steps from the last one, and how many follow in a row."""
    text, last, at = [], 0, 0
    codes = sorted(codes)
    while at < len(codes):
        end = at
        while end + 1 < len(codes) and codes[end + 1] == codes[end] + 1:
            end += 1
        text.append(f"{codes[at] - last}" + (f"+{end - at}" if end > at else ""))
        last, at = codes[end], end + 1
    return " ".join(text)


def table() -> str:
    """Return the text of the table."""
    path = Path(pyproj.datadir.get_data_dir()) / "proj.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return _table(Database(connection))


def _table(database: Database) -> str:
    groups, cylinders = projected(database)
    more, compound = others(database)
    systems = {**groups, **geodetic(database), **more, **conversions(database)}
    lines = [
        f"# EPSG {database.version('EPSG.VERSION')}, PROJ {database.version('PROJ.VERSION')}; "
        "written by tools/epsg_table.py",
        *units(database),
    ]
    for code in sorted(database.ellipsoids):
        radius, inverse = database.ellipsoid(code)
        lines.append(f"ellipsoid {code} {radius!r} {inverse!r}")
    lines += [
        f"meridian {code} {database.longitude(code)!r}" for code in sorted(database.meridians)
    ]
    for facts in sorted(systems, key=lambda system: tuple(map(str, system))):
        lines.append(f"{' '.join(map(str, facts))}: {ranges(systems[facts])}")
    return "\n".join([*lines, *cylinders, compound]) + "\n"


if __name__ == "__main__":
    FILE.write_text(table(), encoding="ascii")
    print(FILE)
