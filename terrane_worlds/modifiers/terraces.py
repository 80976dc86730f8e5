# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps cut into the slopes of a land, in tiles."""

from __future__ import annotations

import dataclasses

from noise_core.base import blocks
from noise_core.base.grid import Grid
from noise_core.modifiers.terraces import Terraces

from ..fields import TiledField
from ..land import Land
from ..rasters import shares
from ..rasters.parts import land_part
from ..rasters.statistics import typical_relief
from ..registry import Cost
from ..tiling import Tiling, Window
from . import TiledRelief, register


def _cost(modifier: Terraces, grid: Grid, tiling: Tiling) -> Cost:
    step = modifier.spacing or shares.MOST_RELIEF * grid.width / modifier.count
    wide = shares.with_source(grid, tiling, lambda level: modifier.around(level, step))
    return Cost(worker=20.0 + 8.0 * wide, disk=0.0)


@register(Terraces, _cost)
def terraces(modifier: Terraces, land: Land, height: TiledField, seed: int) -> TiledRelief:
    """Return the terraced height."""
    step = modifier.spacing or typical_relief(height, land.engine) / modifier.count
    if not step > 1e-30:
        return height, {}
    result = land.new_field("height", "float32")
    work = _Cut(modifier, land.grid, seed, step, height, result)
    land.engine.run("steps", work, land.tiling.tiles)
    return result, {}


@dataclasses.dataclass(frozen=True)
class _Cut:
    modifier: Terraces
    grid: Grid
    seed: int
    step: float
    height: TiledField
    result: TiledField

    def __call__(self, tile: Window) -> None:
        part = land_part(
            self.grid, self.height, tile, lambda level: self.modifier.around(level, self.step)
        )
        result = self.modifier.cut_steps(part, self.step, self.seed, blocks.unheard)
        self.result.write(tile, result)
