# SPDX-License-Identifier: GPL-3.0-or-later
"""Degrees as coordinates of a system, and back: of cylinders and zones of UTM."""

from __future__ import annotations

import math

from ...base.georeference import SpatialSystem
from .transverse_mercator import utm_zone

_DEGREES_AWAY = 30.0
"""From the central meridian of a zone, beyond which its coordinates mean nothing."""


def coordinates_of(
    system: SpatialSystem, longitude: float, latitude: float
) -> tuple[float, float] | None:
    """Return the coordinates of a longitude and a latitude in degrees; None if the way is not known.

    Both are infinite where they mean nothing.
    """
    if system.is_geographic:
        return (longitude - system.meridian) / system.unit, latitude / system.unit
    cylinder = system.cylinder
    if cylinder is not None and system.is_on_earth and not _is_vague(system):
        radius = cylinder.surface(system.ellipsoid).radius * cylinder.scale
        x = cylinder.easting + radius * math.radians(longitude - cylinder.meridian)
        y = cylinder.northing_of(system.ellipsoid, math.radians(latitude))
        return x / system.unit, y / system.unit
    zone = utm_zone(system.epsg)
    if zone is None:
        return None
    if abs((longitude - zone.meridian + 180.0) % 360.0 - 180.0) > _DEGREES_AWAY:
        return math.inf, math.inf
    x, y = zone.project(system.ellipsoid, longitude, latitude)
    return x / system.unit, y / system.unit


def degrees_of(system: SpatialSystem, x: float, y: float) -> tuple[float, float] | None:
    """Return longitude and latitude in degrees of coordinates; None if the way is not known."""
    zone, unit = utm_zone(system.epsg), system.unit
    if zone is not None:
        return zone.longitude_latitude(system.ellipsoid, x * unit, y * unit)
    return None if _is_vague(system) else system.longitude_latitude(x, y)


def _is_vague(system: SpatialSystem) -> bool:
    """Return whether programs disagree on y by kilometers: see `cylinders`."""
    cylinder = system.cylinder
    return (
        cylinder is not None
        and cylinder.method == "equirectangular"
        and cylinder.surface(system.ellipsoid).flattening > 0.0
    )
