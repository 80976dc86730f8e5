# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers of hard and soft rock in a land, in tiles."""

from __future__ import annotations

import dataclasses

import numpy as np

from noise_core.base import blocks
from noise_core.base.grid import Grid
from noise_core.modifiers.strata import Strata
from noise_core.rasters import totals

from ..fields import TiledField
from ..land import Land
from ..rasters import shares
from ..rasters.parts import land_part
from ..rasters.statistics import typical_relief, whole_sum
from ..registry import Cost
from ..tiling import Tiling, Window
from . import TiledRelief, register


def _cost(modifier: Strata, grid: Grid, tiling: Tiling) -> Cost:
    relief = shares.MOST_RELIEF * grid.width
    thickness = modifier.thickness or modifier.automatic_thickness(relief)
    wide = shares.with_source(grid, tiling, lambda level: modifier.around(level, thickness))
    return Cost(worker=26.0 + 8.0 * wide, disk=8.0)


@register(Strata, _cost)
def strata(modifier: Strata, land: Land, height: TiledField, seed: int) -> TiledRelief:
    """Return the layered height and the hardness of exposed rock."""
    engine, tiles = land.engine, land.tiling.tiles
    thickness = modifier.thickness or modifier.automatic_thickness(typical_relief(height, engine))
    hardness = land.new_field("hardness", "float32")
    if not thickness > 1e-30:
        engine.run("top", _Fill(hardness, modifier.top(seed)), tiles)
        return height, {"hardness": hardness}
    change, result = (land.new_field(name, "float32") for name in ("change", "height"))
    carve = _Carve(modifier, land.grid, seed, thickness, height, change, hardness)
    mean = whole_sum(change, engine.run("carve", carve, tiles), engine)
    mean /= land.tiling.rows * land.tiling.columns
    engine.run("lay_over", _LayOver(modifier, height, change, mean, result), tiles)
    return result, {"hardness": hardness}


@dataclasses.dataclass(frozen=True)
class _Fill:
    field: TiledField
    value: np.float32

    def __call__(self, tile: Window) -> None:
        self.field.write(tile, np.full(tile.shape, self.value))


@dataclasses.dataclass(frozen=True)
class _Carve:
    """Write the change of a tile and its hardness; return how large the change is."""

    modifier: Strata
    grid: Grid
    seed: int
    thickness: float
    height: TiledField
    change: TiledField
    hardness: TiledField

    def __call__(self, tile: Window) -> float:
        part = land_part(
            self.grid, self.height, tile, lambda level: self.modifier.around(level, self.thickness)
        )
        change, hardness = self.modifier.carve(part, self.thickness, self.seed, blocks.unheard)
        self.change.write(tile, change)
        self.hardness.write(tile, hardness)
        return totals.magnitude(change)


@dataclasses.dataclass(frozen=True)
class _LayOver:
    modifier: Strata
    height: TiledField
    change: TiledField
    mean: float
    result: TiledField

    def __call__(self, tile: Window) -> None:
        change = self.change.read(tile)
        self.modifier.lay_over(self.height.read(tile), change, self.mean)
        self.result.write(tile, change)
