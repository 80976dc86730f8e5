# SPDX-License-Identifier: GPL-3.0-or-later
"""Stream erosion from coarse to fine: coarse levels in memory, the finer ones in tiles."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from noise_core.base import blocks
from noise_core.erosion.stream import detail
from noise_core.erosion.stream.law import StreamLaw
from noise_core.flow_routing.outlets import EndsOfRivers, lowest_count
from noise_core.rasters.level import Level

from ..base.tiling import Window
from ..rasters import resampling
from ..rasters.bends import TiledBend
from ..rasters.level_fields import new_field, write_whole
from ..rasters.parts import part
from ..rasters.statistics import values_at
from ..tiles.fields import TiledField
from ..tiles.land import Land
from .bases import Bases, LevelFields
from .lakes import write_flow, write_lakes
from .step import StepResult, advance
from .terrain import TiledTerrain

_WATER = ("flow", "lake")
"""Maps that follow from the last step."""


@dataclass(frozen=True)
class LevelResult:
    """A level after its steps; flow and lakes are None until no finer level has steps, or if the land wants none."""

    height: TiledField
    flow: TiledField | None
    lake: TiledField | None

    def remove(self) -> None:
        """Remove all fields."""
        for field in (self.height, self.flow, self.lake):
            if field is not None:
                field.remove()


@dataclass(frozen=True)
class _ErodeInMemory:
    """Erode all levels from a place on, in memory; returns whether flow and lakes have values.

    `out` has fields for the height, and for flow and lakes if they are wanted.
    """

    law: StreamLaw
    place: int
    pictures: LevelFields
    offsets: LevelFields | None
    out: tuple[TiledField, TiledField | None, TiledField | None]

    def __call__(self, _: int) -> bool:
        levels, place = self.law.land.levels, self.place
        pictures = self.pictures.in_memory(place, levels)
        offsets = None if self.offsets is None else self.offsets.in_memory(place, levels)
        bases = pictures[:place] + [
            self.law.base(picture, number) for number, picture in enumerate(pictures[place:], place)
        ]
        result = self.law.erode(pictures, bases, offsets, blocks.unheard, until=place)
        height, *water = self.out
        write_whole(height, result.height)
        if result.flow.size == 1 and levels[place].rows * levels[place].columns > 1:
            return False
        for field, values in zip(water, (result.flow, result.lake)):
            if field is not None:
                write_whole(field, values)
        return True


def erode_in_memory(
    law: StreamLaw,
    place: int,
    pictures: LevelFields,
    offsets: LevelFields | None,
    land: Land,
) -> LevelResult:
    """Return the ground of a level after all steps on it and on coarser ones."""
    level = law.land.levels[place]
    height = new_field(land, "height", level)
    flow, lake = (new_field(land, name, level) if land.wants(name) else None for name in _WATER)
    work = _ErodeInMemory(law, place, pictures, offsets, (height, flow, lake))
    (is_last,) = land.engine.run("coarse_levels", work, [0])
    return LevelResult(height, flow if is_last else None, lake if is_last else None)


@dataclass(frozen=True)
class _Refine:
    """Write a tile of a coarser level's result on the finer level."""

    height: TiledField
    coarse: Bases
    fine: Bases
    buried: float
    out: TiledField

    def __call__(self, tile: Window) -> None:
        levels = self.fine.law.land.levels
        coarse, fine = levels[self.coarse.place], levels[self.fine.place]
        source = resampling.source_window(tile, coarse, fine)
        refined, original = (
            resampling.prolong(field.read(source), source, coarse, fine, tile)
            for field in (self.height, self.coarse)
        )
        detailed = detail.add_detail(refined, original, self.fine.read(tile), self.buried)
        self.out.write(tile, detailed)


@dataclass(frozen=True)
class _Prolong:
    """Write a tile of a coarser level's field on the finer level."""

    source: TiledField
    coarse: Level
    fine: Level
    out: TiledField

    def __call__(self, tile: Window) -> None:
        source = resampling.source_window(tile, self.coarse, self.fine)
        values = self.source.read(source)
        self.out.write(tile, resampling.prolong(values, source, self.coarse, self.fine, tile))


@dataclass(frozen=True)
class _Bent:
    """Write a tile of a field on the bent grid, or back from it."""

    bend: TiledBend
    source: TiledField | Bases
    back: bool
    out: TiledField

    def __call__(self, tile: Window) -> None:
        source = self.bend.needed(tile)
        bend, values = self.bend.on(source), self.source.read(source)
        bent = bend.straighten(values) if self.back else bend.bend(values)
        self.out.write(tile, bent[tile.within(source)])


@dataclass(frozen=True)
class _Fix:
    """Write a tile of the height that a level begins with; returns whether any cell keeps its own."""

    terrain: TiledTerrain
    height: TiledField
    base: TiledField | Bases
    out: TiledField

    def __call__(self, tile: Window) -> None:
        fixed = self.terrain.fixed(tile)
        begun = self.height.read(tile)
        self.out.write(tile, np.where(fixed, self.base.read(tile), begun))


@dataclass(frozen=True)
class LevelRun:
    """The steps of one level in tiles.

    Attributes
    ----------
    law : StreamLaw
    place : int
    pictures : LevelFields
    offsets : LevelFields or None
    land : Land
        For the names and the fields of this level.
    """

    law: StreamLaw
    place: int
    pictures: LevelFields
    offsets: LevelFields | None
    land: Land

    @property
    def level(self) -> Level:
        """The whole level."""
        return self.law.land.levels[self.place]

    def run(self, coarser: LevelResult) -> LevelResult:
        """Return the level after its steps, from the next coarser one."""
        plan = self.law.schedule.plan(self.law.land.levels)
        steps, duration = plan[self.place]
        refined = self._refine_height(coarser)
        if not steps:
            begun, _ = self._begin(refined, None)
            return LevelResult(
                begun,
                *(
                    None if source is None else self._prolong_field(source, name)
                    for source, name in zip((coarser.flow, coarser.lake), _WATER)
                ),
            )
        bends, finishing = self.law.bends, 0.0
        if self.place == 0 and bends is not None:
            finishing = self.law.schedule.finishing(self.law.land.levels)
        is_last = not any(finer for finer, _ in plan[: self.place])
        if not finishing:
            bend = self._bend() if self.place > 0 else None
            return self._erode(refined, steps, duration, bend, is_last=is_last)
        result = self._erode(refined, steps, duration, self._bend(), is_last=False)
        finish = dataclasses.replace(self, land=self.land.enter("finish"))
        return finish._erode(result.height, 1, finishing, None, is_last=is_last)

    def _erode(
        self,
        height: TiledField,
        steps: int,
        duration: float,
        bend: TiledBend | None,
        *,
        is_last: bool,
    ) -> LevelResult:
        """Return the level after some steps on a bent grid or its own one; the height that they begin with is removed."""
        begun, terrain = self._begin(height, bend)
        current, result = begun, None
        schedule = self.law.schedule
        balancing = schedule.balancing_step(steps)
        for number in range(1, steps + 1):
            result = advance(
                current,
                terrain,
                self.law.streams,
                duration / steps,
                begun,
                steps / max(balancing, 1),
                schedule.balancing_rounds(steps) if number == balancing else 0,
                self.land.enter(f"step_{number}"),
            )
            if current is not begun:
                current.remove()
            if number < steps:
                result.remove()
            current = result.height
        assert result is not None
        ended = self._end(result, terrain, is_last)
        begun.remove()
        result.remove()
        straight = self._straight(ended, bend)
        if straight is not ended:
            ended.remove()
        return straight

    def _field(self, name: str) -> TiledField:
        return new_field(self.land, name, self.level)

    def _refine_height(self, coarser: LevelResult) -> TiledField:
        refined = self._field("refined")
        bases = [
            Bases(self.law, place, self.pictures.smoothed[place])
            for place in (self.place + 1, self.place)
        ]
        buried = self.law.buried
        work = _Refine(coarser.height, bases[0], bases[1], buried, refined)
        self.land.engine.run("refine", work, refined.tiling.tiles)
        return refined

    def _prolong_field(self, source: TiledField, name: str) -> TiledField:
        field = self._field(name)
        work = _Prolong(source, self.law.land.levels[self.place + 1], self.level, field)
        self.land.engine.run(f"prolong_{name}", work, field.tiling.tiles)
        return field

    def _bend(self) -> TiledBend | None:
        bends = self.law.bends
        if bends is None:
            return None
        tiling = self._field("refined").tiling
        number = len(self.law.land.levels) - 1 - self.place
        return TiledBend.random(
            self.level, bends.seed, bends.amount, number, self.land.engine, tiling
        )

    def _bent(
        self, source: TiledField | Bases, bend: TiledBend, name: str, back: bool = False
    ) -> TiledField:
        field = self._field(name)
        self.land.engine.run(name, _Bent(bend, source, back, field), field.tiling.tiles)
        return field

    def _begin(self, height: TiledField, bend: TiledBend | None) -> tuple[TiledField, TiledTerrain]:
        """Return the ground that the level begins with, and its terrain, on its own grid."""
        picture: TiledField = self.pictures.smoothed[self.place]
        base: TiledField | Bases = Bases(self.law, self.place, picture)
        offset = None if self.offsets is None else self.offsets.smoothed[self.place]
        if bend is not None:
            refined, height = height, self._bent(height, bend, "bent_height")
            refined.remove()
            base = self._bent(base, bend, "bent_base")
            if self.law.reads_picture:
                picture = self._bent(picture, bend, "bent_picture")
            if offset is not None:
                offset = self._bent(offset, bend, "bent_offset")
        ends = self._ends_of_rivers(picture)
        needs_picture = self.law.grows or ends.kind in ("below", "lowest")
        terrain = TiledTerrain(
            self.law,
            self.place,
            ends,
            picture if needs_picture else None,
            offset,
        )
        begun = self._field("begun")
        self.land.engine.run("begin", _Fix(terrain, height, base, begun), begun.tiling.tiles)
        height.remove()
        if isinstance(base, TiledField):
            base.remove()
        return begun, terrain

    def _ends_of_rivers(self, picture: TiledField) -> EndsOfRivers:
        engine = self.land.engine.enter("ends")

        def occur(ends: EndsOfRivers) -> bool:
            work = _Occur(picture, self.level, ends)
            return any(engine.ask("below", work, picture.tiling.tiles))

        def lowest_limit(share: float) -> float:
            count = lowest_count(self.level.rows * self.level.columns, share)
            (limit,) = values_at(picture, [count - 1], engine, picture.tiling.tiles)
            return float(limit)

        return self.law.ends_of_rivers(self.level, occur, lowest_limit)

    def _end(self, result: StepResult, terrain: TiledTerrain, is_last: bool) -> LevelResult:
        if not is_last:
            return LevelResult(result.height, None, None)
        flow, lake = (self._field(name) if self.land.wants(name) else None for name in _WATER)
        if flow is not None:
            write_flow(result.areas, self.level, flow, self.land.engine)
        if lake is not None:
            write_lakes(result, terrain, lake, self.land)
        return LevelResult(result.height, flow, lake)

    def _straight(self, result: LevelResult, bend: TiledBend | None) -> LevelResult:
        if bend is None:
            return result
        height = self._bent(result.height, bend, "straight_height", back=True)
        water = (
            None if field is None else self._bent(field, bend, f"straight_{name}", back=True)
            for field, name in zip((result.flow, result.lake), _WATER)
        )
        return LevelResult(height, *water)


@dataclass(frozen=True)
class _Occur:
    """Whether a tile has cells in which rivers end."""

    picture: TiledField
    level: Level
    ends: EndsOfRivers

    def __call__(self, tile: Window) -> bool:
        return bool(self.ends.cells(self.picture.read(tile), part(self.level, tile)).any())
