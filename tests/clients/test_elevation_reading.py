# SPDX-License-Identifier: GPL-3.0-or-later
"""GeoTIFF files that rasterio has written are read to the bit, with its place on Earth.

Needs rasterio, whose wheels bring GDAL along. Without it the tests are skipped, and say so.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from noise_core.io.elevation_reading import probe_elevation, read_elevation

rasterio = pytest.importorskip(
    "rasterio", reason="NOT COMPARED: rasterio is not installed", exc_type=ImportError
)

# It warns while it creates a file, before the place is written.
pytestmark = pytest.mark.filterwarnings("ignore:Dataset has no geotransform")

SHAPE = (83, 131)
TYPES = ("uint8", "int16", "uint16", "int32", "uint32", "float32", "float64")
CODECS = ("none", "deflate", "lzw", "packbits")
LAYOUTS = ({}, {"tiled": True, "blockxsize": 32, "blockysize": 16}, {"blockysize": 7})


def cases():
    """Yield 44 files: each type with each codec, predictors, holes, layouts and byte orders by turns."""
    turn = itertools.count()
    for kind, codec in itertools.product(TYPES, CODECS):
        at = next(turn)
        yield kind, codec, 1, at % 2 == 0, LAYOUTS[at % 3], ("LITTLE", "BIG")[at % 2], at % 5 == 0
    for kind, codec in itertools.product(("int16", "uint32", "float32", "float64"), CODECS[1:3]):
        for predictor in (2, 3) if kind[0] == "f" else (2,):
            at = next(turn)
            order = ("BIG", "LITTLE")[at % 2]
            yield kind, codec, predictor, at % 2 == 0, LAYOUTS[at % 3], order, at % 5 == 0
    for codec in CODECS[:2]:
        yield "int8", codec, 1, False, {}, "LITTLE", False
    for layout in LAYOUTS[:2]:
        yield "float32", "deflate", 3, True, layout, "LITTLE", True


def heights(kind, has_holes):
    """Return numbers of all sizes that a type holds, some of them holes."""
    generator = np.random.default_rng(17)
    if kind[0] == "f":
        field = generator.normal(0.0, 1.0, SHAPE) * 10.0 ** generator.integers(-3, 5, SHAPE)
    else:
        limits = np.iinfo(kind)
        field = generator.integers(limits.min, limits.max, SHAPE, dtype=kind, endpoint=True)
    field = np.sort(field, axis=1).astype(kind)
    nodata = None
    if has_holes:
        nodata = -9999.0 if kind[0] in "fi" and kind != "int8" else 0.0
        field[20:31, 40:55] = nodata
    return field, nodata


def write(path, field, nodata, codec, predictor, layout, order, big, transform, crs="EPSG:32632"):
    options = {} if codec == "none" else {"compress": codec, "predictor": predictor}
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        height=field.shape[0],
        width=field.shape[1],
        count=1,
        dtype=field.dtype,
        nodata=nodata,
        crs=crs,
        transform=transform,
        ENDIANNESS=order,
        BIGTIFF="YES" if big else "NO",
        **layout,
        **options,
    ) as file:
        file.write(field, 1)


@pytest.mark.parametrize(
    ("kind", "codec", "predictor", "has_holes", "layout", "order", "big"), list(cases())
)
def test_rasterio_reads_the_same(tmp_path, kind, codec, predictor, has_holes, layout, order, big):
    field, nodata = heights(kind, has_holes)
    path = tmp_path / "elevation.tif"
    transform = rasterio.Affine(30.0, 0.0, 500_000.0, 0.0, -20.0, 5_100_000.0)
    write(path, field, nodata, codec, predictor, layout, order, big, transform)
    read = read_elevation(path)
    with rasterio.open(path) as file:
        theirs = file.read(1)[::-1]
        mask = file.read_masks(1)[::-1] == 0
        bounds, crs = file.bounds, file.crs
    if mask.any():
        np.testing.assert_array_equal(read.holes, mask)
    else:
        assert read.holes is None
    np.testing.assert_array_equal(read.heights[~mask], theirs[~mask].astype(np.float32))
    place = read.georeference
    assert (place.epsg, place.is_geographic) == (crs.to_epsg(), False)
    assert place.origin == (bounds.left + 15.0, bounds.bottom + 10.0)
    assert read.spacing == (30.0, 20.0)
    assert (read.info.rows, read.info.columns) == SHAPE
    assert read.info.sample_type == kind


@pytest.mark.parametrize("raster_type", ["AREA", "POINT"])
def test_degrees_and_points(tmp_path, raster_type):
    path = tmp_path / "elevation.tif"
    field = np.arange(12, dtype=np.int16).reshape(3, 4)
    transform = rasterio.Affine(0.25, 0.0, 7.0, 0.0, -0.5, 47.0)
    write(path, field, None, "none", 1, {}, "LITTLE", False, transform, crs="EPSG:4326")
    with rasterio.open(path, "r+") as file:
        file.update_tags(AREA_OR_POINT=raster_type.title())
    info = probe_elevation(path)
    assert info.georeference.epsg == 4326 and info.georeference.is_geographic
    # GDAL gives the corners of areas in both cases.
    assert info.georeference.origin == pytest.approx((7.125, 45.75))
    assert info.georeference.is_point is (raster_type == "POINT")


@pytest.mark.parametrize("codec", ["zstd", "lerc", "lzma", "jpeg"])
def test_other_codecs_are_refused_by_name(tmp_path, codec):
    path = tmp_path / "elevation.tif"
    field = np.arange(256, dtype=np.uint8).reshape(16, 16)
    transform = rasterio.Affine(2.0, 0.0, 5.0, 0.0, -2.0, 5.0)
    try:
        write(path, field, None, codec, 1, {}, "LITTLE", False, transform)
    except rasterio.errors.RasterioError:
        pytest.skip(f"this rasterio does not write {codec}")
    with pytest.raises(ValueError, match=rf"^elevation\.tif: compression {codec.upper()} \("):
        read_elevation(path)


def test_sparse_files_have_holes(tmp_path):
    path = tmp_path / "elevation.tif"
    options = {"SPARSE_OK": True, "tiled": True, "blockxsize": 16, "blockysize": 16}
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        height=64,
        width=64,
        count=1,
        dtype="float32",
        nodata=-1.0,
        **options,
    ) as file:
        window = rasterio.windows.Window(16, 0, 16, 16)
        file.write(np.full((16, 16), 5.0, np.float32), 1, window=window)
    read = read_elevation(path)
    known = np.zeros((64, 64), bool)
    known[48:, 16:32] = True
    np.testing.assert_array_equal(read.holes, ~known)
    assert (read.heights == 5.0).all()
