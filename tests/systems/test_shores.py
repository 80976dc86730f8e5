# SPDX-License-Identifier: GPL-3.0-or-later
"""Shores of water out of OpenStreetMap: within one sample of rasterio's own raster of the polygon, in all systems."""

from __future__ import annotations

import dataclasses
import math
import sys
from pathlib import Path

import numpy as np
import pyproj
import pytest
from rasterio.features import rasterize
from rasterio.transform import from_origin

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from noise_core.base.georeference import Georeference  # noqa: E402
from noise_core.io.curve_files import read_curves  # noqa: E402
from noise_core.io.elevation_reading import (  # noqa: E402
    LoadedHeights,
    elevation_from_samples,
    measured_land,
)
from noise_core.io.spatial_reference.epsg import read_code  # noqa: E402
from noise_core.maps import CurveDistance  # noqa: E402
from tests.drawing import count_of, generator  # noqa: E402
from tests.osm_texts import Extract, cut, star  # noqa: E402

CASES = 200
SAMPLES = 129
PLACES = (
    (4326, 8.5, 47.0),
    (3857, -120.0, 39.0),
    (3395, 10.0, 60.0),
    (32632, 7.3, 46.5),
    (32719, -70.0, -33.0),
)


@pytest.mark.parametrize("number", range(count_of(CASES)))
def test_shores_are_within_one_sample_of_rasterio(tmp_path, number):
    draw = generator(f"shores {number}")
    code, longitude, latitude = draw.choice(PLACES)
    ground = pyproj.Transformer.from_crs(4326, code, always_xy=True)
    system = read_code(code, "land").system
    step = 30.0 / (111_000.0 if system.is_geographic else system.unit)
    middle = ground.transform(longitude, latitude)
    origin = tuple(at - step * (SAMPLES - 1) / 2 for at in middle)
    place = Georeference(system, origin, (step, step))
    loaded = LoadedHeights(np.zeros((SAMPLES, SAMPLES), np.float32), "land", "array")
    land = dataclasses.replace(
        elevation_from_samples(loaded), georeference=place, spacing=place.spacing(SAMPLES)
    )
    recipe = measured_land(land).recipe
    ring = star(draw, (longitude, latitude), 0.012, draw.randint(4, 60))
    extract = Extract()
    extract.relation([(extract.way(piece), "outer") for piece in cut(draw, ring)], natural="water")
    path = tmp_path / "lake.osm"
    path.write_text(extract.text(), encoding="utf-8")
    curves = read_curves(path, recipe).curves

    # On the land's own grid: rows are as many as make square cells on the ground.
    grid, tile = recipe.grid(SAMPLES), recipe.georeference
    found = CurveDistance(curves=tuple(curves.values())).values(np.zeros(grid.shape), grid)
    across, along = (size / (grid.columns - 1) for size in tile.step)
    top = tile.origin[1] + along * (grid.rows - 0.5)
    transform = from_origin(tile.origin[0] - across / 2, top, across, along)
    shape = {
        "type": "Polygon",
        "coordinates": [[list(ground.transform(*at)) for at in [*ring, ring[0]]]],
    }
    expected = rasterize([shape], out_shape=grid.shape, transform=transform)[::-1].astype(bool)
    off = (found < 0.0) != expected
    assert (np.abs(found[off]) <= grid.spacing).all(), np.abs(found[off]).max() / grid.spacing
    assert expected.any() and math.isfinite(float(found.min()))
