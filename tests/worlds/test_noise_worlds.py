# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds of noise have the bits of the same recipe in memory, for any tiles and workers."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from noise_core import Recipe
from noise_core.recipes import folding
from terrane_worlds import World
from terrane_worlds.base.tiling import Window
from terrane_worlds.store.digest import array_digest, joint_digest
from tests.worlds.noise_recipes import RECIPES


@functools.cache
def in_memory(name: str, side: int, wrap: bool) -> np.ndarray:
    recipe = RECIPES[name]
    return recipe.evaluate(recipe.grid(side, wrap=wrap)).height


def check(world: World, store, height: np.ndarray, digest: str) -> None:
    with World.open(store) as opened:
        assert opened.height.values.tobytes() == height.tobytes()
    assert digest == joint_digest({"height": array_digest(height)})


def test_one_of_the_recipes_is_not_one_noise():
    recipe = RECIPES["grouped"]
    scope = folding.Scope(1, 1.0, folding.LayerNoises(recipe.layers, 1, 1.0))
    assert folding.fold(recipe.layers, scope)[1] < len(recipe.layers)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("tile", [256, 300, 1000])
@pytest.mark.parametrize("name", list(RECIPES))
def test_bits_of_the_whole(tmp_path, name, tile, wrap):
    world = World(RECIPES[name], 1025, 1025, tile, wrap)
    digest = world.build(tmp_path / "a.zarr")
    check(world, tmp_path / "a.zarr", in_memory(name, 1025, wrap), digest)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(("name", "tile"), [("blended", 256), ("grouped", 300), ("hills", 1000)])
def test_bits_of_the_whole_by_two_workers(tmp_path, client, name, tile, wrap):
    world = World(RECIPES[name], 1537, 1537, tile, wrap)
    digest = world.build(tmp_path / "a.zarr", client=client)
    check(world, tmp_path / "a.zarr", in_memory(name, 1537, wrap), digest)


def test_own_workers(tmp_path):
    world = World(RECIPES["hills"], 513, 513, 256)
    digest = world.build(tmp_path / "a.zarr", workers=2)
    check(world, tmp_path / "a.zarr", in_memory("hills", 513, False), digest)


def test_scheduler_by_its_address(tmp_path, client):
    world = World(RECIPES["hills"], 513, 513, 256)
    digest = world.build(tmp_path / "a.zarr", client=client.scheduler.address)
    check(world, tmp_path / "a.zarr", in_memory("hills", 513, False), digest)


@pytest.mark.parametrize("shape", [(400, 770), (770, 400), (2, 900)])
@pytest.mark.parametrize("wrap", [False, True])
def test_lands_that_are_no_squares(tmp_path, shape, wrap):
    recipe = RECIPES["blended"]
    world = World(recipe, *shape, 256, wrap)
    digest = world.build(tmp_path / "a.zarr")
    height = recipe.evaluate(recipe.grid(shape, wrap=wrap)).height
    check(world, tmp_path / "a.zarr", height, digest)


def test_a_tile_of_one_column(tmp_path):
    world = World(RECIPES["hills"], 1025, 1025, 512)
    assert world.tiling.tiles[2] == Window(0, 1024, 512, 1)
    digest = world.build(tmp_path / "a.zarr")
    check(world, tmp_path / "a.zarr", in_memory("hills", 1025, False), digest)


def test_compressed_stores_hold_the_same(tmp_path):
    world = World(RECIPES["cells"], 700, 700, 256)
    digest = world.build(tmp_path / "a.zarr")
    assert world.build(tmp_path / "b.zarr", compress=True) == digest
    with World.open(tmp_path / "a.zarr") as plain, World.open(tmp_path / "b.zarr") as packed:
        assert plain.height.values.tobytes() == packed.height.values.tobytes()

    def size(name):
        return sum(path.stat().st_size for path in (tmp_path / name).rglob("c/*/*"))

    assert size("b.zarr") < 0.95 * size("a.zarr")


def test_recipes_as_text_and_by_name():
    recipe = RECIPES["blended"]
    assert World(recipe.to_json(), 65, 65).recipe.to_json() == recipe.to_json()
    assert World("alps", 65, 65).recipe.to_json() == Recipe.from_preset("alps").to_json()


@pytest.mark.parametrize("name", list(RECIPES))
def test_regions(tmp_path, name):
    world = World(RECIPES[name], 1025, 1025, 300)
    whole = in_memory(name, 1025, False)[290:711, 5:316].tobytes()
    assert world.region(None, 290, 5, 421, 311).tobytes() == whole
    assert world.region(tmp_path / "none.zarr", 290, 5, 421, 311).tobytes() == whole
    world.build(tmp_path / "a.zarr")
    assert world.region(tmp_path / "a.zarr", 290, 5, 421, 311).tobytes() == whole
    again = World.from_store(tmp_path / "a.zarr")
    assert again.identity == world.identity
