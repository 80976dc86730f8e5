# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages on a single tile, as plain data that another process can do."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Generic

from noise_core.base import blocks
from noise_core.base.arrays import Field
from noise_core.base.blocks import Progress
from noise_core.rasters import pyramid, totals
from noise_core.rasters.level import Level
from noise_core.stages.description import Local, Part, Rounds
from noise_core.stages.runner import Found, Pick

from ..base.tiling import Window
from ..rasters import level_fields
from ..rasters.parts import part, window_of
from ..tiles.fields import TiledField
from ..tiles.sources import Source
from .computed import Input, cut, do_local, window_in


@dataclasses.dataclass(frozen=True)
class LocalWork:
    """A local stage on a tile, or on a whole level if that is no tile."""

    stage: Local
    level: Level
    inputs: tuple[Input, ...]
    fields: tuple[TiledField, ...]

    def __call__(self, tile: Window | int) -> None:
        """Write the fields of the stage there."""
        target = _target(self.level, tile)
        fields = do_local(self.stage, self.level, self.inputs, target)
        _write(self.fields, tile, fields)


@dataclasses.dataclass(frozen=True)
class Numbered:
    """Work on tiles by their numbers: fields of so few samples are noted as a whole."""

    work: LocalWork
    tiles: tuple[Window, ...]

    def __call__(self, number: int) -> None:
        """Do the work on a tile."""
        self.work(self.tiles[number])


@dataclasses.dataclass(frozen=True)
class RoundsWork:
    """Some rounds on a tile, or on a whole level."""

    stage: Rounds
    level: Level
    sizes: tuple[int, ...]
    inputs: tuple[Source, ...]
    fields: tuple[TiledField, ...]

    def __call__(self, tile: Window | int) -> None:
        """Write the fields of the rounds there."""
        target, reach = _target(self.level, tile), sum(map(self.stage.reach, self.sizes))
        parts = []
        for source in self.inputs:
            part_level = target.grow(reach, reach)
            parts.append(Part(source.read(window_in(part_level)), part_level))
        fields = self.stage.work(parts[0].level, parts, self.sizes)
        _write(self.fields, tile, [cut(field, parts[0].level, target) for field in fields])


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
class Solve(Generic[Found]):
    """A computation on sources as a whole, whose result is no field."""

    work: Callable[[Sequence[Part], Progress], Found]
    inputs: tuple[Input, ...]

    def __call__(self, _: int) -> Found:
        """Return the result."""
        parts = [Part(source.read(window_in(level)), level) for source, level in self.inputs]
        return self.work(parts, blocks.unheard)


@dataclasses.dataclass(frozen=True)
class Magnitude:
    """The magnitude of the values on a tile; see `totals.magnitude`."""

    source: Source
    pick: Pick

    def __call__(self, tile: Window) -> float:
        """Return the magnitude there."""
        return totals.magnitude(self.pick(self.source.read(tile)))


@dataclasses.dataclass(frozen=True)
class Coarsen:
    """A tile of a coarser level."""

    function: Callable[[Field, Level, Level], Field]
    source: Source
    fine: Level
    coarse: Level
    result: TiledField

    def __call__(self, tile: Window) -> None:
        """Write the values there."""
        target = part(self.coarse, tile)
        part_level = pyramid.source_part(self.fine, target)
        values = self.source.read(window_of(part_level))
        self.result.write(tile, self.function(values, part_level, target))


def read_first(target: Level, parts: Sequence[Part], progress: object) -> Field:
    """Return the values of the first source."""
    return parts[0].values
