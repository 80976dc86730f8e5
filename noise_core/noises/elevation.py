# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured heights as a noise: a raster with its place on Earth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base import georeference as places
from ..base.cylinders import CYLINDERS, Cylinder
from ..base.ellipsoid import WGS84, Ellipsoid
from ..base.params import choice, integer, number, vector
from .bases.noise import noise_type
from .raster import Raster

if TYPE_CHECKING:
    from ..base.georeference import Georeference


@noise_type("elevation", "Elevation", family="shape")
class ElevationRaster(Raster):
    """Measured heights with their place on Earth.

    Notes
    -----
    A pixel is a height in units of the layer's own height, so that a layer of 4096 m with a pixel of
    0.25 is 1024 m high there, at any height of the recipe. Importers take a power of two for
    that height: whole meters then stay exact. The raster is one tile wide; its first and its last
    column lie at 0 and 1.

    It is another type, not a `Raster` with more parameters, because a georeference belongs to
    measured land alone: a painted mask or a picture shows no coordinates that it cannot have. The
    sampling is that of `Raster`. The difference is `aspect`: samples a degree apart are no squares.

    Beyond the measured land it goes on turned over, without a jump, unless `edge` says otherwise. The
    georeference is that of tiles without `wrap`: on a wrapping grid the raster is stretched.

    References
    ----------
    Edwin Catmull, Raphael Rom (1974). A class of local interpolating splines. Computer Aided
    Geometric Design.
    OGC (2019). GeoTIFF standard 1.1, 19-008r4.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import ElevationRaster

    Heights measured on 3 x 3 samples of UTM zone 32, 30 m apart, as shares of a height:

    >>> pixels = np.array([[0.0, 0.1, 0.2], [0.1, 0.4, 0.5], [0.2, 0.5, 0.9]], np.float32)
    >>> land = ElevationRaster(
    ...     pixels=pixels, epsg=32632, system="projected", origin=(500000.0, 5200000.0), step=(30.0, 30.0)
    ... )
    >>> print(land.sample_grid(Grid(3, 3)).round(2))
    [[0.  0.1 0.2]
     [0.1 0.4 0.5]
     [0.2 0.5 0.9]]
    >>> land.georeference.system.epsg
    32632
    """

    edge: str = choice(
        "mirror",
        help="Extension beyond the measured land",
        options={
            "repeat": "Repeat the terrain, with a step where its edges differ",
            "clamp": "Extend the heights at the edge",
            "mirror": "Mirror the terrain",
        },
        advanced=True,
    )
    aspect: float = number(
        1.0,
        help="Sample distance along Y, relative to that along X on the ground",
        label="Aspect Ratio",
        minimum=0.01,
        maximum=100.0,
        soft_minimum=0.5,
        soft_maximum=2.0,
        advanced=True,
    )
    epsg: int = integer(
        0,
        help="EPSG code of the coordinate system; 0 if unknown",
        minimum=0,
        maximum=999_999,
        label="EPSG",
        advanced=True,
    )
    system: str = choice(
        "local",
        help="Kind of coordinates",
        options={
            "local": "Lengths from anywhere",
            "geographic": "Longitude and latitude",
            "projected": "Lengths of a map that is true to scale",
            "mercator": "Lengths of a map by Mercator, such as Web Mercator",
            "equirectangular": "Lengths of a map with equally spaced parallels",
            "equal_area": "Lengths of a map onto a cylinder with true areas",
            "miller": "Lengths of a map by Miller",
        },
        label="Coordinates",
        advanced=True,
    )
    origin: tuple[float, ...] = vector(
        (0.0, 0.0),
        help="Coordinates x and y of the southwest sample",
        minimum=-1e9,
        maximum=1e9,
        advanced=True,
    )
    step: tuple[float, ...] = vector(
        (0.0, 0.0),
        help="Sample distance along X and Y in the system's units; 0 without a place",
        minimum=0.0,
        maximum=1e9,
        advanced=True,
    )
    unit: float = number(
        1.0,
        help="Meters per unit of the coordinate system, 0.3048 for feet; degrees if geographic",
        minimum=1e-6,
        maximum=1e6,
        advanced=True,
    )
    ellipsoid: tuple[float, ...] = vector(
        (WGS84.radius, WGS84.flattening),
        help="Equatorial radius of the body in m, and its flattening",
        minimum=0.0,
        maximum=1e12,
        advanced=True,
    )
    meridian: float = number(
        0.0,
        help="Prime meridian of the longitudes, in degrees east of Greenwich",
        minimum=-720.0,
        maximum=720.0,
        visible_when=("system", ("geographic", *CYLINDERS)),
        advanced=True,
    )
    projection: tuple[float, ...] = vector(
        (1.0, 0.0, 0.0, 0.0),
        help="Numbers of a Mercator map: scale at the equator, X, Y and the sphere's radius",
        minimum=-1e12,
        maximum=1e12,
        visible_when=("system", CYLINDERS),
        advanced=True,
    )

    @property
    def georeference(self) -> Georeference | None:
        """See `Noise.georeference`."""
        if not all(self.step):
            return None
        (x, y), (step_x, step_y) = self.origin, self.step
        samples = places.Georeference(self._spatial_system, (x, y), (step_x, step_y))
        return samples.resample((0.0, 0.0), self.pixels_per_tile(self.edge))

    @property
    def _spatial_system(self) -> places.SpatialSystem:
        radius, flattening = self.ellipsoid
        facts = (self.epsg, self.unit, Ellipsoid(radius, flattening))
        if self.system not in CYLINDERS:
            return places.SpatialSystem(self.system, *facts, self.meridian)
        scale, easting, northing, sphere = self.projection
        cylinder = Cylinder(self.system, scale, self.meridian, easting, northing, sphere)
        return places.SpatialSystem(places.PROJECTED, *facts, cylinder=cylinder)

    def finest(self) -> float:
        """Return how many pixels lie along a tile, in the direction with more."""
        return max(self.pixels_per_tile("repeat"))

    def pixels_per_tile(self, edge: str) -> tuple[float, float]:
        """See `Raster.pixels_per_tile`."""
        across, along = super().pixels_per_tile(edge)
        return across, along / self.aspect
