# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether worlds in tiles have the bits of the same land in memory: every recipe, size, tile and number of workers.

python -m benchmarks.worlds_bits [--recipes alps ...] [--sides 1025 1537] [--tiles 256 300 1000] [--workers 1 2]
    [--maps slope] [--share 1/3] [--folder /tmp]

Each land is evaluated once in memory, open and wrapping. It is built once for each tile and number of workers, and the
digest of its heights, and that of each map, compared with those of the arrays in memory. `--share 2/3` does the second
third of the builds: of each land some, of each tile and number of workers some. `--sides 4097 --tiles 2048` gives tiles
of one column. Ends with status 1 if a digest differs.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import shutil
import sys
import tempfile
import time
from pathlib import Path

from noise_core import Recipe
from noise_core.base.grid import Grid
from noise_core.maps.bases.map import map_types
from noise_core.modifiers.bases.modifier import Modifier
from terrane_worlds import World, modifiers
from terrane_worlds.store.digest import array_digest
from terrane_worlds.store.layout import array_facts

RECIPES = (
    *("alps", "badlands", "canyon", "coast", "crater_field", "fjords"),
    *("glacial_valley", "high_plateau", "island", "mesa", "mountain_range", "volcano"),
)
"""Presets whose lists have every kind of modifier that is done in tiles."""


def in_tiles(recipe: Recipe) -> Recipe:
    """Return a recipe without the layers that worlds refuse, as they depend on the whole land."""
    known = modifiers.REGISTRY.all()
    layers = [one for one in recipe.layers if not isinstance(one, Modifier) or type(one) in known]
    return dataclasses.replace(recipe, layers=tuple(layers))


def digests_in_memory(recipe: Recipe, grid: Grid, maps: list[str]) -> dict[str, str]:
    """Return the digests of the heights and of some maps."""
    height = recipe.evaluate(grid).height
    fields = {name: map_types()[name]().values(height, grid) for name in maps}
    return {name: array_digest(values) for name, values in {"height": height, **fields}.items()}


def digests_of_store(store: Path, world: World, workers: int, maps: list[str]) -> dict[str, str]:
    """Build a world, and return the digests of its arrays."""
    world.build(store, workers=workers, memory="16GB", maps=maps)
    return {name: str(array_facts(store / name)["digest"]) for name in ("height", *maps)}


def main() -> None:
    """Compare what the arguments say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--recipes", nargs="*", default=list(RECIPES))
    parser.add_argument("--sides", type=int, nargs="*", default=[1025, 1537])
    parser.add_argument("--tiles", type=int, nargs="*", default=[256, 300, 1000])
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--maps", nargs="*", default=["slope"])
    parser.add_argument("--share", default="1/1")
    parser.add_argument("--folder", default=tempfile.gettempdir())
    given = parser.parse_args()
    which, shares = map(int, given.share.split("/"))
    builds = list(itertools.product(given.workers, given.tiles))
    same = done = 0
    lands = itertools.product(given.recipes, given.sides, (False, True))
    for number, (name, side, wrap) in enumerate(lands):
        recipe = in_tiles(Recipe.from_preset(name))
        chosen = [one for place, one in enumerate(builds) if (place + number) % shares == which - 1]
        start = time.perf_counter()
        wanted = digests_in_memory(recipe, recipe.grid((side, side), wrap=wrap), given.maps)
        print(f"{name} {side} wrap {wrap}: {time.perf_counter() - start:.1f} s", end="", flush=True)
        for workers, tile in chosen:
            with tempfile.TemporaryDirectory(dir=given.folder) as folder:
                start = time.perf_counter()
                store = Path(folder) / "land.zarr"
                world = World(recipe, side, side, tile, wrap)
                is_same = digests_of_store(store, world, workers, given.maps) == wanted
                shutil.rmtree(store)
            same, done = same + is_same, done + 1
            text = "same" if is_same else "DIFFERENT"
            seconds = time.perf_counter() - start
            print(f"; tiles {tile} workers {workers} {text} {seconds:.1f} s", end="", flush=True)
        print(flush=True)
    print(f"{same} of {done} builds have the bits of the same land in memory")
    sys.exit(same != done)


if __name__ == "__main__":
    main()
