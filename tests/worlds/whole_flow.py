# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow over whole lands in memory and in tiles, for tests that compare them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from noise_core.base.arrays import Field
from noise_core.flow_routing.descent import FLATS_REACH, FlowRandomness, mark_descent
from noise_core.flow_routing.directions import Mask
from noise_core.rasters.level import Level
from terrane_worlds.base.tiling import Tiling, Window
from terrane_worlds.flow.descent import Descent
from terrane_worlds.flow.routing import (
    FlowFields,
    TiledBasins,
    TiledFlow,
    find_basins,
    route,
)
from terrane_worlds.rasters.parts import grow
from terrane_worlds.tiles.engine import Engine
from terrane_worlds.tiles.fields import TiledField

from .lands import cut


@dataclass(frozen=True)
class Ground:
    """A land in memory, whose tiles are told as those on disk would be."""

    height: Field
    level: Level
    outlets: Mask
    randomness: FlowRandomness | None = None
    hollows: Mask | None = None

    def __call__(self, tile: Window) -> Descent:
        """Return the ground of a tile."""
        have = grow(tile, self.level, FLATS_REACH)
        height, inside = cut(self.height, have), tile.within(have)
        part = self.level.part(have.row, have.column, have.rows, have.columns)
        outlets = cut(self.outlets, have)
        marks = mark_descent(height, part, self.randomness, outlets=outlets)
        hollows = None if self.hollows is None else cut(self.hollows, have)
        return Descent(height, marks, outlets, hollows).inside(inside)


@dataclass(frozen=True)
class Tile:
    """Gives the part of a field in memory that a tile covers."""

    field: Field

    def __call__(self, tile: Window) -> Field:
        """Return the values of a tile."""
        return cut(self.field, tile)


@dataclass(frozen=True)
class Routed:
    """The flow of a land in tiles."""

    tiling: Tiling
    fields: FlowFields
    basins: TiledBasins
    flow: TiledFlow
    areas: TiledField
    folder: Path

    @classmethod
    def of(
        cls, ground: Ground, side: int, folder: Path, deepest_lake: float | None = None
    ) -> Routed:
        """Return the flow of some ground in tiles of a side."""
        tiling = Tiling(*ground.height.shape, side, ground.level.wrap)
        fields, engine = FlowFields.create(folder / "flow", tiling), Engine()
        basins = find_basins(
            ground, ground.level, fields, engine, "flow", deepest_lake=deepest_lake
        )
        areas = TiledField.create(folder / "areas", tiling, "float64")
        flow = route(basins, fields, areas, engine, "flow")
        return cls(tiling, fields, basins, flow, areas, folder)

    def field(self, name: str, dtype: str) -> TiledField:
        """Return a new field."""
        return TiledField.create(self.folder / name, self.tiling, dtype)

    def read(self, field: TiledField) -> np.ndarray:
        """Return the values of the whole land."""
        return field.read(Window(0, 0, *self.tiling.shape))

    def filled(self, height: Field) -> Field:
        """Return the height with all depressions filled."""
        filled = np.empty_like(height)
        for number, tile in enumerate(self.tiling.tiles):
            inside = tile.within(Window(0, 0, *height.shape))
            levels = self.basins.levels_of(number)[self.fields.labels.read(tile)]
            filled[inside] = np.maximum(height[inside], levels)
        return filled
