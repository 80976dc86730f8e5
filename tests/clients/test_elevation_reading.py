# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that rasterio has written are read to the bit, with their place on Earth.

Needs rasterio, whose wheels bring GDAL along. Without it the tests are skipped, and say so.
"""

from __future__ import annotations

import pytest

from noise_core.io.elevation_reading import read_elevation
from tests.core import gdal_files

pytest.importorskip(
    "rasterio", reason="NOT COMPARED: rasterio is not installed", exc_type=ImportError
)

from tests.clients import gdal_writing

LARGE = (83, 131)
"""Rows and columns: several blocks along both axes, and tables of LZW that are begun anew."""

READ = [geotiff for geotiff in gdal_writing.geotiffs() if geotiff.codec in gdal_files.READ_CODECS]


@pytest.mark.parametrize("file", READ, ids=lambda one: one.name)
def test_large_files_are_read_the_same(tmp_path, file):
    path = tmp_path / "elevation.tif"
    file.write(path, LARGE)
    found, reading = read_elevation(path), gdal_writing.read(path)
    gdal_files.assert_equal(found, reading)
    assert (found.info.rows, found.info.columns) == LARGE
    assert found.info.sample_type == reading.sample_type == file.kind
    assert (reading.codec, reading.holes.any()) == (file.codec, file.nodata is not None)


def test_every_file_is_kept():
    assert gdal_files.names() == list(gdal_writing.writers())


@pytest.mark.parametrize("name", gdal_files.names())
def test_kept_readings_are_those_of_rasterio(tmp_path, name):
    """The archive for places without rasterio agrees with rasterio, on its files and on new ones."""
    path, reading = gdal_files.extract(name, tmp_path)
    assert gdal_writing.read(path).difference(reading) == ""
    (tmp_path / "new").mkdir()
    new = tmp_path / "new" / name
    gdal_writing.writers()[name](new)
    assert gdal_writing.read(new).difference(reading) == ""
