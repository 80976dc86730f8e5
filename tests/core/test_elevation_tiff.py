# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading of TIFF and GeoTIFF files, written here by the specification."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import ParameterError
from noise_core.base.blocks import on_threads
from noise_core.io.elevation_reading import probe_elevation, read_elevation
from noise_core.io.elevation_reading.tiff import image
from noise_core.io.elevation_reading.tiff.image import add_up_bytes
from noise_core.io.elevation_reading.tiff.lzw import unpack_lzw
from tests.core import elevation_files as files
from tests.degrees import meters_per_degree

pytestmark = pytest.mark.bits

TYPES = ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8")
LAYOUTS = ({"strip": 5}, {"strip": 99}, {"tile": (16, 32)})


def ramp(kind: str, shape=(23, 41)) -> np.ndarray:
    generator = np.random.default_rng(3)
    if kind[0] == "f":
        return (generator.normal(size=shape) * 1000.0).astype(kind)
    limits = np.iinfo(kind)
    low, high = max(limits.min, -(10**12)), min(limits.max, 10**12)  # as far as heights may go
    return np.sort(generator.integers(low, high, shape, dtype=kind), axis=1)


def read(tmp_path, data, name="elevation.tif", **options):
    path = tmp_path / name
    path.write_bytes(data)
    return read_elevation(path, **options)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("compression", sorted(files.PACK))
def test_reads_every_type_codec_predictor_and_layout(tmp_path, kind, compression):
    field = ramp(kind)
    predictors = (1,) if compression in (1, 32773) else (1, 2, 3) if kind[0] == "f" else (1, 2)
    for predictor in predictors:
        for at, layout in enumerate(LAYOUTS):
            for order in "<>":
                options = {"big": (at + predictor) % 2 == 0, "order": order, **layout}
                data = files.tiff(field, compression=compression, predictor=predictor, **options)
                reading = read(tmp_path, data)
                np.testing.assert_array_equal(reading.heights, field[::-1].astype(np.float32))
                assert reading.holes is None and reading.spacing is None


@pytest.mark.parametrize("is_planar", [False, True])
@pytest.mark.parametrize("predictor", [1, 2, 3])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_first_of_several_samples_is_read(tmp_path, is_planar, predictor, layout):
    field = np.stack([ramp("f4"), ramp("f4") + 5.0, ramp("f4") * 3.0], axis=2)
    data = files.tiff(field, compression=8, predictor=predictor, is_planar=is_planar, **layout)
    reading = read(tmp_path, data)
    np.testing.assert_array_equal(reading.heights, field[::-1, :, 0])
    assert "The first of 3 samples per pixel is read" in reading.lines


@pytest.mark.parametrize("compression", sorted(files.PACK))
@pytest.mark.parametrize("samples", [None, 20])
def test_large_strips_are_read_a_part_at_a_time(tmp_path, monkeypatch, compression, samples):
    field = ramp("i2", (61, 40))
    data = files.tiff(field, compression=compression, strip=50)
    whole = read(tmp_path, data, samples=samples)
    monkeypatch.setattr(image, "_LARGE_STRIP", 100)
    monkeypatch.setattr("noise_core.io.elevation_reading.reduction._SAMPLES_PER_BAND", 130)
    np.testing.assert_array_equal(read(tmp_path, data, samples=samples).heights, whole.heights)


def test_place_meters_and_holes(tmp_path):
    field = ramp("f4", (8, 6))
    field[2, 3], field[4, 4], field[5, 1] = -9999.0, np.nan, 3e38
    extra = files.geo_tags() | {42113: ("s", [b"-9999\0"])}
    reading = read(tmp_path, files.tiff(field, extra=extra))
    place = reading.georeference
    assert (place.system.epsg, place.system.is_geographic, place.is_point) == (32632, False, False)
    assert place.origin == (515.0, 900.0 - 7.5 * 20.0) and place.step == (30.0, 20.0)
    assert reading.spacing == (30.0, 20.0) and reading.info.nodata == -9999.0
    assert sorted(zip(*np.nonzero(reading.holes[::-1]))) == [(2, 3), (4, 4), (5, 1)]
    assert np.isfinite(reading.heights).all() and np.abs(reading.heights).max() < 1e5
    known = ~reading.holes
    np.testing.assert_array_equal(reading.heights[known], field[::-1][known])
    assert (
        "3 holes filled" in reading.lines
        and "Coordinate system: EPSG:32632 (meters)" in reading.lines
    )


def test_points_degrees_feet_and_matrices(tmp_path):
    field = ramp("i2", (5, 4))
    keys = ((1024, 2), (1025, 2), (2048, 4326))
    extra = files.geo_tags(step=(0.25, 0.5), tie=(7.0, 47.0), keys=keys)
    reading = read(tmp_path, files.tiff(field, extra=extra))
    assert reading.georeference.origin == (7.0, 45.0) and reading.georeference.is_point
    across, along = meters_per_degree(46.0)
    assert reading.spacing == pytest.approx((0.25 * across, 0.5 * along), rel=1e-6)
    keys = ((1024, 1), (3072, 2263), (3076, 9003), (4099, 9002))
    reading = read(tmp_path, files.tiff(field, extra=files.geo_tags(keys=keys)))
    assert reading.spacing == pytest.approx((30.0 * 1200 / 3937, 20.0 * 1200 / 3937))
    np.testing.assert_allclose(reading.heights, field[::-1] * 0.3048, rtol=1e-6)
    matrix = [2.0, 0, 0, 100.0, 0, 3.0, 0, 50.0, 0, 0, 0, 0, 0, 0, 0, 1.0]  # south first
    extra = {34264: ("d", matrix), 34735: ("H", [1, 1, 0, 1, 1024, 0, 1, 1])}
    reading = read(tmp_path, files.tiff(field, extra=extra))
    np.testing.assert_array_equal(reading.heights, field)
    assert reading.georeference.origin == (101.0, 51.5)
    extra[34264][1][1] = 1.0
    reading = read(tmp_path, files.tiff(field, extra=extra))
    assert reading.georeference is None and reading.spacing == pytest.approx(
        (2.0, np.hypot(1.0, 3.0))
    )
    note = "Turned or sheared: the size of its samples is kept, its place is not"
    assert note in reading.lines


def test_web_mercator_is_longer_than_the_land(tmp_path):
    keys = ((1024, 1), (3072, 3857))
    extra = files.geo_tags(step=(10.0, 10.0), tie=(0.0, 8_399_737.9), keys=keys)  # 60 degrees north
    reading = read(tmp_path, files.tiff(ramp("i2", (4, 4)), extra=extra))
    assert reading.spacing == pytest.approx((5.0126, 5.0042), rel=1e-4)  # of pyproj's Geod


@pytest.mark.parametrize("samples", [41, 40, 13, 7, 1])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_reduction_is_the_mean_over_the_area(tmp_path, samples, layout, monkeypatch):
    monkeypatch.setattr("noise_core.io.elevation_reading.reduction._SAMPLES_PER_BAND", 130)
    field = ramp("f4")
    field[3:9, 5:20] = -9999.0
    extra = files.geo_tags() | {42113: ("s", [b"-9999\0"])}
    reading = read(tmp_path, files.tiff(field, extra=extra, **layout), samples=samples)
    weights = (field != -9999.0).astype(float)
    rows, columns = reading.heights.shape
    assert max(rows, columns) == min(samples, 41)
    shares = [
        np.clip(
            np.minimum.outer(np.arange(1, few + 1) * many / few, np.arange(1.0, many + 1))
            - np.maximum.outer(np.arange(few) * many / few, np.arange(0.0, many)),
            0.0,
            1.0,
        )
        for few, many in ((rows, 23), (columns, 41))
    ]
    total = shares[0] @ (field * weights) @ shares[1].T
    weight = shares[0] @ weights @ shares[1].T
    holes = weight < 1e-9
    assert (reading.holes is not None) == holes.any()
    expected = (total / np.where(holes, 1.0, weight))[::-1]
    known = ~holes[::-1]
    np.testing.assert_allclose(reading.heights[known], expected[known], rtol=1e-5, atol=1e-3)
    # The land stays where it is.
    west = reading.georeference.origin[0] - reading.georeference.step[0] / 2
    assert west == pytest.approx(500.0)
    assert reading.spacing == pytest.approx((30.0 * 41 / columns, 20.0 * 23 / rows))


def test_threads_change_no_bit(tmp_path, monkeypatch):
    monkeypatch.setattr("noise_core.io.elevation_reading.reduction._SAMPLES_PER_BAND", 130)
    data = files.tiff(ramp("f4", (97, 61)), compression=5, strip=3)
    with on_threads(1):
        alone = read(tmp_path, data, samples=20)
    with on_threads(4):
        together = read(tmp_path, data, samples=20)
    assert alone.heights.tobytes() == together.heights.tobytes()


def test_scale_and_offset(tmp_path):
    text = b"""<GDALMetadata>
      <Item name="OFFSET" sample="0" role="offset">-100</Item>
      <Item name="SCALE" sample="0" role="scale">0.1</Item>
    </GDALMetadata>\0"""
    field = np.arange(12, dtype="i2").reshape(3, 4)
    field[1, 1] = -1
    extra = files.geo_tags() | {42112: ("s", [text]), 42113: ("s", [b"-1\0"])}
    reading = read(tmp_path, files.tiff(field, extra=extra))
    known = ~reading.holes
    np.testing.assert_allclose(reading.heights[known], (field * 0.1 - 100.0)[::-1][known])
    assert np.count_nonzero(known) == 11
    assert "Numbers become meters: times 0.1, plus -100" in reading.lines


def test_blocks_that_are_left_out_are_holes(tmp_path):
    field = ramp("i2", (10, 4))
    data = files.tiff(field, extra={273: ("I", [0, 0]), 279: ("I", [0, 0])})
    assert not read(tmp_path, data).heights.any()
    extra = {273: ("I", [0, 0]), 279: ("I", [0, 0]), 42113: ("s", [b"0\0"])}
    with pytest.raises(ParameterError, match=r"^elevation.tif must hold heights; got holes alone$"):
        read(tmp_path, files.tiff(field, extra=extra))


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ({259: ("H", [50000])}, r": compression ZSTD \(50000\) cannot be read; none, deflate, LZW"),
        ({259: ("H", [77])}, r": compression unknown \(77\) cannot be read; none, deflate, LZW"),
        (
            {339: ("H", [6])},
            ": samples of 16 bits and format 6 cannot be read; integers of 8 to 64",
        ),
        (
            {258: ("H", [12])},
            ": samples of 12 bits and format 2 cannot be read; integers of 8 to 64",
        ),
        (
            {259: ("H", [8]), 317: ("H", [3])},
            ": predictor 3 cannot be read; 1, 2 and, for floats, 3",
        ),
        ({266: ("H", [2])}, r": reversed bits \(FillOrder 2\) cannot be read"),
        (
            {256: ("I", [0])},
            r": rows and columns must be in \[1, 4194304\], and at most 68719476736 samples; got 23 x 0",
        ),
        (
            {257: ("I", [2**31])},
            r": rows and columns must be in \[1, 4194304\], and at most 68719476736 samples; got 2147483648 x 41",
        ),
        ({278: ("I", [0])}, " is damaged: it has strips or tiles without samples"),
        ({322: ("I", [1 << 20]), 323: ("I", [1 << 20])}, ": a row or tile must have at most 2684"),
        ({273: ("I", [1 << 30] * 5)}, " is damaged: strip or tile 0 lies beyond its end"),
        ({273: ("I", [8])}, " is damaged: tag 273 must have 5 values; got 1"),
    ],
)
def test_refuses_in_one_line(tmp_path, extra, message):
    data = files.tiff(ramp("i2"), extra=extra)
    with pytest.raises(ParameterError, match=f"^elevation.tif{message}") as refused:
        read(tmp_path, data)
    assert "\n" not in str(refused.value)


def test_refuses_old_lzw_and_what_is_no_tiff(tmp_path):
    data = files.tiff(ramp("i2", (5, 4)), compression=5)
    start = data.rindex(files.lzw(ramp("i2", (5, 4)).tobytes()))
    with pytest.raises(ParameterError, match="LZW of 1988"):
        read(tmp_path, data[:start] + b"\0\1" + data[start + 2 :])
    message = "^a.tif must be a file of the format GeoTIFF; got one that begins with b'GIF8'"
    with pytest.raises(ParameterError, match=message):
        read(tmp_path, b"GIF89a", "a.tif")


@pytest.mark.parametrize("shape", [(1, 8), (3, 13), (70, 4096), (2, 1 << 18)])
def test_bytes_add_up_without_carries(shape):
    generator = np.random.default_rng(1)
    for deltas in (generator.integers(0, 256, shape, np.uint8), np.full(shape, 255, np.uint8)):
        expected = np.cumsum(deltas, axis=1, dtype=np.uint8)
        np.testing.assert_array_equal(add_up_bytes(deltas), expected)


@pytest.mark.parametrize("size", [0, 1, 2, 255, 256, 5000, 70_000])
@pytest.mark.parametrize("values", [1, 2, 256])
def test_lzw_is_undone(size, values):
    data = np.random.default_rng(size).integers(0, values, size, np.uint8).tobytes()
    packed = np.frombuffer(files.lzw(data), np.uint8)
    assert b"".join(unpack_lzw(packed, size)) == data
    assert b"".join(unpack_lzw(packed, size // 2)) == data[: size // 2]
    assert data.startswith(b"".join(unpack_lzw(packed[: len(packed) // 2], size)))


def test_probing_reads_the_header_alone(tmp_path):
    data = files.tiff(ramp("i2"), extra=files.geo_tags())
    path = tmp_path / "elevation.tif"
    path.write_bytes(data[: -ramp("i2").nbytes])
    info = probe_elevation(path)
    assert (info.format, info.rows, info.columns, info.sample_type) == ("GeoTIFF", 23, 41, "int16")
    assert info.spacing == (30.0, 20.0) and info.is_metric
    assert info.lines[0] == "GeoTIFF: 41 x 23 samples, int16"
    with pytest.raises(ParameterError, match="elevation.tif is damaged: strip or tile"):
        read_elevation(path)
