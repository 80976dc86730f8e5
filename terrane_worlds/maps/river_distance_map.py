# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance to the nearest river of a land, in tiles."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from noise_core.base.grid import Grid
from noise_core.maps.river_distance_map import RiverDistance, to_meters
from noise_core.rasters.height_field import HeightField
from noise_core.rasters.level import Level

from ..base.tiling import Tiling
from ..flow.surface import drained_cells
from ..rasters.distances import Distances, memory_of_rows, rows_of_tiles, write_rows
from ..rasters.parts import part
from ..tiles.cost import Cost
from ..tiles.fields import TiledField
from ..tiles.land import Land
from . import register


def _cost(distance_map: RiverDistance, grid: Grid, tiling: Tiling) -> Cost:
    return Cost(worker=max(80.0, memory_of_rows(tiling, 2)), caller=64.0, disk=32.0)


@register(RiverDistance, _cost)
def river_distance(distance_map: RiverDistance, land: Land, height: TiledField) -> TiledField:
    """Return how far away the nearest river is, in meters."""
    level, cells = Level.from_grid(land.grid), drained_cells(height, land)
    is_river = _IsRiver(distance_map.least_cells(level))
    distances = Distances.measure(cells, is_river, land.enter("distances"))
    cells.remove()
    result = land.new_field("river_distance", "float32")
    work = _Meters(level, distances, result)
    land.engine.run("meters", work, rows_of_tiles(land.tiling))
    distances.squares.remove()
    return result


@dataclasses.dataclass(frozen=True)
class _IsRiver:
    least: float

    def __call__(self, cells: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        return np.asarray(cells >= self.least)


@dataclasses.dataclass(frozen=True)
class _Meters:
    level: Level
    distances: Distances
    result: TiledField

    def __call__(self, row: int) -> None:
        window, distance = self.distances.of_rows(row)
        surface = HeightField(distance, part(self.level, window))
        write_rows(self.result, window, to_meters(distance, surface))
