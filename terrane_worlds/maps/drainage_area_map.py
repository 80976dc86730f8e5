# SPDX-License-Identifier: GPL-3.0-or-later
"""Drainage area of a land, in tiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noise_core.maps.drainage_area_map import DrainageArea
from noise_core.rasters.level import Level

from ..base.tiling import Window
from ..flow.surface import drained_cells
from ..tiles.cost import Cost
from ..tiles.fields import TiledField
from ..tiles.land import Land
from . import register


@register(DrainageArea, Cost(worker=80.0, caller=200.0, disk=13.0))
def drainage_area(area_map: DrainageArea, land: Land, height: TiledField) -> TiledField:
    """Return the ground that drains through each sample, in square meters."""
    cells, areas = drained_cells(height, land), land.new_field("drainage_area", "float32")
    spacing = Level.from_grid(land.grid).step_x
    land.engine.run(
        "square_meters", _ScaleAreas(cells, spacing * spacing, areas), land.tiling.tiles
    )
    cells.remove()
    return areas


@dataclass(frozen=True)
class _ScaleAreas:
    cells: TiledField
    cell_area: float
    out: TiledField

    def __call__(self, tile: Window) -> None:
        self.out.write(tile, (self.cells.read(tile) * self.cell_area).astype(np.float32))
