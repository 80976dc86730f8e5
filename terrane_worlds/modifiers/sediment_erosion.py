# SPDX-License-Identifier: GPL-3.0-or-later
"""Water that washes slopes down and lays them out as valley floors, in tiles."""

from __future__ import annotations

import dataclasses

import numpy as np

from noise_core.base import blocks
from noise_core.base.grid import Grid
from noise_core.erosion.pipes import WaterState
from noise_core.modifiers.sediment_erosion import (
    SedimentErosion,
    reach_of,
    refine_change,
    rounds,
)
from noise_core.rasters.level import Level

from ..fields import TiledField
from ..land import Land
from ..rasters import level_fields, shares
from ..rasters.parts import grow, part
from ..cost import Cost
from ..sources import Source
from ..tiling import Tiling, Window
from . import TiledRelief, register

_AT_ONCE = 7
"""Rounds in one go, each of which needs up to nine more samples around a tile."""

_BLOCKS = 15e6
"""Bytes of strips in the cache, however large tiles are."""

_STATE = tuple(field.name for field in dataclasses.fields(WaterState))


def _cost(modifier: SedimentErosion, grid: Grid, tiling: Tiling) -> Cost:
    reach = sum(map(reach_of, rounds(modifier.steps)[:_AT_ONCE]))
    tile = max(32.0, 48.0 * shares.with_margin(tiling, reach) + _BLOCKS / tiling.side**2)
    return Cost(worker=max(tile, 48.0 * shares.whole_level(tiling)), disk=56.0)


@register(SedimentErosion, _cost)
def sediment_erosion(
    modifier: SedimentErosion, land: Land, height: TiledField, seed: int
) -> TiledRelief:
    """Return the eroded height, the moved material, and the water."""
    levels = modifier.levels(land.grid)
    heights = level_fields.restrict_all(height, levels, land)
    tiled = level_fields.count_tiled(levels)
    result, water = (
        level_fields.new_field(land, name, levels[tiled]) for name in ("coarse", "coarse_water")
    )
    coarse = _Coarse(modifier, tuple(levels[tiled:]), tuple(heights[tiled:]), result, water)
    land.engine.run("coarse", coarse, [0])
    for depth in reversed(range(tiled)):
        on_level = land.enter(f"level_{depth}")
        raised = level_fields.refine(
            (result, heights[depth + 1], levels[depth + 1]),
            (heights[depth], levels[depth]),
            refine_change,
            on_level,
        )
        result.remove()
        water.remove()
        steps = modifier.steps_on(len(levels) - 1 - depth)
        result, water = _wash(modifier, levels[depth], raised, steps, on_level)
        raised.change.remove()
    maps = {name: land.new_field(name, "float32") for name in ("wear", "deposit")}
    land.engine.run("moved", _Moved(modifier, height, result, maps), land.tiling.tiles)
    return result, {**maps, "water": water}


def _wash(
    modifier: SedimentErosion, level: Level, source: Source, steps: int, land: Land
) -> tuple[TiledField, TiledField]:
    """Return ground and depth of water after some steps on one level."""
    left, number = rounds(steps), 0
    state: tuple[Source, ...] = (source,)
    while True:
        now, left = left[:_AT_ONCE], left[_AT_ONCE:]
        names = _STATE if left else ("height", "water")
        fields = tuple(level_fields.new_field(land, f"{name}_{number}", level) for name in names)
        work = _Wash(modifier, level, state, tuple(now), fields)
        land.engine.run(f"wash_{number}", work, fields[0].tiling.tiles)
        for field in state:
            if isinstance(field, TiledField):
                field.remove()
        if not left:
            return fields[0], fields[1]
        state, number = fields, number + 1


@dataclasses.dataclass(frozen=True)
class _Coarse:
    """Let it rain on all levels that are worked on as a whole."""

    modifier: SedimentErosion
    levels: tuple[Level, ...]
    heights: tuple[TiledField, ...]
    result: TiledField
    water: TiledField

    def __call__(self, _: int) -> None:
        heights = [level_fields.read_whole(one) for one in self.heights]
        result, water = self.modifier.wash_levels(heights, self.levels, blocks.unheard)
        level_fields.write_whole(self.result, result)
        level_fields.write_whole(self.water, water)


@dataclasses.dataclass(frozen=True)
class _Wash:
    """Some rounds of rain on a tile: from a height or a state, to a state or height and water."""

    modifier: SedimentErosion
    level: Level
    before: tuple[Source, ...]
    rounds: tuple[int, ...]
    after: tuple[TiledField, ...]

    def __call__(self, tile: Window) -> None:
        have = grow(tile, self.level, sum(map(reach_of, self.rounds)))
        before = [field.read(have) for field in self.before]
        for field, values in zip(self.after, self._fall(before, part(self.level, have))):
            field.write(tile, values[tile.within(have)])

    def _fall(self, before: list[np.ndarray], within: Level) -> tuple[np.ndarray, ...]:
        if not self.rounds:
            return before[0], np.zeros_like(before[0])
        rain = self.modifier.rain_on(within)
        flood = rain.begin(before[0]) if len(before) == 1 else WaterState(*before)
        for steps in self.rounds:
            flood = rain.fall(flood, steps)
        is_last = len(self.after) == 2
        return rain.settle(flood) if is_last else flood.arrays()


@dataclasses.dataclass(frozen=True)
class _Moved:
    modifier: SedimentErosion
    before: TiledField
    after: TiledField
    maps: dict[str, TiledField]

    def __call__(self, tile: Window) -> None:
        moved = self.modifier.moved(self.before.read(tile), self.after.read(tile))
        for name, values in moved.items():
            self.maps[name].write(tile, values)
