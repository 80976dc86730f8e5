# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of GeoJSON on lands of drawn systems: they lie where pyproj says."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

import numpy as np
import pyproj
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from noise_core import ParameterError  # noqa: E402
from noise_core.base.georeference import Georeference  # noqa: E402
from noise_core.io.curve_files import read_curves  # noqa: E402
from noise_core.io.elevation_reading import (  # noqa: E402
    LoadedHeights,
    elevation_from_samples,
    measured_land,
)
from noise_core.io.spatial_reference import tables  # noqa: E402
from noise_core.io.spatial_reference.epsg import GOOGLE, read_code  # noqa: E402
from noise_core.io.spatial_reference.transverse_mercator import utm_zone  # noqa: E402
from tests.drawing import count_of, generator  # noqa: E402

CASES = 600
ROWS, COLUMNS, STEP = 41, 61, 30.0


def zones():
    return [code for code in tables.systems() if utm_zone(code)]


def land_around(code, x, y):
    """Return a measured land whose middle has some coordinates of a code."""
    system = read_code(code, "land").system
    step = STEP / (111_000.0 if system.is_geographic else system.unit)
    origin = (x - step * (COLUMNS - 1) / 2, y - step * (ROWS - 1) / 2)
    place = Georeference(system, origin, (step, step))
    loaded = LoadedHeights(np.zeros((ROWS, COLUMNS), np.float32), "land", "array")
    elevation = dataclasses.replace(
        elevation_from_samples(loaded), georeference=place, spacing=place.spacing(ROWS)
    )
    return measured_land(elevation).recipe, origin, step


def line_file(folder, rows, code=None):
    plain = {"type": "LineString", "coordinates": rows}
    if code is not None:
        name = f"urn:ogc:def:crs:EPSG::{code}"
        plain["crs"] = {"type": "name", "properties": {"name": name}}
    path = folder / "line.geojson"
    path.write_text(json.dumps(plain), encoding="utf-8")
    return path


def test_zones_of_utm_have_the_parameters_of_pyproj():
    codes = zones()
    assert len(codes) > 150
    for code in codes:
        zone, body = utm_zone(code), read_code(code, "a").system.ellipsoid
        system = pyproj.CRS.from_epsg(code)
        ground = pyproj.Transformer.from_crs(system.geodetic_crs, system, always_xy=True)
        x, y = ground.transform(zone.meridian + 2.5, 47.0)
        assert zone.project(body, zone.meridian + 2.5, 47.0) == pytest.approx((x, y), abs=1e-3)


def test_lines_lie_where_pyproj_says(tmp_path):
    draw = generator("curve places")
    lands = [*zones(), 4326, 4258, 4269, 3857, 3395, *tables.cylinders()]
    lands = [code for code in lands if code != GOOGLE]
    for _ in range(count_of(CASES)):
        code, other = draw.choice(lands), draw.choice([None, None, "same", 4326, 3857])
        system = pyproj.CRS.from_epsg(code)
        if system.ellipsoid.semi_major_metre < 6.3e6:
            continue
        latitude = draw.uniform(-70.0, 70.0)
        prime = system.prime_meridian.longitude
        middle = utm_zone(code).meridian if utm_zone(code) else draw.uniform(-150, 150)
        longitude = middle + draw.uniform(-2.9, 2.9)
        ground = pyproj.Transformer.from_crs(system.geodetic_crs, system, always_xy=True)
        center = ground.transform(longitude - prime, latitude)
        recipe, origin, step = land_around(code, *center)
        shares = [(draw.uniform(0.05, 0.95), draw.uniform(0.05, 0.6)) for _ in range(5)]
        width = step * (COLUMNS - 1)
        rows = [(origin[0] + a * width, origin[1] + b * width) for a, b in shares]
        given = code if other == "same" else other
        if given != code:
            degrees = ground.transform(*zip(*rows), direction="INVERSE")
            degrees = (np.array(degrees[0]) + prime, np.array(degrees[1]))
            if given == 3857:
                degrees = pyproj.Transformer.from_crs(4326, 3857, always_xy=True).transform(
                    *degrees
                )
            rows = np.transpose(degrees).tolist()
        file = line_file(tmp_path, rows, given)
        if is_equirectangular(code) and given != code:
            with pytest.raises(ParameterError, match="convert them to it"):
                read_curves(file, recipe)
            continue
        read = read_curves(file, recipe, tolerance=1e-6)
        (curve,) = read.curves.values()
        spacing = recipe.georeference.system.unit_lengths(origin[1] + step * (ROWS - 1) / 2)
        expected = np.array(shares) * (
            1.0,
            spacing[1] / spacing[0],
        )  # a tile is as deep as it is wide
        meters = recipe.size * (np.array([point.at for point in curve.points]) - expected)
        assert np.abs(meters).max() < 0.02, (code, given, meters)


def is_equirectangular(code):
    """Return whether programs disagree on a system's y: see `cylinders`."""
    system = read_code(code, "a").system
    cylinder = system.cylinder
    if cylinder is None or cylinder.method != "equirectangular":
        return False
    return cylinder.surface(system.ellipsoid).flattening > 0.0


def test_other_projections_refuse_degrees(tmp_path):
    draw = generator("refused places")
    others = [
        code
        for code, facts in tables.systems().items()
        if facts[0] == "projected"
        and not utm_zone(code)
        and read_code(code, "a").system.cylinder is None
    ]
    for code in draw.sample(others, count_of(len(others))):
        recipe, _, _ = land_around(code, 2_600_000.0, 1_200_000.0)
        with pytest.raises(ParameterError, match="convert them to it"):
            read_curves(line_file(tmp_path, [[8.0, 47.0], [8.1, 47.1]]), recipe)
        rows = [[2_600_000.0, 1_200_000.0], [2_600_050.0, 1_200_010.0]]
        assert len(read_curves(line_file(tmp_path, rows, code), recipe).curves) == 1
