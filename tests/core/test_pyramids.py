# SPDX-License-Identifier: GPL-3.0-or-later
"""Tile pyramids: the contents of their files, by readers that share nothing with the core's, and their places."""

from __future__ import annotations

import dataclasses
import errno
import json
import math
import struct
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest

from noise_core import Cancelled, ParameterError, Recipe, TerraneError
from noise_core.base import atomic_files
from noise_core.commands.command_line import run
from noise_core.io.heightmaps import export_heightmap
from noise_core.io.pyramids import mesh_tiles
from noise_core.io.targets import QuantizedMesh, TerrainRgb, Terrarium
from noise_core.io.targets.bases.target import target_types
from noise_core.noises import ElevationRaster, Fractal, Gradient, Perlin
from noise_core.recipes.layers import NoiseLayer
from tests.degrees import meters_per_degree
from tests.export_keywords import sort_keywords

pytestmark = pytest.mark.newest

ROWS, COLUMNS, SIZE = 97, 129, 2400.0
SPACING = SIZE / (COLUMNS - 1)
RECIPE = Recipe(
    layers=(Gradient(shape="linear", angle=30.0), Fractal(source=Perlin(frequency=3.0), octaves=5)),
    seed=5,
    height=300.0,
    size=SIZE,
)
TYPES = [cls for cls in target_types().values() if cls().pyramid is not None]
every_type = pytest.mark.parametrize("cls", TYPES, ids=lambda cls: cls.key)
PLACES = [(0.0, 0.0), (47.25, 11.5), (-63.0, -120.0)]
every_place = pytest.mark.parametrize(("latitude", "longitude"), PLACES)


def bowl(x, y):
    """Return heights at meters from the middle: no turned or flipped land is the same, and cubics are exact."""
    return 200.0 + 0.11 * x - 0.05 * y + 3e-5 * x * y + 4e-5 * x * x - 2e-5 * y * y


def bowl_field():
    x = (np.arange(COLUMNS) - 0.5 * (COLUMNS - 1)) * SPACING
    y = (np.arange(ROWS) - 0.5 * (ROWS - 1)) * SPACING
    return bowl(x, y[:, np.newaxis]).astype(np.float32)


def read_png(data):
    idat, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        idat += data[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    columns, rows = struct.unpack_from(">II", data, 16)
    assert data[24:26] == b"\x08\x02"  # 8 bits, RGB
    lines = np.frombuffer(zlib.decompress(idat), np.uint8).reshape(rows, -1)
    assert (lines[:, 0] == 2).all()
    return np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8).reshape(rows, columns, 3).astype(float)


def read_mesh(data):
    """Return the parts of a quantized mesh, read number by number as its specification says."""
    numbers = struct.unpack_from("<3d2f4d3dI", data)
    at, count = 92, numbers[-1]
    fields = []
    for _ in range(3):
        values, value = [], 0
        for code in struct.unpack_from(f"<{count}H", data, at):
            value += (code >> 1) ^ (-(code & 1))
            values.append(value)
        fields.append(np.array(values))
        at += 2 * count
    (triangles,) = struct.unpack_from("<I", data, at)
    at += 4
    highest, corners = 0, []
    for code in struct.unpack_from(f"<{3 * triangles}H", data, at):
        corners.append(highest - code)
        highest += code == 0
    at += 6 * triangles
    edges = []
    for _ in range(4):
        (length,) = struct.unpack_from("<I", data, at)
        edges.append(struct.unpack_from(f"<{length}H", data, at + 4))
        at += 4 + 2 * length
    assert at == len(data)
    u, v, height = fields
    meters = numbers[3] + height / 32767 * (numbers[4] - numbers[3])
    return numbers, u, v, meters, np.array(corners).reshape(-1, 3), edges


def samples_of(folder, tile):
    """Return longitudes, latitudes and heights of a tile's samples, all of shape (n,)."""
    (path,) = folder.glob(f"{tile[0]}/{tile[1]}/{tile[2]}.*")
    zoom, column, row = tile
    if path.suffix == ".terrain":
        _, u, v, meters, _, _ = read_mesh(path.read_bytes())
        side = 180.0 / 2**zoom
        return -180.0 + (column + u / 32767) * side, -90.0 + (row + v / 32767) * side, meters
    red, green, blue = np.moveaxis(read_png(path.read_bytes()), 2, 0)
    listing = json.loads((folder / "tiles.json").read_text())
    meters = {
        "mapbox": -10000.0 + 0.1 * (red * 65536.0 + green * 256.0 + blue),
        "terrarium": red * 256.0 + green + blue / 256.0 - 32768.0,
    }[listing["encoding"]]
    count = len(meters)
    steps = (np.arange(count) + 0.5) / count
    longitude = (column + steps) / 2**zoom * 360.0 - 180.0
    # The inverse of y = ln(tan(pi / 4 + latitude / 2)).
    y = math.pi * (1.0 - 2.0 * (row + steps) / 2**zoom)
    latitude = np.degrees(2.0 * np.arctan(np.exp(y)) - 0.5 * math.pi)
    x, y = np.meshgrid(longitude, latitude)
    return x.ravel(), y.ravel(), meters.ravel()


def meters_from_middle(place, longitude, latitude):
    across, along = meters_per_degree(place[0])
    return (longitude - place[1]) * across, (latitude - place[0]) * along


def tiles_in(folder, zoom):
    return [(zoom, int(path.parent.name), int(path.stem)) for path in folder.glob(f"{zoom}/*/*.*")]


def export(cls, folder, land=None, **keywords):
    options = {name: keywords.pop(name) for name in list(keywords) if name in NAMES[cls]}
    arguments = sort_keywords(target=cls(**options), **keywords)
    if land is None:
        return export_heightmap(RECIPE, folder / "land", samples=(ROWS, COLUMNS), **arguments)
    return export_heightmap(land, folder / "land", size=SIZE, **arguments)


NAMES = {cls: {parameter.name for parameter in cls.parameters()} for cls in TYPES}


def sidecar(report):
    return json.loads(report.sidecar.read_text(encoding="utf-8"))


def test_there_are_three():
    assert {cls.key for cls in TYPES} == {"quantized_mesh", "terrain_rgb", "terrarium"}


@pytest.mark.newest
@every_type
@every_place
def test_the_finest_tiles_hold_the_land_where_it_lies(cls, latitude, longitude, tmp_path):
    report = export(cls, tmp_path, bowl_field(), latitude=latitude, longitude=longitude)
    allowed = sidecar(report)["read_back"]["allowed"] + 2e-4  # float32 in between
    zoom, found = report.fields["Max Zoom"], 0
    for tile in tiles_in(tmp_path / "land", zoom):
        x, y = meters_from_middle((latitude, longitude), *samples_of(tmp_path / "land", tile)[:2])
        meters = samples_of(tmp_path / "land", tile)[2]
        # Not the outermost cells, where the cubic has no neighbors.
        inside = (np.abs(x) <= 0.5 * SIZE - SPACING) & (
            np.abs(y) <= 0.5 * (ROWS - 1) * SPACING - SPACING
        )
        found += inside.sum()
        if inside.any():
            assert np.abs(meters - bowl(x, y))[inside].max() <= allowed
        beyond = (np.abs(x) > 0.5 * SIZE + 240.0) | (np.abs(y) > 0.5 * (ROWS - 1) * SPACING + 240.0)
        assert np.abs(meters[beyond]).max(initial=0.0) <= allowed
    assert found >= ROWS * COLUMNS
    assert report.largest_difference <= sidecar(report)["read_back"]["allowed"]


def measured(middle, step, **system):
    """Return measured land whose middle has these coordinates."""
    steps = (COLUMNS - 1, ROWS - 1)
    origin = tuple(place - 0.5 * count * one for place, count, one in zip(middle, steps, step))
    noise = ElevationRaster(
        pixels=bowl_field() / np.float32(512.0), origin=origin, step=step, **system
    )
    return Recipe(layers=(NoiseLayer(noise=noise, height=512.0),), height=512.0, size=SIZE)


def in_degrees(longitude):
    """Return measured land in degrees."""
    across, along = meters_per_degree(47.25)
    step = (SPACING / across, SPACING / along)
    return measured((longitude, 47.25), step, epsg=4326, system="geographic")


def in_meters(epsg):
    """Return the same in meters of Web Mercator, or of another system."""
    radius, latitude = 6_378_137.0, math.radians(47.25)
    middle = (math.radians(11.5) * radius, math.asinh(math.tan(latitude)) * radius)
    step = SPACING / math.cos(latitude)
    if epsg != 3857:
        return measured(middle, (step, step), epsg=epsg, system="projected")
    sphere = (1.0, 0.0, 0.0, radius)
    return measured(middle, (step, step), epsg=epsg, system="mercator", projection=sphere)


LANDS = [in_degrees(11.5), in_degrees(371.5), in_meters(3857)]


@every_type
@pytest.mark.parametrize("land", LANDS, ids=["degrees", "beyond 180 degrees", "Web Mercator"])
def test_measured_land_lies_where_it_was_measured(cls, land, tmp_path):
    target = cls(system="land", max_zoom=13)
    report = export_heightmap(land, tmp_path / "own", target=target, samples=(ROWS, COLUMNS))
    given = cls(latitude=47.25, longitude=11.5, max_zoom=13)
    other = export_heightmap(land, tmp_path / "given", target=given, samples=(ROWS, COLUMNS))
    for name in ("Longitude", "Latitude", "Bounds"):
        assert report.fields[name] == pytest.approx(other.fields[name], abs=1e-9)
    tiles = tiles_in(tmp_path / "own", 13)
    assert tiles and tiles == tiles_in(tmp_path / "given", 13)
    for tile in tiles:
        own, same = (samples_of(tmp_path / name, tile) for name in ("own", "given"))
        np.testing.assert_allclose(
            own[2], same[2], atol=0.15
        )  # a step of colors, if it rounds over


@every_type
@pytest.mark.parametrize("land", [RECIPE, in_meters(32632)], ids=["invented", "UTM"])
def test_the_place_of_other_land_is_asked_for(cls, land, tmp_path):
    with pytest.raises(ParameterError, match=f"^{cls.__name__}.system can be 'land' for measured"):
        export_heightmap(land, tmp_path / "land", target=cls(system="land"), samples=33)
    assert not list(tmp_path.iterdir())


@pytest.mark.newest
@every_type
@every_place
def test_the_finest_zoom_has_as_many_samples_as_the_land(cls, latitude, longitude, tmp_path):
    report = export(cls, tmp_path, latitude=latitude, longitude=longitude)
    place = (latitude, longitude)
    for tile in tiles_in(tmp_path / "land", report.fields["Max Zoom"])[:3]:
        x, y = meters_from_middle(place, *samples_of(tmp_path / "land", tile)[:2])
        step_x, step_y = (np.diff(np.unique(one.round(6))).mean() for one in (x, y))
        # The zoom before has a quarter of them.
        assert 0.25 * SPACING**2 < step_x * step_y * (1.0 + 2e-3)
        assert step_x * step_y <= SPACING**2 * (1.0 + 2e-3)


def inner(folder, zoom, cells):
    """Return x, y and heights of a zoom's samples that are so many cells of the land within it."""
    for tile in tiles_in(folder, zoom):
        *place, meters = samples_of(folder, tile)
        x, y = meters_from_middle((0.0, 0.0), *place)
        inside = np.abs(x) <= 0.5 * SIZE - cells * SPACING
        inside &= np.abs(y) <= 0.5 * (ROWS - 1) * SPACING - cells * SPACING
        yield x[inside], y[inside], meters[inside]


@every_type
def test_coarser_tiles_lie_where_finer_ones_do(cls, tmp_path):
    report = export(cls, tmp_path, bowl_field())
    for coarser in (1, 2, 3):
        zoom, seen = report.fields["Max Zoom"] - coarser, 0
        for x, y, meters in inner(tmp_path / "land", zoom, 3 << coarser):
            # A mean of a parabola lies beside it.
            assert np.abs(meters - bowl(x, y)).max(initial=0.0) <= 0.06 + 0.004 * 4**coarser
            seen += len(x)
        assert seen > 20


@every_type
def test_coarser_tiles_are_means_of_finer_ones(cls, tmp_path):
    row, column = np.indices((ROWS, COLUMNS))
    board = np.where((row + column) % 2 == 0, 100.0, -100.0).astype(np.float32)
    report = export(cls, tmp_path, board)
    zoom, folder = report.fields["Max Zoom"], tmp_path / "land"
    finest = np.concatenate([meters for _, _, meters in inner(folder, zoom, 2)])
    assert finest.max() > 70.0 and finest.min() < -70.0
    means = np.concatenate([meters for _, _, meters in inner(folder, zoom - 1, 6)])
    assert len(means) > 500 and np.abs(means).max() <= 0.06


@every_type
def test_the_listing_names_the_tiles_that_are_there(cls, tmp_path):
    report = export(cls, tmp_path, latitude=47.25, longitude=11.5)
    folder = tmp_path / "land"
    listing = json.loads((tmp_path / report.fields["List of Map Tiles"]).read_text())
    zooms = range(listing["minzoom"], listing["maxzoom"] + 1)
    assert sorted(int(path.name) for path in folder.iterdir() if path.is_dir()) == list(zooms)
    assert (zooms[0], zooms[-1]) == (report.fields["Min Zoom"], report.fields["Max Zoom"])
    assert listing["bounds"] == report.fields["Bounds"]
    west, south, east, north = listing["bounds"]
    assert west < 11.5 < east and south < 47.25 < north
    assert (11.5 - west) * meters_per_degree(47.25)[0] == pytest.approx(1440.0)
    assert "://" not in json.dumps(listing)  # no host
    if "available" in listing:
        for zoom, areas in zip(zooms, listing["available"]):
            named = {
                (zoom, x, y)
                for area in areas
                for x in range(area["startX"], area["endX"] + 1)
                for y in range(area["startY"], area["endY"] + 1)
            }
            assert named == set(tiles_in(folder, zoom))
        assert set(tiles_in(folder, 0)) == {(0, 0, 0), (0, 1, 0)}
    else:
        assert len(tiles_in(folder, zooms[0])) == 1 < len(tiles_in(folder, zooms[1]))
    files = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert (
        set(report.files) == files
        and report.files[-1] == tmp_path / f"land{cls().encoding.suffix}.json"
    )
    says = sidecar(report)
    assert says["pyramid"]["bounds"] == listing["bounds"]
    assert [one["tiles"] for one in says["pyramid"]["levels"]] == [
        len(tiles_in(folder, zoom)) for zoom in zooms
    ]
    assert says["options"]["latitude"] == 47.25 and says["fields"]["Longitude"] == 11.5


@pytest.mark.parametrize("cls", [TerrainRgb, Terrarium])
def test_zooms_and_sizes_may_be_chosen(cls, tmp_path):
    report = export(cls, tmp_path, tile_size="512", min_zoom=9, max_zoom=12, latitude=60.0)
    assert sorted(int(path.name) for path in (tmp_path / "land").glob("*/")) == [9, 10, 11, 12]
    (path, *_) = (tmp_path / "land").glob("12/*/*.png")
    assert read_png(path.read_bytes()).shape == (512, 512, 3)
    assert report.fields["Map Tile Size"] == 512
    # A zoom beyond the land's own adds samples, but no detail.
    fine = export(cls, tmp_path / "fine", bowl_field(), max_zoom=16, min_zoom=16)
    own = sidecar(fine)["pyramid"]["zoom_of_the_land"]
    assert own < 16
    for tile in tiles_in(tmp_path / "fine" / "land", 16)[::5]:
        x, y, meters = samples_of(tmp_path / "fine" / "land", tile)
        x, y = meters_from_middle((0.0, 0.0), x, y)
        inside = (np.abs(x) < 1100.0) & (np.abs(y) < 800.0)
        assert np.abs(meters - bowl(x, y))[inside].max(initial=0.0) <= 0.06


@every_type
def test_without_a_margin_there_is_a_cliff(cls, tmp_path):
    field = np.full((65, 65), 500.0, np.float32)
    report = export(cls, tmp_path, field, margin=0.0)
    seen = set()
    for tile in tiles_in(tmp_path / "land", report.fields["Max Zoom"]):
        x, y = meters_from_middle((0.0, 0.0), *samples_of(tmp_path / "land", tile)[:2])
        meters = samples_of(tmp_path / "land", tile)[2]
        inside = (np.abs(x) <= 0.5 * SIZE) & (np.abs(y) <= 0.5 * SIZE)
        assert np.abs(meters - 500.0 * inside).max() <= 0.06
        seen |= set(inside)
    assert seen == {True, False}


# --- quantized meshes ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def meshes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("meshes")
    export(QuantizedMesh, folder, latitude=47.25, longitude=11.5)
    tiles = [tile for zoom in range(20) for tile in tiles_in(folder / "land", zoom)]
    return {
        tile: read_mesh((folder / "land" / f"{tile[0]}/{tile[1]}/{tile[2]}.terrain").read_bytes())
        for tile in tiles
    }


def test_triangles_cover_their_tile_once_and_face_up(meshes):
    for _, u, v, _, corners, edges in meshes.values():
        x, y = u[corners] / 32767, v[corners] / 32767
        area = 0.5 * (
            (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
        )
        assert (area > 0.0).all() and area.sum() == pytest.approx(1.0)
        assert set(corners.ravel()) == set(range(len(u)))
        for edge, axis, border in zip(edges, (u, v, u, v), (0, 0, 32767, 32767)):
            assert set(edge) == set(np.flatnonzero(axis == border)) and len(edge) == 65


def test_neighbors_meet(meshes):
    met = 0
    for (zoom, column, row), (numbers, u, v, meters, _, _) in meshes.items():
        for other, axis, along in (
            ((zoom, column + 1, row), u, v),
            ((zoom, column, row + 1), v, u),
        ):
            if other not in meshes:
                continue
            theirs, u2, v2, meters2, _, _ = meshes[other]
            axis2, along2 = (u2, v2) if axis is u else (v2, u2)
            own = dict(zip(along[axis == 32767], meters[axis == 32767]))
            far = dict(zip(along2[axis2 == 0], meters2[axis2 == 0]))
            step = (numbers[4] - numbers[3] + theirs[4] - theirs[3]) / 32767
            assert own.keys() == far.keys()
            assert max(abs(own[key] - far[key]) for key in own) <= 0.51 * step + 1e-4
            met += 1
    assert met > 20


def test_the_header_bounds_the_tile(meshes):
    for tile, (numbers, u, v, meters, _, _) in meshes.items():
        side = 180.0 / 2 ** tile[0]
        longitude = -180.0 + (tile[1] + u / 32767) * side
        latitude = -90.0 + (tile[2] + v / 32767) * side
        places = in_space(longitude, latitude, meters)
        middle, radius = np.array(numbers[5:8]), numbers[8]
        distance = np.linalg.norm(places - middle, axis=1)
        assert distance.max() <= radius + 0.1 and radius <= 1.5 * distance.max()
        assert numbers[3] == pytest.approx(meters.min()) and numbers[4] == pytest.approx(
            meters.max()
        )


def in_space(longitude, latitude, height):
    """Return places by the axes of the ellipsoid, another way than the core's."""
    a, b = 6378137.0, 6356752.314245179
    x, y = np.radians(longitude), np.radians(latitude)
    normal = a * a / np.sqrt((a * np.cos(y)) ** 2 + (b * np.sin(y)) ** 2)
    return np.stack(
        [
            (normal + height) * np.cos(y) * np.cos(x),
            (normal + height) * np.cos(y) * np.sin(x),
            (b * b / (a * a) * normal + height) * np.sin(y),
        ],
        axis=-1,
    )


def is_hidden(eye, places):
    """Return whether the ellipsoid lies between an eye and places, all in its radii."""
    ray = places - eye
    a = (ray * ray).sum(axis=-1)
    b = (eye * ray).sum(axis=-1)
    c = (eye * eye).sum() - 1.0
    near = (-b - np.sqrt(np.maximum(b * b - a * c, 0.0))) / a
    return (b * b > a * c) & (near > 0.0) & (near < 1.0 - 1e-9)


def test_the_occlusion_point_is_hidden_only_where_all_the_tile_is(meshes):
    chance = np.random.default_rng(3)
    radii = np.array([6378137.0, 6378137.0, 6356752.314245179])
    hidden = 0
    for tile, (numbers, u, v, meters, _, _) in meshes.items():
        side = 180.0 / 2 ** tile[0]
        places = in_space(
            -180.0 + (tile[1] + u / 32767) * side, -90.0 + (tile[2] + v / 32767) * side, meters
        )
        point = np.array(numbers[9:12])
        middle = np.array(numbers[5:8]) / radii
        for _ in range(60):
            away = chance.normal(size=3) + 2.0 * chance.uniform(-1.0, 1.0) * middle
            eye = away / np.linalg.norm(away) * (1.0 + 10.0 ** chance.uniform(-3.0, 1.0))
            if is_hidden(eye, point[np.newaxis])[0]:
                hidden += 1
                assert is_hidden(eye, places / radii).all()
    assert hidden > 100


def test_places_in_space():
    longitude, latitude = np.array([0.0, 90.0, 11.5, 0.0]), np.array([0.0, 0.0, 47.25, 90.0])
    height = np.array([0.0, 100.0, 1234.5, 0.0])
    ours = mesh_tiles.to_space(longitude, latitude, height)
    np.testing.assert_allclose(ours, in_space(longitude, latitude, height), atol=1e-6)


# --- whole or not there --------------------------------------------------------------------------


@every_type
def test_a_cancel_leaves_nothing(cls, tmp_path):
    def cancel():
        return len(list(tmp_path.rglob("*.part"))) > 5

    with pytest.raises(Cancelled):
        export(cls, tmp_path, cancel=cancel)
    assert not list(tmp_path.iterdir())


@pytest.mark.newest
@every_type
def test_what_is_there_stays(cls, tmp_path):
    first = export(cls, tmp_path)
    before = {path: path.read_bytes() for path in first.files}
    asked = []
    with pytest.raises(TerraneError, match="already there; allow overwriting"):
        export(cls, tmp_path, progress=asked.append)
    assert not asked  # before the land was evaluated
    assert {path: path.read_bytes() for path in first.files} == before
    first.sidecar.unlink()
    with pytest.raises(TerraneError, match=r"and \d+ more"):
        export(cls, tmp_path)
    again = export(cls, tmp_path, overwrite=True)
    assert {path: path.read_bytes() for path in again.files} == before
    assert not list(tmp_path.rglob("*.part"))


@every_type
def test_a_full_disk_leaves_nothing(cls, tmp_path, monkeypatch):
    write, left = atomic_files.write_part, [9]

    def full(part, content):
        left[0] -= 1
        if not left[0]:
            raise OSError(errno.ENOSPC, "No space left on device", str(part))
        write(part, content)

    monkeypatch.setattr(atomic_files, "write_part", full)
    with pytest.raises(TerraneError, match="cannot be written: No space left on device$"):
        export(cls, tmp_path)
    assert not list(tmp_path.iterdir())


@every_type
@pytest.mark.parametrize("at", [-9, -60, -40_000, 20])
def test_a_tile_that_reads_back_otherwise_is_not_kept(cls, tmp_path, monkeypatch, at):
    write = atomic_files.write_part

    def damage(part, content):
        data = bytearray(b"".join([content] if isinstance(content, bytes) else content))
        data[max(at, 1 - len(data)) if at < 0 else at] ^= 0x40
        write(part, bytes(data))

    monkeypatch.setattr(atomic_files, "write_part", damage)
    with pytest.raises(TerraneError, match="reads back"):
        export(cls, tmp_path)
    assert not list(tmp_path.iterdir())


@every_type
def test_a_flipped_writer_is_seen(cls, tmp_path, monkeypatch):
    kind = type(cls().pyramid)
    write = kind.write
    monkeypatch.setattr(kind, "write", lambda self, heights, at: write(self, heights[:, ::-1], at))
    with pytest.raises(TerraneError, match="reads back .* off: not kept"):
        export(cls, tmp_path)
    assert not list(tmp_path.iterdir())


@every_type
def test_progress_rises_to_the_end(cls, tmp_path):
    shares = []
    report = export(cls, tmp_path, progress=shares.append, maps=["slope"])
    assert shares == sorted(shares) and shares[-1] == 1.0
    assert len(set(shares)) > len(report.files) - 4
    assert tmp_path / "land_slope.png" in report.files


@pytest.mark.newest
@every_type
def test_memory_is_little_beyond_the_heights(cls, tmp_path):
    count = 1000
    height = RECIPE.evaluate(RECIPE.grid(count)).height
    tracemalloc.start()
    try:
        export(cls, tmp_path, height, max_zoom=13)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= 24 * count * count


@every_type
@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"tiles": (2, 1)}, "has tiles of its own: tiles must be 1 x 1; got 2 x 1"),
        ({"latitude": 99.0}, r"latitude must be in \[-85, 85\]; got 99.0"),
        ({"longitude": 180.0}, "must lie in longitudes from -180 to 180; it reaches from 179.9"),
        (
            {"max_zoom": 24},
            r"a pyramid must have at most 262144 map tiles; zooms .* lower max_zoom",
        ),
        ({"samples": 1}, "at least 2 samples"),
    ],
)
def test_what_cannot_be_is_one_line(cls, tmp_path, keywords, message):
    given = {"samples": 33, **keywords}
    options = {name: given.pop(name) for name in list(given) if name in NAMES[cls]}
    with pytest.raises(ParameterError, match=message) as raised:
        export_heightmap(RECIPE, tmp_path / "land", **sort_keywords(target=cls(**options), **given))
    assert "\n" not in str(raised.value)
    assert not list(tmp_path.iterdir())


def test_more_that_cannot_be(tmp_path):
    deep = np.full((33, 33), -10_500.0, np.float32)
    with pytest.raises(ParameterError, match="the range from -10000 to .* does not hold"):
        export_heightmap(deep, tmp_path / "land", target="terrain_rgb", size=100.0)
    with pytest.raises(ParameterError, match="min_zoom must be at most 12, the highest; got 15"):
        export(Terrarium, tmp_path, min_zoom=15, max_zoom=12)
    far = dataclasses.replace(RECIPE, size=200_000.0)
    with pytest.raises(ParameterError, match="must lie in latitudes from -85.05.* to 85.05"):
        export_heightmap(far, tmp_path / "land", target=Terrarium(latitude=84.9), samples=33)
    with pytest.raises(ParameterError, match=r"ends in \.png\.json; got 'land\.png'"):
        export_heightmap(RECIPE, tmp_path / "land.png", target="terrarium", samples=33)
    assert not list(tmp_path.iterdir())


def test_the_command_line_writes_them(tmp_path):
    said, noted = [], []
    arguments = ["export", "none", "--target", "terrarium", "--samples", "33"]
    options = ["--option", "latitude=47", "--option", "margin=0.25", "--folder", str(tmp_path)]
    assert run([*arguments, *options], said.append, noted.append) == 0
    says = json.loads(Path(said[0]).read_text(encoding="utf-8"))
    assert says["options"]["latitude"] == 47.0 and says["options"]["margin"] == 0.25
    assert list(tmp_path.rglob("*.png"))
