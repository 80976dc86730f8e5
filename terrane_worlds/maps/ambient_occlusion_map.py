# SPDX-License-Identifier: GPL-3.0-or-later
"""Share of the sky that the ground of a land sees, in tiles."""

from __future__ import annotations

import dataclasses

import numpy as np

from noise_core.base import blocks
from noise_core.base.grid import Grid
from noise_core.maps.ambient_occlusion_map import AmbientOcclusion
from noise_core.rasters.height_field import HeightField
from noise_core.rasters.level import Level

from ..fields import TiledField
from ..land import Land
from ..rasters import shares
from ..rasters.parts import part, window_of
from ..rasters.statistics import values_at
from ..registry import Cost
from ..tiling import Tiling, Window
from . import register

_BLOCKS = 15e6
"""Bytes of blocks in the cache, however large tiles are."""


def _cost(one: AmbientOcclusion, grid: Grid, tiling: Tiling) -> Cost:
    reaches = one.reaches(Level.from_grid(grid))
    horizons = sum(shares.with_margin(tiling, reach) for reach in reaches)
    source = shares.with_source(grid, tiling, one.around)
    blocks_in_tiles = _BLOCKS / tiling.side**2
    return Cost(worker=8.0 + 4.0 * horizons + 12.0 * source + blocks_in_tiles, disk=0.0)


@register(AmbientOcclusion, _cost)
def ambient_occlusion(one: AmbientOcclusion, land: Land, height: TiledField) -> TiledField:
    """Return the share of the sky that each sample sees."""
    (lowest,) = values_at(height, (0,), land.engine)
    result = land.new_field("sky", "float32")
    work = _See(one, Level.from_grid(land.grid), lowest, height, result)
    land.engine.run("sky", work, land.tiling.tiles)
    return result


@dataclasses.dataclass(frozen=True)
class _See:
    map: AmbientOcclusion
    level: Level
    lowest: np.float32
    height: TiledField
    result: TiledField

    def __call__(self, tile: Window) -> None:
        target = part(self.level, tile)
        around = self.map.around(target)
        ground = self.height.read(window_of(around))
        ground -= self.lowest
        sky = self.map.sky(HeightField(ground, around), target, blocks.unheard)
        self.result.write(tile, sky)
