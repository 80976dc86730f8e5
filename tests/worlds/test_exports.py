# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports of stores: the bytes of an array's export, whatever is read at a time, in little memory."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import noise_core.codecs.image_writing.tiff_file as tiff_file
import noise_core.io.heightmaps.lazy_heights as lazy_heights  # a late module cannot be patched
import noise_core.io.heightmaps.spawn_points as spawn_points
from noise_core import ParameterError, Recipe
from noise_core.base import atomic_files
from noise_core.io.elevation_reading.tile_sets import TileSet
from noise_core.io.heightmaps import ExportOptions
from noise_core.io.heightmaps.export import export_heightmap
from noise_core.io.heightmaps.lazy_heights import LazyHeights, restrict_heights
from noise_core.io.targets import GeoTiff, Gltf, MuJoCo, Png16, QuantizedMesh, Terrarium
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.halving import halve
from noise_core.rasters.level import Level
from noise_core.rasters.pyramid import restrict
from terrane_worlds import World
from terrane_worlds.builds.exporting import ExportedHeights, export_world

from .lands import assert_same_bits

RECIPE = Recipe(
    layers=(Fractal(source=Perlin(frequency=5.0), octaves=6),), seed=4, height=400.0, size=3000.0
)
WORLD = World(RECIPE, 509, 1017, 128)
SIZE = {"size": RECIPE.size}
EDGE = {"range_": (-900.0, 900.0)}
CLOUD = GeoTiff(layout="cloud")


@pytest.fixture
def little_at_once(monkeypatch) -> None:
    """Let exports hold no more than a few rows of chunks."""
    monkeypatch.setattr(lazy_heights, "HELD", 1 << 14)
    monkeypatch.setattr(lazy_heights, "CHUNK", 32)
    monkeypatch.setattr(lazy_heights, "_AT_ONCE", 1 << 12)
    monkeypatch.setattr(spawn_points, "HELD", 1 << 14)


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files but the sidecar, which has the recipe."""
    sidecars = set(folder.glob("a.*.json"))
    files = (path for path in folder.rglob("*") if path.is_file() and path not in sidecars)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


TARGETS = {
    "strips": (GeoTiff(), {}),
    "cloud": (CLOUD, {}),
    "cloud in tiles": (CLOUD, {"samples": (509, 509), "options": ExportOptions(tiles=(2, 1))}),
    "dithered": (Png16(), {"options": ExportOptions(dither=True, sea_level=30.0)}),
    "meshes": (QuantizedMesh(latitude=47.0, max_zoom=12), {}),
    "colors": (Terrarium(max_zoom=13), {}),
    "chunks": (
        Gltf(levels=3, collision=True),
        {"samples": (255, 509), "options": ExportOptions(tiles=(2, 2))},
    ),
    "places for robots": (MuJoCo(spawns=40, spawn_radius=9.0, spawn_slope=30.0), EDGE),
}


@pytest.mark.parametrize(("target", "more"), TARGETS.values(), ids=TARGETS)
def test_exports_have_the_bytes_of_those_of_an_array(
    target, more, tmp_path, store, height, little_at_once
):
    own = export_world(store, tmp_path / "own" / "a", target=target, **more)
    other = export_heightmap(height, tmp_path / "other" / "a", target=target, **SIZE, **more)
    assert own.largest_difference == other.largest_difference
    assert own.spawn_points == other.spawn_points
    found = contents(tmp_path / "own")
    assert found == contents(tmp_path / "other")
    assert len(found) == len(own.files) - 1


# --- World Partition -----------------------------------------------------------------------------


def test_tiles_for_world_partition_lie_side_by_side_from_the_north_west(
    tmp_path, monkeypatch, little_at_once
):
    """A landscape of 2 x 2 tiles of 505 samples, each of which reads its own window."""
    read: list[tuple[int, int, int, int]] = []
    original = ExportedHeights.read

    def spy(self, rows, columns):
        read.append((rows.start, rows.stop, columns.start, columns.stop))
        return original(self, rows, columns)

    monkeypatch.setattr(ExportedHeights, "read", spy)
    world = World(RECIPE, 1010, 1010, 128)
    path = tmp_path / "b.zarr"
    world.build(path)
    read.clear()
    report = export_world(
        path,
        tmp_path / "land",
        target="unreal",
        samples=505,
        options=ExportOptions(tiles=(2, 2)),
        range_=(-900.0, 900.0),
    )
    whole = RECIPE.evaluate(world.grid).height
    says = json.loads(report.sidecar.read_text())
    assert says["tiles_share_borders"] is False
    for number, one in enumerate(says["files"]):
        row, column = divmod(number, 2)
        assert one["name"] == f"land_x{column}_y{row}.r16"
        numbers = np.fromfile(tmp_path / one["name"], "<u2").reshape(505, 505)
        part = whole[::-1][505 * row : 505 * (row + 1), 505 * column : 505 * (column + 1)]
        meters = report.offset + report.scale * numbers
        assert np.abs(meters - part).max() <= 0.51 * report.scale
    # Beside the limits of the whole land, no window is more than a tile grown to whole chunks.
    widths = {stop - start for *_, start, stop in read}
    assert max(widths - {1010}) <= 505 + 2 * lazy_heights.CHUNK


# --- BigTIFF, overviews --------------------------------------------------------------------------


@pytest.mark.parametrize("target", [GeoTiff(), CLOUD], ids=["strips", "cloud"])
def test_files_beyond_the_limit_are_big(target, tmp_path, store, height, monkeypatch):
    small = export_world(store, tmp_path / "small.tif", target=target).files[0].read_bytes()
    monkeypatch.setattr(tiff_file, "MAX_FILE_SIZE", 4 * height.size)
    big = export_world(store, tmp_path / "big.tif", target=target).files[0].read_bytes()
    assert (small[:4], big[:4]) == (b"II\x2a\0", b"II\x2b\0")
    assert 0 < len(big) - len(small) < 20_000  # directories with places of 64 bits
    read = elevation(tmp_path / "big.tif")
    assert_same_bits(read, height)


def elevation(path: Path) -> np.ndarray:
    """Return the heights of a file by the reader of imports, which shares nothing with the exports'."""
    from noise_core.io.elevation_reading.reading import read_elevation

    return read_elevation(path).heights


def test_overviews_are_those_of_the_store(tmp_path, store):
    path = export_world(store, tmp_path / "a.tif", target=CLOUD).files[0]
    data = path.read_bytes()
    shapes = []
    (at,) = struct.unpack_from("<I", data, 4)
    while at:
        (count,) = struct.unpack_from("<H", data, at)
        entries = [struct.unpack_from("<HHII", data, at + 2 + 12 * n) for n in range(count)]
        tags = {tag: value for tag, _, _, value in entries}
        shapes.append((tags[257], tags[256]))
        (at,) = struct.unpack_from("<I", data, at + 2 + 12 * count)
    expected = [World.open(store, factor).height.shape for factor in (1, 2, 4)]
    assert shapes == expected


@pytest.mark.parametrize("damage", ["sample", "order"])
def test_a_wrong_overview_is_not_kept(damage, tmp_path, store, monkeypatch):
    from noise_core.io.heightmaps import codecs

    original = codecs.StoredField.halve

    def other(self):
        half = original(self)
        values = np.array(half.channels[0])
        values[3, 200] += 1.0
        return type(half)((values,), half.encoding)

    if damage == "sample":
        monkeypatch.setattr(codecs.StoredField, "halve", other)
        message = "an overview of something else"
    else:
        monkeypatch.setattr(tiff_file, "reversed", iter, raising=False)
        message = "an overview behind its image"
    with pytest.raises(Exception, match=f"reads back damaged: {message}"):
        export_world(store, tmp_path / "a.tif", target=CLOUD)
    assert not list(tmp_path.iterdir())


def test_pieces_over_the_beginning(tmp_path):
    pieces = [b"....", memoryview(b"after"), atomic_files.Rewrite(b"head"), b"!"]
    atomic_files.write(tmp_path / "a", pieces)
    assert (tmp_path / "a").read_bytes() == b"headafter!"


# --- windows -------------------------------------------------------------------------------------


def test_lazy_heights_look_like_an_array(store, height, little_at_once):
    whole = LazyHeights(ExportedHeights(store, 1))
    assert (whole.shape, whole.ndim, len(whole)) == (height.shape, 2, len(height))
    part, expected = whole[100:331, 7:900], height[100:331, 7:900]
    assert part.shape == expected.shape
    assert (part.min(), part.max()) == (expected.min(), expected.max())
    assert_same_bits(np.asarray(part[20:100, 50:51]), np.ascontiguousarray(expected[20:100, 50:51]))
    assert_same_bits(part[13:200], np.ascontiguousarray(expected[13:200]))
    assert (part[::-1][10:20] == expected[::-1][10:20]).all()
    assert (np.asarray(part[::-1][3:9, 2:5]) == expected[::-1][3:9, 2:5]).all()
    assert (part[::-1][::-1][0:7] == expected[0:7]).all()


@pytest.mark.parametrize("rows", [(0, 509), (101, 508)])
def test_means_and_restrictions_have_the_bits_of_the_whole(rows, store, height, little_at_once):
    lazy = LazyHeights(ExportedHeights(store, 1))[slice(*rows), 0:1017]
    field = np.ascontiguousarray(height[slice(*rows)])
    turned = lazy[::-1]
    level = Level(*field.shape, 1.0, 1.0, wrap=False)
    means, coarse = field, field
    for _ in range(3):
        lazy, means = lazy.halve(), halve(means)
        turned = turned.halve()
        assert_same_bits(np.asarray(lazy), means)
        assert_same_bits(np.ascontiguousarray(turned[0 : len(means)]), means[::-1])
    lazy = LazyHeights(ExportedHeights(store, 1))[slice(*rows), 0:1017]
    for _ in range(3):
        coarse = restrict(coarse, level, level.coarser())
        lazy = restrict_heights(lazy, level, level.coarser())
        level = level.coarser()
        assert_same_bits(np.asarray(lazy), coarse)
    assert isinstance(lazy, np.ndarray)  # few enough by then


# --- memory --------------------------------------------------------------------------------------

MEASURE = """
import json, re, sys
from pathlib import Path
from noise_core.io.heightmaps import lazy_heights, spawn_points
from noise_core.io.targets import GeoTiff, MuJoCo, Npy, QuantizedMesh
from noise_core.io.heightmaps import ExportOptions
from terrane_worlds.builds import exporting
from terrane_worlds.builds.budget import PROCESS
lazy_heights.HELD = spawn_points.HELD = exporting.HELD = 1 << 20
store, folder, code, tiles = sys.argv[1:]
target, tiles = eval(code), int(tiles)
def peak():  # unlike getrusage, without what the process had from which this one was forked
    return 1024 * int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])
def export(name, **more):
    path = Path(folder) / name
    exporting.export_world(store, path, target=target, range_=(-9000.0, 9000.0), **more)
export("small", overview=32)
before = peak()
options = ExportOptions(tiles=(1, tiles))
export("own", options=options, **({"samples": (12800 // tiles + 1, 2049)} if tiles > 1 else {}))
grid = exporting._stored_land(Path(store), 1).grid
declared = exporting.needed_memory(grid, target) - PROCESS
print(json.dumps({"taken": peak() - before, "declared": declared}))
"""

LARGE = (12801, 2049)
"""Rows and columns: 105 MB of heights, more than an export may take."""


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("stores") / "large.zarr"
    noise = Fractal(source=Perlin(frequency=4.0), octaves=3)
    World(Recipe(layers=(noise,), size=2000.0, height=900.0), *LARGE, 1024).build(path)
    return path


@pytest.mark.parametrize(
    ("target", "tiles"),
    [
        ("GeoTiff()", 1),
        ("GeoTiff(layout='cloud')", 1),
        ("Npy()", 8),
        ("QuantizedMesh(max_zoom=12)", 1),
        ("MuJoCo(spawns=9, spawn_radius=20.0, spawn_slope=40.0)", 1),
    ],
)
def test_exports_take_no_more_memory_than_declared(target, tiles, tmp_path, large):
    """Nor as much as the heights: a longer world takes no more."""
    arguments = [sys.executable, "-c", MEASURE, str(large), str(tmp_path), target, str(tiles)]
    done = subprocess.run(arguments, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    print(found)
    assert found["taken"] < found["declared"] < 4 * LARGE[0] * LARGE[1], found


@pytest.mark.parametrize(("target", "suffix"), [("npy", ".npy"), (GeoTiff(), ".tif"), (CLOUD, ".tif")])  # fmt: skip
def test_tiles_give_the_regions_of_the_world(tmp_path, store, target, suffix):
    own = export_world(
        store,
        tmp_path / f"own{suffix}",
        target=target,
        samples=255,
        options=ExportOptions(tiles=(4, 2)),
    )
    tiles = TileSet.open(own.sidecar)
    assert (tiles.rows, tiles.columns) == WORLD.grid.shape
    window = WORLD.region(store, row=200, column=500, rows=100, columns=300)
    rows, columns = np.arange(200.0, 300.0), np.arange(500.0, 800.0)
    np.testing.assert_array_equal(tiles.read(rows, columns), window)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("maps", ["slope"], r"\['slope'\]"),
        ("splat", ["slope"], r"\['slope'\]"),
        ("normal_bits", 8, "8"),
        ("colors", "alpine", "'alpine'"),
        ("ground", "alpine", "'alpine'"),
    ],
)
def test_a_world_has_nothing_beside_its_heights(name, value, text, store, tmp_path):
    options = ExportOptions(**{name: value})
    with pytest.raises(
        ParameterError, match=f"^export_world: {name} must be left out; got {text}$"
    ):
        export_world(store, tmp_path / "a", target="npy", options=options)
    assert not list(tmp_path.iterdir())


def test_a_world_has_no_ground_for_a_material(store, tmp_path):
    with pytest.raises(ParameterError, match="^export_world: material must be 'maps'; got"):
        export_world(store, tmp_path / "a", target=Gltf(material="pbr"))
    assert not list(tmp_path.iterdir())
