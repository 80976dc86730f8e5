# SPDX-License-Identifier: GPL-3.0-or-later
"""Projections onto a cylinder around the equator: their meters are not those of the land.

References
----------
J. P. Snyder (1987). Map projections, a working manual. USGS Professional Paper 1395, chapters 7,
10, 11 and 12.
IOGP (2019). Geomatics guidance note 373-07-2, sections 3.2 and 3.5.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

from .ellipsoid import Ellipsoid

_NEAREST = 1e-6
"""Radians from the pole, where Mercator's maps have no end."""

POLES = (_NEAREST - math.pi / 2.0, math.pi / 2.0 - _NEAREST)
"""The southernmost and the northernmost latitude in radians."""


def _mercator(body: Ellipsoid, scale: float, latitude: float) -> float:
    e = math.sqrt(body.eccentricity_squared)
    sine = math.sin(latitude)
    return body.radius * scale * (math.atanh(sine) - e * math.atanh(e * sine))


def _equirectangular(body: Ellipsoid, scale: float, latitude: float) -> float:
    """Return the mean of two opinions.

    EPSG's method 1028 and PROJ since 9.6 count along the ellipsoid's meridian, older programs along a
    sphere's. No file says by which one it was made; they differ by up to 0.7 percent.
    """
    return 0.5 * (body.radius * latitude + body.from_equator(latitude))


def _equal_area(body: Ellipsoid, scale: float, latitude: float) -> float:
    square, sine = body.eccentricity_squared, math.sin(latitude)
    if square <= 0.0:
        return body.radius * sine / scale
    e = math.sqrt(square)
    q = (1.0 - square) * (sine / (1.0 - square * sine * sine) + math.atanh(e * sine) / e)
    return body.radius * q / (2.0 * scale)


def _miller(body: Ellipsoid, scale: float, latitude: float) -> float:
    return body.radius * scale * 1.25 * math.atanh(math.sin(0.8 * latitude))


NORTHINGS: dict[str, Callable[[Ellipsoid, float, float], float]] = {
    "mercator": _mercator,
    "equirectangular": _equirectangular,
    "equal_area": _equal_area,
    "miller": _miller,
}
"""Meters of the map from the equator to a latitude, of an ellipsoid and its scale at the equator."""

CYLINDERS = tuple(NORTHINGS)
"""Methods of projections onto a cylinder."""


@dataclasses.dataclass(frozen=True)
class Cylinder:
    """Projection whose x is a multiple of longitude, and whose y depends on latitude alone.

    Attributes
    ----------
    method : str
        A key of `NORTHINGS`.
    scale : float
        Meters of the map in a meter along the equator.
    meridian : float
        Longitude of x = `easting`, in degrees east of Greenwich.
    easting, northing : float
        Meters of the map at that meridian, on the equator.
    radius : float
        Of the sphere that latitudes and longitudes are taken to lie on, in meters, as Web Mercator
        does; 0 for the ellipsoid itself.
    """

    method: str
    scale: float = 1.0
    meridian: float = 0.0
    easting: float = 0.0
    northing: float = 0.0
    radius: float = 0.0

    def surface(self, body: Ellipsoid) -> Ellipsoid:
        """Return the ellipsoid or sphere that the formulas are taken of."""
        return Ellipsoid(self.radius, 0.0) if self.radius else body

    def northing_of(self, body: Ellipsoid, latitude: float) -> float:
        """Return the map's y in meters at a latitude in radians."""
        return self.northing + NORTHINGS[self.method](self.surface(body), self.scale, latitude)

    def latitude(self, body: Ellipsoid, y: float) -> float:
        """Return the latitude in radians where the map's y is so many meters."""
        low, high = POLES
        for _ in range(64):  # halves the interval down to the last bit
            middle = 0.5 * (low + high)
            if self.northing_of(body, middle) < y:
                low = middle
            else:
                high = middle
        return 0.5 * (low + high)

    def longitude(self, body: Ellipsoid, x: float) -> float:
        """Return the longitude in degrees east of Greenwich where the map's x is so many meters."""
        radius = self.surface(body).radius * self.scale
        return self.meridian + math.degrees((x - self.easting) / radius)

    def true_lengths(self, body: Ellipsoid, y: float) -> tuple[float, float]:
        """Return meters on the ground in a meter of the map along x and along y.

        Parameters
        ----------
        body : Ellipsoid
        y : float
            Meters of the map.
        """
        latitude, surface = self.latitude(body, y), self.surface(body)
        across = body.along_parallel(latitude) / (surface.radius * self.scale)
        return across, body.along_meridian(latitude) / self._northing_per_radian(surface, latitude)

    def doubt(self, body: Ellipsoid, y: float) -> float:
        """Return the largest share by which programs have other lengths where the map's y is so many meters.

        They differ on equirectangular maps of an ellipsoid alone: see `_equirectangular`.
        """
        surface = self.surface(body)
        if self.method != "equirectangular" or not surface.flattening:
            return 0.0
        radius, by_sphere = surface.radius, (y - self.northing) / surface.radius
        by_ellipsoid = 2.0 * self.latitude(body, y) - by_sphere  # the mean lies between them
        # The cosine of the latitude that is true to scale is the scale on a sphere, and this times it here.
        flat = math.sqrt(1.0 - body.eccentricity_squared * max(0.0, 1.0 - self.scale**2))
        across = (body.along_parallel(by_ellipsoid), body.along_parallel(by_sphere) / flat)
        along = (1.0, body.along_meridian(by_sphere) / radius)
        lengths = self.true_lengths(body, y)
        return max(
            *(abs(lengths[0] * radius * self.scale / other - 1.0) for other in across),
            *(abs(lengths[1] / other - 1.0) for other in along),
        )

    def _northing_per_radian(self, surface: Ellipsoid, latitude: float) -> float:
        """Return meters of the map in a radian of latitude."""
        across = surface.radius * self.scale
        meridian, parallel = surface.along_meridian(latitude), surface.along_parallel(latitude)
        if self.method == "mercator":  # the same scale in all directions
            return across * meridian / parallel
        if self.method == "equal_area":
            return meridian * parallel / across
        if self.method == "miller":
            return across / math.cos(0.8 * latitude)
        return 0.5 * (surface.radius + meridian)  # see `_equirectangular`
