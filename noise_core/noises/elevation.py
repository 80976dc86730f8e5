# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured heights as a noise: a raster with its place on Earth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base import georeference as places
from ..base.params import boolean, choice, integer, number, vector
from ..types.noise import noise_type
from .raster import Raster

if TYPE_CHECKING:
    from ..base.georeference import Georeference


@noise_type("elevation", "Elevation", family="shape")
class ElevationRaster(Raster):
    """Holds measured heights, smooth between the samples, and their place on Earth.

    Notes
    -----
    A pixel is a height in units of the layer's own height, so that a layer of 4096 m with a pixel of
    0.25 is 1024 m high there, at any height of the recipe. Importers take a power of two for
    that height: whole meters then stay exact. The raster is one tile wide; its first and its last
    column lie at 0 and 1.

    It is another type, not a `Raster` with more parameters, because a georeference belongs to
    measured land alone: a painted mask or a picture shows no coordinates that it cannot have. The
    sampling is that of `Raster`. What differs is `aspect`: samples a degree apart are no squares.

    Beyond the measured land it goes on turned over, without a jump, unless `edge` says otherwise. The
    georeference is that of tiles without `wrap`: on a wrapping grid the raster is stretched.

    References
    ----------
    Edwin Catmull, Raphael Rom (1974). A class of local interpolating splines. Computer Aided
    Geometric Design.
    OGC (2019). GeoTIFF standard 1.1, 19-008r4.
    """

    edge: str = choice(
        "mirror",
        help="What lies beyond the measured land",
        options={
            "repeat": "The land again, with a step where it does not meet itself",
            "clamp": "The heights at its edge, drawn out",
            "mirror": "The land turned over",
        },
        advanced=True,
    )
    aspect: float = number(
        1.0,
        help="Distance of samples along y as a share of that along x, on the ground",
        label="Aspect Ratio",
        minimum=0.01,
        maximum=100.0,
        soft_minimum=0.5,
        soft_maximum=2.0,
        advanced=True,
    )
    epsg: int = integer(
        0,
        help="EPSG code of the coordinate system; 0 if it is not known",
        minimum=0,
        maximum=999_999,
        label="EPSG",
        advanced=True,
    )
    is_geographic: bool = boolean(
        False,
        help="Coordinates are longitude and latitude instead of lengths",
        label="Longitude and Latitude",
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
        help="From sample to sample along x and y, in units of the coordinate system; 0 if it has no place",
        minimum=0.0,
        maximum=1e9,
        advanced=True,
    )
    unit: float = number(
        1.0,
        help="Meters in a unit of the coordinate system: 0.3048 for feet",
        minimum=1e-6,
        maximum=1e6,
        visible_when=("is_geographic", False),
        advanced=True,
    )

    @property
    def georeference(self) -> Georeference | None:
        """See `Noise.georeference`."""
        if not all(self.step):
            return None
        (x, y), (step_x, step_y) = self.origin, self.step
        system = (self.epsg, self.is_geographic)
        samples = places.Georeference(*system, (x, y), (step_x, step_y), self.unit)
        return samples.resample((0.0, 0.0), self.pixels_per_tile(self.edge))

    def finest(self) -> float:
        """Return how many pixels lie along a tile, in the direction with more."""
        return max(self.pixels_per_tile("repeat"))

    def pixels_per_tile(self, edge: str) -> tuple[float, float]:
        """See `Raster.pixels_per_tile`."""
        across, along = super().pixels_per_tile(edge)
        return across, along / self.aspect
