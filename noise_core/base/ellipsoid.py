# SPDX-License-Identifier: GPL-3.0-or-later
"""Ellipsoids of bodies: lengths of degrees on them.

References
----------
IOGP (2019). Geomatics guidance note 373-07-2: coordinate conversions and transformations.
J. P. Snyder (1987). Map projections, a working manual. USGS Professional Paper 1395, chapter 3.
"""

from __future__ import annotations

import dataclasses
import math

_PARTS = 32
"""Of a meridian that is added up: a tenth of a millimeter on the Earth."""


@dataclasses.dataclass(frozen=True)
class Ellipsoid:
    """Figure of a body: the Earth, the Moon, Mars ...

    Attributes
    ----------
    radius : float
        Meters from the center to the equator.
    flattening : float
        Share of it by which the poles are nearer; 0 for a sphere.

    Examples
    --------
    >>> import math
    >>> from noise_core.base.ellipsoid import WGS84

    Kilometers of a degree of longitude and of latitude at 60 degrees north:

    >>> degree, latitude = math.radians(1.0) / 1000.0, math.radians(60.0)
    >>> round(WGS84.along_parallel(latitude) * degree, 1)
    55.8
    >>> round(WGS84.along_meridian(latitude) * degree, 1)
    111.4
    """

    radius: float = 6_378_137.0
    flattening: float = 1.0 / 298.257223563

    @property
    def eccentricity_squared(self) -> float:
        """Square of the first eccentricity."""
        return self.flattening * (2.0 - self.flattening)

    @property
    def authalic_radius(self) -> float:
        """Radius of the sphere with the same surface (Snyder, equation 3-13)."""
        square = self.eccentricity_squared
        if square <= 0.0:
            return self.radius
        e = math.sqrt(square)
        pole = 1.0 + (1.0 - square) / (2.0 * e) * math.log((1.0 + e) / (1.0 - e))
        return self.radius * math.sqrt(pole / 2.0)

    def along_parallel(self, latitude: float) -> float:
        """Return meters in a radian of longitude."""
        sine = math.sin(latitude)
        root = math.sqrt(1.0 - self.eccentricity_squared * sine * sine)
        return self.radius * math.cos(latitude) / root

    def along_meridian(self, latitude: float) -> float:
        """Return meters in a radian of latitude."""
        square, sine = self.eccentricity_squared, math.sin(latitude)
        inner = 1.0 - square * sine * sine
        return self.radius * (1.0 - square) / (inner * math.sqrt(inner))

    def from_equator(self, latitude: float) -> float:
        """Return meters from the equator to a latitude, by Simpson's rule."""
        parts = _PARTS
        if not self.flattening:
            return self.radius * latitude
        step = latitude / parts
        inner = sum(
            (4.0 if part % 2 else 2.0) * self.along_meridian(part * step)
            for part in range(1, parts)
        )
        ends = self.along_meridian(0.0) + self.along_meridian(latitude)
        return (ends + inner) * step / 3.0


WGS84 = Ellipsoid()
"""Ellipsoid of the World Geodetic System 1984."""
