# SPDX-License-Identifier: GPL-3.0-or-later
"""Tile pyramids as CesiumJS, MapLibre GL JS and Python's readers of images and meshes see them.

The browser's pages read the files from a plain static server on this machine, without any other host. Needs
Chromium, and the packages of package.json in TERRANE_NPM or in node_modules beside this file.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

import browser  # noqa: E402
from lopsided_land import import_client, lopsided_land  # noqa: E402

from noise_core.io.heightmaps import export_heightmap  # noqa: E402
from noise_core.io.targets.bases.target import target_types  # noqa: E402
from tests.degrees import meters_per_degree  # noqa: E402

LAND = lopsided_land(size=2400.0, octaves=4)

ROWS, COLUMNS = 97, 129
"""Not square, so that rows are not taken for columns."""

SPACING = LAND.size / (COLUMNS - 1)
LATITUDE, LONGITUDE = 47.25, 11.5
ACROSS, ALONG = meters_per_degree(LATITUDE)
PLACES = 1000

# An image in Web Mercator has its place in its name alone.
pytestmark = pytest.mark.filterwarnings("ignore:Dataset has no geotransform")

COLORS = {"terrain_rgb": "mapbox", "terrarium": "terrarium"}


def need(package):
    if browser.find_chromium() is None:
        pytest.skip("NOT COMPARED: chromium is not installed")
    if browser.find_package(package) is None:
        pytest.skip(f"NOT COMPARED: {package} is not installed (npm)")


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Return a function that exports a target once and returns its folder and sidecar."""
    made = {}

    def get(key):
        if key not in made:
            folder = tmp_path_factory.mktemp(key)
            target = target_types()[key](latitude=LATITUDE, longitude=LONGITUDE)
            report = export_heightmap(LAND, folder / "land", target=target, samples=(ROWS, COLUMNS))
            made[key] = folder, json.loads(report.sidecar.read_text(encoding="utf-8"))
        return made[key]

    return get


def allowed(says):
    """Return the tolerance that the sidecar declares: of the numbers, and between samples of tiles."""
    return says["read_back"]["allowed"] + says["pyramid"]["between_samples_of_tiles"]


def surface(height, rows, columns):
    """Return the cubic surface (Catmull & Rom 1974) through heights, its border repeated."""
    result = np.zeros(np.shape(rows))
    places = [np.clip(rows, 0, ROWS - 1), np.clip(columns, 0, COLUMNS - 1)]
    bases = [np.floor(one).astype(int) for one in places]
    weights = []
    for place, base in zip(places, bases):
        t = place - base
        weights.append([
            -0.5 * t**3 + t**2 - 0.5 * t,
            1.5 * t**3 - 2.5 * t**2 + 1.0,
            -1.5 * t**3 + 2.0 * t**2 + 0.5 * t,
            0.5 * t**3 - 0.5 * t**2,
        ])  # fmt: skip
    for i, along in enumerate(weights[0]):
        for j, across in enumerate(weights[1]):
            row = np.clip(bases[0] + i - 1, 0, ROWS - 1)
            column = np.clip(bases[1] + j - 1, 0, COLUMNS - 1)
            result += along * across * height[row, column]
    return result


def places():
    """Return rows and columns, half of them samples of the land, and half between; and degrees."""
    chance = np.random.default_rng(1)
    rows = chance.uniform(1.0, ROWS - 2.0, PLACES)
    columns = chance.uniform(1.0, COLUMNS - 2.0, PLACES)
    rows[::2], columns[::2] = np.rint(rows[::2]), np.rint(columns[::2])
    x = LONGITUDE + (columns - 0.5 * (COLUMNS - 1)) * SPACING / ACROSS
    y = LATITUDE + (rows - 0.5 * (ROWS - 1)) * SPACING / ALONG
    return rows, columns, np.stack([x, y], axis=-1)


def compare(ground, height, tolerance):
    """Compare heights at all places with the land's, and with those of the land turned or flipped."""
    rows, columns, _ = places()
    ground = np.array(ground, dtype=float)
    assert np.isfinite(ground).all()
    off = np.abs(ground - surface(height, rows, columns))
    print(
        f"largest difference {off.max():.4f} m, {off[::2].max():.4f} m at samples, {tolerance:.4f} m allowed"
    )
    assert off.max() <= tolerance
    np.testing.assert_allclose(
        surface(height, rows, columns)[::2], height[rows[::2].astype(int), columns[::2].astype(int)]
    )
    for turned in ((ROWS - 1 - rows, columns), (rows, COLUMNS - 1 - columns)):
        assert np.abs(ground - surface(height, *turned)).max() > 20.0 * tolerance


@pytest.mark.parametrize("target", list(COLORS))
def test_maplibre(exported, height, target):
    need("maplibre-gl")
    folder, says = exported(target)
    question = {
        "tiles": "/land/land/tiles.json",
        "places": places()[2].tolist(),
        "center": [LONGITUDE, LATITUDE],
        "zoom": says["fields"]["Max Zoom"] + 1.5,
    }
    answer = browser.ask("maplibre", question, folder, "maplibre-gl")
    assert answer["errors"] == []
    compare(answer["ground"], height, allowed(says))


@pytest.mark.parametrize("is_level_given", [True, False])
def test_cesium(exported, height, is_level_given):
    need("cesium")
    folder, says = exported("quantized_mesh")
    question = {
        "tiles": "/land/land",
        "places": places()[2].tolist(),
        "level": says["fields"]["Max Zoom"] if is_level_given else None,
    }
    answer = browser.ask("cesium", question, folder, "cesium")
    assert answer["errors"] == [] and answer["roots"] == [True, True]
    compare(answer["ground"], height, allowed(says))


@pytest.mark.parametrize("target", list(COLORS))
@pytest.mark.parametrize("reader", ["imageio.v3", "rasterio"])
def test_images(exported, height, target, reader):
    module = import_client(reader)
    folder, says = exported(target)
    zoom = says["fields"]["Max Zoom"]
    seen = 0
    for path in (folder / "land").glob(f"{zoom}/*/*.png"):
        if reader == "rasterio":
            with module.open(path) as image:
                pixels = np.moveaxis(image.read(), 0, 2).astype(float)
        else:
            pixels = module.imread(path).astype(float)
        assert pixels.shape == (256, 256, 3)
        number = pixels @ [65536.0, 256.0, 1.0]
        meters = number / 256.0 - 32768.0 if target == "terrarium" else number / 10.0 - 10000.0
        steps = (np.arange(256) + 0.5) / 256.0
        x = (int(path.parent.name) + steps) / 2**zoom * 360.0 - 180.0
        y = np.degrees(np.arctan(np.sinh(np.pi * (1.0 - 2.0 * (int(path.stem) + steps) / 2**zoom))))
        columns = (x - LONGITUDE) * ACROSS / SPACING + 0.5 * (COLUMNS - 1)
        rows = (y - LATITUDE) * ALONG / SPACING + 0.5 * (ROWS - 1)
        rows, columns = np.meshgrid(rows, columns, indexing="ij")
        inside = (rows >= 0) & (rows <= ROWS - 1) & (columns >= 0) & (columns <= COLUMNS - 1)
        off = np.abs(meters - surface(height, rows, columns))[inside]
        assert off.max(initial=0.0) <= says["read_back"]["allowed"] + 1e-3
        seen += inside.sum()
    assert seen > ROWS * COLUMNS


def test_quantized_mesh_tile(exported, height):
    reader = import_client("quantized_mesh_tile")
    folder, says = exported("quantized_mesh")
    zoom, seen = says["fields"]["Max Zoom"], 0
    for path in (folder / "land").glob(f"{zoom}/*/*.terrain"):
        side = 180.0 / 2**zoom
        west, south = int(path.parent.name) * side - 180.0, int(path.stem) * side - 90.0
        tile = reader.TerrainTile(west=west, south=south, east=west + side, north=south + side)
        tile.fromBytesIO(io.BytesIO(path.read_bytes()))
        vertices = np.array(tile.getVerticesCoordinates())
        assert len(vertices) == 65 * 65 and len(tile.indices) == 3 * 2 * 64 * 64
        for edge in (tile.westI, tile.southI, tile.eastI, tile.northI):
            assert len(edge) == 65
        rows = (vertices[:, 1] - LATITUDE) * ALONG / SPACING + 0.5 * (ROWS - 1)
        columns = (vertices[:, 0] - LONGITUDE) * ACROSS / SPACING + 0.5 * (COLUMNS - 1)
        inside = (rows >= 0) & (rows <= ROWS - 1) & (columns >= 0) & (columns <= COLUMNS - 1)
        off = np.abs(vertices[:, 2] - surface(height, rows, columns))[inside]
        assert off.max(initial=0.0) <= says["read_back"]["allowed"] + 1e-3
        seen += inside.sum()
    assert seen > ROWS * COLUMNS
