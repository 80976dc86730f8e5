# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers run in tiles and in memory, to be compared bit by bit."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from noise_core import Grid, Modifier
from noise_core.base import blocks
from noise_core.base.arrays import Field
from noise_core.noises import Fractal, Perlin
from terrane_worlds.engine import Engine
from terrane_worlds.fields import TiledField
from terrane_worlds.land import Land
from terrane_worlds.modifiers import REGISTRY
from terrane_worlds.rasters.level_fields import read_whole, write_whole
from terrane_worlds.tiling import Tiling

from .lands import assert_same_bits

SEED = 4711
WIDTH = 2400.0


@functools.lru_cache(maxsize=16)
def hills(grid: Grid) -> Field:
    """Return hills some 500 m high, with a level sea; not to be written to."""
    noise = Fractal(source=Perlin(frequency=3.0), octaves=6)
    field = np.maximum(noise.sample_grid(grid, 5) * np.float32(500.0), np.float32(-150.0))
    field.flags.writeable = False
    return field


class _Elsewhere:
    """Workers to whom everything goes as to another process."""

    def run(
        self, work: Callable[[Any], Any], items: Mapping[int, Any]
    ) -> Iterator[tuple[int, Any]]:
        sent = pickle.dumps(work)
        for number, item in items.items():
            result = pickle.loads(sent)(pickle.loads(pickle.dumps(item)))
            yield number, pickle.loads(pickle.dumps(result))


def build_land(grid: Grid, side: int, folder: Path) -> Land:
    """Return a land without fields."""
    tiling = Tiling(grid.rows, grid.columns, side, grid.wrap)
    return Land(grid, tiling, Engine(workers=_Elsewhere()), folder)


def store(land: Land, values: Field, name: str = "ground") -> TiledField:
    """Return a field that holds the values of the whole land."""
    field = land.new_field(name, "float32")
    write_whole(field, values)
    return field


def read(field: TiledField) -> Field:
    """Return the values of the whole land."""
    return read_whole(field)


def assert_exact(modifier: Modifier, height: Field, grid: Grid, side: int, folder: Path) -> None:
    """Check that a modifier gives the same bits in tiles as in memory, maps included."""
    land = build_land(grid, side, folder)
    function = REGISTRY.find(modifier, "modifier")
    result, maps = function(modifier, land.enter("relief"), store(land, height), SEED)
    expected = modifier.relief(height, grid, SEED, blocks.unheard)
    assert_same_bits(read(result), expected.height)
    assert sorted(maps) == sorted(expected.maps)
    for name, values in expected.maps.items():
        assert_same_bits(read(maps[name]), values)
