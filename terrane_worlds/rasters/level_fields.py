# SPDX-License-Identifier: GPL-3.0-or-later
"""A land on levels from coarse to fine: the coarse ones in memory, the finer ones in tiles."""

from __future__ import annotations

from collections.abc import Sequence

from noise_core.base.arrays import Field
from noise_core.rasters.level import Level

from ..fields import TiledField
from ..land import Land
from ..tiling import Window
from .parts import tiling_of

MOST_SAMPLES = 1 << 22
"""Of a level that is worked on in memory as a whole, as finer ones are in tiles of so many."""


def new_field(land: Land, name: str, level: Level) -> TiledField:
    """Return a field for a level of a land, in tiles as large as the land's."""
    return land.new_field(name, "float32", tiling_of(level, land.tiling.side))


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
