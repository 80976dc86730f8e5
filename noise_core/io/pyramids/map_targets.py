# SPDX-License-Identifier: GPL-3.0-or-later
"""Targets for maps of the Earth: where the land lies, at which zooms, and tiles whose colors stand for heights.

References
----------
Mapbox. Mapbox Terrain-RGB v1 tileset reference.
Mapzen, Tilezen (2017). Joerd documentation: formats, terrarium.
Mapbox (2022). TileJSON specification, 3.0.0.
MapLibre. Style specification: sources, raster-dem.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from ...base.declared import declared_type
from ...base.errors import ParameterError
from ...base.params import choice, integer, number
from .. import heightmaps
from ..targets.bases.place import latitude_of_middle, longitude_of_middle, system_of_place
from ..targets.bases.pyramid import FINEST_ZOOM, Bounds, Numbers, PyramidPlan, TilePyramid
from ..targets.bases.target import FieldValue, HeightFile, Target
from .schemes import WebMercator

if TYPE_CHECKING:
    from ...base.georeference import Georeference


_ROUNDING = 0.51
"""Share of a step by which a height may differ: half, and a little for float64."""


@declared_type
class MapTarget(Target):
    """Base of targets whose files are tiles of a map of the Earth; a type writes `encoding` and `pyramid`."""

    system: str = system_of_place()
    latitude: float = latitude_of_middle()
    longitude: float = longitude_of_middle()
    margin: float = number(
        0.1,
        help="Width of the skirt that falls to 0 around the terrain, relative to its length",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=1.0,
        unit="factor",
    )
    max_zoom: int = integer(
        0,
        help="Highest zoom",
        automatic="that of the terrain's samples",
        minimum=0,
        maximum=FINEST_ZOOM,
    )

    @property
    def pyramid(self) -> TilePyramid:
        """See `Target.pyramid`."""
        raise NotImplementedError(f"{type(self).__name__} has no pyramid")

    def at(self, middle: Georeference | None) -> MapTarget:
        """See `Target.at`: with the latitude and longitude of the land's middle."""
        if self.system != "land":
            return self
        place = middle.longitude_latitude() if middle is not None else None
        if place is None:
            raise ParameterError(
                "{}.system can be 'land' for measured land on the Earth whose latitude is known; "
                "choose 'degrees', and give latitude and longitude",
                type(self).__name__,
            )
        longitude, latitude = place
        return dataclasses.replace(self, system="degrees", latitude=latitude, longitude=longitude)

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`: the place and the content of the list of tiles."""
        pyramid = self.pyramid
        plan = PyramidPlan(pyramid, file.rows, file.columns, file.spacing)
        return {
            "Map Tiles": f"{file.stem}/{{z}}/{{x}}/{{y}}{pyramid.suffix}",
            "List of Map Tiles": f"{file.stem}/{pyramid.listing}",
            "Min Zoom": plan.zooms[0],
            "Max Zoom": plan.zooms[-1],
            "Longitude": self.longitude,
            "Latitude": self.latitude,
            "Bounds": list(plan.bounds),
        }


@declared_type
class ColorTarget(MapTarget):
    """Base of targets whose tiles are images; a type writes `encoding` and `_client_encoding`."""

    min_zoom: int = integer(
        0,
        help="Lowest zoom",
        automatic="one map tile for the whole terrain",
        minimum=0,
        maximum=FINEST_ZOOM,
    )
    tile_size: str = choice(
        "256",
        help="Pixels along a side of a map tile",
        label="Map Tile Size",
        options={"256": "Default of most map libraries", "512": "A quarter as many files"},
    )

    @property
    def _client_encoding(self) -> str:
        """Return the name that clients of maps have for the encoding."""
        raise NotImplementedError(f"{type(self).__name__} has no name for clients")

    @property
    def pyramid(self) -> TilePyramid:
        """See `Target.pyramid`."""
        assert self.encoding.steps is not None  # colors stand for the same heights in all files
        return ColorTiles(
            self.latitude,
            self.longitude,
            self.margin,
            int(self.tile_size),
            self.min_zoom,
            self.max_zoom,
            self._client_encoding,
            *self.encoding.steps,
        )

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`."""
        entries: Mapping[str, FieldValue] = {
            "Encoding": self._client_encoding,
            "Map Tile Size": int(self.tile_size),
        }
        return {**super().fields(file), **entries}


@dataclass(frozen=True)
class ColorTiles(TilePyramid):
    """Red, green and blue as one number of 24 bits: meters = offset + scale * number.

    Attributes
    ----------
    encoding : str
        As clients of maps call it: "mapbox" or "terrarium".
    scale, offset : float
    """

    encoding: str
    scale: float
    offset: float

    scheme = WebMercator()
    suffix = ".png"
    listing = "tiles.json"

    def shares(self) -> Numbers:
        """See `TilePyramid.shares`: the middles of the pixels."""
        return (np.arange(self.samples, dtype=np.float64) + 0.5) / self.samples

    def write(self, heights: Numbers, bounds: Bounds) -> Iterable[bytes]:
        """See `TilePyramid.write`."""
        from ...codecs.image_writing.png import png_parts  # here: who lists targets writes none

        number = np.rint((heights - self.offset) / self.scale).astype(np.uint32)
        bands = [(number >> np.uint32(shift)) & np.uint32(255) for shift in (16, 8, 0)]

        return png_parts(np.stack(bands, axis=-1).astype(np.uint8), 8, is_color=False)

    def read(self, file: BinaryIO, bounds: Bounds) -> Numbers:
        """See `TilePyramid.read`."""
        shape = (self.samples, self.samples, 3)
        bands = np.concatenate(list(heightmaps.image_readers.read_png(file, shape, "<u1"))).astype(
            np.float64
        )
        number = (bands[..., 0] * 256.0 + bands[..., 1]) * 256.0 + bands[..., 2]
        return np.asarray(number * self.scale + self.offset)

    def tolerance(self, heights: Numbers) -> float:
        """See `TilePyramid.tolerance`."""
        return _ROUNDING * self.scale

    def describe(self, plan: PyramidPlan, name: str) -> Mapping[str, object]:
        """See `TilePyramid.describe`: a TileJSON; its addresses are relative to it."""
        return {
            "tilejson": "3.0.0",
            "name": name,
            "scheme": "xyz",
            "tiles": ["{z}/{x}/{y}.png"],
            "minzoom": plan.zooms[0],
            "maxzoom": plan.zooms[-1],
            "bounds": list(plan.bounds),
            "center": [self.longitude, self.latitude, plan.zooms[-1]],
            "type": "raster-dem",
            "format": "png",
            "tileSize": self.samples,
            "encoding": self.encoding,
            "attribution": "",
        }
