# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages of modifiers and maps on a land in tiles."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Generic

import numpy as np

from noise_core.base import blocks
from noise_core.base.arrays import Field
from noise_core.base.blocks import Progress
from noise_core.rasters import pyramid, totals
from noise_core.rasters.level import Level
from noise_core.stages.description import Connected, Local, Part, Raster, Rounds, as_tuple
from noise_core.stages.runner import Found, Indices, Pick, Read, Runner

from ..base.tiling import Window
from ..rasters import level_fields
from ..rasters.components import find_reached
from ..rasters.parts import part, tiling_of, window_of
from ..rasters.statistics import values_at, whole_sum
from ..tiles.fields import TiledField
from ..tiles.land import Land
from ..tiles.sources import Source, fields_of

_FAR = 64
"""Rows or columns between two that are not worth reading for both at once."""


class TiledRunner(Runner):
    """Does stages tile by tile, and those of coarse levels as a whole.

    Parameters
    ----------
    land : Land
        With its own names for this work.
    """

    def __init__(self, land: Land) -> None:
        super().__init__(Level.from_grid(land.grid), land.grid)
        self._land, self._count = land, 0
        self._made: set[TiledField] = set()

    def take(self, field: TiledField) -> Raster:
        """Return a field of the land's own samples for stages to read."""
        return Raster(self.level, field)

    def local(self, stage: Local, *sources: Raster, on: Level | None = None) -> tuple[Raster, ...]:
        """See `Runner.local`."""
        level = on or sources[0].level
        inputs = tuple((source.values, source.level) for source in sources)
        if stage.is_lazy:
            return (Raster(level, Computed(stage, level, inputs)),)
        land = self._enter(stage.name)
        side = self._side(level, inputs)
        tiling = tiling_of(level, side)
        fields = tuple(land.new_field(name, "float32", tiling) for name in stage.makes)
        work = _LocalWork(stage, level, inputs, fields)
        if stage.reach is None or self._is_whole(
            level, *(source_level for _, source_level in inputs)
        ):
            land.engine.run(stage.name, work, [0])
        elif side != land.tiling.side:  # a few samples of a level stand for a tile
            land.engine.run(stage.name, _Numbered(work, tiling.tiles), range(len(tiling.tiles)))
        else:
            land.engine.run(stage.name, work, tiling.tiles)
        return self._rasters(level, fields)

    def gather(
        self, name: str, work: Callable[[Level, Read], Field], source: Raster, on: Level
    ) -> Raster:
        """See `Runner.gather`."""
        return Raster(on, Gathered(work, on, source.values))

    def solve(
        self, name: str, work: Callable[[Sequence[Part], Progress], Found], *sources: Raster
    ) -> Found:
        """See `Runner.solve`."""
        solver = _Solve(work, tuple((source.values, source.level) for source in sources))
        engine = self._enter(name).engine
        # A tuple of one, since a rebuild has no result that is None.
        return engine.solve("found", lambda: tuple(engine.run(name, solver, [0])))[0]

    def connected(self, stage: Connected, *sources: Raster) -> Raster:
        """See `Runner.connected`."""
        land, level = self._enter(stage.name), sources[0].level
        field = level_fields.new_field(land, "reached", level)
        find_reached(land.engine, stage, [source.values for source in sources], field)
        return self._rasters(level, [field])[0]

    def total(self, source: Raster, pick: Pick = np.asarray) -> float:
        """See `Runner.total`."""
        land = self._enter("total")
        tiles = tiling_of(source.level, land.tiling.side).tiles

        def measure() -> float:
            magnitude = _Magnitude(source.values, pick)
            magnitudes = land.engine.ask("magnitude", magnitude, tiles)
            return whole_sum(source.values, magnitudes, land.engine, tiles, pick)

        return land.engine.solve("total", measure)

    def values_at(self, source: Raster, ranks: Sequence[int]) -> tuple[np.float32, ...]:
        """See `Runner.values_at`."""
        land = self._enter("values")
        tiles = tiling_of(source.level, land.tiling.side).tiles
        return tuple(values_at(source.values, ranks, land.engine, tiles))

    def restrict(self, source: Raster, coarse: Level) -> Raster:
        """See `Runner.restrict`."""
        return self._coarsen(source, coarse, pyramid.restrict)

    def subsample(self, source: Raster, coarse: Level) -> Raster:
        """See `Runner.subsample`."""
        return self._coarsen(source, coarse, pyramid.subsample)

    def rounds(self, stage: Rounds, state: Sequence[Raster]) -> tuple[Raster, ...]:
        """See `Runner.rounds`."""
        level, present, sizes = state[0].level, tuple(state), stage.sizes
        count = len(stage.makes)
        at_once = len(sizes) if self._is_whole(level) else stage.at_once
        while sizes:
            some, sizes = sizes[:at_once], sizes[at_once:]
            land = self._enter(stage.name)
            fields = tuple(level_fields.new_field(land, name, level) for name in stage.makes)
            inputs = tuple(raster.values for raster in present)
            work = _RoundsWork(stage, level, some, inputs, fields)
            if self._is_whole(level):
                land.engine.run(stage.name, work, [0])
            else:
                land.engine.run(stage.name, work, fields[0].tiling.tiles)
            results = (*self._rasters(level, fields), *present[count:])
            self.drop(present if present[0] is not state[0] else (), (*results, *state))
            present = results
        return present

    def drop(self, old: Sequence[Raster], kept: Sequence[Raster] = ()) -> None:
        """See `Runner.drop`."""
        fields = fields_of([raster.values for raster in old]) & self._made
        for field in sorted(fields - fields_of([raster.values for raster in kept]), key=str):
            field.remove()
            self._made.discard(field)

    def keep(self, raster: Raster) -> TiledField:
        """Return a field in files with the values of a raster, which it may be already."""
        if isinstance(raster.values, TiledField):
            return raster.values
        stage = Local("keep", _read_first)
        (kept,) = self.local(stage, raster)
        field: TiledField = kept.values
        return field

    def _coarsen(
        self, source: Raster, coarse: Level, function: Callable[[Field, Level, Level], Field]
    ) -> Raster:
        name = function.__name__
        land = self._enter(name)
        field = level_fields.new_field(land, "height", coarse)
        work = _Coarsen(function, source.values, source.level, coarse, field)
        land.engine.derive(name, work, [field])
        return Raster(coarse, field)

    def _enter(self, name: str) -> Land:
        self._count += 1
        return self._land.enter(f"{self._count}_{name}")

    def _is_whole(self, *levels: Level) -> bool:
        """Return whether work on levels is done as a whole: on coarse ones that fit into memory."""
        return all(
            level != self.level and level.rows * level.columns <= level_fields.MOST_SAMPLES
            for level in levels
        )

    def _side(self, level: Level, inputs: Sequence[Input]) -> int:
        """Return the side of the tiles of a level; see `side_of_tiles`."""
        side, sources = self._land.tiling.side, [source_level for _, source_level in inputs]
        if level == self.level or self._is_whole(level, *sources):
            return side
        return side_of_tiles(side, level, sources)

    def _rasters(self, level: Level, fields: Sequence[TiledField]) -> tuple[Raster, ...]:
        self._made.update(fields)
        return tuple(Raster(level, field) for field in fields)


def side_of_tiles(side: int, level: Level, sources: Sequence[Level]) -> int:
    """Return the side of the tiles of a coarse level: so few samples that no tile reads much more than one.

    Parameters
    ----------
    side : int
        Of the land's tiles.
    level : Level
    sources : sequence of Level
        Those that work on the level reads.
    """
    ratios = [max(source.shape) / max(level.shape) for source in sources]
    widest = max(ratios, default=1.0)
    return side if widest <= 2.5 else max(1, round(side / widest))


Input = tuple[Source, Level]
"""Source of the values of a raster, and its whole level."""


def read_parts(stage: Local, level: Level, inputs: Sequence[Input], target: Level) -> list[Part]:
    """Return the parts of the sources that work on a part of a level reads."""
    parts = []
    for source, whole in inputs:
        part_level = whole
        if target.whole is not None:
            part_level = source_part(stage, level, whole, target)
        parts.append(Part(source.read(_window(part_level)), part_level))
    return parts


def _window(level: Level) -> Window:
    return Window(0, 0, *level.shape) if level.whole is None else window_of(level)


def source_part(stage: Local, level: Level, source_level: Level, target: Level) -> Level:
    """Return the part of a source's level that a stage on a part of another level reads.

    Parameters
    ----------
    stage : Local
    level, source_level : Level
        The whole levels that the stage works on, and of the source.
    target : Level
        The part that the stage works on.
    """
    if source_level != level:
        return stage.across(source_level, target)
    reach = stage.reach
    if callable(reach):
        return reach(target)
    return target.grow(reach or 0, reach or 0)


def do_local(
    stage: Local, level: Level, inputs: Sequence[Input], target: Level
) -> tuple[Field, ...]:
    """Return the fields of a local stage on a part of a level."""
    parts = read_parts(stage, level, inputs, target)
    fields = as_tuple(stage.work(target, parts, blocks.unheard))
    return tuple(_cut(field, parts[0].level, target) if parts else field for field in fields)


def _cut(field: Field, part_level: Level, target: Level) -> Field:
    if field.shape[:2] == target.shape:
        return field
    return np.ascontiguousarray(field[target.within(part_level)])


@dataclasses.dataclass(frozen=True)
class Computed:
    """Source of values that are worked out each time they are read.

    Attributes
    ----------
    stage : Local
    level : Level
    inputs : tuple of Input
    """

    stage: Local
    level: Level
    inputs: tuple[Input, ...]

    def read(self, window: Window) -> Field:
        """See `Source.read`."""
        (field,) = do_local(self.stage, self.level, self.inputs, part(self.level, window))
        return field


@dataclasses.dataclass(frozen=True)
class Gathered:
    """Source of values that come from some rows and columns of another one; see `Runner.gather`."""

    work: Callable[[Level, Read], Field]
    level: Level
    source: Source

    def read(self, window: Window) -> Field:
        """See `Source.read`."""
        return self.work(part(self.level, window), self._read_lines)

    def _read_lines(self, rows: Indices, columns: Indices) -> Field:
        values = np.empty((len(rows), len(columns)), np.float32)
        for down in _groups(rows):
            for right in _groups(columns):
                row, column = rows[down], columns[right]
                top, left = int(row.min()), int(column.min())
                window = Window(top, left, int(row.max()) + 1 - top, int(column.max()) + 1 - left)
                block = self.source.read(window)
                values[np.ix_(down, right)] = block[np.ix_(row - top, column - left)]
        return values


def _groups(lines: Indices) -> list[Indices]:
    """Return the places of lines in groups that lie near each other."""
    order = np.argsort(lines, kind="stable")
    breaks = np.flatnonzero(np.diff(lines[order]) > _FAR) + 1
    return list(np.split(order, breaks))


@dataclasses.dataclass(frozen=True)
class _LocalWork:
    """A local stage on a tile, or on a whole level if that is no tile."""

    stage: Local
    level: Level
    inputs: tuple[Input, ...]
    fields: tuple[TiledField, ...]

    def __call__(self, tile: Window | int) -> None:
        target = _target(self.level, tile)
        fields = do_local(self.stage, self.level, self.inputs, target)
        _write(self.fields, tile, fields)


@dataclasses.dataclass(frozen=True)
class _Numbered:
    """Work on tiles by their numbers: fields of so few samples are noted as a whole."""

    work: _LocalWork
    tiles: tuple[Window, ...]

    def __call__(self, number: int) -> None:
        self.work(self.tiles[number])


@dataclasses.dataclass(frozen=True)
class _RoundsWork:
    """Some rounds on a tile, or on a whole level."""

    stage: Rounds
    level: Level
    sizes: tuple[int, ...]
    inputs: tuple[Source, ...]
    fields: tuple[TiledField, ...]

    def __call__(self, tile: Window | int) -> None:
        target, reach = _target(self.level, tile), sum(map(self.stage.reach, self.sizes))
        parts = []
        for source in self.inputs:
            part_level = target.grow(reach, reach)
            parts.append(Part(source.read(_window(part_level)), part_level))
        fields = self.stage.work(parts[0].level, parts, self.sizes)
        _write(self.fields, tile, [_cut(field, parts[0].level, target) for field in fields])


def _target(level: Level, tile: Window | int) -> Level:
    if not isinstance(tile, Window) or tile.shape == level.shape:
        return level
    return part(level, tile)


def _write(fields: Sequence[TiledField], tile: Window | int, results: Sequence[Field]) -> None:
    for field, values in zip(fields, results, strict=True):
        if isinstance(tile, Window):
            field.write(tile, values)
        else:
            level_fields.write_whole(field, values)


@dataclasses.dataclass(frozen=True)
class _Solve(Generic[Found]):
    work: Callable[[Sequence[Part], Progress], Found]
    inputs: tuple[Input, ...]

    def __call__(self, _: int) -> Found:
        parts = [Part(source.read(_window(level)), level) for source, level in self.inputs]
        return self.work(parts, blocks.unheard)


@dataclasses.dataclass(frozen=True)
class _Magnitude:
    source: Source
    pick: Pick

    def __call__(self, tile: Window) -> float:
        return totals.magnitude(self.pick(self.source.read(tile)))


@dataclasses.dataclass(frozen=True)
class _Coarsen:
    function: Callable[[Field, Level, Level], Field]
    source: Source
    fine: Level
    coarse: Level
    result: TiledField

    def __call__(self, tile: Window) -> None:
        target = part(self.coarse, tile)
        part_level = pyramid.source_part(self.fine, target)
        values = self.source.read(window_of(part_level))
        self.result.write(tile, self.function(values, part_level, target))


def _read_first(target: Level, parts: Sequence[Part], progress: object) -> Field:
    return parts[0].values
