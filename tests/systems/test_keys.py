# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinate systems that GeoTIFF files tell by keys alone: projections with all their parameters, as GDAL reads them."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import pyproj
import pytest
import rasterio

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from noise_core import ParameterError  # noqa: E402
from noise_core.io.elevation_reading import read_elevation  # noqa: E402
from noise_core.io.spatial_reference import tables  # noqa: E402
from tests.core import elevation_files as files  # noqa: E402
from tests.drawing import count_of, generator  # noqa: E402
from tests.systems import truth  # noqa: E402

UNITS = {9001: 1.0, 9002: 0.3048, 9003: 1200.0 / 3937.0, 9036: 1000.0}
"""Meters in units of lengths by code."""

ANGLES = {None: 1.0, 9102: 1.0, 9105: 0.9}
"""Degrees in units of angles by code."""

CYLINDERS = (7, 17, 20, 28)
"""Methods by GeoTIFF's codes: Mercator, equirectangular, Miller, equal-area cylinder."""


LOSSY = 19869
"""An equal-area cylinder of a sphere on an ellipsoid, of which GDAL leaves out the sphere."""


def draw(numbers) -> dict[int, int | float]:
    """Return the keys of a projected system without a code."""
    keys: dict[int, int | float] = {1024: 1, 1025: 1, 3072: 32767}
    keys[3076] = unit = numbers.choice(list(UNITS))
    if numbers.random() < 0.4:
        uncommon = [code for code, facts in tables.conversions().items() if facts != ("scaled",)]
        uncommon.remove(LOSSY)
        common = numbers.sample(sorted(tables.conversions()), 1)
        return keys | {2048: 4326, 3074: numbers.choice(uncommon + common * len(uncommon))}
    angle = numbers.choice(list(ANGLES))
    keys |= {2048: 32767, 2050: 32767, 2056: 32767, 2057: 6378137.0, 2059: 298.257223563}
    keys |= {} if angle is None else {2054: angle}
    keys |= {3074: 32767, 3075: numbers.choice(CYLINDERS)}
    size = ANGLES[angle]
    if keys[3075] != 20 and numbers.random() < 0.7:
        keys[3078] = numbers.uniform(-50.0, 50.0) / size
    if keys[3075] == 7 and 3078 not in keys:
        keys[3092] = numbers.choice((1.0, 0.9996, 0.5))
        keys[3081] = numbers.choice((0.0, 0.0, 20.0 / size))
    keys[3080] = numbers.uniform(-170.0, 170.0) / size
    if numbers.random() < 0.5:
        keys |= {
            3082: numbers.uniform(-1e6, 1e6) / UNITS[unit],
            3083: numbers.uniform(-1e6, 1e6) / UNITS[unit],
        }
    return keys


def write(
    path: Path, keys: dict[int, int | float], place: tuple[float, float], step: float
) -> None:
    """Write a GeoTIFF with keys, of which GDAL itself writes only those that it knows better."""
    doubles = [value for value in keys.values() if isinstance(value, float)]
    flat = [1, 1, 0, len(keys)]
    for key in sorted(keys):
        value = keys[key]
        is_double = isinstance(value, float)
        flat += [key, 34736, 1, doubles.index(value)] if is_double else [key, 0, 1, value]
    extra = files.geo_tags(step=(step, step), tie=place) | {34735: ("H", flat)}
    extra |= {34736: ("d", doubles)} if doubles else {}
    path.write_bytes(files.tiff(np.arange(30, dtype=np.float32).reshape(5, 6), extra=extra))


def test_projections_in_keys_have_the_meters_of_proj(tmp_path):
    numbers, compared, path = generator("keys"), 0, tmp_path / "land.tif"
    count = count_of(1000)
    for _ in range(count):
        keys = draw(numbers)
        unit = UNITS[keys[3076]]
        place = numbers.uniform(-1e6, 1e6) / unit, numbers.uniform(-4e6, 4e6) / unit
        write(path, keys, place, 30.0 / unit)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with rasterio.open(path) as file:
                system = pyproj.CRS(file.crs.to_wkt(version="WKT2_2019")) if file.crs else None
        if system is None or system.is_engineering:  # GDAL does not understand it
            continue
        try:
            found = read_elevation(path)
        except ParameterError as error:
            assert "scale is known" in str(error), f"{keys}: {error}"
            continue
        compared += 1
        lengths = truth.unit_lengths(system, place[0] + 90.0 / unit, place[1] - 75.0 / unit)
        expected = [30.0 / unit * length for length in lengths]
        assert found.spacing == pytest.approx(expected, rel=5e-3), f"{keys} at {place}"
    assert compared > count // 2
