# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiles whose colors stand for heights: PNG images of 8 bits in Web Mercator.

References
----------
Mapbox. Mapbox Terrain-RGB v1 tileset reference.
Mapzen, Tilezen (2017). Joerd documentation: formats, terrarium.
Mapbox (2022). TileJSON specification, 3.0.0.
MapLibre. Style specification: sources, raster-dem.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from ...types.pyramid import Bounds, Numbers, PyramidPlan, TilePyramid
from ..heightmaps.image_readers import read_png
from ..image_writing.png import png_parts
from .schemes import WebMercator

_ROUNDING = 0.51
"""Share of a step by which a height may differ: half, and a little for float64."""


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
        number = np.rint((heights - self.offset) / self.scale).astype(np.uint32)
        bands = [(number >> np.uint32(shift)) & np.uint32(255) for shift in (16, 8, 0)]
        return png_parts(np.stack(bands, axis=-1).astype(np.uint8), 8, is_color=False)

    def read(self, file: BinaryIO, bounds: Bounds) -> Numbers:
        """See `TilePyramid.read`."""
        shape = (self.samples, self.samples, 3)
        bands = np.concatenate(list(read_png(file, shape, "<u1"))).astype(np.float64)
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
