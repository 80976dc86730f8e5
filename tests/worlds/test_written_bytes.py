# SPDX-License-Identifier: GPL-3.0-or-later
"""A build writes little more than its store: fields that fit into its memory stay there."""

from __future__ import annotations

import functools
import random
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks.worlds import written_bytes
from noise_core.base import blocks
from terrane_worlds import World
from terrane_worlds.builds import building
from terrane_worlds.builds.budget import Budget, size_of
from terrane_worlds.rasters import level_fields
from terrane_worlds.recipes.refusals import check_recipe
from terrane_worlds.store.digest import array_digest, joint_digest
from terrane_worlds.tiles.engine import Status
from terrane_worlds.tiles.kept_tiles import KeptTiles

SIDE = 192

WORLD = World("alps", SIDE, SIDE, 64)

MOST = SIDE * SIDE // 16
"""Samples of a level in memory: two levels are worked on in tiles, as at 8192."""


@pytest.fixture(autouse=True)
def _levels_in_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level_fields, "MOST_SAMPLES", MOST)


def build(store: Path, **options: Any) -> tuple[str, float]:
    """Return the digest, and the bytes written over those of the store."""
    before = written_bytes()
    with blocks.on_threads(1):
        digest = WORLD.build(store, **options)
    return digest, (written_bytes() - before) / size_of(store)


@functools.cache
def budget(arrays: int = 1) -> Budget:
    costs = check_recipe(WORLD.recipe, WORLD.grid, WORLD.tiling)
    return Budget(WORLD.tiling, arrays, costs)


def enough(arrays: int = 1) -> int:
    """Return the bytes of memory with which all fields stay there."""
    return int(budget(arrays).memory(1) + budget(arrays).fields) + 1


def test_what_fits_into_memory_is_not_written(tmp_path: Path) -> None:
    digest, ratio = build(tmp_path / "a.zarr", memory=enough())
    assert ratio < 8.0
    # One byte less: fields lie in files, with the same bits.
    on_disk, more = build(tmp_path / "b.zarr", memory=enough() - 2)
    assert digest == on_disk
    assert more > 2.0 * ratio


def test_fields_take_no_more_memory_than_is_declared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most, put = [0], KeptTiles.put

    def count(self: KeptTiles, *arguments: Any) -> None:
        put(self, *arguments)
        sizes = (values.nbytes for tiles in self._fields.values() for values in tiles.values())
        most[0] = max(most[0], sum(sizes))

    monkeypatch.setattr(KeptTiles, "put", count)
    tracemalloc.start()
    build(tmp_path / "a.zarr", memory=enough())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 0.5 * budget().fields < most[0] <= budget().fields
    assert peak <= enough()


def test_maps_that_are_wanted_are_the_same_in_memory_and_in_files(tmp_path: Path) -> None:
    maps = ("lake", "wear", "ridge")
    in_memory, _ = build(tmp_path / "a.zarr", maps=maps)
    in_files, _ = build(tmp_path / "b.zarr", maps=maps, memory=enough(4) - 2)
    assert in_memory == in_files


class StoppedError(Exception):
    pass


def stop_after(count: int) -> Callable[[Status], None]:
    seen = [0]

    def report(status: Status) -> None:
        seen[0] += 1
        if seen[0] == count:
            raise StoppedError

    return report


@pytest.mark.parametrize("first", [0, 1])
def test_a_build_goes_on_with_other_memory(tmp_path: Path, first: int) -> None:
    store, memories, chance = tmp_path / "a.zarr", (enough(), enough() - 2), random.Random(first)
    for number in range(4):
        with suppress(StoppedError):
            stop = stop_after(chance.randrange(1, 600))
            build(store, memory=memories[(first + number) % 2], progress=stop)
    height = WORLD.recipe.evaluate(WORLD.grid).height
    assert build(store)[0] == joint_digest({"height": array_digest(height)})


def test_layers_that_are_finished_are_not_done_again(tmp_path: Path) -> None:
    store, seen = tmp_path / "a.zarr", []

    def stop(status: Status) -> None:
        if status.stage.startswith("4_thermal_erosion"):
            raise StoppedError

    with pytest.raises(StoppedError):
        build(store, progress=stop)
    build(store, progress=lambda status: seen.append(status.stage.partition("/")[0]))
    assert seen[0] == "4_thermal_erosion" and "2_stream_erosion" not in seen


def test_edges_are_noted_in_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    orders = []
    original = building.build
    monkeypatch.setattr(
        "terrane_worlds.builds.world.build",
        lambda order, engine: orders.append(order.in_memory) or original(order, engine),
    )
    for edges in (False, True):
        WORLD.build(tmp_path / f"{edges}.zarr", edges=edges)
    assert orders == [True, False]
