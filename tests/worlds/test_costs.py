# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on a tile takes no more memory, and leaves no more on disk, than is declared."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from noise_core import Grid, Map, Modifier, Recipe, map_types, modifier_types
from noise_core.base import blocks
from noise_core.maps import Cavity, Curvature, DrainageArea, Flow, River, RiverDistance, Sea
from noise_core.modifiers import Blur, CoastalErosion, SedimentErosion, StreamErosion, Terraces
from noise_core.noises import Fractal
from terrane_worlds import World, maps, modifiers
from terrane_worlds.base.tiling import Tiling
from terrane_worlds.builds.budget import PROCESS, Budget
from terrane_worlds.rasters import level_fields
from terrane_worlds.recipes.refusals import check_recipe
from terrane_worlds.tiles.cost import Cost
from terrane_worlds.tiles.engine import Engine
from terrane_worlds.tiles.land import Land
from tests.core.contract_modifiers import known

from .tiled_modifiers import WIDTH, hills, store

SIDE = 512
MOST = 620 * 620
"""Samples of a level that is worked on as a whole: those of debris flows have as many here."""

TYPES = {
    cls.key: cls(**known(cls, "few_steps", "fewer_steps"))
    for types, registry in ((modifier_types(), modifiers.REGISTRY), (map_types(), maps.REGISTRY))
    for cls in types.values()
    if cls not in registry.all() and not registry.reason(cls) and getattr(cls, "channels", 1) == 1
}
"""All that is described in stages."""

WIDE = {
    "shore": Sea(kind="shore"),
    "river distance": RiverDistance(threshold=1e6),
    "river": River(),
    "wide blur": Blur(radius=200.0, amount=0.5),
    "wide cavity": Cavity(radius=300.0),
    "curvature": Curvature(kind="plan", radius=200.0),
    "drainage area": DrainageArea(),
    "flow": Flow(),
    "sediment": SedimentErosion(steps=32),
    "terraces": Terraces(count=3),
}
"""What is routed, and what looks far around."""


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


def measure(
    one: Modifier | Map, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Cost, Cost]:
    """Return the cost that is counted beforehand, and that which is measured."""
    monkeypatch.setattr(level_fields, "MOST_SAMPLES", MOST)
    grid = Grid(1100, 1100, size=WIDTH)
    workers = _Measuring(folder)
    land = Land(grid, Tiling(1100, 1100, SIDE), Engine(workers=workers), folder)
    height, part = store(land, hills(grid)), land.enter("part")
    if isinstance(one, Modifier):
        cost = modifiers.REGISTRY.check(one, "who", grid, land.tiling)
        modifiers.REGISTRY.find(one, "who")(one, part, height, 7)
    else:
        cost = maps.REGISTRY.check(one, "who", grid, land.tiling)
        maps.REGISTRY.find(one, "who")(one, part, height)
    # The heights before and after are those of the layer.
    return cost, Cost(workers.memory / SIDE**2, 0.0, workers.disk / grid.rows / grid.columns - 8.0)


@pytest.mark.parametrize("one", TYPES.values(), ids=TYPES)
def test_costs_of_stages_are_within_a_fifth(
    one: Modifier | Map, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, measured = measure(one, tmp_path, monkeypatch)
    # Little more than blocks in the cache and heads of files says nothing.
    assert counted.worker == pytest.approx(measured.worker, rel=0.2, abs=4.0)
    assert measured.disk <= counted.disk + 0.1


@pytest.mark.parametrize("one", WIDE.values(), ids=WIDE)
def test_work_takes_no_more_than_is_declared(
    one: Modifier | Map, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, measured = measure(one, tmp_path, monkeypatch)
    # Blocks in the cache and heads of files, which are as many whatever the tiles.
    assert 0.4 * counted.worker <= measured.worker <= counted.worker + 8.0
    assert measured.disk <= counted.disk + 0.1


BYTES_OF_WORKERS = {None: 40, StreamErosion: 120, CoastalErosion: 193}
"""A sample of a tile, by the layer that takes most; docs/clusters.md has them."""


@pytest.mark.parametrize("kind", BYTES_OF_WORKERS)
def test_a_worker_takes_what_the_page_says(kind: type[Modifier] | None) -> None:
    layers = (Fractal(octaves=8.0), *(() if kind is None else (kind(),)))
    recipe = Recipe(layers=layers, seed=1, size=16000.0, height=1000.0)
    world = World(recipe, 32_768, 32_768, 2048)
    budget = Budget(world.tiling, 1, check_recipe(world.recipe, world.grid, world.tiling))
    # With two workers the builder is a process of its own.
    worker = budget.memory(2) - budget.memory(1) - 2 * PROCESS
    assert worker / 2048**2 == pytest.approx(BYTES_OF_WORKERS[kind], abs=0.5)
