# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of coordinate systems beside elevation files: .prj of ESRI, of WKT 2 and of ArcInfo, .aux.xml of GDAL.

References
----------
ESRI (1994). ARC/INFO 7, PROJECTDEFINE: projection, units, parameters in their order.
GDAL (2024). PAM dataset schema.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Mapping

import pyproj


def horizontal(system: pyproj.CRS) -> pyproj.CRS:
    """Return the part of a system that is about x and y."""
    while system.is_bound or system.is_compound:
        system = system.source_crs if system.is_bound else system.sub_crs_list[0]
    return system.to_2d() if len(system.axis_info) > 2 else system


def prj(system: pyproj.CRS, dialect: str) -> str:
    """Return the text of a .prj file."""
    if dialect == "arcinfo":
        text = arcinfo(horizontal(system))
        if text:
            return text
    return wkt(system, {"wkt 2": "WKT2_2019", "wkt 1": "WKT1_GDAL"}.get(dialect, "WKT1_ESRI"))


def wkt(system: pyproj.CRS, version: str) -> str:
    """Return a system in a version of WKT, or in the second one where the version has no words for it."""
    for one in (version, "WKT1_ESRI", "WKT2_2019"):
        with contextlib.suppress(pyproj.exceptions.CRSError):
            return system.to_wkt(one)
    raise AssertionError(f"{system.name} has no WKT")


_ARCINFO: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Transverse Mercator": (
        "TRANSVERSE",
        ("Scale factor at natural origin", "Longitude of natural origin", "Latitude of natural origin"),
    ),
    "Lambert Conic Conformal (2SP)": (
        "LAMBERT",
        (
            "Latitude of 1st standard parallel",
            "Latitude of 2nd standard parallel",
            "Longitude of false origin",
            "Latitude of false origin",
        ),
    ),
    "Albers Equal Area": (
        "ALBERS",
        (
            "Latitude of 1st standard parallel",
            "Latitude of 2nd standard parallel",
            "Longitude of false origin",
            "Latitude of false origin",
        ),
    ),
    "Polar Stereographic (variant B)": (
        "POLAR",
        ("Longitude of origin", "Latitude of standard parallel"),
    ),
    "Mercator (variant B)": (
        "MERCATOR",
        ("Longitude of natural origin", "Latitude of 1st standard parallel"),
    ),
}  # fmt: skip
"""Names of projections and their parameters in the order of ArcInfo, by EPSG's names."""


def arcinfo(system: pyproj.CRS) -> str:
    """Return a system as ArcInfo wrote it into .prj files in the 1980s; empty where it had no word for it."""
    end = "Datum         NAD83\nSpheroid      GRS1980\nZunits        NO\n"
    factor = system.axis_info[0].unit_conversion_factor
    if system.is_geographic:
        is_degrees = math.isclose(math.degrees(factor), 1.0)
        return (
            f"Projection    GEOGRAPHIC\nUnits         DD\n{end}Parameters\n" if is_degrees else ""
        )
    units = "METERS" if factor == 1.0 else "FEET" if abs(factor - 0.3048) < 1e-5 else ""
    zone = re.search(r"/ UTM zone (\d+)([NS])$", system.name)
    end = f"Units         {units}\n{end}"
    if zone and units == "METERS":
        sign = "-" if zone.group(2) == "S" else ""
        return f"Projection    UTM\nZone          {sign}{zone.group(1)}\n{end}Xshift        0.0\nYshift        0.0\nParameters\n"
    operation = system.coordinate_operation
    if operation.method_name not in _ARCINFO or not units:
        return ""
    name, expected = _ARCINFO[operation.method_name]
    parameters = {param.name: param for param in operation.params}
    if any(key not in parameters for key in expected):
        return ""
    lines = [f"Projection    {name}\n{end}Parameters"]
    for key in expected:
        one = parameters[key]
        if key.startswith("Scale"):
            lines.append(f"{one.value:.10f} /* scale factor")
        else:
            lines.append(_sexagesimal(one.value * math.degrees(one.unit_conversion_factor)) + f" /* {key.lower()}")  # fmt: skip
    shifts = [
        parameter.value
        for key, parameter in parameters.items()
        if "asting" in key or "orthing" in key
    ]
    return "\n".join([*lines, *(f"{value:.5f} /* shift" for value in shifts)]) + "\n"


def _sexagesimal(degrees: float) -> str:
    seconds = round(abs(degrees) * 3600.0, 4)
    minutes, second = divmod(seconds, 60.0)
    degree, minute = divmod(int(minutes), 60)
    return f"{'-' if degrees < 0 else ''}{degree} {minute} {second:.4f}"


def pam(system: pyproj.CRS, band: tuple[float, float, str] | tuple[()]) -> str:
    wkt = system.to_wkt("WKT2_2019").replace("&", "&amp;").replace("<", "&lt;")
    axes = [axis.direction for axis in horizontal(system).axis_info[:2]]
    order = "2,1" if axes[0] in ("north", "south") and axes[1] in ("east", "west") else "1,2"
    text = f'<PAMDataset>\n  <SRS dataAxisToSRSAxisMapping="{order}">{wkt}</SRS>\n'
    if band and band != (1.0, 0.0, ""):
        scale, offset, unit = band
        text += f'  <PAMRasterBand band="1">\n    <Offset>{offset!r}</Offset>\n    <Scale>{scale!r}</Scale>\n'
        text += f"    <UnitType>{unit}</UnitType>\n" if unit else ""
        text += "  </PAMRasterBand>\n"
    return text + "</PAMDataset>\n"
