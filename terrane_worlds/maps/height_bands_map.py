# SPDX-License-Identifier: GPL-3.0-or-later
"""Bands of equal height of a land, in tiles."""

from __future__ import annotations

import dataclasses

from noise_core.base import blocks
from noise_core.maps.height_bands_map import HeightBands
from noise_core.rasters.height_field import HeightField
from noise_core.rasters.level import Level

from ..fields import TiledField
from ..land import Land
from ..rasters.parts import part
from ..rasters.statistics import values_at
from ..registry import Cost
from ..tiling import Window
from . import register


@register(HeightBands, Cost(worker=24.0, disk=0.0))
def height_bands(one: HeightBands, land: Land, height: TiledField) -> TiledField:
    """Return the number of the band that each sample is in."""
    lowest, thickness = one.lowest, one.thickness
    if thickness == 0.0:
        last = land.tiling.rows * land.tiling.columns - 1
        low, high = (float(end) for end in values_at(height, (0, last), land.engine))
        lowest, thickness = one.share_out(low, high)
    result = land.new_field("height_bands", "float32")
    work = _Number(one, Level.from_grid(land.grid), lowest, thickness, height, result)
    land.engine.run("number", work, land.tiling.tiles)
    return result


@dataclasses.dataclass(frozen=True)
class _Number:
    map: HeightBands
    level: Level
    lowest: float
    thickness: float
    height: TiledField
    result: TiledField

    def __call__(self, tile: Window) -> None:
        surface = HeightField(self.height.read(tile), part(self.level, tile))
        numbers = self.map.number(surface, self.lowest, self.thickness, blocks.unheard)
        self.result.write(tile, numbers)
