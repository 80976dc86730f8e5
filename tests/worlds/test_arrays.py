# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays of Dask and xarray: the bits of the whole, coordinates kept, degrees and uneven steps refused."""

from __future__ import annotations

import dask.array
import numpy as np
import pytest
import xarray

from noise_core import Grid, ParameterError, Recipe, Relief, map_types, noise_types
from noise_core.maps import AmbientOcclusion, Flow, Normal, Slope
from noise_core.modifiers import StreamErosion
from noise_core.noises import Fractal
from noise_core.rasters.level import Level
from terrane_worlds import (
    array_apply,
    array_grid,
    array_map,
    read_blocks,
    sample_blocks,
    to_dataset,
)
from tests.drawing import count_of, generator

GRID = Grid(41, 53, size=1040.0)
HEIGHT = 150.0 * Fractal().sample_grid(GRID, seed=3)


def test_blocks_of_noise_have_the_bits_of_the_whole():
    random = generator("blocks of noise")
    for _ in range(count_of(200)):
        noise = random.choice(list(noise_types().values()))()
        grid = Grid(random.randint(1, 40), random.randint(1, 40), wrap=random.random() < 0.3)
        chunks, seed = (random.randint(1, 30), random.randint(1, 30)), random.randrange(1 << 32)
        field = sample_blocks(noise, grid, seed, chunks=chunks)
        assert field.dtype == np.float32
        assert np.array_equal(field.compute(), noise.sample_grid(grid, seed)), (noise, grid, chunks)


def local_maps() -> list:
    level = Level.from_grid(GRID)
    return [cls() for cls in map_types().values() if cls().reach(level) is not None]


@pytest.mark.parametrize("source", local_maps(), ids=lambda source: source.key)
def test_blocks_of_maps_have_the_bits_of_the_whole(source):
    random = generator(f"blocks of {source.key}")
    expected = source.values(HEIGHT, GRID)
    for _ in range(count_of(60)):
        chunks = (random.randint(1, 41), random.randint(1, 53))
        height = dask.array.from_array(HEIGHT, chunks=chunks)
        found = read_blocks(source, height, GRID)
        assert found.shape == expected.shape and found.numblocks[:2] == height.numblocks
        assert np.array_equal(found.compute(scheduler="sync"), expected), chunks


def test_maps_of_the_whole_land_and_other_grids_are_refused():
    height = dask.array.from_array(HEIGHT, chunks=20)
    for source, grid, words in (
        (Flow(), GRID, "Flow depends on the whole land"),
        (Slope(), Grid(41, 53), "needs meters"),
        (Slope(), Grid(41, 52, size=10.0), "shape"),
        (Slope(), Grid(41, 53, size=10.0, wrap=True), "wrap"),
    ):
        with pytest.raises(ParameterError, match=words):
            read_blocks(source, height, grid)
    with pytest.raises(ParameterError):
        sample_blocks(Fractal(), Grid(9, 9), seed=-(1 << 40))


def labeled(falling: bool, chunks: int | None = None) -> xarray.DataArray:
    y = 5e6 + 20.0 * np.arange(41)
    axes = {"northing": y, "easting": 6e5 + 20.0 * np.arange(53)}
    array = xarray.DataArray(HEIGHT, axes, ("northing", "easting"), "dem", {"units": "m"})
    array = array.isel(northing=slice(None, None, -1)) if falling else array
    return array if chunks is None else array.chunk(chunks)


@pytest.mark.parametrize("chunks", [None, 16])
@pytest.mark.parametrize("falling", [False, True])
def test_maps_keep_coordinates(falling, chunks):
    height = labeled(falling, chunks)
    assert array_grid(height) == GRID
    steepness = array_map(Slope(), height)
    assert steepness.dims == height.dims and (steepness.chunks is None) == (chunks is None)
    assert steepness.name == "slope" and steepness.attrs == {"units": "degrees"}
    xarray.testing.assert_equal(steepness.northing, height.northing)
    assert np.array_equal(steepness.sortby("northing").values, Slope().values(HEIGHT, GRID))
    normals = array_map(Normal(), height)
    assert normals.dims == ("northing", "easting", "channel") and normals.shape == (41, 53, 3)
    assert np.array_equal(normals.sortby("northing").values, Normal().values(HEIGHT, GRID))


@pytest.mark.parametrize("falling", [False, True])
def test_modified_heights_keep_coordinates(falling):
    height = labeled(falling)
    mask = xarray.where(height.northing > 5e6 + 400.0, 1.0, 0.0).broadcast_like(height)
    eroded = array_apply(StreamErosion(strength=0.6), height, seed=7, mask=mask)
    upright = np.zeros(GRID.shape)
    upright[21:] = 1.0
    expected = StreamErosion(strength=0.6).apply(HEIGHT, GRID, 7, upright)
    found = eroded.sortby("northing")
    assert np.array_equal(found.height.values, expected.height)
    assert set(eroded.data_vars) == {"height", *expected.maps}
    assert eroded.height.attrs == {"units": "m"}
    assert np.array_equal(eroded.northing, height.northing)


def test_a_relief_goes_out_with_meters_and_comes_in_again():
    recipe = Recipe.from_preset("rolling_hills", seed=3)
    relief = recipe.evaluate(recipe.grid(17, origin=(1.0, 2.0)))
    land = to_dataset(relief)
    assert float(land.x[0]) == recipe.size and float(land.y[-1]) == 3.0 * recipe.size
    assert array_grid(land.height).spacing == pytest.approx(recipe.grid(17).spacing)
    with pytest.raises(ParameterError, match="grid with a size"):
        to_dataset(Relief(HEIGHT))


def test_other_coordinates_are_refused():
    good = labeled(False)
    for wrong, words in (
        (good.drop_vars("easting"), "coordinates along easting"),
        (good.assign_coords(easting=good.easting * 2.0), "as far apart"),
        (good.assign_coords(easting=good.easting**2), "evenly spaced"),
        (good.rename(northing="lat", easting="lon"), "project it first"),
        (good.isel(easting=0), "two dimensions"),
        (good.isel(easting=[0]), "two coordinates"),
        (HEIGHT, "a DataArray"),
    ):
        with pytest.raises(ParameterError, match=words):
            array_grid(wrong)
    in_degrees = good.copy()
    in_degrees.easting.attrs["units"] = "degrees_east"
    with pytest.raises(ParameterError, match="must be in meters"):
        array_map(AmbientOcclusion(), in_degrees)
