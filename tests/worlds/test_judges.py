# SPDX-License-Identifier: GPL-3.0-or-later
"""Independent judges: pysheds of filled depressions and drainage areas in tiles, GDAL of exported files.

A judge that is not installed is a skipped test with its name. xarray and zarr-python, which read stores in test_stores.py,
always are.

References
----------
Bartos, M. (2020). pysheds: simple and fast watershed delineation in python.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import noise_core.codecs.image_writing.tiff_file as tiff_file  # a late module cannot be patched
from noise_core.flow_routing.directions import OFFSETS
from noise_core.flow_routing.outlets import border
from noise_core.io.targets import GeoTiff
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level
from terrane_worlds import World
from terrane_worlds.builds.exporting import export_world

from .lands import assert_same_bits
from .noise_recipes import RECIPES
from .whole_flow import Ground, Routed

NORTH_EAST_ON = (64, 128, 1, 2, 4, 8, 16, 32)
"""Numbers of pysheds for the neighbors from the row above on, to the right around: its `dirmap`."""

_AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))


class Sheds:
    """A land in pysheds, with rows in the order that ours have."""

    def __init__(self, height: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(np, "in1d", np.isin, raising=False)  # as NumPy called it before 2.4
        grid = pytest.importorskip("pysheds.grid", reason="NOT TESTED: pysheds is not installed")
        from affine import Affine
        from pysheds.view import Raster, ViewFinder

        place = Affine(1.0, 0.0, 0.0, 0.0, -1.0, float(len(height)))
        self._raster = Raster
        self._view = ViewFinder(affine=place, shape=height.shape, nodata=np.float64(-1e9))
        self.height = Raster(height.astype(np.float64), viewfinder=self._view)
        self.grid = grid.Grid.from_raster(self.height)

    def filled(self) -> np.ndarray:
        """Return the heights with all depressions filled."""
        return np.asarray(self.grid.fill_depressions(self.grid.fill_pits(self.height)))

    def areas(self, directions: np.ndarray) -> np.ndarray:
        """Return how many cells drain through each one, in directions of ours."""
        codes = np.zeros(9, np.int64)
        for number, step in enumerate(OFFSETS, 1):
            codes[number] = NORTH_EAST_ON[_AROUND.index(step)]
        view = type(self._view)(
            affine=self._view.affine, shape=self._view.shape, nodata=np.int64(0)
        )
        given = self._raster(codes[directions], viewfinder=view)
        # It does not count a cell without a direction, such as an outlet, but does what drains to it.
        return np.asarray(self.grid.accumulation(given, dirmap=NORTH_EAST_ON)) + (directions == 0)

    def directions(self) -> np.ndarray:
        """Return the steepest way down of each cell, in directions of ours, 0 where there is none."""
        found = np.asarray(self.grid.flowdir(self.height, dirmap=NORTH_EAST_ON))
        ours = np.zeros(256, np.uint8)
        for number, step in enumerate(OFFSETS, 1):
            ours[NORTH_EAST_ON[_AROUND.index(step)]] = number
        return ours[np.maximum(found, 0)]


def land(steps: int = 0) -> np.ndarray:
    """Return hills with lakes, in whole steps of height if there are any, so that flats and equal passes are many."""
    noise = Fractal(source=Perlin(frequency=6.0), octaves=6)
    from noise_core import Grid

    height = noise.sample_grid(Grid(150, 211, size=2000.0), 3) * np.float32(300.0)
    return np.round(height / steps) * np.float32(steps) if steps else height


def routed(height: np.ndarray, side: int, folder: Path) -> Routed:
    level = Level(*height.shape, 1.0, 1.0, wrap=False)
    return Routed.of(Ground(height, level, border(level)), side, folder)


@pytest.mark.parametrize("steps", [0, 7])
@pytest.mark.parametrize("side", [32, 64])
def test_pysheds_fills_depressions_to_the_same_heights(side, steps, tmp_path, monkeypatch):
    height = land(steps)
    expected = Sheds(height, monkeypatch).filled()
    filled = routed(height, side, tmp_path).filled(height)
    assert np.count_nonzero(filled > height) > 300
    np.testing.assert_array_equal(filled, expected)


@pytest.mark.parametrize("steps", [0, 7])
def test_pysheds_adds_up_the_same_areas(steps, tmp_path, monkeypatch):
    """It is given the directions of the tiles, since where flats drain is a matter of choice."""
    height = land(steps)
    flow = routed(height, 32, tmp_path)
    directions = flow.read(flow.fields.ways)
    expected = Sheds(height, monkeypatch).areas(directions)
    assert expected.max() > 500
    np.testing.assert_array_equal(flow.read(flow.areas), expected)


def test_pysheds_finds_the_same_ways_down(tmp_path, monkeypatch):
    """Where no depression is: in one water runs from its shore by the way to its outlet."""
    height = land()
    flow = routed(height, 32, tmp_path)
    is_lake = flow.filled(height) > height
    rows, columns = height.shape
    near = np.zeros_like(is_lake)
    for row, column in (*OFFSETS, (0, 0)):
        inner = is_lake[1 + row : rows - 1 + row, 1 + column : columns - 1 + column]
        near[1:-1, 1:-1] |= inner
    near[[0, -1]] = near[:, [0, -1]] = True  # outlets
    expected = Sheds(height, monkeypatch).directions()
    assert np.count_nonzero(~near) > 10_000
    np.testing.assert_array_equal(flow.read(flow.fields.ways)[~near], expected[~near])


WORLD = World(RECIPES["hills"], 700, 1025, 128)


@pytest.mark.parametrize("is_big", [False, True])
@pytest.mark.parametrize("layout", ["strips", "cloud"])
def test_gdal_reads_exported_geotiffs(layout, is_big, tmp_path, store, monkeypatch):
    rasterio = pytest.importorskip("rasterio", reason="NOT TESTED: rasterio is not installed")
    if is_big:
        monkeypatch.setattr(tiff_file, "MAX_FILE_SIZE", 1000)
    path = tmp_path / "a.tif"
    target = GeoTiff(layout=layout, system="meters", epsg=32632, east=650_000.0, north=5_200_000.0)
    export_world(store, path, target=target)
    assert path.read_bytes()[:4] == (b"II\x2b\0" if is_big else b"II\x2a\0")
    height = WORLD.recipe.evaluate(WORLD.grid).height
    with rasterio.open(path) as file:
        assert file.crs.to_epsg() == 32632
        assert_same_bits(file.read(1)[::-1], height)
        factors = file.overviews(1)
        assert factors == ([2, 4, 8] if layout == "cloud" else [])
        assert file.profile["tiled"] == (layout == "cloud")
        if layout == "cloud":
            assert file.block_shapes == [(256, 256)]
        step = file.res[0]
        x, y = file.bounds.left + 300.5 * step, file.bounds.bottom + 40.5 * step
        assert [one[0] for one in file.sample([(x, y)])] == [height[40, 300]]
    for number, factor in enumerate(factors):
        with rasterio.open(path, overview_level=number) as file:
            with World.open(store, factor) as opened:
                assert_same_bits(file.read(1)[::-1], opened.height.values)


@pytest.mark.parametrize("is_big", [False, True])
def test_a_validator_finds_cloud_optimized_geotiffs(is_big, tmp_path, store, monkeypatch):
    cogeo = pytest.importorskip("rio_cogeo", reason="NOT TESTED: rio-cogeo is not installed")
    if is_big:
        monkeypatch.setattr(tiff_file, "MAX_FILE_SIZE", 1000)
    for layout in ("cloud", "strips"):
        path = tmp_path / f"{layout}.tif"
        export_world(store, path, target=GeoTiff(layout=layout, system="meters"))
        is_valid, errors, _ = cogeo.cog_validate(str(path), strict=layout == "cloud", quiet=True)
        assert is_valid == (layout == "cloud"), errors


def test_gdal_opens_stores(store):
    """GDAL reads the sharding of Zarr 3 from 3.13 on."""
    rasterio = pytest.importorskip("rasterio", reason="NOT TESTED: rasterio is not installed")
    if tuple(map(int, rasterio.__gdal_version__.split(".")[:2])) < (3, 13):
        pytest.skip(f"NOT TESTED: GDAL {rasterio.__gdal_version__} does not read sharding")
    with rasterio.open(f'ZARR:"{store}":/height') as file:
        height = WORLD.recipe.evaluate(WORLD.grid).height
        assert_same_bits(file.read(1), height)
