# SPDX-License-Identifier: GPL-3.0-or-later
"""Export of heightmaps: one contract for all targets, and the requirements of each."""

from __future__ import annotations

import errno
import io
import json
import re
import struct
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from noise_core import Cancelled, Control, ParameterError, Recipe, Relief, TerraneError, __version__
from noise_core.base import atomic_files
from noise_core.codecs.image_files import read_image
from noise_core.io.heightmaps import ExportOptions, codecs, export_heightmap
from noise_core.io.targets import GeoTiff, Terrain3D, Unity, Unreal
from noise_core.io.targets.bases.mesh_target import MeshTarget
from noise_core.io.targets.bases.target import target_types
from noise_core.landscapes.preset_library import preset
from noise_core.maps import Normal, Slope
from noise_core.masks import MapMask
from noise_core.materials.colors import linear_to_srgb
from noise_core.materials.ground.colors import land_colors
from noise_core.noises import Fractal, Gradient, Perlin
from noise_core.pictures.thumbnail import plan_of
from tests.degrees import meters_per_degree
from tests.export_keywords import sort_keywords

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = {"unreal": 505, "unity": 65, "terrain3d": 64, "gazebo": 65}
RECIPE = Recipe(
    layers=(Gradient(angle=30.0), Fractal(source=Perlin(frequency=3.0), octaves=5)),
    seed=5,
    height=300.0,
    size=2400.0,
)
"""High in one corner: whatever is flipped or turned is another land."""

OPTIONS = [
    Unreal(file_format="png"),
    Unity(byte_order="mac", flipped=True),
    Terrain3D(file_format="r16"),
    GeoTiff(system="meters"),
    GeoTiff(layout="cloud"),
]
FILES = [
    cls()
    for cls in target_types().values()
    if cls().pyramid is None and not issubclass(cls, MeshTarget)
]
"""Targets with a file a tile; test_pyramids.py and test_mesh_targets.py have the others."""
TARGETS = [*FILES, *OPTIONS]


def name_of(target):
    order = "little" if target.encoding.number[0] == "<" else "big"
    return f"{target.key}-{target.encoding.suffix[1:]}-{order}"


every_target = pytest.mark.parametrize("target", TARGETS, ids=name_of)


def samples_of(target):
    return SAMPLES.get(target.key, 70)


def stored(path, target, shape):
    """Return the numbers in a file, row 0 at the smallest y, by readers that share nothing with the core's."""
    data, number = path.read_bytes(), target.encoding.number
    count = shape[0] * shape[1]
    if path.suffix == ".png":
        idat, at = b"", 8
        while at < len(data):
            length, kind = struct.unpack_from(">I4s", data, at)
            idat += data[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
            at += 12 + length
        lines = np.frombuffer(zlib.decompress(idat), np.uint8).reshape(shape[0], -1)
        plain = np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8)
        numbers = plain.view(">u2")
    elif path.suffix == ".tif":
        tags = tiff_tags(data)
        is_tiled = 324 in tags
        blocks = zip(*(tags[tag] for tag in ((324, 325) if is_tiled else (273, 279))))
        plain = b"".join(zlib.decompress(data[at : at + size]) for at, size in blocks)
        rows, columns = (tags[323][0], tags[322][0]) if is_tiled else shape
        steps = np.frombuffer(plain, np.uint8).reshape(rows, 4 * columns)  # one tile, or all strips
        planes = np.cumsum(steps, axis=1, dtype=np.uint8).reshape(rows, 4, columns)
        numbers = np.moveaxis(planes, 1, 2).copy().view(">f4")[: shape[0], : shape[1], 0].copy()
    elif path.suffix == ".exr":
        line = np.dtype([("head", "<i4", 2), ("samples", "<f4", shape[1])])
        numbers = np.frombuffer(data[-line.itemsize * shape[0] :], line)["samples"]
    elif path.suffix == ".usda":
        (points,) = re.findall(rb"points = \[\n(.*?)\n *\]", data, re.DOTALL)
        numbers = np.array([float(one) for one in re.findall(rb" (\S+)\)", points)], np.float32)
    elif path.suffix == ".npy":
        numbers = np.load(path)
    else:
        numbers = np.frombuffer(data[-count * np.dtype(number).itemsize :], number)
    numbers = numbers.reshape(shape)
    return numbers[::-1] if target.encoding.north_first else numbers


def tiff_tags(data):
    (at,) = struct.unpack_from("<I", data, 4)
    forms = {2: "B", 3: "H", 4: "I", 12: "d"}
    tags = {}
    for place in range(at + 2, at + 2 + 12 * struct.unpack_from("<H", data, at)[0], 12):
        tag, kind, many = struct.unpack_from("<HHI", data, place)
        form, where = f"<{many}{forms[kind]}", place + 8
        if struct.calcsize(form) > 4:
            (where,) = struct.unpack_from("<I", data, where)
        tags[tag] = struct.unpack_from(form, data, where)
    return tags


def sidecar(path):
    return json.loads(path.read_text(encoding="utf-8"))


@every_target
def test_the_file_holds_the_land(target, tmp_path):
    count = samples_of(target)
    report = export_heightmap(RECIPE, tmp_path / "land", target=target, samples=count)
    height = RECIPE.evaluate(RECIPE.grid(count)).height.astype(np.float64)
    says = sidecar(report.sidecar)
    path = tmp_path / says["files"][0]["name"]
    numbers = stored(path, target, height.shape)
    if numbers.dtype.kind == "f":
        np.testing.assert_array_equal(numbers, height)
        assert report.largest_difference == 0.0
    else:
        lost = np.abs(says["offset"] + says["scale"] * numbers - height)
        assert lost.max() <= 0.51 * says["scale"]
        assert (numbers.min(), numbers.max()) == (0, 65535)
        assert report.largest_difference == pytest.approx(lost.max(), rel=1e-3)
    # Whatever is turned or flipped is another land, so that this would be seen.
    for turned in (numbers[::-1], numbers[:, ::-1], numbers.T):
        assert (turned != numbers).mean() > 0.9
    assert says["read_back"]["largest_difference"] == report.largest_difference
    assert {path.name for path in report.files} == {path.name for path in tmp_path.iterdir()}
    assert report.sidecar == tmp_path / f"land{target.encoding.suffix}.json" == report.files[-1]


@every_target
def test_the_sidecar_says_what_the_numbers_mean(target, tmp_path):
    count = samples_of(target)
    report = export_heightmap(
        RECIPE,
        tmp_path / "land",
        target=target,
        samples=count,
        options=ExportOptions(sea_level=12.5),
    )
    says = sidecar(report.sidecar)
    assert says["target"] == target.key and says["terrane"] == __version__
    assert says["fields"] == json.loads(json.dumps(dict(report.fields)))
    assert says["meters_per_sample"] == pytest.approx(2400.0 / (count - 1))
    assert (says["lowest"], says["highest"]) == (report.lowest, report.highest)
    assert says["samples"] == [count, count] and says["tiles"] == [1, 1]
    north = target.encoding.north_first
    assert says["orientation"]["first_row"] == ("north" if north else "south")
    assert says["sea_level"]["meters"] == 12.5
    assert says["offset"] + says["scale"] * says["sea_level"]["number"] == pytest.approx(12.5)
    assert Recipe.from_plain(says["recipe"]) == RECIPE
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", says["recipe_digest"])
    assert says["options"] == {
        parameter.name: getattr(target, parameter.name) for parameter in target.parameters()
    }


@every_target
def test_tiles_are_parts_of_the_whole(target, tmp_path):
    count = samples_of(target)
    shared = target.shares_borders
    whole = (count - shared) * 2 + shared
    height = RECIPE.evaluate(RECIPE.grid((count, whole))).height.astype(np.float64)
    if target.is_square:
        height = RECIPE.evaluate(RECIPE.grid(whole)).height.astype(np.float64)
    tiles = (2, height.shape[0] // (count - shared))
    report = export_heightmap(
        RECIPE,
        tmp_path / "land",
        target=target,
        samples=count,
        options=ExportOptions(tiles=tiles),
        range_=(-900.0, 900.0),
    )
    says = sidecar(report.sidecar)
    assert len(says["files"]) == tiles[0] * tiles[1] and says["tiles_share_borders"] is shared
    parts = {}
    for file in says["files"]:
        column, row = file["tile"]
        assert file["name"].startswith(target.tile_name("land", column, row))
        if target.counts_tiles_from_north:
            row = tiles[1] - 1 - row
        numbers = stored(tmp_path / file["name"], target, (count, count))
        south, west = row * (count - shared), column * (count - shared)
        own = height[south : south + count, west : west + count]
        lost = np.abs(says["offset"] + says["scale"] * numbers - own)
        assert lost.max() <= (0.51 * says["scale"] if numbers.dtype.kind == "u" else 0.0)
        parts[row, column] = numbers
    if shared:
        np.testing.assert_array_equal(parts[0, 0][:, -1], parts[0, 1][:, 0])


@every_target
def test_what_is_there_stays(target, tmp_path):
    count = samples_of(target)
    beside = tmp_path / f"land{target.encoding.suffix}.json"
    beside.write_text("mine")
    with pytest.raises(TerraneError, match=f"{beside.name} in .*: already there; allow over"):
        export_heightmap(RECIPE, tmp_path / "land", target=target, samples=count)
    assert list(tmp_path.iterdir()) == [beside]
    assert beside.read_text() == "mine"
    export_heightmap(
        RECIPE,
        tmp_path / "land",
        target=target,
        samples=count,
        options=ExportOptions(overwrite=True),
    )
    assert sidecar(beside)["target"] == target.key
    assert not list(tmp_path.glob("*.part"))


@every_target
def test_sizes_that_a_target_does_not_take_are_refused(target, tmp_path):
    for count in (1, 3, 100, 506, 1024, 100_000):
        if not target.sizes:
            break
        if count not in target.sizes:
            nearest = min(target.sizes, key=lambda size: abs(size - count))
            message = f"{re.escape(target.label)} takes .* got {count}: the nearest is {nearest}$"
            with pytest.raises(ParameterError, match=message):
                export_heightmap(RECIPE, tmp_path / "land", target=target, samples=count)
    with pytest.raises(ParameterError, match="got 1"):
        export_heightmap(RECIPE, tmp_path / "land", target=target, samples=1)
    assert not list(tmp_path.iterdir())


KILLED = """
import os, sys
sys.path.insert(0, {root!r})
from noise_core import Recipe
from noise_core.base import atomic_files
from noise_core.io.heightmaps import ExportOptions, export_heightmap
from pathlib import Path
rename, left = atomic_files.Path.replace, [{renames}]
def replace(self, target):
    if not left[0]:
        os._exit(9)
    left[0] -= 1
    return rename(self, target)
type(Path()).replace = replace
export_heightmap(
    Recipe.from_preset("none"), {path!r}, target="mujoco", samples=33,
    options=ExportOptions(maps=["slope"], overwrite=True),
)
"""


@pytest.mark.newest
@pytest.mark.parametrize("renames", [0, 1, 2, 5])
@pytest.mark.parametrize("is_there", [False, True])
def test_a_kill_leaves_no_half_set(tmp_path, renames, is_there):
    if is_there:
        export_heightmap(
            RECIPE,
            tmp_path / "land",
            target="mujoco",
            samples=33,
            options=ExportOptions(maps=["slope"]),
        )
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    code = KILLED.format(root=str(ROOT), renames=renames, path=str(tmp_path / "land"))
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == (9 if renames < 4 or is_there else 0)
    after = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".part"}
    if "land.hf.json" in after and done.returncode:  # then all others are those that it is about
        assert after == before
    # Each is whole: the old one, or the new one, which the next time makes.
    export_heightmap(Recipe.from_preset("none"), tmp_path / "land", target="mujoco", samples=33, options=ExportOptions(maps=["slope"], overwrite=True))  # fmt: skip
    final = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for name, content in after.items():
        assert content in (before.get(name), final[name])


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path, monkeypatch):
    def full(part, content):
        raise OSError(errno.ENOSPC, "No space left on device", str(part))

    monkeypatch.setattr(atomic_files, "write_part", full)
    with pytest.raises(TerraneError, match="cannot be written: No space left on device$"):
        export_heightmap(RECIPE, tmp_path / "land", target="npy", samples=33)
    assert not list(tmp_path.iterdir())


@every_target
def test_a_file_that_reads_back_otherwise_is_not_kept(target, tmp_path, monkeypatch):
    name = target.encoding.file_format
    codec = codecs.CODECS[name]

    def swap(field, more):
        file = io.BytesIO()
        atomic_files.write_pieces(file, codec.write(field, more))
        data = file.getvalue()
        yield data[:-9] + bytes([data[-9] ^ 0x40]) + data[-8:]

    changed = {**codecs.CODECS, name: codecs.Codec(swap, codec.read)}
    monkeypatch.setattr("noise_core.io.heightmaps.job.CODECS", changed)
    with pytest.raises(TerraneError, match="reads back"):
        export_heightmap(RECIPE, tmp_path / "land", target=target, samples=samples_of(target))
    assert not list(tmp_path.iterdir())


@every_target
def test_a_flipped_writer_is_seen(target, tmp_path, monkeypatch):
    class Flipped:
        def __init__(self, field):
            self.field, self.shape, self.encoding = field, field.shape, field.encoding

        def __getitem__(self, part):
            return self.field[part][:, ::-1]

    name = target.encoding.file_format
    codec = codecs.CODECS[name]
    changed = codecs.Codec(lambda field, more: codec.write(Flipped(field), more), codec.read)
    monkeypatch.setattr("noise_core.io.heightmaps.job.CODECS", {**codecs.CODECS, name: changed})
    with pytest.raises(TerraneError, match="reads back with .* off: not kept"):
        export_heightmap(RECIPE, tmp_path / "land", target=target, samples=samples_of(target))
    assert not list(tmp_path.iterdir())


def test_a_cancel_leaves_nothing(tmp_path):
    asked = []

    def cancel():
        asked.append(1)
        return len(list(tmp_path.iterdir())) > 0

    with pytest.raises(Cancelled):
        export_heightmap(
            RECIPE, tmp_path / "land", target="png16", samples=600, control=Control(cancel=cancel)
        )
    assert not list(tmp_path.iterdir()) and len(asked) > 1


def test_progress_rises_to_the_end(tmp_path):
    shares = []
    export_heightmap(
        RECIPE,
        tmp_path / "land",
        target="npy",
        samples=65,
        options=ExportOptions(maps=["slope"]),
        control=Control(progress=shares.append),
    )
    assert shares == sorted(shares) and shares[-1] == 1.0


# --- fields --------------------------------------------------------------------------------------


def test_the_fields_of_unreal(tmp_path):
    report = export_heightmap(
        RECIPE, tmp_path / "land", target="unreal", samples=505, range_=(-600.0, 600.0)
    )
    fields = report.fields
    # A Z scale of 100 is 512 m in 65536 steps.
    assert fields["Z Scale"] == pytest.approx(report.scale * 65536 * 100.0 / 512.0)
    assert fields["Z Scale"] == pytest.approx(1200.0 * 100.0 / 512.0, rel=2e-5)
    assert fields["X Scale"] == fields["Y Scale"] == pytest.approx(240_000.0 / 504)
    number = np.fromfile(tmp_path / "land.r16", "<u2").astype(np.float64)
    meters = (number - 32768) / 128.0 * fields["Z Scale"] / 100.0 + fields["Location Z"] / 100.0
    height = RECIPE.evaluate(RECIPE.grid(505)).height[::-1].ravel()
    assert np.abs(meters - height).max() <= 0.51 * report.scale


@pytest.mark.parametrize("name", ["land_x0_y0", "a_x12_y3.r16", "A_X1_Y1"])
def test_unreal_would_take_these_names_for_tiles(tmp_path, name):
    with pytest.raises(ParameterError, match="takes names with _x0_y0 for tiles"):
        export_heightmap(RECIPE, tmp_path / name, target="unreal", samples=505)


@pytest.mark.parametrize("target", [Unity(), Unity(byte_order="mac", flipped=True)])
def test_the_fields_of_unity(tmp_path, target):
    report = export_heightmap(RECIPE, tmp_path / "land.raw", target=target, samples=65)
    fields = report.fields
    number = np.fromfile(tmp_path / "land.raw", ">u2" if target.flipped else "<u2")
    # As Unity's importer: a number / 65536 of the height; the first row is z = 0 unless it flips.
    rows = number.reshape(65, 65)[:: -1 if fields["Flip Vertically"] else 1] / 65536.0
    meters = rows * fields["Terrain Height"] + fields["Position Y"]
    assert np.abs(meters - RECIPE.evaluate(RECIPE.grid(65)).height).max() <= 0.51 * report.scale
    assert fields["Terrain Width"] == fields["Terrain Length"] == 2400.0
    assert fields["Byte Order"] == ("Mac" if target.flipped else "Windows")


def test_the_place_of_a_geotiff(tmp_path):
    target = GeoTiff(latitude=60.0, longitude=10.0)
    export_heightmap(RECIPE, tmp_path / "land", target=target, samples=33)
    tags = tiff_tags((tmp_path / "land.tif").read_bytes())
    x, y = (75.0 / meters for meters in meters_per_degree(60.0))
    assert tags[33550] == pytest.approx((x, y, 0.0), rel=1e-6)
    assert tags[33922] == pytest.approx((0, 0, 0, 10.0 - 16.0 * x, 60.0 + 16.0 * y, 0))
    assert tags[34735] == (1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 2, 2048, 0, 1, 4326)


def test_the_model_of_mujoco_names_its_file(tmp_path):
    export_heightmap(RECIPE, tmp_path / "my land & sea", target="mujoco", samples=33)
    text = (tmp_path / "my land & sea.xml").read_text(encoding="utf-8")
    assert 'file="my land &amp; sea.hf"' in text and 'size="1200.0 1200.0 ' in text
    header = (tmp_path / "my land & sea.hf").read_bytes()[:8]
    assert struct.unpack("<ii", header) == (33, 33)


def test_the_model_of_gazebo_lifts_the_brightest_pixel_to_the_highest_point(tmp_path):
    report = export_heightmap(
        RECIPE, tmp_path / "land", target="gazebo", samples=65, range_=(-900.0, 900.0)
    )
    (model,) = ElementTree.parse(tmp_path / "land.sdf").getroot()
    for shape in model.iter("heightmap"):
        size = [float(word) for word in shape.findtext("size").split()]
        position = [float(word) for word in shape.findtext("pos").split()]
        assert shape.findtext("uri") == "land.png" and size[:2] == [2400.0, 2400.0]
        image = read_image(tmp_path / "land.png")
        meters = image / image.max() * size[2] + position[2]
        assert np.abs(meters - RECIPE.evaluate(RECIPE.grid(65)).height).max() <= report.scale


# --- ranges --------------------------------------------------------------------------------------


def test_a_range_that_does_not_hold_the_land_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="which the range from 0 to 10 m does not hold"):
        export_heightmap(RECIPE, tmp_path / "a", target="png16", samples=33, range_=(0.0, 10.0))
    with pytest.raises(ParameterError, match="does not hold"):
        export_heightmap(RECIPE, tmp_path / "a", target="exr", samples=33, range_=(0.0, 10.0))
    assert not list(tmp_path.iterdir())


def test_a_proportional_range_is_that_of_the_recipe(tmp_path):
    land = Recipe(layers=(Perlin(frequency=2.0),), height=50.0)
    report = export_heightmap(
        land, tmp_path / "a", target="png16", samples=33, range_="proportional"
    )
    assert (report.offset, report.offset + 65535 * report.scale) == pytest.approx((-50.0, 50.0))
    height = land.evaluate(land.grid(33)).height
    with pytest.raises(ParameterError, match="needs a recipe"):
        export_heightmap(height, tmp_path / "b", target="npy", size=1.0, range_="proportional")


def test_a_flat_land_is_written(tmp_path):
    flat = np.full((65, 65), 7.25, np.float32)
    for number, target in enumerate(TARGETS):
        if samples_of(target) == 505:
            continue
        count = samples_of(target)
        field = flat[:count, :count] if count <= 65 else np.full((count, count), 7.25, np.float32)
        report = export_heightmap(field, tmp_path / str(number), target=target, size=10.0)
        assert report.largest_difference == 0.0


def test_dithering_is_off_until_asked_for(tmp_path):
    ramp = np.broadcast_to(np.linspace(0.0, 10.0, 500, dtype=np.float32), (65, 500))
    plain = export_heightmap(ramp, tmp_path / "a", target="png16", size=1.0, range_=(0.0, 65535.0))
    assert plain.largest_difference <= 0.5
    exact = read_image(tmp_path / "a.png", white=65535.0)
    np.testing.assert_array_equal(exact, np.rint(ramp))
    report = export_heightmap(
        ramp,
        tmp_path / "b",
        target="png16",
        size=1.0,
        range_=(0.0, 65535.0),
        options=ExportOptions(dither=True),
    )
    assert 0.5 < report.largest_difference <= 1.0
    dithered = read_image(tmp_path / "b.png", white=65535.0)
    assert np.abs((dithered - ramp).mean(axis=0)).mean() < 0.06 < np.abs(exact - ramp).mean()


# --- maps ----------------------------------------------------------------------------------------


def test_maps_masks_splat_and_normals_lie_beside(tmp_path):
    slope = MapMask(map=Slope(), low=20.0, falloff=5.0)
    painted = np.linspace(0.0, 1.0, 65 * 65, dtype=np.float32).reshape(65, 65)
    report = export_heightmap(RECIPE, tmp_path / "land", target="unity", samples=65, options=ExportOptions(tiles=(2, 1), maps={"slope": "slope", "steep": slope}, splat=[slope, "slope"], normal_bits=16))  # fmt: skip
    says = sidecar(report.sidecar)
    assert says["maps"]["slope"]["files"] == ["land_slope_0_0.png", "land_slope_1_0.png"]
    height = RECIPE.evaluate(RECIPE.grid((65, 129))).height
    expected = Slope().values(height, RECIPE.grid((65, 129)))
    # The south edge comes first, as in the file of the heights.
    found = read_image(tmp_path / "land_slope_1_0.png", white=90.0)[::-1]
    assert np.abs(found - expected[:, 64:]).max() <= 0.51 * 90.0 / 255.0
    mask = read_image(tmp_path / "land_steep_0_0.png")[::-1]
    wanted = Slope().mask(height, RECIPE.grid((65, 129)), low=20.0, falloff=5.0)[:, :65]
    assert np.abs(mask - wanted).max() <= 0.51 / 255.0
    assert says["maps"]["splat"]["channels"] == 4 and says["maps"]["normal"]["bits"] == 16
    again = export_heightmap(
        height[:, :65],
        tmp_path / "field",
        target="unity",
        size=1200.0,
        options=ExportOptions(maps={"painted": painted}),
    )
    assert sidecar(again.sidecar)["recipe"] is None
    lost = read_image(tmp_path / "field_painted.png")[::-1] - painted
    assert np.abs(lost).max() <= 0.51 / 255.0


def test_maps_of_the_recipe_are_found_by_name(tmp_path):
    alps = Recipe.from_preset("alps", seed=7)
    relief = alps.evaluate(alps.grid(65))
    report = export_heightmap(
        alps,
        tmp_path / "a",
        target="npy",
        samples=65,
        options=ExportOptions(maps=sorted(relief.maps)),
    )
    assert set(sidecar(report.sidecar)["maps"]) == set(relief.maps) != set()
    again = export_heightmap(Relief(relief.height, relief.maps), tmp_path / "b", target="npy", size=alps.size, options=ExportOptions(maps=sorted(relief.maps)))  # fmt: skip
    for one, other in zip(report.files[:-1], again.files[:-1]):
        assert one.read_bytes() == other.read_bytes()


def test_all_maps_of_the_recipe_go_by_one_name(tmp_path):
    alps = Recipe.from_preset("alps", seed=7)
    made = alps.evaluate(alps.grid(33)).maps
    report = export_heightmap(
        alps, tmp_path / "a", target="npy", samples=33, options=ExportOptions(maps=["slope", "all"])
    )
    assert list(sidecar(report.sidecar)["maps"]) == ["slope", *sorted(made)] and len(made) > 2
    relief = Relief(np.zeros((33, 33), np.float32), {"lava": np.eye(33, dtype=np.float32)})
    own = export_heightmap(
        relief, tmp_path / "b", target="npy", size=1.0, options=ExportOptions(maps=["all"])
    )
    assert [path.name for path in own.files] == ["b.npy", "b_lava.png", "b.npy.json"]
    none = export_heightmap(
        RECIPE, tmp_path / "c", target="npy", samples=9, options=ExportOptions(maps=["all"])
    )
    assert len(none.files) == 2  # without modifiers there are none


def color_pixels(path, shape):
    """Return the colors of a PNG image that this project writes, row 0 at the top."""
    data, idat, at = path.read_bytes(), b"", 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        idat += data[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    assert data[24:26] == b"\x08\x02"  # 8 bits, three channels
    lines = np.frombuffer(zlib.decompress(idat), np.uint8).reshape(shape[0], -1)
    assert (lines[:, 0] == 2).all()
    return np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8).reshape(*shape, 3)


@pytest.mark.newest
@pytest.mark.parametrize("target", [Unreal(), Unity()], ids=["north", "south"])
def test_the_colors_are_those_of_the_presets_picture(tmp_path, target):
    coast, look = Recipe.from_preset("coast"), preset("coast").look
    count = samples_of(target)
    report = export_heightmap(
        coast, tmp_path / "a", target=target, samples=count, options=ExportOptions(colors=look)
    )
    grid = coast.grid(count)
    relief = coast.evaluate(grid)
    expected = land_colors(relief.height, grid, plan_of(look), relief.maps)
    pixels = color_pixels(tmp_path / "a_color.png", grid.shape)
    upright = pixels[::-1] if target.encoding.north_first else pixels
    shown = linear_to_srgb(np.moveaxis(expected, 0, -1)) * 255.0
    assert np.abs(upright - shown).max() <= 0.95  # a table of 4096 values stands between
    assert np.abs(shown[::-1] - shown).max() > 50.0  # a flipped one would be seen
    says = sidecar(report.sidecar)["maps"]["color"]
    assert says["unit"] == "sRGB" and says["channels"] == 3 and says["bits"] == 8
    assert "convention" not in says and says["files"] == ["a_color.png"]


def test_a_color_map_has_the_palette_that_is_named(tmp_path):
    means = []
    for palette in ("alpine", "desert"):
        export_heightmap(
            RECIPE,
            tmp_path / palette,
            target="npy",
            samples=33,
            options=ExportOptions(tiles=(2, 1), colors=palette),
        )
        tiles = [color_pixels(tmp_path / f"{palette}_color_x{x}_y0.png", (33, 33)) for x in (0, 1)]
        np.testing.assert_array_equal(tiles[0][:, -1], tiles[1][:, 0])
        means.append(np.mean(tiles, axis=(0, 1, 2)))
    assert np.abs(means[0] - means[1]).max() > 10.0


def test_the_sidecar_tells_the_convention_of_normals(tmp_path):
    for number, (target, maps, expected) in enumerate(
        [
            (Unreal(), {"facing": "normal"}, "directx"),
            (Unity(), {"facing": "normal"}, "opengl"),
            (Unreal(), {"facing": Normal()}, "opengl"),  # as the caller wants it
        ]
    ):
        report = export_heightmap(
            RECIPE,
            tmp_path / str(number),
            target=target,
            samples=samples_of(target),
            options=ExportOptions(maps=maps),
        )
        assert sidecar(report.sidecar)["maps"]["facing"]["convention"] == expected


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"target": "quake"}, "target must be one of exr, gazebo, .*; got 'quake'"),
        ({"samples": 2.5}, "samples must be a whole number"),
        ({"samples": (2, 3, 4)}, "samples must be a whole number, or rows and columns"),
        ({"samples": None}, "a recipe needs the number of samples"),
        ({"tiles": (0, 1)}, r"tiles must be two whole numbers from 1 on; got \(0, 1\)"),
        ({"tiles": (99, 99)}, "tiles must be at most 4096 files"),
        ({"range_": "wide"}, "range_ must be one of as_is, proportional, or two rising"),
        ({"range_": (5.0, 5.0)}, "range_ must be one of"),
        ({"maps": ["lava"]}, "maps must be of .*slope.*; got 'lava'"),
        ({"maps": "slope"}, "maps must be a mapping or a list of names"),
        ({"maps": {"a/b": "slope"}}, "maps must be the name of a file, without a folder"),
        ({"sea_level": float("nan")}, "sea_level must be a number of meters; got nan"),
        ({"maps": {"a": "slope", "A": "slope"}}, "two files would be called land_A.png"),
        ({"normal_bits": 12}, "normal_bits must be 0, 8 or 16; got 12"),
        ({"splat": ["slope"] * 5}, "splat must be at most 4 masks; got 5"),
        ({"maps": {"splat": "slope"}, "splat": ["slope"]}, "maps must not be called 'splat'"),
        ({"maps": {"color": "slope"}, "colors": "alpine"}, "maps must not be called 'color'"),
        ({"colors": "pink"}, "colors must be one of .*alpine.*; got 'pink'"),
        ({"path": "land.exr"}, "a file for PNG, 16 Bits ends in .png; got 'land.exr'"),
        ({"path": "con"}, "name of a device"),
    ],
)
def test_what_cannot_be_is_one_line(tmp_path, keywords, message):
    given = {"target": "png16", "samples": 33, "path": "land", **keywords}
    with pytest.raises(ParameterError, match=message):
        export_heightmap(RECIPE, tmp_path / given.pop("path"), **sort_keywords(**given))
    assert not list(tmp_path.iterdir())


def test_heights_need_a_size_and_their_own_shape(tmp_path):
    field = np.zeros((33, 33), np.float32)
    with pytest.raises(ParameterError, match="need their size"):
        export_heightmap(field, tmp_path / "a", target="npy")
    with pytest.raises(ParameterError, match="shape"):
        export_heightmap(field, tmp_path / "a", target="npy", samples=34, size=1.0)
    with pytest.raises(ParameterError, match="finite"):
        export_heightmap(field + np.float32(np.nan), tmp_path / "a", target="npy", size=1.0)


@pytest.mark.newest
@every_target
def test_memory_is_little_beyond_the_heights(target, tmp_path):
    sides = {"unreal": 1009, "unity": 1025, "terrain3d": 1024, "gazebo": 1025, "usd": 320}
    count = sides.get(target.key, 1000)  # text takes long
    height = RECIPE.evaluate(RECIPE.grid(count)).height
    tracemalloc.start()
    try:
        export_heightmap(height, tmp_path / "a", target=target, size=2400.0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= 12 * count * count


def test_the_version_is_that_of_the_project():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{__version__}"\n' in text
