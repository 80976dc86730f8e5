# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory and disk that the stages of a modifier or map need on a land in tiles, counted without doing them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from noise_core.base.arrays import Field
from noise_core.base.blocks import Progress
from noise_core.base.errors import ParameterError
from noise_core.base.grid import Grid
from noise_core.rasters.level import Level
from noise_core.stages.description import Connected, Local, Part, Raster, Rounds
from noise_core.stages.runner import Found, Pick, Read, Runner

from ..base.tiling import Tiling
from ..rasters import level_fields, shares
from ..tiles.cost import Cost
from .computed import source_part
from .tiled_runner import side_of_tiles

SORTING = 16.0
"""Bytes for each sample of a tile whose values are counted, to find that at some place in the order of all."""

RESAMPLING = 32.0
"""Bytes for each sample of a tile that is made of four times as many."""

LABELING = 36.0
"""Bytes for each sample of a tile in which parts of a mask are told apart."""

JOINING = 64.0
"""Bytes for each sample along the edges of all tiles, where such parts are joined."""

SUMMING = 4.0
"""Bytes for each sample of a tile that is added up, besides its values."""

_VALUE = 4.0
"""Bytes of a sample."""


@dataclasses.dataclass(eq=False)
class _Counted:
    """A field that would be there: its samples in files, and the stage that makes it when it is read."""

    samples: float
    lazy: tuple[Local, tuple[Raster, ...]] | None = None


class CountingRunner(Runner):
    """Counts the most that stages need.

    Parameters
    ----------
    grid : Grid
        Of the whole land.
    tiling : Tiling
        Of its heights.
    who : str
        Starts messages.
    """

    def __init__(self, grid: Grid, tiling: Tiling, who: str) -> None:
        super().__init__(Level.from_grid(grid), grid)
        self._tiling, self._who = tiling, who
        self._there: set[_Counted] = set()
        self._tile, self._files, self._caller, self._kept = 0.0, 0.0, 0.0, 0.0

    @property
    def cost(self) -> Cost:
        """The cost of all stages so far."""
        rows, columns = self.level.shape
        # The height that is the result counts as that of the layer.
        files = max(self._files / (rows * columns) - _VALUE, 0.0)
        return Cost(self._tile / self._tiling.side**2, self._caller, files)

    def take(self) -> Raster:
        """Return the height of the land."""
        return Raster(self.level, _Counted(0.0))

    def local(self, stage: Local, *sources: Raster, on: Level | None = None) -> tuple[Raster, ...]:
        """See `Runner.local`."""
        level = on or sources[0].level
        if stage.is_lazy:
            return (Raster(level, _Counted(0.0, (stage, sources))),)
        if stage.reach is None:
            self._check_whole(level)
        self._note(self._bytes_of(stage, level, sources))
        return self._add(level, len(stage.makes))

    def gather(
        self, name: str, work: Callable[[Level, Read], Field], source: Raster, on: Level
    ) -> Raster:
        """See `Runner.gather`: as much is read as is made."""
        return Raster(
            on, _Counted(0.0, (Local(name, _never, is_lazy=True), (Raster(on, source.values),)))
        )

    def solve(
        self, name: str, work: Callable[[Sequence[Part], Progress], Found], *sources: Raster
    ) -> Found:
        """See `Runner.solve`. Nothing is known, but a stage that needs it is handed a placeholder."""
        for source in sources:
            self._check_whole(source.level)
        return cast("Found", UNKNOWN)

    def connected(self, stage: Connected, *sources: Raster) -> Raster:
        """See `Runner.connected`."""
        tile = self._middle(sources[0].level)
        samples = tile.rows * tile.columns
        self._note(sum(self._reading(source, tile) for source in sources) + LABELING * samples)
        self._caller = max(self._caller, JOINING)
        return self._add(sources[0].level, 1)[0]

    def total(self, source: Raster, pick: Pick = np.asarray) -> float:
        """See `Runner.total`."""
        tile = self._middle(source.level)
        self._note(self._reading(source, tile) + SUMMING * tile.rows * tile.columns)
        return 1.0

    def values_at(self, source: Raster, ranks: Sequence[int]) -> tuple[np.float32, ...]:
        """See `Runner.values_at`: lands are taken for as high as `shares.MOST_RELIEF` says."""
        tile = self._middle(source.level)
        self._note(self._reading(source, tile) + SORTING * tile.rows * tile.columns)
        most = shares.MOST_RELIEF * self.grid.width
        rows, columns = source.level.shape
        return tuple(np.float32(most * rank / max(rows * columns - 1, 1)) for rank in ranks)

    def holds(self, condition: bool) -> bool:
        """See `Runner.holds`."""
        return False

    def restrict(self, source: Raster, coarse: Level) -> Raster:
        """See `Runner.restrict`."""
        self._note(RESAMPLING * self._tiling.side**2)
        samples = float(coarse.rows * coarse.columns)
        self._kept += samples
        self._add(coarse, 0)
        return Raster(coarse, _Counted(samples))

    def subsample(self, source: Raster, coarse: Level) -> Raster:
        """See `Runner.subsample`."""
        return self.restrict(source, coarse)

    def rounds(self, stage: Rounds, state: Sequence[Raster]) -> tuple[Raster, ...]:
        """See `Runner.rounds`."""
        if not stage.sizes:
            return tuple(state)
        level = state[0].level
        is_whole = self._is_whole(level)
        reach = 0 if is_whole else sum(map(stage.reach, stage.sizes[: stage.at_once]))
        local = Local(
            stage.name, _never, reach, makes=stage.makes, held=stage.held, in_cache=stage.in_cache
        )
        self._note(self._bytes_of(local, level, state))
        results = self._add(level, len(stage.makes))
        if len(stage.sizes) > stage.at_once and not is_whole:
            self.drop(self._add(level, len(stage.makes)))  # two states are there at once
        return (*results, *state[len(results) :])

    def drop(self, old: Sequence[Raster], kept: Sequence[Raster] = ()) -> None:
        """See `Runner.drop`."""
        self._there -= _fields_in(old) - _fields_in(kept)

    def _add(self, level: Level, count: int) -> tuple[Raster, ...]:
        fields = [_Counted(float(level.rows * level.columns)) for _ in range(count)]
        self._there.update(fields)
        samples = self._kept + sum(field.samples for field in self._there)
        self._files = max(self._files, _VALUE * samples)
        return tuple(Raster(level, field) for field in fields)

    def _note(self, amount: float) -> None:
        self._tile = max(self._tile, amount)

    def _bytes_of(self, stage: Local, level: Level, sources: Sequence[Raster]) -> float:
        levels = [source.level for source in sources]
        is_whole = stage.reach is None or self._is_whole(level, *levels)
        side = self._tiling.side
        if level != self.level:
            side = side_of_tiles(side, level, levels)
        target = level if is_whole else self._middle(level, side)
        samples = target.rows * target.columns
        amount, widest = _VALUE * len(stage.makes) * samples, float(samples)
        for source in sources:
            part = (
                source.level if target is level else source_part(stage, level, source.level, target)
            )
            if target is not level and part is source.level:
                self._check_whole(part)
            widest = max(widest, float(part.rows * part.columns))
            amount += self._reading(source, part)
        return amount + stage.held * widest + stage.in_cache

    def _reading(self, source: Raster, part: Level) -> float:
        """Return the bytes that reading a part takes."""
        counted: _Counted = source.values
        amount = _VALUE * part.rows * part.columns
        if counted.lazy is None:
            return amount
        stage, sources = counted.lazy
        parts = [source_part(stage, source.level, lower.level, part) for lower in sources]
        return amount + sum(self._reading(lower, needs) for lower, needs in zip(sources, parts))

    def _middle(self, level: Level, side: int | None = None) -> Level:
        """Return a tile amid a level, of the land's side if none is given."""
        side = side or self._tiling.side
        row, column = ((-(-size // side) - 1) // 2 * side for size in level.shape)
        rows, columns = min(side, level.rows - row), min(side, level.columns - column)
        return level if (rows, columns) == level.shape else level.part(row, column, rows, columns)

    def _is_whole(self, *levels: Level) -> bool:
        return all(
            level != self.level and level.rows * level.columns <= level_fields.MOST_SAMPLES
            for level in levels
        )

    def _check_whole(self, level: Level) -> None:
        """Raise a ParameterError if a level does not fit into memory as a whole."""
        most = level_fields.MOST_SAMPLES
        if level.rows * level.columns > most:
            raise ParameterError(
                "{}: levels that are worked on as a whole must have at most {} samples in tiles",
                self._who,
                most,
                got=f"{level.rows} x {level.columns}",
            )


class _Unknown:
    """Placeholder for results that are solved when the stages run."""


UNKNOWN = _Unknown()


def _fields_in(rasters: Sequence[Raster]) -> set[_Counted]:
    fields: set[_Counted] = set()
    for raster in rasters:
        counted: _Counted = raster.values
        fields.add(counted)
        if counted.lazy is not None:
            fields |= _fields_in(counted.lazy[1])
    return fields


def _never(*arguments: object) -> tuple[()]:
    """Work that is not done."""
    return ()
