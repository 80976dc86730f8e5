# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages of modifiers and maps on a land in tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from noise_core.base.arrays import Field
from noise_core.base.blocks import Progress
from noise_core.rasters import pyramid
from noise_core.rasters.level import Level
from noise_core.stages.description import Connected, Local, Part, Raster, Rounds
from noise_core.stages.runner import Found, Pick, Read, Runner

from ..rasters import level_fields
from ..rasters.components import find_reached
from ..rasters.parts import tiling_of
from ..rasters.statistics import values_at, whole_sum
from ..tiles.fields import TiledField
from ..tiles.land import Land
from ..tiles.sources import fields_of
from .computed import Computed, Gathered, Input
from .tile_works import Coarsen, LocalWork, Magnitude, Numbered, RoundsWork, Solve, read_first


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
        work = LocalWork(stage, level, inputs, fields)
        if stage.reach is None or self._is_whole(
            level, *(source_level for _, source_level in inputs)
        ):
            land.engine.run(stage.name, work, [0])
        elif side != land.tiling.side:  # a few samples of a level stand for a tile
            land.engine.run(stage.name, Numbered(work, tiling.tiles), range(len(tiling.tiles)))
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
        solver = Solve(work, tuple((source.values, source.level) for source in sources))
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
            magnitude = Magnitude(source.values, pick)
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
            work = RoundsWork(stage, level, some, inputs, fields)
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
        stage = Local("keep", read_first)
        (kept,) = self.local(stage, raster)
        field: TiledField = kept.values
        return field

    def _coarsen(
        self, source: Raster, coarse: Level, function: Callable[[Field, Level, Level], Field]
    ) -> Raster:
        name = function.__name__
        land = self._enter(name)
        field = level_fields.new_field(land, "height", coarse)
        work = Coarsen(function, source.values, source.level, coarse, field)
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
