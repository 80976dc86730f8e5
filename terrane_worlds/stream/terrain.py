# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain of one level, of which any window can be had."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from noise_core.base.arrays import Field
from noise_core.erosion.stream.law import StreamLaw
from noise_core.erosion.stream.limits import (
    IncisionLimits,
    LevelTerrain,
    StreamPowerParams,
    limits,
)
from noise_core.flow_routing.directions import Mask
from noise_core.flow_routing.outlets import EndsOfRivers, Outlets, find_outlets
from noise_core.rasters.level import Level

from ..base.tiling import Window
from ..rasters.parts import grow, part
from ..tiles.fields import TiledField


@dataclass(frozen=True)
class TiledTerrain:
    """`LevelTerrain` of a whole level, for windows of it.

    Attributes
    ----------
    law : StreamLaw
    place : int
        Of the level.
    ends : EndsOfRivers
        For the whole level.
    picture : TiledField or None
        Its height before, in meters, on its own grid; None if nothing depends on it.
    offset : TiledField or None
        Of its layers of rock, likewise.
    lowest_layer : float or None
        Of the whole level, if it has layers.
    """

    law: StreamLaw
    place: int
    ends: EndsOfRivers
    picture: TiledField | None
    offset: TiledField | None
    lowest_layer: float | None = None

    @property
    def level(self) -> Level:
        """The whole level."""
        return self.law.land.levels[self.place]

    @property
    def slides(self) -> int:
        """Reach of slides in one step, in cells."""
        return self.law.slides(self.place)

    def part(self, window: Window) -> Level:
        """Return the part of the level that a window covers."""
        return part(self.level, window)

    def fixed(self, window: Window) -> Mask:
        """Return the mask of the cells that keep their height."""
        return self.ends.cells(self._picture(window), self.part(window))

    def at(self, window: Window) -> LevelTerrain:
        """Return the properties of the terrain in a window."""
        level, picture = self.part(window), self._picture(window)
        return self.law.terrain(
            self.place,
            level,
            picture,
            self.ends.cells(picture, level),
            None if self.offset is None else self.offset.read(window),
            self.lowest_layer,
        )

    def plain(self, window: Window) -> Field | None:
        """Return the plain that mountains grow from in a window; see `LevelTerrain`."""
        return self.law.plain(self._picture(window), self.place, self.part(window))

    def with_lowest_layer(self, layer: float | None) -> TiledTerrain:
        """Return the terrain with another number of its lowest layer."""
        return replace(self, lowest_layer=layer)

    def _picture(self, window: Window) -> Field:
        if self.picture is None:
            return np.zeros(window.shape, np.float32)
        values: Field = self.picture.read(window)
        return values


@dataclass(frozen=True)
class GroundTiles:
    """The ground of a level before rivers cut into it, and the law by which they do.

    Attributes
    ----------
    terrain : TiledTerrain
    streams : StreamPowerParams
    share : float
        Of the duration.
    height : TiledField
        In meters.
    areas : TiledField
        Drained, in cells.
    """

    terrain: TiledTerrain
    streams: StreamPowerParams
    share: float
    height: TiledField
    areas: TiledField

    def outlets(self, tile: Window, margin: int = 1) -> tuple[Field, Level, Window, Outlets]:
        """Return the height around a tile, by some cells, its level and window, and the outlets."""
        padded = grow(tile, self.terrain.level, margin)
        height, level = self.height.read(padded), self.terrain.part(padded)
        leaving = find_outlets(height, level, self.terrain.fixed(padded), self.terrain.law.is_open)
        return height, level, padded, leaving

    def limits(self, window: Window) -> IncisionLimits:
        """Return the limits of incision; see `noise_core.erosion.stream.limits.limits`."""
        return limits(
            self.areas.read(window),
            self.height.read(window),
            self.terrain.part(window),
            self.streams,
            self.terrain.at(window),
            self.share,
        )
