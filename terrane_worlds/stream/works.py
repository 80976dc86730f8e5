# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of stream erosion on each tile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noise_core.base.arrays import Field
from noise_core.erosion.stream.limits import StreamPowerParams, least_falls
from noise_core.erosion.stream.process import WEAR_MARGIN, mean_wear
from noise_core.erosion.stream.step import (
    deposits,
    lower_outlets,
    raised_ground,
    reach_of_slides,
    slide,
)
from noise_core.flow_routing.descent import FLATS_REACH, mark_descent
from noise_core.flow_routing.directions import COLUMN_STEPS, ROW_STEPS, Directions
from noise_core.flow_routing.incision import Incision
from noise_core.flow_routing.outlets import Outlets

from ..base.tiling import Window
from ..flow.descent import Descent
from ..flow.heights import Dams
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
class Cut:
    """The incision of rivers into a tile.

    Attributes
    ----------
    ground : GroundTiles
    worn : TiledField or None
        Wear of a first incision, in meters, and with it
    load : TiledField or None
        load of the water.
    """

    ground: GroundTiles
    worn: TiledField | None = None
    load: TiledField | None = None

    def lowered_ground(self, tile: Window, rate: Field) -> Field:
        """Return the ground with its outlets lowered, and with deposits."""
        height, _, padded, leaving = self.ground.outlets(tile)
        inside = tile.within(padded)
        inner = Outlets(leaving.cells[inside], leaving.slopes[inside], leaving.fixed[inside])
        level = self.ground.terrain.part(tile)
        lowered = lower_outlets(height[inside], level, rate, inner)
        if self.worn is None or self.load is None:
            return lowered
        worn, areas = self.worn.read(tile), self.ground.areas.read(tile)
        return lowered + deposits(self.load.read(tile), worn, areas, self.ground.streams.sediment)

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
class GiveBack:
    """The ground of a tile with the height that the level wore on the whole given back, for rivers to cut through."""

    ground: GroundTiles
    before: TiledField
    new: TiledField

    def __call__(self, tile: Window, ways: Directions) -> Dams:
        """Do one tile."""
        terrain = self.ground.terrain
        padded = grow(tile, terrain.level, WEAR_MARGIN)
        new, inside = self.new.read(padded), tile.within(padded)
        inner = np.ascontiguousarray(new[inside])
        falls = least_falls(
            inner, _below(new, padded, tile, ways), terrain.part(tile), self.ground.streams
        )
        rise = np.ascontiguousarray(mean_wear(self.before.read(padded), new, wrap=False)[inside])
        fixed = terrain.fixed(tile)
        rise[fixed] = 0.0
        return Dams(np.add(inner, rise, out=rise), falls, fixed)


def _below(height: Field, padded: Window, tile: Window, ways: Directions) -> Field:
    """Return the heights of the receivers of a tile's cells."""
    row, column = np.indices(tile.shape, np.intp)
    row += tile.row - padded.row + ROW_STEPS[ways]
    column += tile.column - padded.column + COLUMN_STEPS[ways]
    below: Field = height[row, column]
    return below


@dataclass(frozen=True)
class IsDammed:
    """Whether a cell of a tile lies below its receiver, and whether a cell keeps its height."""

    terrain: TiledTerrain
    new: TiledField
    ways: TiledField

    def __call__(self, tile: Window) -> tuple[bool, bool]:
        """Do one tile."""
        padded = grow(tile, self.terrain.level, 1)
        new = self.new.read(padded)
        below = _below(new, padded, tile, self.ways.read(tile))
        return bool((new[tile.within(padded)] < below).any()), bool(self.terrain.fixed(tile).any())


@dataclass(frozen=True)
class Widen:
    """The incision that makes valleys of cuts: nothing but the limits of slopes."""

    ground: GroundTiles
    new: TiledField

    def __call__(self, tile: Window, ways: Directions) -> Incision:
        """Do one tile."""
        limits = self.ground.limits(tile)
        limits.rate.fill(0.0)
        return Incision.of(self.new.read(tile), ways, self.ground.terrain.part(tile), *limits)


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
