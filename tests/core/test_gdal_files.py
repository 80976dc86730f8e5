# SPDX-License-Identifier: GPL-3.0-or-later
"""Kept files of GDAL are read as rasterio reads them, to the bits of float32, or refused in one line."""

from __future__ import annotations

import pytest

from noise_core import ParameterError
from noise_core.io.elevation_reading import read_elevation
from tests.core import gdal_files

pytestmark = pytest.mark.bits


@pytest.mark.parametrize("name", gdal_files.names())
def test_reads_what_rasterio_reads(tmp_path, name):
    path, reading = gdal_files.extract(name, tmp_path)
    if reading.codec in gdal_files.READ_CODECS:
        gdal_files.assert_equal(read_elevation(path), reading)
        return
    with pytest.raises(ParameterError) as refused:
        read_elevation(path)
    text = str(refused.value)
    assert text.startswith(f"{name}: compression {reading.codec.upper()} (") and "\n" not in text


def test_there_are_files_of_all_kinds():
    """The archive has each type with each codec, and more than 40 that are read."""
    readings = {name: gdal_files.load(name)[1] for name in gdal_files.names()}
    read = [reading for reading in readings.values() if reading.codec in gdal_files.READ_CODECS]
    assert len(read) > 40 and len(readings) - len(read) == 4
    types = {"uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"}
    expected = {(kind, codec) for kind in types for codec in gdal_files.READ_CODECS}
    assert expected <= {(one.sample_type, one.codec) for one in read}
    assert {reading.rpartition(".")[2] for reading in readings} == {"tif", "asc", "hgt"}
    assert 20 < sum(one.holes.any() for one in read) < len(read) - 20
    assert gdal_files.FILE.stat().st_size < 300_000
