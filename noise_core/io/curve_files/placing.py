# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinates of one system as places on a land in another one."""

from __future__ import annotations

import dataclasses
import math

from ...base.errors import ParameterError
from ...base.georeference import Georeference, SpatialSystem
from ..spatial_reference.agreement import is_same
from .transverse_mercator import utm_zone

_DIGITS = 9
"""Of places in tiles: a micrometer on a kilometer, and the same on every system."""

_DEGREES_AWAY = 30.0
"""From the central meridian of a zone, beyond which its coordinates mean nothing."""


@dataclasses.dataclass(frozen=True)
class Placing:
    """From coordinates to tiles of a land.

    Attributes
    ----------
    system : SpatialSystem
        Of the coordinates.
    place : Georeference
        Of the land's tiles.
    name : str
        Of the file, for messages.
    """

    system: SpatialSystem
    place: Georeference
    name: str

    @property
    def is_direct(self) -> bool:
        """Whether the coordinates are those of the land."""
        one, other = self.system, self.place.system
        if one.epsg and other.epsg:
            return one.epsg == other.epsg
        return is_same(one, other)

    def tiles(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of coordinates in tiles.

        Raises
        ------
        ParameterError
            If the way from one system to the other is not known.
        """
        land = self.place.system
        if not self.is_direct:
            x, y = _project(land, *self._degrees(x, y), self.name)
        (left, bottom), (width, depth) = self.place.origin, self.place.step
        across = (x - left) / width
        if (
            turn := land.turn
        ):  # the copy that is nearest to the land, at either side of the date line
            turn /= width
            across -= turn * round((across - 0.5) / turn)
        return round(across, _DIGITS), round((y - bottom) / depth, _DIGITS)

    def _degrees(self, x: float, y: float) -> tuple[float, float]:
        zone, unit = utm_zone(self.system.epsg), self.system.unit
        if zone is not None:
            return zone.longitude_latitude(self.system.ellipsoid, x * unit, y * unit)
        degrees = None if _is_vague(self.system) else self.system.longitude_latitude(x, y)
        if degrees is None:
            raise _refusal(self.name, self.system, self.place.system)
        return degrees


def _project(
    system: SpatialSystem, longitude: float, latitude: float, name: str
) -> tuple[float, float]:
    """Return the coordinates of a longitude and a latitude in degrees in a system."""
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
        raise _refusal(name, None, system)
    if abs((longitude - zone.meridian + 180.0) % 360.0 - 180.0) > _DEGREES_AWAY:
        return math.inf, math.inf
    x, y = zone.project(system.ellipsoid, longitude, latitude)
    return x / system.unit, y / system.unit


def _is_vague(system: SpatialSystem) -> bool:
    """Return whether programs disagree on y by kilometers: see `cylinders`."""
    cylinder = system.cylinder
    return (
        cylinder is not None
        and cylinder.method == "equirectangular"
        and cylinder.surface(system.ellipsoid).flattening > 0.0
    )


def _refusal(name: str, system: SpatialSystem | None, land: SpatialSystem) -> ParameterError:
    return ParameterError(
        "{}: coordinates must be of the terrain's system, {}: convert them to it, or give system",
        *(name, land),
        got="degrees" if system is None else str(system),
    )


def local_place(system: SpatialSystem, size: float) -> Georeference:
    """Return the place of a land of so many meters that is measured from its southwest corner."""
    step = size / system.unit
    return Georeference(system, (0.0, 0.0), (step, step))
