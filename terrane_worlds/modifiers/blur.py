# SPDX-License-Identifier: GPL-3.0-or-later
"""A land smoothed, or made crisper, in tiles."""

from __future__ import annotations

import dataclasses

from noise_core.base.grid import Grid
from noise_core.modifiers.blur import Blur

from ..fields import TiledField
from ..land import Land
from ..rasters import shares
from ..rasters.parts import land_part
from ..registry import Cost
from ..tiling import Tiling, Window
from . import TiledRelief, register


def _cost(modifier: Blur, grid: Grid, tiling: Tiling) -> Cost:
    wide = shares.with_source(grid, tiling, lambda level: modifier.around(level, grid))
    return Cost(worker=12.0 + 8.0 * wide, disk=0.0)


@register(Blur, _cost)
def blur(modifier: Blur, land: Land, height: TiledField, seed: int) -> TiledRelief:
    """Return the smoothed height."""
    result = land.new_field("height", "float32")
    land.engine.run("blur", _Smooth(modifier, land.grid, height, result), land.tiling.tiles)
    return result, {}


@dataclasses.dataclass(frozen=True)
class _Smooth:
    modifier: Blur
    grid: Grid
    height: TiledField
    result: TiledField

    def __call__(self, tile: Window) -> None:
        part = land_part(
            self.grid, self.height, tile, lambda level: self.modifier.around(level, self.grid)
        )
        self.result.write(tile, self.modifier.smooth(part))
