# SPDX-License-Identifier: GPL-3.0-or-later
"""Transverse Mercator projection, and the zones of UTM.

References
----------
C. F. F. Karney (2011). Transverse Mercator with an accuracy of a few nanometers. Journal of Geodesy 85. (Krueger's
series, equations 7 to 12, 35 and 36, here to the fourth order: under a millimeter within a zone)
IOGP (2019). Geomatics guidance note 373-07-2, section 3.2.4.1.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from ...base.ellipsoid import Ellipsoid

_SCALE, _EASTING, _NORTHING = 0.9996, 500_000.0, 10_000_000.0
"""Of UTM: scale along the central meridian, x there, and y of the equator in the south."""

_ZONES = {
    32600: (1, 60, 0.0),  # WGS 84, north
    32700: (1, 60, _NORTHING),  # WGS 84, south
    25800: (28, 38, 0.0),  # ETRS89
    26900: (1, 23, 0.0),  # NAD83
}
"""First code, less a zone: its zones, and y of the equator. Their data lie within two meters of each other."""

_FORWARD = (
    (0.0, 1 / 2, -2 / 3, 5 / 16, 41 / 180),
    (0.0, 0.0, 13 / 48, -3 / 5, 557 / 1440),
    (0.0, 0.0, 0.0, 61 / 240, -103 / 140),
    (0.0, 0.0, 0.0, 0.0, 49561 / 161280),
)
"""Coefficients of the third flattening's powers, Karney's equation 35."""

_INVERSE = (
    (0.0, 1 / 2, -2 / 3, 37 / 96, -1 / 360),
    (0.0, 0.0, 1 / 48, 1 / 15, -437 / 1440),
    (0.0, 0.0, 0.0, 17 / 480, -37 / 840),
    (0.0, 0.0, 0.0, 0.0, 4397 / 161280),
)
"""Karney's equation 36."""


@dataclasses.dataclass(frozen=True)
class TransverseMercator:
    """Projection onto a cylinder around a meridian.

    Attributes
    ----------
    meridian : float
        Longitude of the meridian, in degrees east of Greenwich.
    northing : float
        Meters of the map at the equator.
    scale, easting : float
        Meters of the map in a meter along the meridian, and the map's x there in meters.

    Examples
    --------
    Munich in zone 32 of UTM:

    >>> from noise_core.base.ellipsoid import WGS84
    >>> from noise_core.io.spatial_reference.transverse_mercator import utm_zone
    >>> zone = utm_zone(32632)
    >>> x, y = zone.project(WGS84, 11.575, 48.1375)
    >>> round(x), round(y)
    (691565, 5334790)
    >>> [round(degrees, 6) for degrees in zone.longitude_latitude(WGS84, x, y)]
    [11.575, 48.1375]
    """

    meridian: float
    northing: float = 0.0
    scale: float = _SCALE
    easting: float = _EASTING

    def project(self, body: Ellipsoid, longitude: float, latitude: float) -> tuple[float, float]:
        """Return the map's x and y in meters of a longitude and latitude in degrees."""
        angle = math.radians((longitude - self.meridian + 180.0) % 360.0 - 180.0)
        conformal = _conformal(math.tan(math.radians(latitude)), body)
        up = math.atan2(conformal, math.cos(angle))
        across = math.asinh(math.sin(angle) / math.hypot(conformal, math.cos(angle)))
        up, across = _add_waves(up, across, _series(_FORWARD, body), 1.0)
        unit = self.scale * _rectifying_radius(body)
        return self.easting + unit * across, self.northing + unit * up

    def longitude_latitude(self, body: Ellipsoid, x: float, y: float) -> tuple[float, float]:
        """Return longitude and latitude in degrees of the map's x and y in meters."""
        unit = self.scale * _rectifying_radius(body)
        up, across = (y - self.northing) / unit, (x - self.easting) / unit
        up, across = _add_waves(up, across, _series(_INVERSE, body), -1.0)
        conformal = math.sin(up) / math.hypot(math.sinh(across), math.cos(up))
        longitude = self.meridian + math.degrees(math.atan2(math.sinh(across), math.cos(up)))
        latitude = math.degrees(math.atan(_geographic(conformal, body)))
        return (longitude + 180.0) % 360.0 - 180.0, latitude


def utm_zone(epsg: int) -> TransverseMercator | None:
    """Return the projection of the EPSG code of a zone of UTM, and None of others."""
    base, zone = epsg - epsg % 100, epsg % 100
    first, last, northing = _ZONES.get(base, (1, 0, 0.0))
    return TransverseMercator(6.0 * zone - 183.0, northing) if first <= zone <= last else None


def _third_flattening(body: Ellipsoid) -> float:
    return body.flattening / (2.0 - body.flattening)


def _rectifying_radius(body: Ellipsoid) -> float:
    n = _third_flattening(body)
    return body.radius / (1.0 + n) * (1.0 + n * n / 4.0 + n**4 / 64.0)


def _series(coefficients: Sequence[Sequence[float]], body: Ellipsoid) -> list[float]:
    n = _third_flattening(body)
    return [sum(factor * n**power for power, factor in enumerate(row)) for row in coefficients]


def _add_waves(
    up: float, across: float, series: Sequence[float], sign: float
) -> tuple[float, float]:
    """Return both coordinates with Krueger's series of waves added."""
    more_up = more_across = 0.0
    for order, factor in enumerate(series, 1):
        wave = 2.0 * order
        more_up += factor * math.sin(wave * up) * math.cosh(wave * across)
        more_across += factor * math.cos(wave * up) * math.sinh(wave * across)
    return up + sign * more_up, across + sign * more_across


def _conformal(tangent: float, body: Ellipsoid) -> float:
    """Return the tangent of the conformal latitude of that of a latitude."""
    e = math.sqrt(body.eccentricity_squared)
    root = math.sqrt(1.0 + tangent * tangent)
    bend = math.sinh(e * math.atanh(e * tangent / root))
    return tangent * math.sqrt(1.0 + bend * bend) - bend * root


def _geographic(conformal: float, body: Ellipsoid) -> float:
    """Return the tangent of the latitude of that of a conformal latitude, by Newton's method."""
    square = body.eccentricity_squared
    tangent = conformal / (1.0 - square)
    for _ in range(5):  # Karney: 3 are enough for any latitude
        present = _conformal(tangent, body)
        roots = math.sqrt((1.0 + present * present) * (1.0 + tangent * tangent))
        steepness = (1.0 - square) * roots / (1.0 + (1.0 - square) * tangent * tangent)
        tangent += (conformal - present) / steepness
    return tangent
