# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps of stream erosion: how much water passes, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noise_core.flow_routing.flow_scale import flow_scale
from noise_core.flow_routing.outlets import border
from noise_core.rasters.level import Level

from ..base.tiling import Window
from ..flow.descent import Descent
from ..flow.routing import FlowFields, WaterLevels, find_basins
from ..rasters.parts import part
from ..tiles.engine import Engine
from ..tiles.fields import TiledField
from ..tiles.land import Land
from .step import StepResult
from .terrain import TiledTerrain


@dataclass(frozen=True)
class _ScaleFlow:
    areas: TiledField
    level: Level
    out: TiledField

    def __call__(self, tile: Window) -> None:
        self.out.write(tile, flow_scale(self.areas.read(tile), part(self.level, tile)))


def write_flow(areas: TiledField, level: Level, out: TiledField, engine: Engine) -> None:
    """Write how much water passes through each cell; see `flow_scale`."""
    engine.run("flow", _ScaleFlow(areas, level, out), out.tiling.tiles)


@dataclass(frozen=True)
class _Still:
    """The ground after a step, along the flow that made it."""

    terrain: TiledTerrain
    height: TiledField
    ways: TiledField

    def __call__(self, tile: Window) -> Descent:
        ways = self.ways.read(tile)
        leaves = self.terrain.fixed(tile)
        if self.terrain.law.is_open:
            leaves |= border(self.terrain.part(tile))
        return Descent(self.height.read(tile), ways, (ways == 0) & leaves)


@dataclass(frozen=True)
class _FillWater:
    """Write the depth of the water in a tile."""

    height: TiledField
    labels: TiledField
    out: TiledField

    def __call__(self, item: WaterLevels) -> None:
        tile = item.tile
        water = item.levels[self.labels.read(tile)]
        water -= self.height.read(tile)
        self.out.write(tile, np.maximum(water, np.zeros(1, np.float32), out=water))


def write_lakes(result: StepResult, terrain: TiledTerrain, out: TiledField, land: Land) -> None:
    """Write the depth of standing water after a step, in meters: see `noise_core.erosion.stream.process`."""
    part_of = land.enter("lakes")
    fields = FlowFields.create(part_of.folder, out.tiling)
    still = _Still(terrain, result.height, result.flow.fields.ways)
    basins = find_basins(still, terrain.level, fields, part_of.engine, "lakes", needs_outlet=False)
    work = _FillWater(result.height, fields.labels, out)
    part_of.engine.hand_out("fill", work, WaterLevels, out.tiling.tiles, basins.levels)
    fields.remove()
