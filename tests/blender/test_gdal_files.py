# SPDX-License-Identifier: GPL-3.0-or-later
"""Kept files of GDAL become terrains with the heights that rasterio reads, or are refused in one line."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import positions
from tests.core import gdal_files

HIGHEST = 1e6
"""Meters that a layer can hold."""


@pytest.fixture
def lands(terrane, monkeypatch):
    """Return a list of the elevations that the operator has read."""
    imports = module("operators.bridge.exchange.imported_lands")
    add, found = imports.add_layer_image, []

    def add_and_note(terrain, land):
        found.append(land)
        add(terrain, land)

    monkeypatch.setattr(imports, "add_layer_image", add_and_note)
    return found


def scene():
    """Return all datablocks, the active object, and the selected objects."""
    counts = {name: len(getattr(bpy.data, name)) for name in ("objects", "meshes", "images", "node_groups")}  # fmt: skip
    return counts, bpy.context.active_object, list(bpy.context.selected_objects)


def reason(reading):
    """Return the beginning of the message that refuses a file; None if it becomes a terrain."""
    if reading.codec not in gdal_files.READ_CODECS:
        return f": compression {reading.codec.upper()} ("
    known = reading.heights[~reading.holes].astype(float)
    is_land = np.abs(known).max() <= HIGHEST
    return "" if is_land else ": heights must be in [-1e+06, 1e+06] m; got"


@pytest.mark.wide
@pytest.mark.parametrize("name", gdal_files.names())
def test_a_terrain_is_what_rasterio_reads(lands, tmp_path, name):
    path, reading = gdal_files.extract(name, tmp_path)
    scene_before, wrong = scene(), reason(reading)
    if wrong:
        with pytest.raises(RuntimeError) as refused:
            bpy.ops.terrane.heightmap_import(filepath=str(path))
        text = str(refused.value).strip().removeprefix("Error: ")
        assert text.startswith(name + wrong) and "\n" not in text
        assert scene() == scene_before and not lands
        return
    samples = max(reading.heights.shape)
    assert bpy.ops.terrane.heightmap_import(filepath=str(path), samples=samples) == {"FINISHED"}
    (land,) = lands
    gdal_files.assert_equal(land.elevation, reading)
    terrain = bpy.context.active_object
    recipe = module("operators.bridge.schema.settings").read(terrain.terrane)
    assert_place(terrain, recipe, reading)
    assert_heights(terrain, recipe.layers[0], reading)
    assert_holes(terrain, reading)


def spacing(reading):
    """Return meters per sample; a file that does not say has one."""
    return reading.spacing if reading.bounds else (1.0, 1.0)


def assert_place(terrain, recipe, reading):
    """Compare meters, and the coordinates of the southwest sample."""
    meters = [(n - 1) * one for n, one in zip(reading.heights.shape[::-1], spacing(reading))]
    assert recipe.size == pytest.approx(meters[0], rel=1e-6)
    # A whole number of square cells, which may end half a cell beside the last sample.
    cell = meters[0] / (terrain.terrane.built_columns - 1)
    assert terrain.dimensions.x == pytest.approx(meters[0], rel=1e-6)
    assert terrain.dimensions.y == pytest.approx(meters[1], abs=0.5 * cell)
    place = recipe.georeference
    if reading.bounds is None:
        assert place is None
        return
    assert (place.system.epsg, place.system.is_geographic) == (reading.epsg, reading.is_geographic)
    (west, south, _, _), (x, y) = reading.bounds, reading.step
    assert place.origin == pytest.approx((west + x / 2.0, south + y / 2.0), rel=1e-12)


def assert_heights(terrain, layer, reading):
    """Compare vertices, or the layer where these lie elsewhere, with the heights of rasterio.

    An image holds the heights of a layer as shares of its range, in 24 bits: whole meters are exact.
    """
    theirs, known = reading.heights[::-1].astype(np.float32), ~reading.holes[::-1]
    if reading.is_geographic:
        rows, columns = theirs.shape
        y, x = np.mgrid[0:rows, 0:columns] / (columns - 1.0)
        places = np.stack((x, y * layer.noise.aspect), axis=-1)
        made = layer.noise.sample(places) * np.float32(layer.height)
    else:
        made = on_samples(terrain, reading, positions(terrain.data)[:, 2])
    if not reading.is_geographic and (theirs[known] == np.rint(theirs[known])).all():
        np.testing.assert_array_equal(made[known], theirs[known])
    else:
        step = layer.height * 2.0**-24
        np.testing.assert_allclose(made[known], theirs[known], rtol=2.0**-23, atol=step)


def assert_holes(terrain, reading):
    """Compare the vertex group, which there is if there are holes."""
    assert [group.name for group in terrain.vertex_groups] == ["Holes"] * bool(reading.holes.any())
    if reading.holes.any() and not reading.is_geographic:
        groups = module("operators.bridge.datablocks.vertex_groups")
        weights = on_samples(terrain, reading, groups.read_weights(terrain.data, "Holes"))
        np.testing.assert_array_equal(weights, reading.holes[::-1].astype(np.float32))


def on_samples(terrain, reading, values):
    """Return numbers of all vertices at those that lie where something was measured."""
    x, y = spacing(reading)
    rows = 1 + round((reading.heights.shape[0] - 1) * y / x)
    group = terrain.terrane
    assert (group.built_rows, group.built_columns) == (rows, reading.heights.shape[1])
    return values.reshape(rows, -1)[:: round(y / x)]
