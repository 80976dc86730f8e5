# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of stream erosion on each tile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noise_core.base.arrays import Field
from noise_core.erosion.stream.detail import WEAR_MARGIN, mean_wear
from noise_core.erosion.stream.limits import StreamPowerParams
from noise_core.erosion.stream.step import (
    deposits,
    lower_outlets,
    raised_ground,
    reach_of_slides,
    slide,
)
from noise_core.flow_routing.descent import FLATS_REACH, mark_descent
from noise_core.flow_routing.directions import Directions
from noise_core.flow_routing.incision import Incision
from noise_core.flow_routing.outlets import Outlets

from ..base.tiling import Window
from ..flow.descent import Descent
from ..rasters.parts import grow
from ..tiles.fields import TiledField
from .terrain import GroundTiles, TiledTerrain


@dataclass(frozen=True)
class Raise:
    """Creep and uplift; returns the number of the lowest layer of rock."""

    terrain: TiledTerrain
    streams: StreamPowerParams
    share: float
    height: TiledField
    out: TiledField

    def __call__(self, tile: Window) -> float | None:
        """Do one tile."""
        padded = grow(tile, self.terrain.level, 1)
        raised = raised_ground(
            self.height.read(padded),
            self.terrain.part(padded),
            self.streams,
            self.terrain.at(padded),
            self.share,
        )[tile.within(padded)]
        self.out.write(tile, raised)
        layers = self.terrain.law.layers
        if layers is None or self.terrain.offset is None:
            return None
        return layers.base(raised, self.terrain.offset.read(tile))


@dataclass(frozen=True)
class Descend:
    """The steepest descent from each cell."""

    ground: GroundTiles

    def __call__(self, tile: Window) -> Descent:
        """Do one tile."""
        height, level, padded, leaving = self.ground.outlets(tile, FLATS_REACH)
        randomness = self.ground.terrain.at(padded).randomness
        marks = mark_descent(height, level, randomness, outlets=leaving.cells)
        return Descent(height, marks, leaving.cells).inside(tile.within(padded))


@dataclass(frozen=True)
class LevelWear:
    """Wear of a level on the whole, by which it rises; see `noise_core.erosion.stream.detail.mean_wear`.

    Attributes
    ----------
    terrain : TiledTerrain
    before, height : TiledField
        When the level began, and now, in meters.
    factor : float
    """

    terrain: TiledTerrain
    before: TiledField
    height: TiledField
    factor: float

    def rise(self, tile: Window) -> Field:
        """Return how far a tile rises, in meters; cells that keep their height do not."""
        padded = grow(tile, self.terrain.level, WEAR_MARGIN)
        before, height = self.before.read(padded), self.height.read(padded)
        is_rising = self.terrain.law.grows
        worn = mean_wear(before, height, wrap=False, factor=self.factor, is_rising=is_rising)
        rise = np.ascontiguousarray(worn[tile.within(padded)])
        rise[self.terrain.fixed(tile)] = 0.0
        return rise


@dataclass(frozen=True)
class Cut:
    """The incision of rivers into a tile.

    Attributes
    ----------
    ground : GroundTiles
    worn : TiledField or None
        Wear of a first incision, in meters, and with it
    load : TiledField or None
        load of the water.
    overall : tuple of LevelWear
        By which the ground rises, as far as it is known.
    """

    ground: GroundTiles
    worn: TiledField | None = None
    load: TiledField | None = None
    overall: tuple[LevelWear, ...] = ()

    def lowered_ground(self, tile: Window, rate: Field) -> Field:
        """Return the ground with its outlets lowered, with deposits, and as far as it rises."""
        height, _, padded, leaving = self.ground.outlets(tile)
        inside = tile.within(padded)
        inner = Outlets(leaving.cells[inside], leaving.slopes[inside], leaving.fixed[inside])
        terrain = self.ground.terrain
        lowered = lower_outlets(
            height[inside], terrain.part(tile), rate, inner, terrain.plain(tile)
        )
        if self.worn is not None and self.load is not None:
            worn, areas = self.worn.read(tile), self.ground.areas.read(tile)
            share = self.ground.streams.sediment
            lowered = lowered + deposits(self.load.read(tile), worn, areas, share)
        for wear in self.overall:
            lowered = lowered + wear.rise(tile)
        return lowered

    def __call__(self, tile: Window, ways: Directions) -> Incision:
        """Do one tile."""
        limits = self.ground.limits(tile)
        lowered = self.lowered_ground(tile, limits.rate)
        return Incision.of(lowered, ways, self.ground.terrain.part(tile), *limits)


@dataclass(frozen=True)
class Wear:
    """Wear of an incision on a tile, in meters; written on the way."""

    cut: Cut
    new: TiledField
    out: TiledField

    def __call__(self, tile: Window) -> None:
        """Do one tile."""
        rate = self.cut.ground.limits(tile).rate
        self.out.write(tile, self.cut.lowered_ground(tile, rate) - self.new.read(tile))


@dataclass(frozen=True)
class Slide:
    """Slides across divides that have become too steep."""

    ground: GroundTiles
    new: TiledField
    out: TiledField

    def __call__(self, tile: Window) -> None:
        """Do one tile."""
        terrain = self.ground.terrain
        padded = grow(tile, terrain.level, reach_of_slides(terrain.slides))
        limit = self.ground.limits(padded).steepest
        slid = slide(self.new.read(padded), terrain.part(padded), limit, terrain.at(padded))
        self.out.write(tile, slid[tile.within(padded)])
