# SPDX-License-Identifier: GPL-3.0-or-later
"""Place of a grid of samples on the Earth or another body.

References
----------
OGC (2019). GeoTIFF standard 1.1, 19-008r4.
ISO 19111 (2019). Geographic information: referencing by coordinates.
"""

from __future__ import annotations

import dataclasses
import math

from .cylinders import POLES, Cylinder
from .ellipsoid import WGS84, Ellipsoid

LOCAL, GEOGRAPHIC, PROJECTED = "local", "geographic", "projected"
"""Kinds of coordinate systems: lengths from anywhere, angles on a body, lengths of a map."""

_NAMES = (("meters", 1.0), ("feet", 0.3048), ("US survey feet", 1200.0 / 3937.0))
"""Of units of length, for people."""

_LARGEST_LATITUDE = 89.9

_OTHER_BODY = 0.01
"""Share by which a radius differs from the Earth's if the body is another one."""


@dataclasses.dataclass(frozen=True)
class SpatialSystem:
    """Coordinate system across the ground.

    Attributes
    ----------
    kind : str
        `LOCAL`, `GEOGRAPHIC` or `PROJECTED`.
    epsg : int
        Its EPSG code; 0 if there is none, or it is not known.
    unit : float
        Meters in a unit of its coordinates; degrees, if it is geographic.
    ellipsoid : Ellipsoid
        Of the body.
    meridian : float
        Longitude 0 of a geographic system, in degrees east of Greenwich.
    cylinder : Cylinder, optional
        Projection onto a cylinder, which is not true to scale; None for others, whose meters are taken as
        those of the land.

    Examples
    --------
    >>> from noise_core.base.georeference import GEOGRAPHIC, SpatialSystem
    >>> degrees = SpatialSystem(GEOGRAPHIC, 4326)
    >>> degrees.is_geographic, degrees.is_on_earth
    (True, True)
    """

    kind: str = LOCAL
    epsg: int = 0
    unit: float = 1.0
    ellipsoid: Ellipsoid = WGS84
    meridian: float = 0.0
    cylinder: Cylinder | None = None

    @property
    def is_geographic(self) -> bool:
        """Whether coordinates are longitude and latitude."""
        return self.kind == GEOGRAPHIC

    @property
    def is_on_earth(self) -> bool:
        """Whether the body is the Earth, as far as its size tells."""
        return abs(self.ellipsoid.radius / WGS84.radius - 1.0) < _OTHER_BODY

    @property
    def turn(self) -> float | None:
        """The whole way around the globe along x, in its unit; None where x is no longitude."""
        if self.is_geographic:
            return 360.0 / self.unit
        if self.cylinder is None:
            return None
        radius = self.cylinder.surface(self.ellipsoid).radius
        return math.tau * radius * self.cylinder.scale / self.unit

    @property
    def limits(self) -> tuple[float, float]:
        """Lowest and highest y, of the poles, in its unit; infinite where it has none."""
        if self.is_geographic:
            return -90.0 / self.unit, 90.0 / self.unit
        if self.cylinder is None:
            return -math.inf, math.inf
        low, high = (self.cylinder.northing_of(self.ellipsoid, pole) for pole in POLES)
        return low / self.unit, high / self.unit

    def unit_lengths(self, y: float) -> tuple[float, float]:
        """Return meters on the ground in a unit along x and along y, where y has a value."""
        if self.is_geographic:
            degrees = max(-_LARGEST_LATITUDE, min(y * self.unit, _LARGEST_LATITUDE))
            latitude, radians = math.radians(degrees), math.radians(self.unit)
            body = self.ellipsoid
            return body.along_parallel(latitude) * radians, body.along_meridian(latitude) * radians
        if self.cylinder is None:
            return self.unit, self.unit
        across, along = self.cylinder.true_lengths(self.ellipsoid, y * self.unit)
        return across * self.unit, along * self.unit

    def longitude_latitude(self, x: float, y: float) -> tuple[float, float] | None:
        """Return longitude and latitude in degrees; None where they are not known.

        They are known of geographic systems and of cylinders on the Earth.
        """
        if not self.is_on_earth:
            return None
        if self.is_geographic:
            return (self.meridian + x * self.unit + 180.0) % 360.0 - 180.0, y * self.unit
        if self.cylinder is None:
            return None
        longitude = self.cylinder.longitude(self.ellipsoid, x * self.unit)
        latitude = self.cylinder.latitude(self.ellipsoid, y * self.unit)
        return (longitude + 180.0) % 360.0 - 180.0, math.degrees(latitude)

    def __str__(self) -> str:
        """Return its name for people."""
        if self.is_geographic:
            unit = "degrees" if self.unit == 1.0 else f"{self.unit:g} degrees a unit"
        else:
            names = [name for name, size in _NAMES if math.isclose(size, self.unit, rel_tol=1e-9)]
            unit = names[0] if names else f"{self.unit:.10g} m a unit"
        return f"EPSG:{self.epsg} ({unit})" if self.epsg else unit


@dataclasses.dataclass(frozen=True)
class Georeference:
    """Place of a grid of samples in a coordinate system.

    Attributes
    ----------
    system : SpatialSystem
    origin : tuple of two floats
        Coordinates x, y of the sample in row 0, column 0: the smallest x and y.
    step : tuple of two floats
        From one sample to the next along x and y, in units of the coordinate system; positive.
    is_point : bool
        Whether the file takes samples for points; otherwise for areas around them.

    Examples
    --------
    >>> from noise_core.base.georeference import PROJECTED, Georeference, SpatialSystem
    >>> utm = SpatialSystem(PROJECTED, 32632)
    >>> place = Georeference(utm, (500000.0, 5200000.0), (30.0, 30.0))
    >>> place.spacing(100)
    (30.0, 30.0)
    """

    system: SpatialSystem
    origin: tuple[float, float]
    step: tuple[float, float]
    is_point: bool = False

    def spacing(self, rows: int) -> tuple[float, float]:
        """Return meters per sample along x and y, true at the middle of so many rows."""
        x, y = self.step
        across, along = self.system.unit_lengths(self.origin[1] + y * (rows - 1) / 2.0)
        return x * across, y * along

    def longitude_latitude(self) -> tuple[float, float] | None:
        """Return longitude and latitude of the origin; see `SpatialSystem.longitude_latitude`."""
        return self.system.longitude_latitude(*self.origin)

    def resample(self, first: tuple[float, float], step: tuple[float, float]) -> Georeference:
        """Return the georeference of other samples.

        Parameters
        ----------
        first : tuple of two floats
            Where the first of them lies along x and y, in steps from the first of these.
        step : tuple of two floats
            From one of them to the next, in steps of these.
        """
        return dataclasses.replace(
            self,
            origin=(
                self.origin[0] + first[0] * self.step[0],
                self.origin[1] + first[1] * self.step[1],
            ),
            step=(self.step[0] * step[0], self.step[1] * step[1]),
        )

    def in_degrees(self) -> Georeference:
        """Return it in degrees, if it is geographic without a code that stands for another unit."""
        unit = self.system.unit
        if not self.system.is_geographic or self.system.epsg or unit == 1.0:
            return self
        (x, y), (step_x, step_y) = self.origin, self.step
        return dataclasses.replace(
            self,
            system=dataclasses.replace(self.system, unit=1.0),
            origin=(x * unit, y * unit),
            step=(step_x * unit, step_y * unit),
        )

    def reduce(self, x: float, y: float) -> Georeference:
        """Return the georeference of samples that are each the mean of x times y samples."""
        return self.resample(((x - 1.0) / 2.0, (y - 1.0) / 2.0), (x, y))
