# SPDX-License-Identifier: GPL-3.0-or-later
"""Real land, measured, through a GeoTIFF that rasterio writes, into a recipe and back into one that it reads.

The land is the sample elevation that matplotlib ships, `jacksboro_fault_dem.npz`: the Jacksboro fault in
Tennessee, 344 x 403 samples of about 93 x 74 m. Needs rasterio and matplotlib. Without them the tests are
skipped, and say so.
"""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.io.elevation_reading import measured_land, read_elevation
from noise_core.io.heightmaps import export_heightmap
from noise_core.io.targets.geotiff import GeoTiff

rasterio = pytest.importorskip(
    "rasterio", reason="NOT COMPARED: rasterio is not installed", exc_type=ImportError
)
cbook = pytest.importorskip(
    "matplotlib.cbook", reason="NOT COMPARED: matplotlib is not installed", exc_type=ImportError
)


@pytest.fixture
def jacksboro(tmp_path):
    """Return the file, and its heights with row 0 in the north."""
    data = cbook.get_sample_data("jacksboro_fault_dem.npz")
    height, path = data["elevation"], tmp_path / "jacksboro.tif"
    west, north = float(data["xmin"]), float(data["ymax"])
    place = rasterio.Affine(float(data["dx"]), 0.0, west, 0.0, -float(data["dy"]), north)
    rows, columns = height.shape
    options = {"dtype": "int16", "crs": "EPSG:4326", "transform": place, "compress": "deflate"}
    with rasterio.open(
        path, "w", driver="GTiff", height=rows, width=columns, count=1, **options
    ) as file:
        file.write(height, 1)
    return path, height


def test_measured_heights_are_given_back_where_they_were_measured(jacksboro):
    path, height = jacksboro
    land = measured_land(read_elevation(path))
    rows, columns = height.shape
    assert (rows, columns) == (344, 403) and 1.2 < land.noise.aspect < 1.3
    y, x = np.mgrid[0:rows, 0:columns]
    points = np.stack((x / (columns - 1.0), y / (rows - 1.0) * land.depth), axis=-1)
    made = land.noise.sample(points) * np.float32(land.recipe.height)
    np.testing.assert_allclose(made, height[::-1], atol=1e-3)


def test_rasterio_finds_the_exported_land_where_it_was_measured(jacksboro, tmp_path):
    path, height = jacksboro
    land = measured_land(read_elevation(path))
    shape = land.grid(805).shape
    export_heightmap(
        land.recipe, tmp_path / "fine.tif", target=GeoTiff(system="land"), samples=shape
    )
    with rasterio.open(path) as before, rasterio.open(tmp_path / "fine.tif") as after:
        assert after.crs == before.crs and after.read(1).shape == shape
        rows, columns = np.mgrid[10:330:16, 10:390:16]
        x, y = rasterio.transform.xy(before.transform, rows.ravel(), columns.ravel())
        found = np.array([one[0] for one in after.sample(zip(x, y))])
        assert np.abs(found - height[rows.ravel(), columns.ravel()]).max() < 25.0
        assert np.abs(found - height[rows.ravel(), columns.ravel()]).mean() < 3.0
