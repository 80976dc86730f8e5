# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading of elevation in other formats than TIFF, joining, and filling of holes."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import ParameterError
from noise_core.base.blocks import on_threads
from noise_core.base.errors import Cancelled
from noise_core.codecs.image_writing import image_bytes
from noise_core.io.elevation_reading import (
    LoadedHeights,
    elevation_formats,
    elevation_from_samples,
    join_elevations,
    probe_elevation,
    read_elevation,
)
from noise_core.io.elevation_reading.formats.raw import Raw
from noise_core.rasters.hole_filling import fill_holes
from tests.core import elevation_files as files
from tests.degrees import meters_per_degree


def write(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    return path


def field(kind="u2", shape=(9, 14)):
    return np.random.default_rng(5).integers(0, 250, shape).astype(kind)


def test_formats_are_declared():
    formats = elevation_formats()
    assert set(formats) == {"asc", "hgt", "npy", "png", "raw", "tiff"}
    extensions = [extension for cls in formats.values() for extension in cls.extensions]
    assert len(extensions) == len(set(extensions))


@pytest.mark.parametrize(("side", "seconds"), [(1201, 3), (3601, 1)])
def test_hgt(tmp_path, side, seconds):
    heights = np.arange(side * side, dtype=np.int64).reshape(side, side) % 4000
    heights[5, 7] = -32768
    path = write(tmp_path, "N46E007.hgt", heights.astype(">i2").tobytes())
    elevation = read_elevation(path)
    assert np.argwhere(elevation.holes).tolist() == [[side - 6, 7]]
    known = ~elevation.holes
    np.testing.assert_array_equal(elevation.heights[known], heights[::-1][known])
    place = elevation.georeference
    assert (place.system.epsg, place.origin, place.is_point) == (4326, (7.0, 46.0), True)
    across, along = (seconds / 3600 * meters for meters in meters_per_degree(46.5))
    assert elevation.spacing == pytest.approx((across, along), rel=1e-6)


def test_hgt_by_its_name(tmp_path):
    data = bytes(2 * 1201 * 1201)
    info = probe_elevation(write(tmp_path, "s03w072.hgt", data))
    assert info.georeference.origin == (-72.0, -3.0)
    info = probe_elevation(write(tmp_path, "tile.hgt", data))
    assert info.georeference is None and info.spacing[0] == pytest.approx(92.77, abs=0.01)
    assert "No place such as N46E007 in the name: taken for the equator" in info.lines
    with pytest.raises(ParameterError, match=r"must have 2884802 or 25934402 bytes; got 10$"):
        probe_elevation(write(tmp_path, "N46E007.hgt", bytes(10)))


WORDS = {"ncols": 14, "nrows": 9, "xllcorner": 100, "yllcorner": 200, "cellsize": 10}


def test_ascii_grids(tmp_path, monkeypatch):
    monkeypatch.setattr("noise_core.io.elevation_reading.formats.ascii_grid._PART", 37)
    monkeypatch.setattr("noise_core.io.elevation_reading.formats.ascii_grid._LONGEST_NUMBER", 20)
    heights = np.round(field("f8") * 1.37, 2)
    heights[3, 4] = -9999
    words = {**WORDS, "NODATA_value": -9999}
    elevation = read_elevation(write(tmp_path, "a.asc", files.asc(heights, words)))
    known = ~elevation.holes
    assert np.argwhere(~known).tolist() == [[5, 4]]
    np.testing.assert_array_equal(elevation.heights[known], heights[::-1][known].astype(np.float32))
    assert elevation.georeference.origin == (105.0, 205.0) and elevation.spacing == (10.0, 10.0)
    assert "Coordinates are taken for meters: the file does not say" in elevation.lines
    # Words in another order and case, and centers.
    words = {"CELLSIZE": 10, "YLLCENTER": 200, "XLLCENTER": 100, "NROWS": 9, "NCOLS": 14}
    again = read_elevation(write(tmp_path, "b.asc", files.asc(heights, words)), samples=7)
    assert again.georeference.origin == pytest.approx((105.0, 200.0 + (9 / 4 - 1) / 2 * 10.0))
    assert again.heights.shape == (4, 7)  # 4.5 rows are rounded to even


UTM = (
    b'PROJCS["x",GEOGCS["y",DATUM["d",SPHEROID["s",6378137,298.257223563]],PRIMEM["p",0],'
    b'UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],'
    b'UNIT["metre",1],AUTHORITY["EPSG","32632"]]'
)


def test_systems_of_ascii_grids(tmp_path):
    words = {**WORDS, "xllcorner": 7, "yllcorner": 46, "cellsize": 0.008333333333}
    path = write(tmp_path, "a.asc", files.asc(field(), words))
    probe = probe_elevation(path)
    assert probe.georeference.system.is_geographic
    y = 46.0 + probe.rows / 240.0
    expected = [meters / 120.0 for meters in meters_per_degree(y)]
    assert probe.spacing == pytest.approx(expected, rel=1e-6)
    assert "Coordinates are taken for degrees: the file does not say" in probe.lines
    write(tmp_path, "a.prj", UTM)
    place = probe_elevation(path).georeference
    assert (place.system.epsg, place.system.is_geographic) == (32632, False)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"ncols 2\nnrows x\ncellsize 1\n", " nrows must be a whole number; got 'x'"),
        (b"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\n1 2", " cellsize must be|dx must be"),
        (b"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize -1\n1 2", "must be positive"),
        (files.asc(field()[:5], WORDS), "it ends before its last number"),
        (
            files.asc(field(), WORDS).replace(b"\n1", b"\n1,").replace(b"\n2", b"\n2,"),
            "must hold numbers: could not",
        ),
        (
            b"hello",
            "must be a file of the format ESRI ASCII grid; got one that begins with b'hell'",
        ),
    ],
)
def test_damaged_ascii_grids(tmp_path, data, message):
    with pytest.raises(ParameterError, match=rf"^a.asc\b.*({message})"):
        read_elevation(write(tmp_path, "a.asc", data))


@pytest.mark.parametrize("kind", ["u1", "u2"])
@pytest.mark.parametrize("kinds", [(0, 1, 2), (3, 4, 1, 2, 0), (4,)])
@pytest.mark.parametrize("color", [0, 2, 4, 6])
def test_png(tmp_path, monkeypatch, kind, kinds, color):
    monkeypatch.setattr("noise_core.codecs.png_rows._BYTES_PER_BAND", 100)
    monkeypatch.setattr("noise_core.io.elevation_reading.reduction._SAMPLES_PER_BAND", 30)
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    samples = field(kind, (9, 14, channels)) * np.array(257 if kind == "u2" else 1, kind)
    if color >= 4:  # nothing is hidden
        samples[:, :, -1] = 1
    path = write(tmp_path, "a.png", files.png(samples, color=color, kinds=kinds))
    elevation = read_elevation(path)
    np.testing.assert_array_equal(elevation.heights, samples[::-1, :, 0])
    assert not elevation.info.is_metric and elevation.spacing is None
    largest = np.iinfo(kind).max
    elevation = read_elevation(path, height_range=(-100.0, 300.0))
    expected = samples[::-1, :, 0] / largest * 400.0 - 100.0
    np.testing.assert_allclose(elevation.heights, expected, atol=1e-3)


def test_other_png_is_refused(tmp_path):
    for data, message in (
        (files.png(field("u1"), interlace=1), r"an interlaced PNG \(Adam7\) cannot be read"),
        (files.png(field("u1"), color=3), "color type 3 of 8 bits cannot be read; gray and RGB"),
        (files.png(field("u1"))[:70], "its pixels end early"),
        (files.png(field("u1")).replace(b"IEND", b"IDAT"), None),
    ):
        path = write(tmp_path, "a.png", data)
        if message is None:  # enough pixels came before
            read_elevation(path)
        else:
            with pytest.raises(ParameterError, match=f"^a.png.*{message}"):
                read_elevation(path)


@pytest.mark.parametrize(("name", "bits"), [("png", 8), ("png", 16), ("tiff", 8), ("tiff", 16)])
def test_own_pictures_are_read_back(tmp_path, name, bits):
    heights = field("f4") / np.float32(250.0)
    path = write(tmp_path, f"a.{name}", image_bytes(heights, name, bits))
    elevation = read_elevation(path, height_range=(0.0, 1.0))
    np.testing.assert_allclose(elevation.heights, heights, atol=0.51 / (2**bits - 1))


@pytest.mark.parametrize("kind", ["<f4", ">f4", "<f8", "<i2", ">u4", "<f2"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays(tmp_path, kind, order):
    heights = np.asarray(field("f8"), kind, order=order)
    np.save(tmp_path / "a.npy", heights)
    elevation = read_elevation(tmp_path / "a.npy")
    np.testing.assert_array_equal(elevation.heights, field("f8"))
    assert (elevation.info.rows, elevation.info.columns, elevation.info.is_metric) == (9, 14, True)


def test_other_arrays_are_refused(tmp_path):
    for array in (
        np.zeros(3),
        np.zeros((2, 2, 2)),
        np.zeros((2, 2), complex),
        np.zeros((2, 2), bool),
    ):
        np.save(tmp_path / "a.npy", array)
        with pytest.raises(ParameterError, match=r"^a.npy must hold plain numbers of shape \(rows"):
            read_elevation(tmp_path / "a.npy")
    np.save(tmp_path / "a.npy", np.array([[{}]]), allow_pickle=True)
    with pytest.raises(ParameterError, match="^a.npy must hold plain numbers"):
        read_elevation(tmp_path / "a.npy")
    np.save(tmp_path / "a.npy", np.zeros((4, 4)))
    data = (tmp_path / "a.npy").read_bytes()
    with pytest.raises(ParameterError, match="^a.npy is damaged: it ends before its last sample"):
        read_elevation(write(tmp_path, "a.npy", data[:-1]))


@pytest.mark.parametrize(
    ("name", "kind", "guess"),
    [
        ("a.raw", "<u2", "uint16"),
        ("a.r16", "<u2", "uint16"),
        ("a.raw", "u1", "uint8"),
        ("a.r32", "<f4", "float32"),
    ],
)
def test_raw_squares_are_guessed(tmp_path, name, kind, guess):
    samples = field("u1", (33, 33)).astype(kind)
    elevation = read_elevation(write(tmp_path, name, samples.tobytes()))
    np.testing.assert_array_equal(elevation.heights, samples[::-1])
    assert elevation.info.sample_type == guess
    assert "The size is guessed: a square of 33" in elevation.lines


def test_raw_that_is_no_square_is_not_guessed(tmp_path):
    with pytest.raises(ParameterError, match=r"^a.raw: rows and columns must be given, since 30"):
        read_elevation(write(tmp_path, "a.raw", bytes(30)))


def test_raw_as_it_is_told(tmp_path):
    samples = field("u2", (9, 14))
    path = write(tmp_path, "a.raw", samples.astype(">u2").tobytes())
    given = Raw(columns=14, sample_type="uint16", byte_order="big", first_row="bottom")
    np.testing.assert_array_equal(read_elevation(path, file_format=given).heights, samples)
    with pytest.raises(ParameterError, match=r"^a.raw: rows and columns must be given, since 252"):
        read_elevation(path)
    with pytest.raises(ParameterError, match=r"^a.raw: 14 x 8 samples of 2 bytes each must fill"):
        read_elevation(path, file_format=Raw(columns=14, rows=8, sample_type="uint16"))


def test_other_files_are_refused(tmp_path):
    with pytest.raises(ParameterError, match=r"^none.tif cannot be read: "):
        read_elevation(tmp_path / "none.tif")
    with pytest.raises(ParameterError, match="^a.tif cannot be read: it is empty"):
        read_elevation(write(tmp_path, "a.tif", b""))
    with pytest.raises(ParameterError, match=r"^a.doc: the extension must be one of .asc, .bin, "):
        read_elevation(write(tmp_path, "a.doc", b"hello"))
    with pytest.raises(ParameterError, match="^a.exr: OpenEXR must be loaded by Blender first"):
        read_elevation(write(tmp_path, "a.exr", b"\x76\x2f\x31\x01"))
    with pytest.raises(
        ParameterError, match="^samples must be a whole number of at least 1; got 0"
    ):
        read_elevation(write(tmp_path, "a.raw", bytes(16)), samples=0)
    with pytest.raises(ParameterError, match="^read_elevation: at least one file"):
        read_elevation([])


def test_samples_that_another_program_has_loaded():
    heights = field("f4")
    heights[0, 0] = np.inf
    elevation = elevation_from_samples(LoadedHeights(heights, "a.exr", "OpenEXR"))
    assert np.argwhere(elevation.holes).tolist() == [[0, 0]]
    np.testing.assert_array_equal(elevation.heights[1:], heights[1:])
    with pytest.raises(
        ParameterError, match=r"^a.exr must hold numbers of shape \(rows, columns\)"
    ):
        LoadedHeights(np.zeros((2, 2, 3)), "a.exr", "OpenEXR")


def test_progress_and_cancel(tmp_path, monkeypatch):
    monkeypatch.setattr("noise_core.io.elevation_reading.reduction._SAMPLES_PER_BAND", 30)
    path = write(tmp_path, "a.tif", files.tiff(field()))
    shares = []
    with on_threads(1):
        read_elevation(path, progress=shares.append)
    assert shares == sorted(shares) and len(shares) > 2 and shares[-1] == 1.0
    with pytest.raises(Cancelled):
        read_elevation(path, cancel=lambda: True)


def tiles(tmp_path):
    """Write the quarters of a land, which share their border rows, but one."""
    land = np.add.outer(np.arange(17.0), 100.0 * np.arange(13.0))
    paths = []
    for row, column in ((0, 0), (8, 0), (0, 6)):
        part = land[row : row + 9, column : column + 7]
        words = {"ncols": 7, "nrows": 9, "xllcenter": 1000 + 10 * column, "yllcenter": 10 * row}
        data = files.asc(part[::-1], {**words, "cellsize": 10})
        paths.append(write(tmp_path, f"tile_{row}_{column}.asc", data))
    return land, paths


@pytest.mark.parametrize("together", [True, False])
def test_tiles_join(tmp_path, together):
    land, paths = tiles(tmp_path)
    if together:
        elevation = read_elevation(paths)
        assert probe_elevation(paths) == elevation.info
        assert (elevation.info.rows, elevation.info.columns) == land.shape
    else:
        elevation = join_elevations([read_elevation(path) for path in paths])
    known = np.ones(land.shape, bool)
    known[9:, 7:] = False
    np.testing.assert_array_equal(elevation.holes, ~known)
    np.testing.assert_array_equal(elevation.heights[known], land[known])
    assert land.min() <= elevation.heights.min() and elevation.heights.max() <= land.max()
    assert elevation.georeference.origin == (1000.0, 0.0) and elevation.spacing == (10.0, 10.0)
    reduced = read_elevation(paths[:2], samples=4)
    assert reduced.heights.shape == (2, 4) or reduced.heights.shape == (4, 2)


def test_tiles_that_do_not_fit(tmp_path):
    _, (path, other, _) = tiles(tmp_path)
    text = other.read_bytes()
    for changed, message in (
        (text.replace(b"cellsize 10", b"cellsize 11"), "must have the spacing of tile_0_0.asc"),
        (text.replace(b"yllcenter 80", b"yllcenter 83"), "must lie a whole number of samples from"),
        (text.replace(b"yllcenter 80", b"yllcenter 8e12"), "must lie a whole number of|rows times"),
    ):
        with pytest.raises(ParameterError, match=message):
            read_elevation([path, write(tmp_path, "b.asc", changed)])
    with pytest.raises(ParameterError, match="^a.raw must have a georeference to be joined"):
        read_elevation([write(tmp_path, "a.raw", bytes(8)), path])
    with pytest.raises(ParameterError, match="^join_elevations: at least one"):
        join_elevations([])


def test_holes_are_filled_smoothly():
    x, y = np.meshgrid(np.linspace(0.0, 1.0, 90), np.linspace(0.0, 1.0, 70))
    plane = (300.0 * x + 100.0 * y).astype(np.float32)
    holes = (x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.04
    filled = np.where(holes, np.float32(np.nan), plane)
    fill_holes(filled, holes)
    np.testing.assert_array_equal(filled[~holes], plane[~holes])
    # A membrane over a plane is the plane; what is left is small beside 120 m across the hole.
    assert np.abs(filled - plane).max() < 6.0
    steps = max(np.abs(np.diff(filled, axis=axis)).max() for axis in (0, 1))
    assert steps < 1.6 * np.abs(np.diff(plane, axis=1)).max()
    only = np.full((7, 9), np.nan, np.float32)
    only[3, 3] = 5.0
    fill_holes(only, np.isnan(only))
    np.testing.assert_allclose(only, 5.0)
