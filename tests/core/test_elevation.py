# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured land: a layer with the heights of its file, and the place on Earth that they belong to."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from noise_core import Grid, ParameterError, Recipe
from noise_core.base.georeference import GEOGRAPHIC, LOCAL, PROJECTED, Georeference, SpatialSystem
from noise_core.io.elevation_reading import (
    LoadedHeights,
    elevation_from_samples,
    measured_land,
    probe_elevation,
    read_elevation,
)
from noise_core.io.heightmaps import ExportOptions, export_heightmap
from noise_core.io.targets.geotiff import GeoTiff
from noise_core.masks.map_mask import MapMask
from noise_core.modifiers.thermal_erosion import ThermalErosion
from noise_core.noises import Curve, ElevationRaster, Perlin, Transform
from noise_core.recipes.layers import Group, NoiseLayer

SYSTEM = SpatialSystem(PROJECTED, 32632)
UTM = Georeference(SYSTEM, (600_015.25, 5_000_000.75), (30.0, 30.0))
DEGREES = Georeference(SpatialSystem(GEOGRAPHIC, 4326), (7.0, 46.0), (1.0 / 1200.0, 1.0 / 1200.0))


def heights(rows=24, columns=37):
    """Return whole meters, no two rows or columns the same."""
    y, x = np.mgrid[0:rows, 0:columns]
    return np.rint(2000.0 + 31.0 * x - 17.0 * y + 250.0 * np.sin(0.7 * x) * np.cos(0.9 * y))


def elevation(values=None, place=UTM):
    """Return measured heights as the reader gives them."""
    values = heights() if values is None else values
    plain = elevation_from_samples(
        LoadedHeights(np.asarray(values, np.float32), "valley.tif", "GeoTIFF")
    )
    spacing = None if place is None else place.spacing(len(values))
    return dataclasses.replace(plain, georeference=place, spacing=spacing)


def test_whole_meters_are_given_back_exactly():
    land = measured_land(elevation())
    assert land.grid().shape == heights().shape
    np.testing.assert_array_equal(land.recipe.evaluate(land.grid()).height, heights())
    assert land.recipe.size == 36 * 30.0 and land.depth == pytest.approx(23 / 36)
    assert land.recipe.height == land.recipe.layers[0].height == 4096.0


@pytest.mark.parametrize(("low", "high"), [(-10_994.0, 8848.86), (0.0, 0.01), (-431.5, -2.5)])
def test_every_height_on_earth_is_given_back(low, high):
    values = np.random.default_rng(3).uniform(low, high, (41, 30)).astype(np.float32)
    land = measured_land(elevation(values))
    height = land.recipe.evaluate(land.grid()).height
    np.testing.assert_allclose(height, values, rtol=1e-7, atol=0.0)


def test_more_samples_keep_those_that_are_there():
    land = measured_land(elevation())
    fine = land.recipe.evaluate(land.grid(1 + 36 * 4)).height
    np.testing.assert_array_equal(fine[::4, ::4], heights())
    between = fine[2::4, 2::4]
    corners = np.stack([heights()[a : a + 23, b : b + 36] for a in (0, 1) for b in (0, 1)])
    assert np.abs(between - corners.mean(axis=0)).max() < 60.0, "it is smooth between them"


def test_samples_that_are_no_squares_lie_where_they_were_measured():
    land = measured_land(elevation(place=DEGREES))
    x, y = DEGREES.spacing(24)
    assert land.recipe.size == pytest.approx(36 * x) and land.noise.aspect == pytest.approx(y / x)
    assert land.depth == pytest.approx(23 * y / (36 * x))
    rows, columns = np.mgrid[0:24, 0:37]
    points = np.stack((columns / 36.0, rows / 23.0 * land.depth), axis=-1)
    made = land.noise.sample(points) * np.float32(land.recipe.height)
    np.testing.assert_allclose(made, heights(), atol=1e-3)
    grid = land.grid()
    assert grid.shape == (34, 37)


def test_a_width_of_ones_own():
    land = measured_land(elevation(place=None))
    assert land.recipe.size == 36.0 and land.recipe.georeference is None
    assert measured_land(elevation(), size=500.0).recipe.size == 500.0
    np.testing.assert_array_equal(
        land.recipe.evaluate(land.grid()).height,
        measured_land(elevation(), size=500.0).recipe.evaluate(land.grid()).height,
    )


@pytest.mark.parametrize(
    ("values", "size", "message"),
    [
        (np.zeros((1, 9)), None, r"valley.tif: rows and columns must be at least 2; got 1 x 9"),
        (np.full((3, 3), 2e6), None, r"valley.tif: heights must be in \[-1e\+06, 1e\+06\] m; got"),
        (np.zeros((3, 3)), -1.0, r"size must be a positive number; got -1.0"),
        (np.zeros((3, 3)), "wide", r"size must be a positive number; got 'wide'"),
    ],
)
def test_what_cannot_be_a_terrain_is_refused(values, size, message):
    with pytest.raises(ParameterError, match=message):
        measured_land(elevation(values), size=size)


def test_json_holds_every_digit():
    recipe = measured_land(elevation()).recipe
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe and again.georeference == recipe.georeference
    assert again.georeference.origin == UTM.origin


def test_beyond_the_land_it_is_turned_over():
    land = measured_land(elevation())
    wide = land.recipe.evaluate(Grid(24, 73, size=1080.0, per_tile=36)).height
    np.testing.assert_array_equal(wide[:, 36:], wide[:, 36::-1])


def test_noise_and_erosion_lie_over_it():
    recipe = measured_land(elevation()).recipe
    hills = NoiseLayer(noise=Perlin(frequency=9.0), height=50.0, seed_offset=1)
    rocks = dataclasses.replace(hills, mask=MapMask(), seed_offset=3)
    layers = (*recipe.layers, hills, rocks, ThermalErosion(talus_angle=20.0))
    whole = dataclasses.replace(recipe, layers=layers)
    grid = measured_land(elevation()).grid()
    plain = dataclasses.replace(recipe, layers=layers[:2]).evaluate(grid).height - heights()
    assert 10.0 < np.abs(plain).max() < 50.0
    eroded = whole.evaluate(grid).height
    assert np.isfinite(eroded).all() and np.abs(eroded - heights()).max() > 1.0
    assert whole.georeference == recipe.georeference


# --- place on Earth ------------------------------------------------------------------------------


def test_what_moves_the_land_takes_its_place():
    noise = measured_land(elevation()).noise
    tiles = noise.georeference
    assert tiles == dataclasses.replace(UTM, step=(30.0 * 36, 30.0 * 36))
    kept = NoiseLayer(noise=Curve(source=noise))
    moved = NoiseLayer(noise=Transform(source=noise, offset=(0.1, 0.0, 0.0)))
    hidden = dataclasses.replace(kept, muted=True)
    plain = NoiseLayer(noise=Perlin())
    for layers, expected in (
        ((plain, kept), tiles),
        ((moved,), None),
        ((hidden,), None),
        ((Group(layers=(kept,), chain=(Curve(),)),), tiles),
        ((Group(layers=(kept,), chain=(Transform(),)),), None),
        ((Group(layers=(kept,), muted=True),), None),
        ((plain,), None),
    ):
        assert Recipe(layers=layers).georeference == expected


@pytest.mark.parametrize(
    "place",
    [
        UTM,
        DEGREES,
        dataclasses.replace(UTM, system=SpatialSystem(PROJECTED)),
        dataclasses.replace(UTM, system=SpatialSystem(PROJECTED, 2264, 1200.0 / 3937.0)),
        dataclasses.replace(UTM, system=SpatialSystem(PROJECTED, 0, 0.75)),
        dataclasses.replace(UTM, system=SpatialSystem(LOCAL, 0, 0.3048)),
        dataclasses.replace(DEGREES, system=SpatialSystem(GEOGRAPHIC)),
    ],
)
def test_a_geotiff_has_the_place_of_the_land(tmp_path, place):
    recipe = measured_land(elevation(place=place)).recipe
    samples = measured_land(elevation(place=place)).grid().shape
    path = tmp_path / "land.tif"
    report = export_heightmap(recipe, path, target=GeoTiff(system="land"), samples=samples)
    found = read_elevation(path)
    reference, system = found.georeference, found.georeference.system
    assert (system.kind, system.epsg) == (place.system.kind, place.system.epsg)
    assert system.unit == pytest.approx(place.system.unit)
    np.testing.assert_allclose(reference.origin, place.origin, rtol=1e-12)
    x, y = place.step
    assert reference.step[0] * (samples[1] - 1) == pytest.approx(x * 36)
    # A whole number of square cells, which may end half a cell beside the last sample.
    assert reference.step[1] * (samples[0] - 1) == pytest.approx(y * 23, abs=0.5 * y)
    assert report.fields["EPSG"] == place.system.epsg
    assert math.isclose(found.spacing[0], found.spacing[1], rel_tol=2e-3), "cells are squares"


def test_a_code_that_no_key_can_hold_is_left_out(tmp_path):
    place = dataclasses.replace(UTM, system=SpatialSystem(PROJECTED, 900_913))
    recipe = measured_land(elevation(place=place)).recipe
    path = tmp_path / "land.tif"
    export_heightmap(recipe, path, target=GeoTiff(system="land"), samples=(24, 37))
    found = probe_elevation(path).georeference
    assert (found.system.epsg, found.origin) == (0, UTM.origin)


def test_tiles_and_other_resolutions_have_their_own_places(tmp_path):
    recipe = measured_land(elevation(heights(37, 37))).recipe
    target = GeoTiff(system="land")
    export_heightmap(
        recipe,
        tmp_path / "land.tif",
        target=target,
        samples=(37, 37),
        options=ExportOptions(tiles=(2, 1)),
    )
    west, east = (probe_elevation(tmp_path / f"land_x{x}_y0.tif").georeference for x in (0, 1))
    assert west.origin == pytest.approx(UTM.origin) and west.step == pytest.approx((15.0, 15.0))
    assert east.origin == pytest.approx((UTM.origin[0] + 36 * 15.0, UTM.origin[1]))


def test_a_land_without_a_place_is_refused_before_it_is_made(tmp_path):
    with pytest.raises(ParameterError, match="'land' for measured land with a place on Earth"):
        export_heightmap(Recipe(), tmp_path / "a", target=GeoTiff(system="land"), samples=9)
    assert not list(tmp_path.iterdir())


def test_the_place_needs_both_steps():
    assert ElevationRaster(step=(30.0, 0.0)).georeference is None
    assert ElevationRaster(step=(30.0, 30.0), edge="repeat").georeference.step == (480.0, 480.0)
