# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies down every steep slope of a land, in tiles."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from noise_core.base import blocks
from noise_core.base.arrays import Field
from noise_core.base.errors import ParameterError
from noise_core.base.grid import Grid
from noise_core.erosion.gullies.guide import GuideKnots
from noise_core.erosion.gullies.spline import Knots
from noise_core.modifiers.gully_erosion import GullyErosion

from ..fields import TiledField
from ..land import Land
from ..rasters.level_fields import MOST_SAMPLES, read_whole
from ..cost import Cost
from ..tiling import Tiling, Window
from . import TiledRelief, register

_BLOCKS = 25e6
"""Bytes of what is drawn together, however large tiles are."""


def check_knots(modifier: GullyErosion, grid: Grid, tiling: Tiling) -> None:
    """Raise a ParameterError if the smoothed ground under a land does not fit into memory."""
    knots = modifier.knots(grid)
    count = knots.rows.count * knots.columns.count
    if count > MOST_SAMPLES:
        raise ParameterError(
            "GullyErosion.smoothing must be larger on {} x {} samples, so that the ground is smoothed at "
            "{} places at most; got {:g}, which takes {}",
            grid.rows,
            grid.columns,
            MOST_SAMPLES,
            modifier.smoothing,
            count,
        )


def _cost(modifier: GullyErosion, grid: Grid, tiling: Tiling) -> Cost:
    knots = modifier.knots(grid)
    first, last = knots.rows.needed(0, 1)
    count = knots.rows.count * knots.columns.count
    average = 12.0 * max(2.0, 2 * (last - first) / tiling.side) + 8.0 * tiling.columns / tiling.side
    carve = 20.0 + (_BLOCKS + 80.0 * count) / tiling.side**2
    return Cost(worker=max(carve, average), disk=12.0)


@register(GullyErosion, _cost, check_knots)
def gully_erosion(modifier: GullyErosion, land: Land, height: TiledField, seed: int) -> TiledRelief:
    """Return the carved height, with the crests and beds of its gullies."""
    knots = modifier.knots(land.grid)
    smooth = _average(knots, height, land) if modifier.build_octaves(land.grid, seed) else None
    result = land.new_field("height", "float32")
    maps = {name: land.new_field(name, "float32") for name in modifier.makes}
    work = _Carve(modifier, land.grid, seed, knots, height, smooth, result, maps)
    land.engine.run("carve", work, land.tiling.tiles)
    return result, maps


def _average(knots: GuideKnots, height: TiledField, land: Land) -> TiledField:
    """Return the averages of a height at all knots."""
    # As many rows of knots at a time as there are in two tiles, as far as their averages reach.
    first, last = knots.rows.needed(0, 1)
    most = 1 + math.floor((2 * land.tiling.side - 2 * (last - first)) / knots.rows.distance)
    tiling = Tiling(knots.rows.count, knots.columns.count, max(most, 1))
    field = land.new_field("knots", "float32", tiling)
    starts = range(0, tiling.rows, tiling.side)
    land.engine.run("average", _Average(knots, height, field), starts)
    return field


@dataclasses.dataclass(frozen=True)
class _Average:
    """Write the averages of a height at some rows of knots, over the whole width of the land."""

    knots: GuideKnots
    height: TiledField
    result: TiledField

    def __call__(self, start: int) -> None:
        tiling, rows = self.result.tiling, self.knots.rows
        stop = min(start + tiling.side, tiling.rows)
        columns, side = self.height.tiling.columns, self.height.tiling.side
        averages = np.empty((stop - start, columns), np.float32)
        for column in range(0, columns, side):
            width = min(side, columns - column)
            averages[:, column : column + width] = self._along_columns(
                rows, (start, stop), column, width
            )
        whole = Window(start, 0, stop - start, tiling.columns)
        values = self.knots.columns.average(averages, 1)
        for tile in tiling.tiles:
            if tile.row == start:
                self.result.write(tile, values[tile.within(whole)])

    def _along_columns(self, rows: Knots, some: tuple[int, int], column: int, width: int) -> Field:
        first, last = rows.needed(*some)
        values = self.height.read(Window(first, column, last - first, width))
        return rows.average(values, 0, *some, first)


@dataclasses.dataclass(frozen=True)
class _Carve:
    modifier: GullyErosion
    grid: Grid
    seed: int
    knots: GuideKnots
    height: TiledField
    smooth: TiledField | None
    result: TiledField
    maps: dict[str, TiledField]

    def __call__(self, tile: Window) -> None:
        grid, height = self.grid.window(*dataclasses.astuple(tile)), self.height.read(tile)
        if self.smooth is None:
            relief = self.modifier.leave(height, grid)
        else:
            smooth = read_whole(self.smooth)
            relief = self.modifier.carve(
                height, grid, self.knots, smooth, self.seed, blocks.unheard
            )
        self.result.write(tile, relief.height)
        for name, values in relief.maps.items():
            self.maps[name].write(tile, values)
