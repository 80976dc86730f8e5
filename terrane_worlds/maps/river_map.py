# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers of a land, as wide as they are drawn on a map, in tiles."""

from __future__ import annotations

import dataclasses
import math

from noise_core.base.grid import Grid
from noise_core.maps.river_map import River
from noise_core.rasters.level import Level

from ..base.tiling import Tiling, Window
from ..flow.surface import drained_cells
from ..rasters import shares
from ..rasters.parts import grow, local
from ..tiles.cost import Cost
from ..tiles.fields import TiledField
from ..tiles.land import Land
from . import register


def _reach(river_map: River, level: Level) -> int:
    return math.ceil(max(river_map.halves(level)))


def _cost(river_map: River, grid: Grid, tiling: Tiling) -> Cost:
    wide = shares.with_margin(tiling, _reach(river_map, Level.from_grid(grid)))
    return Cost(worker=max(80.0, 8.0 + 32.0 * wide), caller=64.0, disk=24.0)


@register(River, _cost)
def river(river_map: River, land: Land, height: TiledField) -> TiledField:
    """Return the beds of rivers and brooks."""
    cells, result = drained_cells(height, land), land.new_field("river", "float32")
    land.engine.run(
        "beds", _RiverBeds(river_map, Level.from_grid(land.grid), cells, result), land.tiling.tiles
    )
    cells.remove()
    return result


@dataclasses.dataclass(frozen=True)
class _RiverBeds:
    map: River
    level: Level
    cells: TiledField
    result: TiledField

    def __call__(self, tile: Window) -> None:
        reach = _reach(self.map, self.level)
        wide = grow(tile, self.level, reach)
        cells = self.cells.read(wide)
        beds = local(lambda within: self.map.beds(cells, within), self.level, wide, tile, reach)
        self.result.write(tile, beds)
