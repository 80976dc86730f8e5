# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps that depend on heights up to some distance alone, in tiles: see `Map.reach`."""

from __future__ import annotations

import dataclasses

from noise_core.base import blocks
from noise_core.base.grid import Grid
from noise_core.maps.aspect_map import Aspect
from noise_core.maps.bases.map import Map
from noise_core.maps.cavity_map import Cavity
from noise_core.maps.curvature_map import Curvature
from noise_core.maps.height_map import Height
from noise_core.maps.slope_map import Slope
from noise_core.rasters.height_field import HeightField
from noise_core.rasters.level import Level

from ..fields import TiledField, Values
from ..land import Land
from ..rasters import shares
from ..rasters.parts import grow, local
from ..registry import Cost
from ..tiling import Tiling, Window
from . import register


def read_local(one: Map, land: Land, height: TiledField) -> TiledField:
    """Return a map of a known reach."""
    result = land.new_field(one.key, "float32")
    work = _Read(one, Level.from_grid(land.grid), height, result)
    land.engine.run(one.key, work, land.tiling.tiles)
    return result


def cost_of(one: Map, grid: Grid, tiling: Tiling) -> Cost:
    """Return what a map of a known reach needs."""
    reach = one.reach(Level.from_grid(grid))
    assert reach is not None
    return Cost(worker=8.0 + 16.0 * shares.with_margin(tiling, reach), disk=0.0)


for _type in (Aspect, Cavity, Curvature, Height, Slope):
    register(_type, cost_of)(read_local)


@dataclasses.dataclass(frozen=True)
class _Read:
    map: Map
    level: Level
    height: TiledField
    result: TiledField

    def __call__(self, tile: Window) -> None:
        reach = self.map.reach(self.level)
        assert reach is not None  # it has been asked before
        have = grow(tile, self.level, reach)
        values = self.height.read(have)

        def read(within: Level) -> Values:
            return self.map.read(HeightField(values, within), blocks.unheard)

        self.result.write(tile, local(read, self.level, have, tile, reach))
