# SPDX-License-Identifier: GPL-3.0-or-later
"""Every modifier, every map and every preset has in tiles the bits that it has in memory, or says why not.

Nothing is listed here: types are those that there are, their values are drawn from what they declare, and so are lands,
tiles, workers and seeds.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from noise_core import Grid, Map, Modifier, ParameterError, Recipe, map_types, modifier_types
from noise_core.base import blocks
from noise_core.landscapes.preset_library import preset_names
from terrane_worlds import World, maps, modifiers
from terrane_worlds.rasters import level_fields
from tests.drawing import IS_DEEP, count_of, generator
from tests.drawn_values import draw_values

from .lands import assert_same_bits
from .tiled_modifiers import WIDTH, build_land, hills, read, store

MODIFIERS = [cls for cls in modifier_types().values() if not modifiers.REGISTRY.reason(cls)]
MAPS = [cls for cls in map_types().values() if cls.channels == 1 and not maps.REGISTRY.reason(cls)]
TILES = (256, 300, 1000)
"""Sides of the tiles of worlds."""

CASES = 20
"""Of each type, in a deep run."""


def draw_grid(draw: random.Random) -> tuple[Grid, int]:
    """Draw a land and the side of its tiles."""
    rows, columns = (draw.choice([draw.randint(65, 200), draw.randint(200, 340)]) for _ in range(2))
    origin = (draw.randint(-3, 3), draw.randint(-3, 3))
    grid = Grid(rows, columns, wrap=draw.random() < 0.5, size=WIDTH, origin=origin)
    return grid, draw.choice([50, 64, 100, 128])


@pytest.mark.parametrize("cls", MODIFIERS, ids=lambda cls: cls.key)
def test_modifiers_have_the_bits_of_the_whole(
    cls: type[Modifier], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = generator(f"tiled {cls.key}")
    for number in range(count_of(CASES)):
        values = draw_values(draw, cls) if number or draw.random() < 0.5 else {}
        grid, side = draw_grid(draw)
        seed, most = draw.randrange(1 << 32), draw.choice([4_000, 20_000, 1 << 22])
        monkeypatch.setattr(level_fields, "MOST_SAMPLES", most)
        case = f"{values}, {grid.shape}, wrap {grid.wrap}, origin {grid.origin}, tile {side}, most {most}, seed {seed}"
        modifier, height = cls(**values), hills(grid)
        land = build_land(grid, side, tmp_path / str(number))
        run = modifiers.REGISTRY.find(modifier, "modifier")
        height_in_tiles, made = run(modifier, land.enter("relief"), store(land, height), seed)
        expected = modifier.relief(height, grid, seed, blocks.unheard)
        assert sorted(made) == sorted(expected.maps), case
        assert read(height_in_tiles).tobytes() == expected.height.tobytes(), case
        for name, field in expected.maps.items():
            assert read(made[name]).tobytes() == field.tobytes(), f"{name}: {case}"


@pytest.mark.parametrize("cls", MAPS, ids=lambda cls: cls.key)
def test_maps_have_the_bits_of_the_whole(cls: type[Map], tmp_path: Path) -> None:
    draw = generator(f"tiled {cls.key}")
    for number in range(count_of(CASES)):
        one, (grid, side) = cls(**draw_values(draw, cls)), draw_grid(draw)
        land, height = build_land(grid, side, tmp_path / str(number)), hills(grid)
        field = maps.REGISTRY.find(one, "map")(one, land.enter("map"), store(land, height))
        assert_same_bits(read(field), one.values(height, grid))


@pytest.mark.parametrize("types", [modifier_types(), map_types()], ids=["modifiers", "maps"])
def test_what_cannot_be_done_says_why(types: dict[str, type[Modifier | Map]]) -> None:
    for cls in types.values():
        registry = modifiers.REGISTRY if issubclass(cls, Modifier) else maps.REGISTRY
        if reason := registry.reason(cls):
            assert reason == cls.whole_land, f"{cls.__name__} must say why, in whole_land"
            with pytest.raises(ParameterError, match=reason):
                registry.find(cls(), "who")
        else:
            assert not cls.whole_land, f"{cls.__name__} can be done"


def test_at_most_one_modifier_is_refused() -> None:
    assert len(MODIFIERS) >= len(modifier_types()) - 1


def why_not(recipe: Recipe) -> list[str]:
    """Return why layers of a recipe cannot be done in tiles, as their types declare it."""
    return [
        reason
        for layer in recipe.modifiers
        for name, reason in layer.whole_land_values.items()
        if getattr(layer, name)
    ]


def assert_same_land(world: World, folder: Path, workers: int) -> None:
    """Build a world with all maps of its layers, and compare it with the whole land."""
    relief = world.recipe.evaluate(world.grid)
    made = sorted(relief.maps)
    world.build(folder, workers=workers, maps=made)
    with World.open(folder) as opened:
        assert opened.height.values.tobytes() == relief.height.tobytes()
        for one in made:
            assert opened[one].values.tobytes() == relief.maps[one].tobytes(), one


def drawn_presets() -> list[tuple[str, int]]:
    """Draw presets that can be built, and sides of tiles; each is a test of its own, for all of them take hours."""
    names = [name for name in preset_names() if not why_not(Recipe.from_preset(name))]
    cases = [(name, tile) for name in names for tile in TILES]
    return generator("tiled presets").sample(cases, count_of(len(cases)))


@pytest.mark.parametrize(("name", "tile"), drawn_presets())
def test_presets_have_the_bits_of_the_whole(name: str, tile: int, tmp_path: Path) -> None:
    draw = generator(f"tiled preset {name} {tile}")
    least = tile + 20 if IS_DEEP or tile < 1000 else 300
    shape = (draw.randint(least, least + 60), draw.randint(least, least + 60))
    world = World(Recipe.from_preset(name), *shape, tile, draw.random() < 0.5)
    workers = draw.choice([1, 2])
    print(f"{shape}, wrap {world.wrap}, {workers} workers")
    assert_same_land(world, tmp_path / "world.zarr", workers)


def test_presets_that_need_the_whole_land_say_why(tmp_path: Path) -> None:
    """Which ones those are, and no others, `test_page` compares with docs/worlds.md."""
    for name in preset_names():
        recipe, folder = Recipe.from_preset(name), tmp_path / f"{name}.zarr"
        for reason in why_not(recipe)[:1]:
            with pytest.raises(ParameterError, match=re.escape(reason)):
                World(recipe, 300, 300, 256).build(folder)
            assert not folder.exists()
