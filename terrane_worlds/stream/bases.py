# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields on the levels that are worked on in tiles, and the ground with which erosion of each begins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noise_core.base.arrays import Field
from noise_core.erosion.stream import detail
from noise_core.erosion.stream.law import StreamLaw
from noise_core.rasters.level import Level

from ..base.tiling import Window
from ..rasters import resampling
from ..rasters.level_fields import new_field, read_whole
from ..rasters.parts import part
from ..tiles.fields import TiledField
from ..tiles.land import Land


@dataclass(frozen=True)
class LevelFields:
    """A field on all levels that are worked on in tiles, and on the next coarser one.

    Attributes
    ----------
    picks : tuple of TiledField
        Subsamples of the finest level.
    smoothed : tuple of TiledField
        The same, each smoothed once on its way from the finer level.
    """

    picks: tuple[TiledField, ...]
    smoothed: tuple[TiledField, ...]

    @classmethod
    def build(cls, field: TiledField, levels: list[Level], count: int, land: Land) -> LevelFields:
        """Return a field on so many levels, and on one more."""
        picks, smoothed = [field], [field]
        for place in range(1, count + 1):
            fine, coarse = levels[place - 1], levels[place]
            fields = [new_field(land, f"{kind}_{place}", coarse) for kind in ("picked", "smoothed")]
            work = _CoarsenBases(picks[-1], fine, coarse, fields[0], fields[1])
            land.engine.derive(f"coarsen_{place}", work, fields)
            picks.append(fields[0])
            smoothed.append(fields[1])
        return cls(tuple(picks), tuple(smoothed))

    def in_memory(self, place: int, levels: list[Level]) -> list[Field]:
        """Return the field on all levels, in memory from a place on; finer ones are empty."""
        fields = [read_whole(self.smoothed[place])]
        coarser = detail.coarser_bases(read_whole(self.picks[place]), levels[place:])
        return [np.zeros((0, 0), np.float32)] * place + fields + coarser


@dataclass(frozen=True)
class _CoarsenBases:
    """Write a tile of the next coarser level, both ways."""

    source: TiledField
    fine: Level
    coarse: Level
    picked: TiledField
    smoothed: TiledField

    def __call__(self, tile: Window) -> None:
        source = resampling.source_window(tile, self.fine, self.coarse)
        values = self.source.read(source)
        for out, function in (
            (self.picked, resampling.subsample),
            (self.smoothed, resampling.restrict),
        ):
            out.write(tile, function(values, source, self.fine, self.coarse, tile))


@dataclass(frozen=True)
class Bases:
    """Ground with which erosion of a level begins, of which any window can be had."""

    law: StreamLaw
    place: int
    picture: TiledField

    def read(self, window: Window) -> Field:
        """Return the height of a window before erosion, in meters."""
        level = part(self.law.land.levels[self.place], window)
        return self.law.base(self.picture.read(window), self.place, level)
