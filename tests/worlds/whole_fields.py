# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers and maps done on the whole land at once, to test what is around those in tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import pytest

from noise_core.base import blocks
from terrane_worlds import maps, modifiers
from terrane_worlds.cost import Cost
from terrane_worlds.fields import TiledField
from terrane_worlds.land import Land
from terrane_worlds.rasters.level_fields import read_whole
from terrane_worlds.tiling import Window


def whole_modifier(modifier, land: Land, height: TiledField, seed: int):
    relief = modifier.relief(read_whole(height), land.grid, seed, blocks.unheard)
    made = {name: _write(values, name, land) for name, values in relief.maps.items()}
    return _write(relief.height, "height", land), made


def whole_map(one, land: Land, height: TiledField) -> TiledField:
    return _write(one.values(read_whole(height), land.grid), "map", land)


def _write(values: np.ndarray, name: str, land: Land) -> TiledField:
    field = land.new_field(name, np.float32)
    for tile in land.tiling.tiles:
        field.write(tile, values[tile.within(Window(0, 0, *land.grid.shape))])
    return field


@contextmanager
def registered(modifier_types=(), map_types=()) -> Iterator[None]:
    """Have types done on the whole land, whether they are done in tiles or not."""
    with pytest.MonkeyPatch.context() as patch:
        for registry, types, function in (
            (modifiers.REGISTRY, modifier_types, whole_modifier),
            (maps.REGISTRY, map_types, whole_map),
        ):
            functions: Mapping = registry.all()
            patch.setattr(registry, "_functions", {**functions, **dict.fromkeys(types, function)})
            costs = {**registry._costs, **dict.fromkeys(types, Cost())}
            patch.setattr(registry, "_costs", costs)
            checks = {one: own for one, own in registry._checks.items() if one not in types}
            patch.setattr(registry, "_checks", checks)
        yield
