# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows that are rebuilt from the edges alone have the bits of the same recipe in memory."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest
import zarr

from noise_core import Recipe
from noise_core.base.errors import ParameterError
from noise_core.maps import Slope
from noise_core.masks import MapMask
from noise_core.modifiers import (
    FillLakes,
    Normalize,
    SedimentErosion,
    StreamErosion,
    Terraces,
    ThermalErosion,
)
from noise_core.noises import Cellular, Fractal, Perlin
from noise_core.recipes.layers import NoiseLayer
from terrane_worlds import World, WorldError
from terrane_worlds.edges.packing import EdgeFile
from terrane_worlds.exporting import export_world
from terrane_worlds.rasters import level_fields
from terrane_worlds.tiling import Window
from tests.worlds.killed_builds import kill_often, start
from tests.worlds.lands import cut, run_command

HILLS = NoiseLayer(name="hills", noise=Fractal(source=Perlin(frequency=3.0), octaves=7))
CELLS = NoiseLayer(noise=Cellular(frequency=6.0), mode="max", seed_offset=2)
STEEP = MapMask(map=Slope(), low=20.0, falloff=8.0)
SCALE = {"seed": 9, "height": 900.0, "size": 6000.0}

RECIPES = {
    "rain": (HILLS, SedimentErosion(steps=40), FillLakes()),
    "steps": (HILLS, Normalize(maximum=700.0), Terraces(count=5), CELLS),
    "masks": (HILLS, StreamErosion(opacity=0.6), ThermalErosion(mask=STEEP), CELLS.with_values(mask=STEEP)),
    "rock": (HILLS, ThermalErosion(), StreamErosion(layer_thickness=40.0, sediment=0.4)),
    "noise": (HILLS, CELLS),
}  # fmt: skip

CASES = [
    ("alps", (193, 193), 64, False, 2_500),  # two levels in tiles, and one in memory under them
    ("alps", (160, 192), 100, True, 10_000),
    ("mountain_range", (161, 200), 64, False, 10_000),
    ("mesa", (128, 192), 64, True, 10_000),
    ("crater_field", (161, 161), 100, False, 1_000_000),  # all levels in memory
    ("river_delta", (150, 193), 64, False, 30_000),
    ("canyon", (160, 160), 64, True, 2_000),
    ("rain", (161, 150), 64, False, 5_000),
    ("steps", (150, 193), 64, True, 5_000),
    ("masks", (193, 193), 100, False, 10_000),
    ("rock", (160, 192), 64, True, 2_000),
    ("noise", (200, 257), 64, False, 10_000),
    ("dunes", (193, 193), 64, False, 1_000_000),
    ("glacial_valley", (160, 192), 64, False, 1_000_000),
    ("meandering_river", (193, 193), 64, False, 1_000_000),
    ("snowy_ridge", (161, 200), 64, True, 1_000_000),
    ("volcano", (161, 161), 64, False, 1_000_000),
    ("island", (160, 160), 64, False, 1_000_000),
]


MOST = 10_000
"""Samples of a level that is worked on as a whole here, so that small worlds have several levels in tiles."""


@pytest.fixture(scope="module", autouse=True)
def _few_samples_in_memory() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(level_fields, "MOST_SAMPLES", MOST)
        yield


def world_of(name: str, shape: tuple[int, int], tile: int, wrap: bool) -> World:
    recipe = Recipe(layers=RECIPES[name], **SCALE) if name in RECIPES else Recipe.from_preset(name)
    return World(recipe, *shape, tile, wrap)


def empty(store: Path) -> None:
    """Remove all samples of a store, those of its overviews too."""
    for chunks in store.rglob("c"):
        shutil.rmtree(chunks)


@pytest.mark.parametrize(("name", "shape", "tile", "wrap", "most"), CASES)
def test_bits_of_the_whole(tmp_path, monkeypatch, name, shape, tile, wrap, most):
    monkeypatch.setattr(level_fields, "MOST_SAMPLES", most)
    world, store = world_of(name, shape, tile, wrap), tmp_path / "a.zarr"
    relief = world.recipe.evaluate(world.grid)
    expected = {"height": relief.height, "slope": Slope().values(relief.height, world.grid)}
    if name == "masks":
        expected.update(relief.maps)
    world.build(store, edges=True, maps=[one for one in expected if one != "height"])
    empty(store)
    whole = world.region(store, 0, 0, *shape, rebuild=True)
    assert whole.dtype == np.float32 and whole.tobytes() == relief.height.tobytes()
    crossing = Window(tile - 9, tile - 5, 20, 13)  # over the corner of four tiles
    border = Window(shape[0] - 3, shape[1] - 1, 3, 1)
    for array, window in [("height", border), *((one, crossing) for one in expected)]:
        part = world.region(store, *astuple(window), array=array, rebuild=True)
        assert part.tobytes() == cut(expected[array], window).tobytes()


def test_maps_of_the_whole_land(tmp_path):
    world, store = world_of("rain", (150, 170), 64, False), tmp_path / "a.zarr"
    maps = ["flow", "river_distance", "height_bands", "ambient_occlusion", "sea"]
    world.build(store, edges=True, maps=maps)
    stored = {name: world.region(store, 50, 40, 80, 70, array=name) for name in maps}
    empty(store)
    for name, values in stored.items():
        part = world.region(store, 50, 40, 80, 70, array=name, rebuild=True)
        assert part.tobytes() == values.tobytes()


# --- one store, in which alps are -----------------------------------------------------------------

ALPS = World("alps", 193, 261, 64)


@pytest.fixture(scope="module")
def alps() -> np.ndarray:
    return ALPS.recipe.evaluate(ALPS.grid).height


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("edges") / "a.zarr"
    ALPS.build(path, edges=True)
    return path


def edges_of(store: Path) -> dict[str, bytes]:
    folder = store / "edges"
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_builds_with_edges_are_the_same_otherwise(tmp_path, store, alps):
    ALPS.build(tmp_path / "a.zarr")
    plain, noted = (
        {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in root.rglob("*")
            if path.is_file()
            and not {"edges", "checksums"} & set(path.relative_to(root).parts)
            and path != root / "zarr.json"
        }
        for root in (tmp_path / "a.zarr", store)
    )
    assert plain == noted
    assert not (tmp_path / "a.zarr" / "edges").exists()
    assert not store.with_name("a.zarr.build").exists()


def test_xarray_passes_edges_by(store):
    with warnings.catch_warnings(record=True) as seen, World.open(store) as opened:
        warnings.simplefilter("always")
        assert set(opened.data_vars) == {"height"}
        groups = {name for name, _ in zarr.open_group(str(store), mode="r").groups()}
    assert groups == {"checksums", "edges", "overviews"}
    assert not [str(one.message) for one in seen if "recognized" in str(one.message)]


def test_edges_only(tmp_path, alps):
    path = tmp_path / "a.zarr"
    ALPS.build(path, edges="only")
    assert not (path / "height" / "c").exists()
    assert (ALPS.region(path, 50, 55, 30, 20) == alps[50:80, 55:75]).all()
    with World.open(path, 2) as opened:
        assert np.isfinite(opened.height.values).all()
    with pytest.raises(WorldError, match="has edges instead of samples: write regions, or export"):
        export_world(path, tmp_path / "a.npy", target="npy")
    export_world(path, tmp_path / "a.npy", target="npy", overview=2)


def test_edges_by_two_workers(tmp_path, client, store):
    ALPS.build(tmp_path / "a.zarr", edges=True, client=client)
    own, others = edges_of(store), edges_of(tmp_path / "a.zarr")
    assert own.keys() == others.keys()
    # Results of stages are noted in the same order, whoever did them.
    assert own == others


PREPARE = """
from tests.worlds.test_regions import ALPS, MOST
from terrane_worlds.rasters import level_fields
level_fields.MOST_SAMPLES = MOST
"""


def test_builds_that_are_killed_go_on(tmp_path, store):
    path = tmp_path / "a.zarr"
    kill_often(lambda: start(path, "ALPS", PREPARE, edges=True), seed=3, kills=6, items=80)
    left = (
        path / "edges" / "whole" / "0_0.killed.partial.part"
    )  # by one that was killed as it began a file
    left.parent.mkdir(parents=True, exist_ok=True)
    left.touch()
    ALPS.build(path, edges=True)
    own, others = edges_of(path), edges_of(store)
    assert own.keys() == others.keys()
    assert own == others


def test_commands(tmp_path, store, alps):
    target = tmp_path / "part.npy"
    asked = ("--row", 50, "--column", 55, "--samples", "20x30")
    assert run_command("region", store, target, *asked, "--rebuild")[0] == 0
    assert (np.load(target) == alps[50:80, 55:75]).all()
    said = run_command("info", store)[1]
    (line,) = (one for one in said if one.startswith("edges: "))
    assert re.fullmatch(r"edges: [\d.]+ [kM]B, [\d.]+ % of the heights", line)
    facts = json.loads(run_command("info", store, "--json")[1][0])
    assert facts["edges_bytes"] == sum(map(len, edges_of(store).values()))
    status, _, noted = run_command("region", store, target, *asked, "--array", "slope")
    assert (status, noted) == (2, ["error: array must be of height; got 'slope'"])
    status, _, _ = run_command("build", "none", tmp_path / "b.zarr", "--samples", 33, "--tile", 32, "--edges-only")  # fmt: skip
    assert status == 0
    assert "without samples" in run_command("info", tmp_path / "b.zarr")[1][-2]


# --- what is refused, and what is damaged ------------------------------------------------------------


def test_stores_without_edges(tmp_path):
    world, path = World("none", 33, 33, 32), tmp_path / "a.zarr"
    with pytest.raises(WorldError, match="there is no such store$"):
        world.region(path, 0, 0, 5, 5, rebuild=True)
    world.build(path)
    with pytest.raises(
        WorldError, match="has no edges to rebuild regions from: build it with edges$"
    ):
        world.region(path, 0, 0, 5, 5, rebuild=True)
    with pytest.raises(WorldError, match="holds another world, whose edges differs"):
        world.build(path, edges=True)


def test_stores_that_are_not_finished(tmp_path):
    def stop(status):
        raise KeyboardInterrupt

    path = tmp_path / "a.zarr"
    with pytest.raises(KeyboardInterrupt):
        ALPS.build(path, edges=True, progress=stop)
    with pytest.raises(WorldError, match="is not finished: go on with its build$"):
        ALPS.region(path, 0, 0, 5, 5, rebuild=True)


def test_other_arrays(store):
    with pytest.raises(ParameterError, match="^array must be of height; got 'slope'$"):
        ALPS.region(store, 0, 0, 5, 5, array="slope", rebuild=True)


def damage(path: Path, how: str) -> None:
    content = path.read_bytes()
    if how == "gone":
        path.unlink()
    elif how == "torn":
        path.write_bytes(content[: len(content) // 2])
    elif how == "one bit":
        middle = max(at for at, byte in enumerate(content) if byte in b"123456789")
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    else:
        path.write_bytes(b"")


@pytest.mark.parametrize("how", ["gone", "torn", "one bit", "empty"])
@pytest.mark.parametrize("which", ["numbers", "tiles/193x261/1_1", "whole"])
def test_damage(tmp_path, store, which, how):
    path = tmp_path / "a.zarr"
    shutil.copytree(store, path)
    found = path / "edges" / which
    for one in (
        [found] if found.is_file() else [file for file in found.rglob("*") if file.is_file()]
    ):
        damage(one, how)
    with pytest.raises(WorldError) as it:
        ALPS.region(path, 70, 80, 5, 5, rebuild=True)
    assert "\n" not in str(it.value)
    assert str(path / "edges") in str(it.value) or "is not noted" in str(it.value)
    assert "damaged" in str(it.value) or how == "gone"


def test_entries_that_are_missing(tmp_path, store):
    path = tmp_path / "a.zarr"
    shutil.copytree(store, path)
    name = "tiles/193x261/1_1"
    file = path / "edges" / name
    entries = EdgeFile.read(file, name).entries
    told = [name for name in entries if name.startswith("told/")]
    for gone in (*told[:2], *list(entries)[:2]):
        EdgeFile({other: entry for other, entry in entries.items() if other != gone}).write(
            file, name
        )
        with pytest.raises(WorldError, match="is damaged: "):
            ALPS.region(path, 70, 80, 5, 5, rebuild=True)
