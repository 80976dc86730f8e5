# SPDX-License-Identifier: GPL-3.0-or-later
"""Meters of coordinate systems by PROJ: axis units, and geodesics where a map is not true to scale.

References
----------
Karney (2013). Algorithms for geodesics. Journal of Geodesy 87.
"""

from __future__ import annotations

import math

import pyproj

CYLINDERS = (
    *("Mercator (", "Popular Visualisation", "Equidistant Cylindrical"),
    *("Lambert Cylindrical Equal Area", "Miller Cylindrical"),
)
"""How the names of methods onto a cylinder begin, whose meters are not those of the land."""

TWO_OPINIONS = "Equidistant Cylindrical"
"""PROJ counts along a sphere's meridian before 9.6, along the ellipsoid's since; the core takes the mean."""


def parts(system: pyproj.CRS) -> tuple[pyproj.CRS, pyproj.CRS | None]:
    """Return the horizontal and the vertical part."""
    if system.is_compound:
        across, up = system.sub_crs_list
        return across, up
    return (system, None) if not system.is_vertical else (system, system)


def method_of(system: pyproj.CRS) -> str:
    """Return the name of the method of a projected system; empty for others."""
    operation = system.coordinate_operation if system.is_projected else None
    return operation.method_name if operation is not None else ""


def height_unit(system: pyproj.CRS) -> float | None:
    """Return meters in a unit of height, negative for depths; None if the system has no heights."""
    across, up = parts(system)
    axes = up.axis_info if up is not None else across.axis_info[2:]
    if not axes or across.is_geocentric:
        return None
    return axes[0].unit_conversion_factor * (-1.0 if axes[0].direction == "down" else 1.0)


def is_map(system: pyproj.CRS) -> bool:
    """Return whether a system has longitude and latitude, or lengths of a map or a site."""
    across, _ = parts(system)
    return across.is_geographic or across.is_projected or across.is_engineering


def unit_lengths(system: pyproj.CRS, x: float, y: float) -> tuple[float, float]:
    """Return meters on the ground in a unit along x and along y, at coordinates in the order x, y."""
    across, _ = parts(system)
    unit = across.axis_info[0].unit_conversion_factor
    method = method_of(across)
    if not across.is_geographic and not method.startswith(CYLINDERS):
        return unit, unit
    figure = across.ellipsoid
    geod = pyproj.Geod(a=figure.semi_major_metre, b=figure.semi_minor_metre)
    step = 1e-3 if across.is_geographic else 100.0 / unit
    lengths = []
    for along_x, along_y in ((step, 0.0), (0.0, step)):
        ends = [_degrees(across, x + sign * along_x, y + sign * along_y) for sign in (-0.5, 0.5)]
        lengths.append(geod.inv(*ends[0], *ends[1])[2] / step)
    return lengths[0], lengths[1]


def _degrees(system: pyproj.CRS, x: float, y: float) -> tuple[float, float]:
    if system.is_geographic:
        size = math.degrees(system.axis_info[0].unit_conversion_factor)
        return x * size, y * size
    ground = pyproj.Transformer.from_crs(system, system.geodetic_crs, always_xy=True)
    longitude, latitude = ground.transform(x, y)
    size = math.degrees(system.geodetic_crs.axis_info[0].unit_conversion_factor)
    return longitude * size, latitude * size
