# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow on a finished land in tiles, as maps read it: see `noise_core.flow_routing.surface_flow`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noise_core.flow_routing.descent import FLATS_REACH, mark_descent
from noise_core.flow_routing.outlets import EndsOfRivers, border, lowest_count
from noise_core.flow_routing.surface_flow import LOWEST_SHARE
from noise_core.rasters.level import Level

from ..base.tiling import Window
from ..rasters.parts import grow, part
from ..rasters.statistics import values_at
from ..tiles.fields import TiledField
from ..tiles.land import Land
from .descent import Descent
from .routing import FlowFields, TiledBasins, find_basins, route


@dataclass(frozen=True)
class SurfaceDescent:
    """The steepest descent on a land; water leaves over the border and, if given, in the lowest hollows.

    Attributes
    ----------
    height : TiledField
        In meters.
    level : Level
        Of the land.
    lowest : EndsOfRivers or None
        Hollows among these cells are outlets.
    below : float or None
        Cells up to this height are outlets, and all ground is at least as high.
    """

    height: TiledField
    level: Level
    lowest: EndsOfRivers | None = None
    below: float | None = None

    def __call__(self, tile: Window) -> Descent:
        """Return the ground of a tile."""
        padded = grow(tile, self.level, FLATS_REACH)
        height, level = self.height.read(padded), part(self.level, padded)
        outlets = border(level)
        if self.below is not None:
            outlets |= height <= np.float32(self.below)
            height = np.maximum(height, np.float32(self.below))
        marks = mark_descent(height, level, outlets=outlets)
        hollows = None if self.lowest is None else self.lowest.cells(height, level)
        return Descent(height, marks, outlets, hollows).inside(tile.within(padded))


def surface_descent(height: TiledField, land: Land) -> SurfaceDescent:
    """Return the descent on a land: without a border water ends in the lowest hollows."""
    level = Level.from_grid(land.grid)
    if not level.wrap:
        return SurfaceDescent(height, level)
    rank = lowest_count(level.rows * level.columns, LOWEST_SHARE) - 1
    (limit,) = values_at(height, [rank], land.engine.enter("lowest"), height.tiling.tiles)
    return SurfaceDescent(height, level, EndsOfRivers("lowest", float(limit)))


def find_surface_basins(descent: SurfaceDescent, fields: FlowFields, land: Land) -> TiledBasins:
    """Return the basins of a land; labels go into the fields."""
    return find_basins(descent, descent.level, fields, land.engine, "flow")


def drained_cells(height: TiledField, land: Land) -> TiledField:
    """Return how many samples drain through each one, itself included: float64."""
    fields = FlowFields.create(land.folder / "flow", height.tiling)
    basins = find_surface_basins(surface_descent(height, land), fields, land)
    fields.labels.remove()
    cells = land.new_field("cells", "float64")
    route(basins, fields, cells, land.engine, "flow")
    fields.remove()
    return cells
