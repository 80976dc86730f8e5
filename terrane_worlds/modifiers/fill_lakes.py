# SPDX-License-Identifier: GPL-3.0-or-later
"""Hollows and the sea of a land filled with water, in tiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noise_core.modifiers.fill_lakes import FillLakes, shore_of
from noise_core.rasters.level import Level

from ..base.tiling import Window
from ..flow.routing import FlowFields, WaterLevels, find_basins
from ..flow.surface import SurfaceDescent
from ..rasters.averages import blur, blur_needs
from ..tiles.cost import Cost
from ..tiles.fields import TiledField
from ..tiles.land import Land
from . import TiledRelief, register


@register(FillLakes, Cost(worker=120.0, caller=200.0, disk=24.0))
def fill_lakes(modifier: FillLakes, land: Land, height: TiledField, seed: int) -> TiledRelief:
    """Return the height of ground and water, the depth, and the shore."""
    level = Level.from_grid(land.grid)
    below = modifier.level if modifier.sea else None
    fields = FlowFields.create(land.folder / "flow", height.tiling)
    descent = SurfaceDescent(height, level, below=below)
    basins = find_basins(descent, level, fields, land.engine, "flow")
    surface, lake, shore = (land.new_field(name, "float32") for name in ("height", "lake", "shore"))
    fill = _FillLake(height, below, fields.labels, surface, lake)
    land.engine.hand_out("fill", fill, WaterLevels, height.tiling.tiles, basins.levels)
    fields.remove()
    width = modifier.shore_width(land.grid)
    land.engine.run("shore", _LakeShore(lake, level, width, shore), land.tiling.tiles)
    return surface, {"lake": lake, "shore": shore}


@dataclass(frozen=True)
class _FillLake:
    """Write the surface of a tile and the depth of its water."""

    height: TiledField
    below: float | None
    labels: TiledField
    surface: TiledField
    lake: TiledField

    def __call__(self, item: WaterLevels) -> None:
        tile = item.tile
        height = self.height.read(tile)
        ground = height if self.below is None else np.maximum(height, np.float32(self.below))
        surface = np.maximum(ground, item.levels[self.labels.read(tile)])
        self.surface.write(tile, surface)
        self.lake.write(tile, surface - height)


@dataclass(frozen=True)
class _LakeShore:
    """Write the nearness of the water's edge."""

    lake: TiledField
    level: Level
    width: float
    out: TiledField

    def __call__(self, tile: Window) -> None:
        wide = blur_needs(tile, self.level, 0.5 * self.width)
        water = np.greater(self.lake.read(wide), 0.0).astype(np.float32)
        self.out.write(tile, shore_of(blur(water, wide, self.level, tile, 0.5 * self.width)))
