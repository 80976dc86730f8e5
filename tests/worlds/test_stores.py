# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents of a store, its readers, and the messages about damage."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import pytest
import xarray
import zarr

from noise_core import Recipe, __version__
from noise_core.base.errors import ParameterError
from terrane_worlds import World, WorldError
from terrane_worlds.base.durable import Sum, checksum_of
from terrane_worlds.base.tiling import Tiling
from terrane_worlds.builds.budget import Budget, format_bytes, parse_bytes
from terrane_worlds.builds.building import halve
from terrane_worlds.store import attributes, layout
from terrane_worlds.store.digest import array_digest, text_of, tile_digest
from terrane_worlds.store.shards import chunk_side
from tests.worlds.noise_recipes import RECIPES

WORLD = World(RECIPES["hills"], 700, 1025, 256)


# --- contents ------------------------------------------------------------------------------------


def test_xarray_reads_it_without_terrane(store, height):
    with xarray.open_zarr(store, consolidated=False) as opened:
        assert opened.height.dims == ("y", "x")
        assert opened.height.dtype == np.float32
        assert opened.height.values.tobytes() == height.tobytes()
        assert opened.x.values[[0, -1]].tolist() == [0.0, WORLD.recipe.size]
        np.testing.assert_allclose(np.diff(opened.y.values), WORLD.grid.spacing)
        assert opened.height.units == opened.x.units == "m"
        assert opened.height.sel(x=6000.0, y=0.0, method="nearest") == height[0, 512]


def test_zarr_reads_it(store, height):
    array = zarr.open_array(store / "height", mode="r")
    assert (array.shards, array.chunks) == ((256, 256), (256, 256))
    assert array[:].tobytes() == height.tobytes()
    assert array.metadata.dimension_names == ("y", "x")


def test_attributes(store, height):
    found = dict(zarr.open_group(store, mode="r").attrs)
    assert Recipe.from_json(found["recipe"]).to_json() == WORLD.recipe.to_json()
    assert found["software"] == f"Terrane {__version__}"
    assert (found["seed"], found["rows"], found["columns"], found["tile"]) == (7, 700, 1025, 256)
    assert found["width"] == 12000.0
    assert found["depth"] == pytest.approx(12000.0 * 699 / 1024)
    assert re.fullmatch("[0-9a-f]{32}", found["digest"])
    own = dict(zarr.open_array(store / "height", mode="r").attrs)
    assert own["digest"] == array_digest(height)
    assert (own["minimum"], own["maximum"]) == (height.min(), height.max())


def test_seamless_stores_say_so(tmp_path):
    world = World(RECIPES["hills"], 300, 300, 256, wrap=True)
    world.build(tmp_path / "a.zarr")
    with World.open(tmp_path / "a.zarr") as opened:
        assert opened.attrs["wrap"] is True
        assert opened.x.values[-1] == pytest.approx(12000.0 * 299 / 300)


def test_opened_arrays_are_lazy(store):
    with World.open(store) as opened:
        assert opened.height.data.chunks[0] == (256, 256, 188)


# --- overviews -----------------------------------------------------------------------------------


@pytest.mark.parametrize("tile", [256, 300, 1000])
def test_overviews_are_means(tmp_path, height, tile):
    world = World(WORLD.recipe, *WORLD.grid.shape, tile)
    world.build(tmp_path / "a.zarr")
    below, x = height, world.grid.axes().x * world.recipe.size
    for factor in (2, 4, 8):
        with World.open(tmp_path / "a.zarr", factor) as opened:
            means = opened.height.values
            assert means.shape == tuple(-(-side // 2) for side in below.shape)
            rows, columns = (np.minimum(2 * np.arange(side) + 1, n - 1) for side, n in zip(means.shape, below.shape))  # fmt: skip
            square = [below[np.ix_(r, c)] for r in (rows - rows % 2, rows) for c in (columns - columns % 2, columns)]  # fmt: skip
            np.testing.assert_allclose(means, np.mean(square, axis=0, dtype=np.float64), rtol=1e-5, atol=1e-3)  # fmt: skip
            x = 0.5 * (x[::2] + np.append(x, x[-1])[1 : len(x) + len(x) % 2 : 2])
            np.testing.assert_allclose(opened.x.values, x)
            below = means
    assert sorted(one.name for one in (tmp_path / "a.zarr" / "overviews").glob("[0-9]*")) == ["2", "4", "8"]  # fmt: skip


def test_means_of_few_samples():
    field = np.arange(15, dtype=np.float32).reshape(3, 5)
    assert halve(field).tolist() == [[3.0, 5.0, 6.5], [10.5, 12.5, 14.0]]
    assert halve(np.float32([[7.0]])).tolist() == [[7.0]]


def test_overviews_that_there_are_not(store):
    for wrong in (0, 3, 16, "2", True):
        with pytest.raises(ParameterError, match="^overview must be of 1, 2, 4, 8; got "):
            World.open(store, wrong)


# --- shards and digests --------------------------------------------------------------------------


@pytest.mark.parametrize("is_compressed", [False, True])
@pytest.mark.parametrize(
    ("side", "shape"),
    [(128, (128, 128)), (512, (422, 212)), (600, (600, 1)), (770, (1, 470)), (1024, (256, 900))],
)
def test_zarr_reads_shards(tmp_path, side, shape, is_compressed):
    store = tmp_path / "a.zarr"
    one = layout.StoredArray(str(store / "own"), Tiling(*shape, side), is_compressed)
    attributes.write_group(store)
    axes = (np.arange(float(shape[0])), np.arange(float(shape[1])))
    layout.make_arrays(store, "", one.tiling, axes, {"own": "m"}, is_compressed=is_compressed)
    values = np.random.default_rng(1).random(shape, np.float32)
    one.write(one.tiling.tiles[0], values)
    assert zarr.open_array(store / "own")[:].tobytes() == values.tobytes()
    whole = (store / "own" / "c" / "0" / "0").read_bytes()
    other = zarr.create_array(
        store / "other",
        shape=shape,
        shards=(side, side),
        chunks=(chunk_side(side),) * 2,
        dtype="float32",
        compressors=[
            *([zarr.codecs.ZstdCodec(level=3)] if is_compressed else []),
            zarr.codecs.Crc32cCodec(),
        ],
        fill_value=np.nan,
    )
    other[:] = values
    assert len((store / "other" / "c" / "0" / "0").read_bytes()) == len(whole)


def test_sides_of_chunks():
    assert [chunk_side(side) for side in (16, 256, 300, 1000, 2048, 514)] == [16, 256, 150, 250, 256, 2]  # fmt: skip


def test_digests_add_up_and_tell_apart(height):
    tiles = [(slice(r, r + 300), slice(c, c + 170)) for r in range(0, 700, 300) for c in range(0, 1025, 170)]  # fmt: skip
    sums = [tile_digest(height[one], one[0].start, one[1].start) for one in reversed(tiles)]
    whole = array_digest(height)
    assert text_of(sum(sums)) == whole
    changed = height.copy()
    changed[13, 700] = np.nextafter(changed[13, 700], np.float32(1e9))
    moved = height.copy()
    moved[[4, 5]] = moved[[5, 4]]
    turned = height[:, ::-1]
    signed = np.where(height == height[3, 3], -height, height)
    assert len({whole, *map(array_digest, (changed, moved, turned, signed))}) == 5


@pytest.mark.parametrize("size", [0, 1, 7, 4096, 70_001])
def test_checksums_do_not_depend_on_the_parts(tmp_path, size):
    content = np.random.default_rng(size).bytes(size)
    (tmp_path / "a").write_bytes(content)
    for step in (1, 3, 4, 1000, 1 << 20):
        if size > 100 * step:
            continue
        total = Sum()
        for start in range(0, size, step):
            total.add(memoryview(content)[start : start + step])
        assert total.checksum == checksum_of(tmp_path / "a")


def test_files_that_hold_their_own_crc_differ(tmp_path, store):
    shards = sorted((store / "height" / "c").rglob("[0-9]*/[0-9]*"))
    sums = {checksum_of(path) for path in shards}
    assert len(sums) == len(shards) > 5


# --- damage --------------------------------------------------------------------------------------


@pytest.fixture
def copy(store, tmp_path):
    return shutil.copytree(store, tmp_path / "copy.zarr")


def test_a_missing_shard(copy):
    (copy / "height" / "c" / "1" / "2").unlink()
    with pytest.raises(WorldError, match="copy.zarr/height/c/1/2: is missing$"):
        WORLD.region(copy, 250, 500, 20, 20)
    assert WORLD.region(copy, 0, 0, 200, 200).shape == (200, 200)


@pytest.mark.parametrize("size", [0, 10, -1])
def test_a_torn_shard(copy, size):
    path = copy / "height" / "c" / "0" / "0"
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(WorldError, match="height/c/0/0: is damaged: its checksum does not fit$"):
        WORLD.region(copy, 0, 0, 10, 10)


def test_others_see_a_bit_that_has_changed(copy):
    path = copy / "height" / "c" / "0" / "1"
    content = bytearray(path.read_bytes())
    content[5000] ^= 4
    path.write_bytes(content)
    with World.open(copy) as opened, pytest.raises(ValueError, match="checksum"):
        opened.height.values  # noqa: B018


def test_attributes_that_are_no_json(copy):
    (copy / "zarr.json").write_text('{"zarr_format": 3, "node')
    for use in (World.open, World.from_store, WORLD.build):
        with pytest.raises(WorldError, match="copy.zarr/zarr.json: is damaged: "):
            use(copy)


def test_attributes_that_were_changed(copy):
    plain = json.loads((copy / "zarr.json").read_text())
    plain["attributes"]["spacing"] *= 2.0
    (copy / "zarr.json").write_text(json.dumps(plain))
    with pytest.raises(
        WorldError, match="copy.zarr/zarr.json: is damaged: its checksum does not fit$"
    ):
        World.from_store(copy)


def test_attributes_that_are_missing(tmp_path):
    attributes.write_group(tmp_path / "a.zarr", {"world": 1, "rows": 5})
    with pytest.raises(WorldError, match="a.zarr: is damaged: it has no 'recipe'$"):
        World.from_store(tmp_path / "a.zarr")


def test_layouts_of_later_versions(tmp_path):
    attributes.write_group(tmp_path / "a.zarr", {"world": 2})
    message = r"a.zarr: layout 2 is newer than this Terrane reads \(1\); update Terrane$"
    with pytest.raises(WorldError, match=message):
        World.open(tmp_path / "a.zarr")


@pytest.mark.parametrize("layout", [0, -1, True, "1", 1.0, None])
def test_layouts_that_there_are_not(tmp_path, layout):
    attributes.write_group(tmp_path / "a.zarr", {"world": layout})
    with pytest.raises(WorldError, match=r"zarr.json: is of no world of Terrane$"):
        World.open(tmp_path / "a.zarr")


def test_other_stores(tmp_path):
    zarr.create_group(tmp_path / "other.zarr")
    (tmp_path / "folder").mkdir()
    for name, message in (
        ("none", "there is no such store"),
        ("folder", "zarr.json: cannot be read: No such file or directory"),
        ("other.zarr", "zarr.json: is of no world of Terrane"),
    ):
        with pytest.raises(WorldError, match=f"{name}[:/]+ ?{message}$"):
            World.from_store(tmp_path / name)


@pytest.mark.parametrize(
    ("other", "name"),
    [
        (World(RECIPES["cells"], 700, 1025, 256), "recipe"),
        (World(RECIPES["hills"], 701, 1025, 256), "rows"),
        (World(RECIPES["hills"], 700, 1025, 512), "tile"),
        (World(RECIPES["hills"], 700, 1025, 256, wrap=True), "wrap"),
    ],
)
def test_stores_of_other_worlds(copy, other, name):
    with pytest.raises(WorldError, match=f"holds another world, whose {name} differs: "):
        other.build(copy)
    with pytest.raises(WorldError, match=f"holds another world, whose {name} differs: "):
        other.region(copy, 0, 0, 5, 5)
    assert WORLD.region(copy, 0, 0, 5, 5).shape == (5, 5)


def test_a_file_instead_of_a_folder(tmp_path):
    (tmp_path / "a.zarr").write_text("")
    with pytest.raises(WorldError, match="a.zarr/zarr.json: cannot be read: Not a directory$"):
        WORLD.build(tmp_path / "a.zarr")
    (tmp_path / "plain").write_text("")
    with pytest.raises(WorldError, match="lock: cannot be written: Not a directory$"):
        WORLD.build(tmp_path / "plain" / "a.zarr")


# --- arguments -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"rows": 1}, r"World.rows must be an integer in [2, 1073741824]; got 1"),
        ({"columns": 2.5}, r"World.columns must be an integer in [2, 1073741824]; got 2.5"),
        ({"tile": 15}, "World.tile must be an integer in [16, 16384]; got 15"),
        ({"tile": 257}, "World.tile must be even; got 257"),
        ({"tile": True}, "World.tile must be an integer in [16, 16384]; got True"),
        ({"wrap": 3}, "Grid.wrap must be True or False; got 3"),
        (
            {"recipe": 7},
            "World.recipe must be a Recipe, its JSON, or the name of a preset; got 7",
        ),
    ],
)
def test_worlds_that_cannot_be(values, message):
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        World(**{"recipe": RECIPES["hills"], "rows": 65, "columns": 65, **values})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"workers": 0}, "World.build: workers must be an integer in [1, 512]; got 0"),
        ({"memory": "much"}, "memory must be such as \"4GB\"; got 'much'"),
        ({"memory": -1}, 'memory must be such as "4GB"; got -1'),
        (
            {"memory": "150MB"},
            "memory must be at least 152.62 MB for a worker of 256 x 256 samples a tile; "
            "got '150MB'",
        ),
        (
            {"memory": "0.4 GB", "workers": 2},
            "memory must be at least 455.24 MB for 2 workers of 256 x 256 samples a tile; "
            "got '0.4 GB'",
        ),
    ],
)
def test_builds_that_cannot_be(tmp_path, values, message):
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        WORLD.build(tmp_path / "a.zarr", **values)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("window", [(-1, 0, 5, 5), (0, 0, 0, 5), (690, 0, 11, 5), (0, 1024, 1, 2)])
def test_regions_beyond_the_world(window):
    with pytest.raises(ParameterError, match="^Grid.window must lie within 700 x 1025 samples; "):
        WORLD.region(None, *window)


def test_amounts():
    texts = {"4GB": 4e9, "512 MiB": 2**29, "1.5g": 1.5e9, "7": 7.0, 7: 7.0, "2 TB": 2e12}
    assert {text: parse_bytes(text, "memory") for text in texts} == texts
    assert list(map(format_bytes, (5e12, 1.25e9, 3e6, 1500))) == ["5.00 TB", "1.25 GB", "3.00 MB", "2 kB"]  # fmt: skip


def test_the_disk_that_a_build_takes(store):
    files = sum(one.stat().st_size for one in store.rglob("*") if one.is_file())
    budget = Budget(WORLD.tiling, 1, ())
    assert 0 <= files - budget.stored < 50_000  # indices, coordinates and attributes
    assert budget.disk - budget.stored == pytest.approx(4 * 700 * 1025 / 15)
    assert Budget(WORLD.tiling, 3, ()).stored == 3 * budget.stored
