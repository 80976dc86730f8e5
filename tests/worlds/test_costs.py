# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on a tile takes no more memory, and leaves no more on disk, than is declared."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from noise_core import Grid, Modifier
from noise_core.base import blocks
from noise_core.maps import (
    AmbientOcclusion,
    Cavity,
    Curvature,
    DrainageArea,
    Flow,
    HeightBands,
    River,
    RiverDistance,
    Sea,
    Slope,
)
from noise_core.maps.bases.map import Map
from noise_core.modifiers import (
    Blur,
    GullyErosion,
    Normalize,
    SedimentErosion,
    Strata,
    Terraces,
    ThermalErosion,
)
from terrane_worlds import maps, modifiers
from terrane_worlds.engine import Engine
from terrane_worlds.land import Land
from terrane_worlds.rasters import level_fields
from terrane_worlds.tiling import Tiling

from .tiled_modifiers import WIDTH, hills, store

SIDE = 512
TYPES = {
    "sky": AmbientOcclusion(),
    "shore": Sea(kind="shore"),
    "river distance": RiverDistance(threshold=1e6),
    "river": River(),
    "blur": Blur(),
    "wide blur": Blur(radius=200.0, amount=0.5),
    "cavity": Cavity(radius=300.0),
    "curvature": Curvature(kind="plan", radius=200.0),
    "drainage area": DrainageArea(),
    "flow": Flow(),
    "gullies": GullyErosion(),
    "bands": HeightBands(),
    "normalize": Normalize(maximum=9.0),
    "sediment": SedimentErosion(steps=32),
    "slope": Slope(),
    "strata": Strata(),
    "terraces": Terraces(count=3),
    "thermal": ThermalErosion(),
}


class _Measuring:
    """Workers that take down how much memory each item took at most, and the disk after each stage."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.memory, self.disk = folder, 0, 0

    def run(
        self, work: Callable[[Any], Any], items: Mapping[int, Any]
    ) -> Iterator[tuple[int, Any]]:
        for number, item in items.items():
            tracemalloc.start()
            # As workers do: each thread more has blocks of its own.
            with blocks.on_threads(1):
                result = work(item)
            self.memory = max(self.memory, tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
            yield number, result
        used = sum(path.stat().st_size for path in self._folder.rglob("*.npy"))
        self.disk = max(self.disk, used)


@pytest.mark.parametrize("one", TYPES.values(), ids=TYPES)
def test_work_takes_no_more_than_is_declared(
    one: Modifier | Map, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(level_fields, "MOST_SAMPLES", SIDE * SIDE)
    grid = Grid(1100, 1100, size=WIDTH)
    workers = _Measuring(tmp_path)
    land = Land(grid, Tiling(1100, 1100, SIDE), Engine(workers=workers), tmp_path)
    height, part = store(land, hills(grid)), land.enter("part")
    if isinstance(one, Modifier):
        cost = modifiers.REGISTRY.check(one, "who", grid, land.tiling)
        modifiers.REGISTRY.find(one, "who")(one, part, height, 7)
    else:
        cost = maps.REGISTRY.check(one, "who", grid, land.tiling)
        maps.REGISTRY.find(one, "who")(one, part, height)
    # Blocks in the cache and heads of files, which are as many whatever the tiles.
    assert 0.4 * cost.worker <= workers.memory / SIDE**2 <= cost.worker + 8.0
    assert workers.disk / (grid.rows * grid.columns) <= 8.0 + cost.disk + 0.1
