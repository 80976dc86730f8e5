# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion by rivers in a land, in tiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noise_core.base.arrays import Field
from noise_core.base.grid import Grid
from noise_core.erosion.stream.law import StreamLaw
from noise_core.modifiers.stream_erosion import StreamErosion
from noise_core.rasters.level import Level
from noise_core.stages.levelled import climb

from ..base.tiling import Tiling, Window
from ..rasters import shares
from ..rasters.level_fields import count_tiled
from ..stream.bases import Bases, LevelFields
from ..stream.levels import LevelResult, LevelRun, erode_in_memory
from ..tiles.cost import Cost
from ..tiles.fields import TiledField
from ..tiles.land import Land
from . import TiledRelief, register


def _cost(modifier: StreamErosion, grid: Grid, tiling: Tiling) -> Cost:
    # Peaks measured at 2049 samples a side in memory, and at 16384 in tiles of 2048.
    worker = max(120.0, 100.0 * shares.whole_level(tiling))
    return Cost(worker, caller=600.0, disk=_disk(modifier), maps=11.0)


def _disk(modifier: StreamErosion) -> float:
    """Return the bytes of fields for each sample, measured with several levels in tiles."""
    disk = 29.0 + 4.0 * (modifier.sediment > 0.0) + 6.0 * (modifier.mode == "grow")
    return disk + 9.0 * (modifier.layer_thickness > 0.0)


@register(StreamErosion, _cost)
def stream_erosion(
    modifier: StreamErosion, land: Land, height: TiledField, seed: int
) -> TiledRelief:
    """Return the eroded height with maps of flow, wear, deposits and lakes."""
    extremes = land.engine.ask("extremes", _Extremes(height), land.tiling.tiles)
    lowest, highest = min(low for low, _ in extremes), max(high for _, high in extremes)
    if highest == lowest or modifier.strength == 0.0:
        return _keep_height(modifier, land, height)
    law = modifier.law(Level.from_grid(land.grid), seed, lowest, highest)
    levels = law.land.levels
    count = count_tiled(levels)
    pictures = LevelFields.build(height, levels, count, land.enter("heights"))
    offsets = _offsets(law, land, count)
    result = erode_in_memory(law, count, pictures, offsets, land.enter("coarse"))
    result = climb(count + 1, result, _Levels(law, pictures, offsets, land))
    if not any(map(land.wants, modifier.makes)):
        return result.height, {}
    relief = _finish(result, Bases(law, 0, height), land)
    result.remove()
    return relief


@dataclass(frozen=True)
class _Levels:
    """Levels in tiles; see `levelled.LevelLaw`. The coarsest of them is that which was solved in memory."""

    law: StreamLaw
    pictures: LevelFields
    offsets: LevelFields | None
    land: Land

    def refine(self, place: int, state: LevelResult) -> LevelResult:
        """Return the result on a level, of that on the coarser one."""
        land = self.land.enter(f"level_{place}")
        result = LevelRun(self.law, place, self.pictures, self.offsets, land).run(state)
        state.remove()
        return result

    def solve(self, place: int, state: LevelResult) -> LevelResult:
        """Return the result: its steps were part of the refinement."""
        return state

    def cost(self, place: int) -> float:
        """Return no cost: each stage reports its own tiles."""
        return 0.0


def _keep_height(modifier: StreamErosion, land: Land, height: TiledField) -> TiledRelief:
    names = filter(land.wants, modifier.makes)
    maps = {name: land.new_field(name, "float32") for name in names}
    land.engine.run("unchanged", _Zeros(tuple(maps.values())), land.tiling.tiles)
    return height, maps


def _offsets(law: StreamLaw, land: Land, count: int) -> LevelFields | None:
    """Return the offsets of the layers of rock."""
    if law.layers is None:
        return None
    part = land.enter("offsets")
    offset = part.new_field("offset", "float32")
    part.engine.derive("offset", _Offset(law, land.grid, offset), [offset])
    return LevelFields.build(offset, law.land.levels, count, part)


def _finish(result: LevelResult, base: Bases, land: Land) -> TiledRelief:
    maps = filter(land.wants, ("flow", "wear", "deposit", "lake"))
    fields = {name: land.new_field(name, "float32") for name in ("height", *maps)}
    land.engine.run("finish", _Finish(result, base, fields), land.tiling.tiles)
    return fields.pop("height"), fields


@dataclass(frozen=True)
class _Extremes:
    """The lowest and the highest value of a tile."""

    field: TiledField

    def __call__(self, tile: Window) -> tuple[float, float]:
        values = self.field.read(tile)
        return float(values.min()), float(values.max())


@dataclass(frozen=True)
class _Zeros:
    fields: tuple[TiledField, ...]

    def __call__(self, tile: Window) -> None:
        for field in self.fields:
            field.write(tile, np.zeros(tile.shape, np.float32))


@dataclass(frozen=True)
class _Offset:
    law: StreamLaw
    grid: Grid
    out: TiledField

    def __call__(self, tile: Window) -> None:
        layers = self.law.layers
        assert layers is not None  # or nobody would ask
        window = self.grid.window(tile.row, tile.column, tile.rows, tile.columns)
        self.out.write(tile, layers.offset(window, self.law.land.seed))


@dataclass(frozen=True)
class _Finish:
    result: LevelResult
    base: Bases
    out: dict[str, TiledField]

    def __call__(self, tile: Window) -> None:
        height = self.result.height.read(tile)
        for name, field in self.out.items():
            field.write(tile, height if name == "height" else self._map(name, tile, height))

    def _map(self, name: str, tile: Window, height: Field) -> Field:
        result, zero = self.result, np.zeros(1, np.float32)
        values: Field
        if name == "flow":
            assert result.flow is not None  # the coarsest level always has steps
            values = np.clip(result.flow.read(tile), zero[0], np.float32(1.0))
        elif name == "lake":
            assert result.lake is not None
            values = np.maximum(result.lake.read(tile), zero)
        else:
            change = height - self.base.read(tile)
            values = np.maximum(-change if name == "wear" else change, zero)
        return values
