# SPDX-License-Identifier: GPL-3.0-or-later
"""The sea of a land and its shore, in tiles."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from noise_core.base.arrays import Field
from noise_core.base.grid import Grid
from noise_core.maps.sea_map import Sea, shore
from noise_core.rasters.height_field import HeightField
from noise_core.rasters.level import Level

from ..base.tiling import Tiling
from ..rasters.distances import Distances, memory_of_rows, rows_of_tiles, write_rows
from ..rasters.parts import part
from ..tiles.cost import Cost
from ..tiles.fields import TiledField
from ..tiles.land import Land
from . import count_stages, read_stages, register


def _cost(sea_map: Sea, grid: Grid, tiling: Tiling) -> Cost:
    if sea_map.kind == "depth":
        return count_stages(sea_map, "sea", grid, tiling)
    return Cost(worker=memory_of_rows(tiling, 4), caller=16.0, disk=8.0)


@register(Sea, _cost)
def sea(sea_map: Sea, land: Land, height: TiledField) -> TiledField:
    """Return the depth of the sea, or the distance to its shore."""
    if sea_map.kind == "depth":
        return read_stages(sea_map, land, height)
    to_sea = Distances.measure(height, _IsSea(sea_map, True), land.enter("to_sea"))
    to_land = Distances.measure(height, _IsSea(sea_map, False), land.enter("to_land"))
    result = land.new_field("shore", "float32")
    work = _ShoreDistance(Level.from_grid(land.grid), to_sea, to_land, result)
    land.engine.run("shore", work, rows_of_tiles(land.tiling))
    to_sea.squares.remove()
    to_land.squares.remove()
    return result


@dataclasses.dataclass(frozen=True)
class _IsSea:
    map: Sea
    expected: bool

    def __call__(self, height: Field) -> npt.NDArray[np.bool_]:
        return np.asarray(self.map.is_sea(height) == self.expected)


@dataclasses.dataclass(frozen=True)
class _ShoreDistance:
    level: Level
    to_sea: Distances
    to_land: Distances
    result: TiledField

    def __call__(self, row: int) -> None:
        window, to_sea = self.to_sea.of_rows(row)
        _, to_land = self.to_land.of_rows(row)
        surface = HeightField(to_sea, part(self.level, window))
        write_rows(self.result, window, shore(to_sea, to_land, surface))
