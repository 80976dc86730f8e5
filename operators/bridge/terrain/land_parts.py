# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of measured land: rectangles on a terrain, as boxes in degrees."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.io.elevation_reading.cropping import Box, box_within
from ..datablocks.curve_objects import Table
from ..schema import elements, settings, state
from .drawn_ground import DrawnGround
from .tile_frame import TileFrame

if TYPE_CHECKING:
    from ....noise_core.base.georeference import Georeference

_DIGITS = 7
"""Of degrees, as Blender's numbers hold them: a meter, or ten beyond 100 degrees."""

_ALONG = 33
"""Places along each side of an outline."""


def why_not(terrain: bpy.types.Object) -> str:
    """Return why a terrain is no measured land, "" if it is; polls ask."""
    layers: Any = getattr(terrain, state.PROPERTY).layers
    if any(element.type == elements.MEASURED for layer in layers for element in layer.chain):
        return ""
    return Message("Import measured land first, to choose a part of it")


def place_of(terrain: bpy.types.Object) -> Georeference:
    """Return the place on Earth of a terrain's tiles; raise a TerraneError if it is not known in degrees."""
    place = settings.read(getattr(terrain, state.PROPERTY)).georeference
    if place is not None:
        (x, y), (width, depth) = place.origin, place.step
        if all(map(math.isfinite, box_within(place.system, (x, y, x + width, y + depth)))):
            return place
    raise TerraneError("{}: its place is not known in degrees", terrain.name)


@dataclass(frozen=True, eq=False)
class LandPart:
    """Rectangle of a terrain, in its own space.

    Attributes
    ----------
    ground : DrawnGround
    low, high : ndarray of shape (2,)
        Corners with the least and the greatest x and y.
    """

    ground: DrawnGround
    low: Table
    high: Table

    @classmethod
    def between(cls, ground: DrawnGround, start: Table, stop: Table) -> LandPart:
        """Return the rectangle between two places, as far as it lies on the terrain."""
        rows, columns = ground.height.shape
        first = ground.corner
        last = first + ground.step * np.array([columns - 1, rows - 1])
        ends = np.clip(np.array([start[:2], stop[:2]]), first, last)
        return cls(ground, ends.min(axis=0), ends.max(axis=0))

    @property
    def size(self) -> tuple[float, float]:
        """Width and depth in units of the terrain."""
        across, along = self.high - self.low
        return float(across), float(along)

    def outline(self) -> list[tuple[float, float, float]]:
        """Return places along the sides, on the ground, in the world."""
        shares = np.linspace(0.0, 1.0, _ALONG)
        (west, south), (east, north) = self.low, self.high
        sides = (
            (west + (east - west) * shares, np.full(_ALONG, south)),
            (np.full(_ALONG, east), south + (north - south) * shares),
            (east + (west - east) * shares, np.full(_ALONG, north)),
            (np.full(_ALONG, west), north + (south - north) * shares),
        )
        x, y = (np.concatenate([side[axis] for side in sides]) for axis in (0, 1))
        columns = np.rint((x - self.ground.corner[0]) / self.ground.step).astype(np.intp)
        rows = np.rint((y - self.ground.corner[1]) / self.ground.step).astype(np.intp)
        z = self.ground.height[rows, columns]
        return [self.ground.in_world(place) for place in np.column_stack((x, y, z))]

    def box(self) -> Box:
        """Return it as a box in degrees: west, south, east and north."""
        terrain = self.ground.terrain.resolve()
        place, frame = place_of(terrain), TileFrame.of(terrain)
        bounds = [
            float(origin + tile * step)
            for corner in (self.low, self.high)
            for origin, tile, step in zip(place.origin, frame.tiles(corner), place.step)
        ]
        west, south, east, north = bounds
        return _rounded(box_within(place.system, (west, south, east, north)))


def _rounded(box: Box) -> Box:
    """Return a box as numbers that people read, rounded to its inside."""
    before = len(str(int(max(map(abs, box)))))
    scale = 10.0 ** (_DIGITS - max(before, 2))
    west, south, east, north = box
    low = [math.ceil(number * scale) / scale for number in (west, south)]
    high = [math.floor(number * scale) / scale for number in (east, north)]
    return low[0], low[1], high[0], high[1]
