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

from ..cost import Cost
from ..fields import TiledField
from ..land import Land
from ..rasters.distances import Distances, memory_of_rows, rows_of_tiles, write_rows
from ..rasters.parts import part
from ..tiling import Tiling
from . import count_stages, read_stages, register


def _cost(one: Sea, grid: Grid, tiling: Tiling) -> Cost:
    if one.kind == "depth":
        return count_stages(one, "sea", grid, tiling)
    return Cost(worker=memory_of_rows(tiling, 4), caller=16.0, disk=8.0)


@register(Sea, _cost)
def sea(one: Sea, land: Land, height: TiledField) -> TiledField:
    """Return the depth of the sea, or the distance to its shore."""
    if one.kind == "depth":
        return read_stages(one, land, height)
    to_sea = Distances.measure(height, _IsSea(one, True), land.enter("to_sea"))
    to_land = Distances.measure(height, _IsSea(one, False), land.enter("to_land"))
    result = land.new_field("shore", "float32")
    work = _Shore(Level.from_grid(land.grid), to_sea, to_land, result)
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
class _Shore:
    level: Level
    to_sea: Distances
    to_land: Distances
    result: TiledField

    def __call__(self, row: int) -> None:
        window, to_sea = self.to_sea.of_rows(row)
        _, to_land = self.to_land.of_rows(row)
        surface = HeightField(to_sea, part(self.level, window))
        write_rows(self.result, window, shore(to_sea, to_land, surface))
