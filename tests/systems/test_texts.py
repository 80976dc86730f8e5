# SPDX-License-Identifier: GPL-3.0-or-later
"""Well-known text as PROJ writes it, in every dialect, and GeoTIFF and ASCII grids as GDAL writes them."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import pyproj
import pytest
import rasterio
from pyproj.exceptions import CRSError
from rasterio.transform import from_origin

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from noise_core import ParameterError  # noqa: E402
from noise_core.base.georeference import SpatialSystem  # noqa: E402
from noise_core.io.elevation_reading import read_elevation  # noqa: E402
from noise_core.io.spatial_reference import tables  # noqa: E402
from noise_core.io.spatial_reference.agreement import is_same  # noqa: E402
from noise_core.io.spatial_reference.epsg import GOOGLE, read_code  # noqa: E402
from noise_core.io.spatial_reference.wkt import read_wkt  # noqa: E402
from tests.drawing import count_of, generator  # noqa: E402
from tests.systems import truth  # noqa: E402

DIALECTS = ("WKT1_GDAL", "WKT1_ESRI", "WKT2_2015", "WKT2_2019")
CODES = sorted({*tables.systems(), *tables.compounds()} - {GOOGLE})
LOSSY = {"WKT1_ESRI": {3752, 3975}, "WKT1_GDAL": {3975}}
"""Codes whose text says something else: PROJ leaves out the latitude of origin of a Mercator projection, and that
an equal-area cylinder on an ellipsoid is a sphere's."""

UNWRITABLE = {3752}
"""Codes that GDAL cannot write."""

WAYS = (
    *({}, {"GEOTIFF_VERSION": "1.0"}, {"GEOTIFF_VERSION": "1.1"}, {"driver": "COG"}),
    *({"GEOTIFF_KEYS_FLAVOR": "ESRI_PE"}, {"PROFILE": "BASELINE"}, {"bigtiff": "yes"}),
    {"GEOTIFF_VERSION": "1.0", "GEOTIFF_KEYS_FLAVOR": "ESRI_PE"},
)
"""Options by which GDAL writes coordinate systems in different ways."""

HEIGHTS = np.linspace(100.0, 900.0, 30, dtype=np.float32).reshape(5, 6)


def test_all_dialects_say_the_same():
    drawn = generator("dialects").sample(CODES, count_of(4000))
    compared = 0
    for code in drawn:
        system, by_code = pyproj.CRS.from_epsg(code), read_code(code, "a")
        for dialect in DIALECTS:
            try:
                text = system.to_wkt(dialect)
            except CRSError:  # PROJ cannot write it
                continue
            if code in LOSSY.get(dialect, ()):
                continue
            found, where = read_wkt(text, "a"), f"{code} in {dialect}"
            compared += 1
            assert_same_part(by_code.height_unit, found.height_unit, where)
            if isinstance(by_code.system, SpatialSystem):
                assert isinstance(found.system, SpatialSystem), f"{where}: {found.system}"
                assert is_same(by_code.system, found.system), where
            else:
                assert_same_part(by_code.system, found.system, where)
    assert compared > 3 * len(drawn)


def assert_same_part(one, other, where: str) -> None:
    """Compare the answers of two readers, each a number, a refusal or None."""
    if isinstance(one, ParameterError):
        assert isinstance(other, ParameterError), where
    else:
        assert other == (one if one is None else pytest.approx(one, rel=1e-8)), where


def test_files_of_gdal_have_the_meters_of_proj(tmp_path):
    numbers = generator("files")
    refused = 0
    drawn = numbers.sample(sorted(set(CODES) - UNWRITABLE), count_of(2000))
    for code in drawn:
        system = pyproj.CRS.from_epsg(code)
        if not truth.is_map(system) or truth.parts(system)[0].is_engineering:
            continue
        refused += not compare_file(system, code, numbers, tmp_path)
    assert refused <= max(3, 0.05 * len(drawn))


def compare_file(system: pyproj.CRS, code: int, numbers, folder: Path) -> bool:
    """Write a file and compare its meters; return whether it is read, not refused."""
    for old in folder.iterdir():
        old.unlink()
    x, y, step = draw_place(system, numbers)
    place = from_origin(x, y, step, step)
    if numbers.random() < 0.4:
        path = write_grid(folder, system, place, numbers)
    else:
        path = write_tiff(folder, code, place, numbers.choice(WAYS))
    up = truth.height_unit(system)
    where = f"EPSG:{code} as {[one.name for one in folder.iterdir()]}"
    try:
        elevation = read_elevation(path)
    except ParameterError as error:
        is_known = "scale is known" in str(error) or "counted upward" in str(error)
        assert is_known, f"{where}: {error}"
        return False
    lengths = truth.unit_lengths(system, x + 3.0 * step, y - 2.5 * step)
    assert elevation.spacing == pytest.approx([step * length for length in lengths], rel=5e-3), (
        where
    )
    np.testing.assert_allclose(
        elevation.heights, HEIGHTS[::-1] * (up or 1.0), rtol=1e-5, err_msg=where
    )
    return True


def draw_place(system: pyproj.CRS, numbers) -> tuple[float, float, float]:
    """Return coordinates of a corner and a step, in the system's unit."""
    across, _ = truth.parts(system)
    unit = across.axis_info[0].unit_conversion_factor
    if across.is_geographic:
        degrees = unit * 57.29577951308232
        step = numbers.choice([1.0 / 3600.0, 1.0 / 1200.0, 0.01, 0.25])
        return (
            numbers.uniform(-170, 160) / degrees,
            numbers.uniform(-75, 75) / degrees,
            step / degrees,
        )
    if truth.method_of(across).startswith(truth.CYLINDERS):
        low, high = -5e6, 5e6
        return numbers.uniform(low, high) / unit, numbers.uniform(low, high) / unit, 30.0 / unit
    step = numbers.choice([0.25, 1.0, 10.0, 90.5])
    return numbers.uniform(1e5, 9e5) / unit, numbers.uniform(1e5, 5e6) / unit, step


def write_tiff(folder: Path, code: int, place, options) -> Path:
    """Write a GeoTIFF by GDAL, in one of its ways."""
    path = folder / "land.tif"
    profile = {"driver": "GTiff", "width": 6, "height": 5, "count": 1, "dtype": "float32"}
    # Otherwise GDAL writes another code, of a system that may have another unit.
    with warnings.catch_warnings(), rasterio.Env(OSR_USE_NON_DEPRECATED="NO"):
        warnings.simplefilter("ignore")
        crs = rasterio.crs.CRS.from_epsg(code)
        with rasterio.open(path, "w", **profile | options, crs=crs, transform=place) as file:
            file.write(HEIGHTS, 1)
    return path


def write_grid(folder: Path, system: pyproj.CRS, place, numbers) -> Path:
    """Write an ASCII grid with a .prj of any dialect beside it."""
    path = folder / "land.asc"
    south = place.f + 5 * place.e
    head = f"ncols 6\nnrows 5\nxllcorner {place.c!r}\nyllcorner {south!r}\ncellsize {place.a!r}\n"
    rows = "\n".join(" ".join(str(value) for value in row) for row in HEIGHTS)
    path.write_text(head + rows + "\n", encoding="ascii")
    dialects = [numbers.choice(DIALECTS), "WKT2_2019"]
    for dialect in dialects:
        try:
            text = system.to_wkt(dialect)
        except CRSError:
            continue
        (folder / numbers.choice(["land.prj", "LAND.PRJ"])).write_text(text, encoding="utf-8")
        break
    return path
