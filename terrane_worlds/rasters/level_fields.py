# SPDX-License-Identifier: GPL-3.0-or-later
"""A land on levels from coarse to fine: the coarse ones in memory, the finer ones in tiles."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from noise_core.base.arrays import Field
from noise_core.erosion.slides import balancing
from noise_core.rasters import totals
from noise_core.rasters.level import Level

from ..base.tiling import Window
from ..tiles.fields import TiledField
from ..tiles.land import Land
from .parts import part, tiling_of
from .resampling import needed, restrict
from .statistics import whole_sum

MOST_SAMPLES = 1 << 22
"""Of a level that is worked on in memory as a whole, as finer ones are in tiles of so many."""

ChangeFunction = Callable[[Field, Field, Level, Field, Level], Field]
"""Takes a coarser level's height after and before, that level, the finer level's height before, and this
level; returns how the finer one changes. Levels are parts."""


def new_field(land: Land, name: str, level: Level) -> TiledField:
    """Return a field for a level of a land, in tiles as large as the land's."""
    return land.new_field(name, "float32", tiling_of(level, land.tiling.side))


def restrict_all(height: TiledField, levels: Sequence[Level], land: Land) -> list[TiledField]:
    """Return the height of a land on all levels, finest first."""
    fields = [height]
    for number, (fine, coarse) in enumerate(zip(levels, levels[1:]), 1):
        field = new_field(land, f"restricted_{number}", coarse)
        work = _Restrict(fields[-1], fine, coarse, field)
        land.engine.derive(f"restrict_{number}", work, [field])
        fields.append(field)
    return fields


def count_tiled(levels: Sequence[Level]) -> int:
    """Return how many of some levels, finest first, are worked on in tiles; at least one is not."""
    sizes = [level.rows * level.columns for level in levels]
    return next((n for n, size in enumerate(sizes) if size <= MOST_SAMPLES), len(levels) - 1)


def read_whole(field: TiledField) -> Field:
    """Return a whole field."""
    values: Field = field.read(Window(0, 0, *field.tiling.shape))
    return values


def write_whole(field: TiledField, values: Field) -> None:
    """Write a whole field, tile by tile."""
    whole = Window(0, 0, *values.shape)
    for tile in field.tiling.tiles:
        field.write(tile, values[tile.within(whole)])


@dataclasses.dataclass(frozen=True)
class Raised:
    """A level's height with the balanced change of the coarser level added.

    Attributes
    ----------
    height, change : TiledField
    factors : see `balancing.Factors`
    """

    height: TiledField
    change: TiledField
    factors: balancing.Factors

    def read(self, window: Window) -> Field:
        """Return the values of a window."""
        change = balancing.scale_sides(self.change.read(window), self.factors)
        change += self.height.read(window)
        return change


def refine(
    coarse: tuple[TiledField, TiledField, Level],
    fine: tuple[TiledField, Level],
    change_of: ChangeFunction,
    land: Land,
) -> Raised:
    """Return a level's height with the change of the next coarser level added.

    Parameters
    ----------
    coarse : tuple
        The coarser level's height after and before, and that level.
    fine : tuple
        The finer level's height before, and this level.
    change_of : callable
        Picklable.
    land : Land
        With separate names for this level.
    """
    height, level = fine
    change = new_field(land, "change", level)
    work = _Change(coarse, fine, change_of, change)
    extremes = land.engine.run("change", work, change.tiling.tiles)
    gains, losses = zip(*extremes)
    gain = whole_sum(change, gains, land.engine, change.tiling.tiles, balancing.added)
    loss = -whole_sum(change, losses, land.engine, change.tiling.tiles, balancing.taken)
    return Raised(height, change, balancing.balancing_factors(gain, loss))


@dataclasses.dataclass(frozen=True)
class _Restrict:
    source: TiledField
    fine: Level
    coarse: Level
    result: TiledField

    def __call__(self, tile: Window) -> None:
        source = needed(tile, self.fine, self.coarse)
        values = self.source.read(source)
        self.result.write(tile, restrict(values, source, self.fine, self.coarse, tile))


@dataclasses.dataclass(frozen=True)
class _Change:
    """Write the change of a tile; return how much it adds and takes away anywhere at most."""

    coarse: tuple[TiledField, TiledField, Level]
    fine: tuple[TiledField, Level]
    change_of: ChangeFunction
    result: TiledField

    def __call__(self, tile: Window) -> tuple[float, float]:
        changed, original, coarse = self.coarse
        height, fine = self.fine
        source = needed(tile, coarse, fine)
        change = self.change_of(
            changed.read(source),
            original.read(source),
            part(coarse, source),
            height.read(tile),
            part(fine, tile),
        )
        self.result.write(tile, change)
        return totals.magnitude(balancing.added(change)), totals.magnitude(balancing.taken(change))
