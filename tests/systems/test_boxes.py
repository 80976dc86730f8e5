# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes in degrees: the samples in the windows of rasterio, at the places of pyproj, in all systems with a way there."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pyproj
import pytest
import rasterio
from rasterio.transform import from_origin
from rasterio.warp import transform_bounds
from rasterio.windows import from_bounds

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from noise_core import ParameterError, read_elevation  # noqa: E402
from tests.drawing import count_of, generator  # noqa: E402

CASES = 600
CODES = (4326, 4258, 4269, 3857, 3395, 32632, 32633, 32719, 25832, 26910)
ROWS, COLUMNS = 90, 120


def land_file(draw, folder, code):
    """Write a land around a drawn place; return its path and its affine transformation."""
    system = pyproj.CRS.from_epsg(code)
    area = system.area_of_use
    longitude = draw.uniform(
        area.west + 0.2 * (area.east - area.west), area.east - 0.2 * (area.east - area.west)
    )
    latitude = draw.uniform(max(area.south, -70.0) * 0.9 + 1.0, min(area.north, 70.0) * 0.9)
    if code == 32719:
        latitude = draw.uniform(-60.0, -5.0)
    ground = pyproj.Transformer.from_crs(4326, code, always_xy=True)
    x, y = ground.transform(longitude, latitude)
    step = (
        draw.choice([1 / 3600, 1 / 1200, 0.01])
        if system.is_geographic
        else draw.choice([10.0, 30.0, 90.0])
    )
    transform = from_origin(round(x / step) * step, round(y / step) * step, step, step)
    path = folder / f"land_{code}.tif"
    heights = np.random.default_rng(draw.randrange(2**31)).integers(0, 3000, (ROWS, COLUMNS))
    profile = {"driver": "GTiff", "height": ROWS, "width": COLUMNS, "count": 1, "dtype": "int16"}
    with rasterio.open(path, "w", crs=f"EPSG:{code}", transform=transform, **profile) as file:
        file.write(heights.astype(np.int16), 1)
    return path, transform


def window_of(file, bounds):
    """Return the rows and columns whose middles lie in bounds, by rasterio's window of these."""
    window = from_bounds(*bounds, transform=file.transform)
    return [
        (math.ceil(start - 0.5 - 1e-6), math.floor(start + size - 0.5 + 1e-6) + 1)
        for start, size in ((window.row_off, window.height), (window.col_off, window.width))
    ]


def drawn_box(draw, file):
    """Return a box in degrees of the file's own datum that lies in the file."""
    system = pyproj.CRS(file.crs.to_wkt())
    degrees = pyproj.Transformer.from_crs(system, system.geodetic_crs, always_xy=True)
    low, high = (sorted(draw.uniform(0.15, 0.85) for _ in range(2)) for _ in range(2))
    left, bottom, right, top = file.bounds
    x = [left + share * (right - left) for share in low]
    y = [bottom + share * (top - bottom) for share in high]
    places = [degrees.transform(one, other) for one in x for other in y]
    return (
        *(min(place[axis] for place in places) for axis in (0, 1)),
        *(max(place[axis] for place in places) for axis in (0, 1)),
    )


def bounds_of(file, box):
    """Return the bounds of a box in the coordinates of a file, by pyproj."""
    system = pyproj.CRS(file.crs.to_wkt())
    return transform_bounds(system.geodetic_crs, system, *box, densify_pts=401)


@pytest.mark.parametrize("code", CODES)
def test_boxes_have_the_samples_of_windows_of_rasterio(tmp_path, code):
    draw = generator(f"boxes {code}")
    compared, drawn = 0, 0
    while not compared or drawn < max(4, count_of(CASES) // len(CODES)):  # a few may all be narrow
        drawn += 1
        path, _ = land_file(draw, tmp_path, code)
        with rasterio.open(path) as file:
            box = drawn_box(draw, file)
            rows, columns = window_of(file, bounds_of(file, box))
            if min(rows[1] - rows[0], columns[1] - columns[0]) < 2:
                with pytest.raises(ParameterError, match="at least 2 x 2 samples must lie in box"):
                    read_elevation(path, box=box)
                continue
            expected = file.read(1, window=(rows, columns))
            found = read_elevation(path, box=box)
            np.testing.assert_array_equal(found.heights, expected[::-1])
            west, south = file.xy(rows[1] - 1, columns[0])
            assert found.georeference.origin == pytest.approx((west, south), rel=1e-12)
            compared += 1


@pytest.mark.parametrize("code", CODES)
def test_the_box_that_an_error_names_lies_in_the_file(tmp_path, code):
    draw = generator(f"limits {code}")
    path, _ = land_file(draw, tmp_path, code)
    with rasterio.open(path) as file:
        west, south, east, north = drawn_box(draw, file)
    for beyond in ((west, south, east + 5.0, north), (west, south - 9.0, east, north)):
        with pytest.raises(ParameterError, match="box must lie within") as caught:
            read_elevation(path, box=beyond)
        text = str(caught.value).split(" within ")[1].split(" degrees; ")[0]
        limits = tuple(map(float, text.split(", ")))
        found = read_elevation(path, box=limits)
        # Bent borders of a zone leave less than the whole file.
        least = 0.5 if 32600 <= code or code in (25832, 26910) else 0.98
        assert found.heights.size >= least * ROWS * COLUMNS


@pytest.mark.parametrize("number", range(count_of(200)))
def test_tiles_in_any_cut_are_one_land(tmp_path, number):
    draw = generator(f"tilings {number}")
    path, transform = land_file(draw, tmp_path, draw.choice(CODES))
    (tmp_path / "tiles").mkdir()
    with rasterio.open(path) as file:
        heights, box = file.read(1), drawn_box(draw, file)
        cuts = [
            sorted({0, count, *draw.sample(range(5, count - 5), 2)}) for count in (ROWS, COLUMNS)
        ]
        shared = draw.choice([0, 1])
        for top, bottom in zip(cuts[0], cuts[0][1:]):
            for left, right in zip(cuts[1], cuts[1][1:]):
                part = heights[top : bottom + shared, left : right + shared]
                at = transform @ transform.translation(left, top)
                profile = {
                    **file.profile,
                    "height": part.shape[0],
                    "width": part.shape[1],
                    "transform": at,
                }
                with rasterio.open(
                    tmp_path / "tiles" / f"{top}_{left}.tif", "w", **profile
                ) as tile:
                    tile.write(part, 1)
    whole = read_elevation(tmp_path / "tiles")
    np.testing.assert_array_equal(whole.heights, heights[::-1])
    try:
        expected = read_elevation(path, box=box)
    except ParameterError as error:
        assert "at least 2 x 2 samples" in str(error)
        return
    np.testing.assert_array_equal(
        read_elevation(tmp_path / "tiles", box=box).heights, expected.heights
    )
