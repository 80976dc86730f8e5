# SPDX-License-Identifier: GPL-3.0-or-later
"""Rock that falls and comes to rest, in tiles."""

from __future__ import annotations

import dataclasses

from noise_core.base import blocks
from noise_core.base.grid import Grid
from noise_core.erosion.slides import talus
from noise_core.modifiers.thermal_erosion import ThermalErosion, refine_change
from noise_core.rasters.level import Level

from ..fields import TiledField
from ..land import Land
from ..rasters import level_fields, shares
from ..rasters.parts import grow, local
from ..cost import Cost
from ..sources import Source
from ..tiling import Tiling, Window
from . import TiledRelief, register

_AT_ONCE = 8 * talus.PASSES
"""Passes in one go, each of which needs one more sample around a tile. Heights are rounded after each
`talus.PASSES`, here as in memory."""

_BLOCKS = 4e6
"""Bytes of a strip in the cache, however large tiles are."""


def _cost(modifier: ThermalErosion, grid: Grid, tiling: Tiling) -> Cost:
    at_once = min(modifier.passes, _AT_ONCE)
    tile = max(32.0, 20.0 * shares.with_margin(tiling, at_once) + _BLOCKS / tiling.side**2)
    return Cost(worker=max(tile, 20.0 * shares.whole_level(tiling)), disk=20.0)


@register(ThermalErosion, _cost)
def thermal_erosion(
    modifier: ThermalErosion, land: Land, height: TiledField, seed: int
) -> TiledRelief:
    """Return the eroded height and the scree."""
    levels = modifier.levels(land.grid)
    heights = level_fields.restrict_all(height, levels, land)
    tiled = level_fields.count_tiled(levels)
    result = level_fields.new_field(land, "coarse", levels[tiled])
    coarse = _Coarse(modifier, tuple(levels[tiled:]), tuple(heights[tiled:]), tiled, result)
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
        result = _slide(modifier, levels[depth], raised, modifier.passes_on(depth), on_level)
        raised.change.remove()
    scree = land.new_field("scree", "float32")
    land.engine.run("scree", _Scree(modifier, height, result, scree), land.tiling.tiles)
    return result, {"scree": scree}


def _slide(
    modifier: ThermalErosion, level: Level, source: Source, passes: int, land: Land
) -> TiledField:
    """Return heights on one level after some passes."""
    last: TiledField | None = None
    for begin in range(0, max(passes, 1), _AT_ONCE):
        field = level_fields.new_field(land, f"slid_{begin}", level)
        work = _Slide(modifier, level, last or source, min(passes - begin, _AT_ONCE), field)
        land.engine.run(f"slide_{begin}", work, field.tiling.tiles)
        if last is not None:
            last.remove()
        last = field
    assert last is not None  # without any pass the height is copied
    return last


@dataclasses.dataclass(frozen=True)
class _Coarse:
    """Let rock slide on all levels that are worked on as a whole."""

    modifier: ThermalErosion
    levels: tuple[Level, ...]
    heights: tuple[TiledField, ...]
    finer: int
    result: TiledField

    def __call__(self, _: int) -> None:
        heights = [level_fields.read_whole(one) for one in self.heights]
        result = self.modifier.slide_levels(heights, self.levels, self.finer, blocks.unheard)
        level_fields.write_whole(self.result, result)


@dataclasses.dataclass(frozen=True)
class _Slide:
    modifier: ThermalErosion
    level: Level
    source: Source
    passes: int
    result: TiledField

    def __call__(self, tile: Window) -> None:
        have = grow(tile, self.level, self.passes)
        values = self.source.read(have)
        slid = local(
            lambda within: self.modifier.slide(values, within, self.passes),
            self.level,
            have,
            tile,
            self.passes,
        )
        self.result.write(tile, slid)


@dataclasses.dataclass(frozen=True)
class _Scree:
    modifier: ThermalErosion
    before: TiledField
    after: TiledField
    result: TiledField

    def __call__(self, tile: Window) -> None:
        before, after = self.before.read(tile), self.after.read(tile)
        self.result.write(tile, self.modifier.scree(before, after))
