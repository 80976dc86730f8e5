# SPDX-License-Identifier: GPL-3.0-or-later
"""Place of a grid of samples on Earth.

References
----------
OGC (2019). GeoTIFF standard 1.1, 19-008r4.
"""

from __future__ import annotations

import dataclasses
import math

METERS_PER_DEGREE = 111_320.0
"""Of latitude, and of longitude at the equator (40,075 km / 360)."""

EARTH_RADIUS = 6_378_137.0
"""Meters at the equator (WGS 84), which Web Mercator takes for a sphere's."""

WEB_MERCATOR = frozenset({3857, 3785, 900913})
"""EPSG codes of it: its meters are longer than the land's by 1 / cos(latitude)."""


@dataclasses.dataclass(frozen=True)
class Georeference:
    """Place of a grid of samples in a coordinate system.

    Attributes
    ----------
    epsg : int
        Code of the coordinate system; 0 if the file does not say.
    is_geographic : bool
        Whether coordinates are degrees of longitude and latitude; otherwise lengths.
    origin : tuple of two floats
        Coordinates x, y of the sample in row 0, column 0: the smallest x and y.
    step : tuple of two floats
        From one sample to the next along x and y, in units of the coordinate system; positive.
    unit : float
        Meters in a unit of length: 0.3048 for feet. Without meaning for degrees.
    is_point : bool
        Whether the file takes samples for points; otherwise for areas around them.
    """

    epsg: int
    is_geographic: bool
    origin: tuple[float, float]
    step: tuple[float, float]
    unit: float = 1.0
    is_point: bool = False

    def spacing(self, rows: int) -> tuple[float, float]:
        """Return meters per sample along x and y, true at the middle of so many rows."""
        x, y = self.step
        middle = self.origin[1] + y * (rows - 1) / 2.0
        if self.is_geographic:
            cosine = math.cos(math.radians(min(abs(middle), 89.9)))
            return (x * METERS_PER_DEGREE * cosine, y * METERS_PER_DEGREE)
        unit = self.unit
        if self.epsg in WEB_MERCATOR:
            unit /= math.cosh(max(-4.0, min(middle / EARTH_RADIUS, 4.0)))
        return (x * unit, y * unit)

    def longitude_latitude(self) -> tuple[float, float] | None:
        """Return longitude and latitude of the origin in degrees; None in a projected system but Web Mercator."""
        x, y = self.origin
        if self.is_geographic:
            return ((x + 180.0) % 360.0 - 180.0, y)
        if self.epsg not in WEB_MERCATOR:
            return None
        x, y = (one * self.unit / EARTH_RADIUS for one in (x, y))
        return (math.degrees(x), math.degrees(math.atan(math.sinh(y))))

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

    def reduce(self, x: float, y: float) -> Georeference:
        """Return the georeference of samples that are each the mean of x times y samples."""
        return self.resample(((x - 1.0) / 2.0, (y - 1.0) / 2.0), (x, y))

    @property
    def system(self) -> str:
        """Name of the coordinate system for people."""
        unit = "degrees" if self.is_geographic else "meters" if self.unit == 1.0 else "feet"
        return f"EPSG:{self.epsg} ({unit})" if self.epsg else unit
