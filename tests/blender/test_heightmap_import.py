# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured land becomes a terrain with the heights of its files, and stays one."""

from __future__ import annotations

import json
import os
import re
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, height_grid
from tests.osm_texts import Extract

ROWS, COLUMNS, SPACING = 33, 49, 30.0


def land(rows=ROWS, columns=COLUMNS):
    """Return heights in whole meters, row 0 in the south: a slope with hills, no two rows the same."""
    y, x = np.mgrid[0:rows, 0:columns]
    hills = 1500.0 + 9.0 * x - 5.0 * y + 300.0 * np.sin(x / 5.0) * np.cos(y / 7.0)
    return np.rint(hills).astype(np.float32)


def write_asc(path, values, *, west=600000.0, south=5000000.0, hole=None):
    """Write an ESRI ASCII grid; a hole is (row, column)."""
    texts = [[f"{one:.3f}" for one in row] for row in values]
    if hole is not None:
        texts[hole[0]][hole[1]] = "-9999"
    head = (
        f"ncols {values.shape[1]}\nnrows {values.shape[0]}\nxllcenter {west}\nyllcenter {south}\n"
        f"cellsize {SPACING}\nNODATA_value -9999\n"
    )
    path.write_text(head + "\n".join(" ".join(row) for row in texts[::-1]), encoding="utf-8")
    return path


def write_tif(path, values):
    """Write a GeoTIFF of floats in UTM zone 32 by Terrane's own writer, which GDAL reads."""
    export = module("noise_core.io.heightmaps.export")
    target = module("noise_core.io.targets.geotiff").GeoTiff(system="meters", epsg=32632, east=600000.0, north=5000000.0)  # fmt: skip
    size = SPACING * (values.shape[1] - 1)
    export.export_heightmap(values, path, target=target, size=size)
    path.with_name(f"{path.name}.json").unlink()
    return path


def write_hgt(path):
    """Write an SRTM tile of 1201 x 1201 samples with one hole; return its heights, the hole as -32768."""
    values = np.rint(land(1201, 1201) / 4.0).astype(np.int16)
    values[600, 700] = -32768
    path.write_bytes(values[::-1].astype(">i2").tobytes())
    return values.astype(np.float32)


def write_raw(path, values):
    path.write_bytes(values[::-1].astype("<u2").tobytes())
    return path


def write_png(path, values):
    writing = module("noise_core.codecs.image_writing")
    shares = values.astype(np.float64) / 65535.0
    path.write_bytes(writing.image_bytes(shares.astype(np.float32), "png", 16, is_color=False))
    return path


def write_npy(path, values):
    np.save(path, values)
    return path


def write_exr(path, values):
    writing = module("noise_core.codecs.image_writing")
    path.write_bytes(writing.image_bytes(values, "exr", 32, is_color=False))
    return path


def bring(path="", **keywords):
    assert bpy.ops.terrane.heightmap_import(filepath=str(path), **keywords) == {"FINISHED"}
    return bpy.context.active_object


def datablocks():
    kinds = ("objects", "meshes", "images", "materials", "node_groups")
    return {kind: len(getattr(bpy.data, kind)) for kind in kinds}


@pytest.mark.parametrize(
    ("name", "write", "keywords", "tolerance"),
    [
        ("valley.asc", write_asc, {}, 0.0),
        ("valley.tif", write_tif, {}, 0.0),
        ("valley.npy", write_npy, {}, 0.0),
        ("valley.exr", write_exr, {}, 0.0),
        ("valley.raw", write_raw, {"high": 65535.0, "columns": COLUMNS, "rows": ROWS}, 1e-3),
        ("valley.r16", write_raw, {"high": 65535.0, "columns": COLUMNS}, 1e-3),
        ("valley.png", write_png, {"high": 65535.0}, 1e-3),
    ],
)  # fmt: skip
def test_a_terrain_has_the_heights_of_its_file(terrane, tmp_path, name, write, keywords, tolerance):
    values = land()
    path = write(tmp_path / name, values)
    terrain = bring(path, **keywords)
    np.testing.assert_allclose(height_grid(terrain), values, rtol=0.0, atol=tolerance)
    is_placed = name.endswith((".asc", ".tif"))
    width = (COLUMNS - 1) * (SPACING if is_placed else 1.0)
    assert terrain.name == "valley" and terrain.dimensions.x == pytest.approx(width)
    assert terrain.terrane.size == pytest.approx(width)
    assert terrain.terrane.depth == pytest.approx((ROWS - 1) / (COLUMNS - 1))
    (entry,) = terrain.terrane.layers
    assert (entry.name, entry.mode, entry.chain[0].type) == ("Elevation", "add", "elevation")
    shown = height_grid(terrain)
    bpy.ops.terrane.terrain_update()
    np.testing.assert_array_equal(height_grid(terrain), shown)
    assert [image.name for image in bpy.data.images] == ["valley Elevation"]


@pytest.mark.parametrize("meters", [1.0, 0.01])
@pytest.mark.parametrize("keywords", [{}, {"samples": 20}, {"size": 600.0}])
def test_the_report_says_the_size_of_the_mesh(terrane, tmp_path, capfd, keywords, meters):
    bpy.context.scene.unit_settings.scale_length = meters
    terrain = bring(write_asc(tmp_path / "valley.asc", land()), **keywords)
    said = re.search(r"Mesh: (\d+) x (\d+) vertices, ([\d.]+) x ([\d.]+) m", capfd.readouterr().out)
    columns, rows, width, depth = map(float, said.groups())
    assert columns * rows == len(terrain.data.vertices)
    expected = [meters * length for length in terrain.dimensions[:2]]
    assert (width, depth) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("target", "name"),
    [("unity", "land.raw"), ("png16", "land.png"), ("exr", "land.exr"), ("npy", "land.npy")],
)
def test_exported_land_comes_back_by_its_sidecar(terrane, tmp_path, target, name):
    add_terrain_before = add_terrain(resolution=129, size=640.0, height=90.0, seed=4)
    expected = height_grid(add_terrain_before)
    path = tmp_path / name
    bpy.ops.terrane.heightmap_export(filepath=str(path), target=target, samples=129)
    says = json.loads(path.with_name(f"{name}.json").read_text(encoding="utf-8"))
    bring_after = bring(path)
    step = 0.51 * says["scale"] if name.endswith((".raw", ".png")) else 0.0
    np.testing.assert_allclose(height_grid(bring_after), expected, rtol=0.0, atol=step + 1e-3)
    assert bring_after.dimensions.x == pytest.approx(640.0, rel=1e-6)


def test_heights_are_those_of_the_reader(terrane, tmp_path):
    """Floats of every size, as measured: to a millimeter, and the rounding of float32."""
    values = np.random.default_rng(5).uniform(-430.0, 8848.0, (40, 31)).astype(np.float32)
    terrain = bring(write_tif(tmp_path / "peaks.tif", values))
    read = module("noise_core.io.elevation_reading").read_elevation(tmp_path / "peaks.tif")
    np.testing.assert_array_equal(read.heights, values)
    np.testing.assert_allclose(height_grid(terrain), read.heights, rtol=6e-8, atol=1e-3)


def test_an_srtm_tile_is_reduced_and_its_holes_are_marked(terrane, tmp_path):
    path = tmp_path / "N46E007.hgt"
    values = write_hgt(path)
    terrain = bring(path, samples=401)
    read = module("noise_core.io.elevation_reading").read_elevation(path, samples=401)
    assert terrain.data.name == "N46E007" and terrain.terrane.resolution == 401
    group = terrain.terrane
    element = group.layers[0].chain[0].elevation
    assert element.epsg == 4326 and element.system == "geographic"
    noise = module("operators.bridge.schema.settings").read(group).layers[0].noise
    rows, columns = np.mgrid[0:401, 0:401] / 400.0
    depth = noise.aspect
    made = noise.sample(np.stack((columns, rows * depth), axis=-1)) * np.float32(
        group.layers[0].height
    )
    np.testing.assert_allclose(made, read.heights, atol=1e-3)
    assert values[600, 700] == -32768 and made.min() > -2000.0
    assert terrain.dimensions.y / terrain.dimensions.x == pytest.approx(depth, abs=0.01)
    assert not terrain.vertex_groups, "a mean over nine samples knows the others"


def test_holes_are_filled_and_a_vertex_group(terrane, tmp_path):
    values = land()
    terrain = bring(write_asc(tmp_path / "valley.asc", values, hole=(10, 20)))
    made, others = height_grid(terrain), np.ones(values.shape, bool)
    others[10, 20] = False
    np.testing.assert_array_equal(made[others], values[others])
    assert abs(made[10, 20] - values[10, 20]) < 60.0
    (group,) = terrain.vertex_groups
    assert group.name == "Holes"
    weights = module("operators.bridge.datablocks.vertex_groups").read_weights(
        terrain.data, "Holes"
    )
    assert np.flatnonzero(weights).tolist() == [10 * COLUMNS + 20] and weights.max() == 1.0
    assert ("Holes", "GROUP") in module("operators.bridge.schema.masks").names(terrain)


def test_tiles_are_joined(terrane, tmp_path):
    values = land(33, 65)
    write_asc(tmp_path / "west.asc", values[:, :33])
    write_asc(tmp_path / "east.asc", values[:, 32:], west=600000.0 + 32 * SPACING)
    files = [{"name": "west.asc"}, {"name": "east.asc"}]
    terrain = bring(directory=str(tmp_path), files=files)
    np.testing.assert_array_equal(height_grid(terrain), values)
    assert terrain.name == "west"
    other = bring(tmp_path / "west.asc", files=files)
    np.testing.assert_array_equal(height_grid(other), values)


def test_another_resolution_has_the_same_land(terrane, tmp_path):
    values = land()
    terrain = bring(write_asc(tmp_path / "valley.asc", values))
    bpy.ops.terrane.terrain_update(resolution=1 + 2 * (COLUMNS - 1))
    fine = height_grid(terrain)
    np.testing.assert_array_equal(fine[::2, ::2], values)
    bpy.ops.terrane.layer_add(type="thermal_erosion")
    bpy.ops.terrane.terrain_update()
    assert (
        np.isfinite(height_grid(terrain)).all() and np.abs(height_grid(terrain) - fine).max() > 0.1
    )


def test_numbers_that_are_no_meters_go_from_low_to_high(terrane, tmp_path):
    values = np.zeros((9, 9), np.float32)
    values[4, 4], values[0, 0] = 65535.0, 32767.5
    terrain = bring(write_raw(tmp_path / "land.r16", values), low=-256.0, high=256.0, size=4000.0)
    made = height_grid(terrain)
    assert (made.min(), made.max()) == (-256.0, 256.0) and abs(made[0, 0]) < 0.01
    assert terrain.dimensions.x == 4000.0 and terrain.terrane.height == 256.0


@pytest.mark.parametrize(("name", "write"), [("land.npy", write_npy), ("land.exr", write_exr)])
def test_floats_are_meters_unless_a_range_is_given(terrane, tmp_path, name, write):
    shares = land() / np.float32(4096.0)
    path = write(tmp_path / name, shares)
    np.testing.assert_allclose(height_grid(bring(path)), shares, atol=1e-6)
    scaled = height_grid(bring(path, low=0.0, high=1000.0))
    np.testing.assert_allclose(scaled, shares * 1000.0, rtol=1e-5)


def test_a_range_of_meters_is_refused(terrane, tmp_path):
    path = write_tif(tmp_path / "valley.tif", land())
    message = "its numbers are meters, so low and high must not be given; got 0 and 1000"
    with pytest.raises(RuntimeError, match=message):
        bring(path, low=0.0, high=1000.0)


def test_it_survives_saving(terrane, tmp_path):
    values = land() + np.float32(0.37)
    bring(write_tif(tmp_path / "valley.tif", values))
    shown, path = height_grid(bpy.context.active_object), str(tmp_path / "land.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    (tmp_path / "valley.tif").unlink()
    bpy.ops.wm.open_mainfile(filepath=path)
    terrain = bpy.data.objects["valley"]
    bpy.context.view_layer.objects.active = terrain
    live = module("operators.bridge.tasks.live")
    assert live.note(terrain) == ""
    terrain.terrane.layers[0].opacity = 0.5
    bpy.ops.terrane.terrain_update()
    np.testing.assert_allclose(height_grid(terrain), shown / 2.0, rtol=1e-6)
    terrain.terrane.layers[0].opacity = 1.0
    bpy.ops.terrane.terrain_update()
    np.testing.assert_array_equal(height_grid(terrain), shown)


def test_the_recipe_as_a_file_has_the_heights_and_the_place(terrane, tmp_path):
    terrain = bring(write_tif(tmp_path / "valley.tif", land()))
    shown, path = height_grid(terrain), tmp_path / "valley.json"
    place = module("operators.bridge.schema.settings").read(terrain.terrane).georeference
    assert place.system.epsg == 32632 and place.origin == (
        600000.0 - 24 * 30.0,
        5000000.0 - 16 * 30.0,
    )
    bpy.ops.terrane.recipe_save(filepath=str(path))
    assert json.loads(path.read_text())["layers"][0]["chain"][0]["type"] == "elevation"
    bpy.ops.terrane.terrain_add(
        preset="dunes", resolution=COLUMNS, depth=(ROWS - 1) / (COLUMNS - 1)
    )
    bpy.ops.terrane.recipe_load(filepath=str(path))
    bpy.ops.terrane.terrain_update()
    other = bpy.context.active_object
    assert other != terrain
    np.testing.assert_array_equal(height_grid(other), shown)
    assert module("operators.bridge.schema.settings").read(other.terrane).georeference == place


def test_a_geotiff_of_it_lies_where_it_was_measured(terrane, tmp_path):
    reading = module("noise_core.io.elevation_reading")
    source = write_tif(tmp_path / "valley.tif", land())
    terrain = bring(source)
    keywords = {"target": "geotiff", "parameters": '{"system": "land"}'}
    bpy.ops.terrane.heightmap_export(filepath=str(tmp_path / "again.tif"), **keywords)
    first, again = (reading.read_elevation(tmp_path / name) for name in ("valley.tif", "again.tif"))
    assert again.georeference == first.georeference
    np.testing.assert_array_equal(again.heights, first.heights)
    terrain.data.vertices[100].co.z += 50.0
    bpy.ops.terrane.heightmap_export(filepath=str(tmp_path / "raised.tif"), **keywords)
    raised = reading.read_elevation(tmp_path / "raised.tif")
    assert (
        raised.georeference == first.georeference and (raised.heights != first.heights).sum() == 1
    )
    bpy.ops.terrane.terrain_update(seamless=True)
    for source in ("recipe", "mesh"):
        with pytest.raises(RuntimeError, match="measured land with a place on Earth"):
            path = str(tmp_path / "seamless.tif")
            bpy.ops.terrane.heightmap_export(filepath=path, source=source, **keywords)
    bpy.ops.terrane.terrain_add(preset="dunes", resolution=9)
    with pytest.raises(RuntimeError, match="measured land with a place on Earth"):
        bpy.ops.terrane.heightmap_export(filepath=str(tmp_path / "dunes.tif"), **keywords)


def test_a_piece_beside_the_measured_land_has_its_own_place(terrane, tmp_path):
    terrain = bring(write_tif(tmp_path / "valley.tif", land()))
    bpy.ops.terrane.terrain_update(tile=(1.0, -1.0))
    assert terrain.terrane.tile[0] == 1.0
    keywords = {"target": "geotiff", "parameters": '{"system": "land"}'}
    reading = module("noise_core.io.elevation_reading")
    first = reading.probe_elevation(tmp_path / "valley.tif").georeference
    for source in ("recipe", "mesh"):
        path = tmp_path / f"{source}.tif"
        bpy.ops.terrane.heightmap_export(filepath=str(path), source=source, **keywords)
        place = reading.probe_elevation(path).georeference
        across, along = ((place.origin[axis] - first.origin[axis]) / SPACING for axis in (0, 1))
        assert (across, along) == pytest.approx((COLUMNS - 1, 1 - ROWS))


def test_it_survives_as_a_preset(terrane, tmp_path):
    terrain = bring(write_asc(tmp_path / "valley.asc", land()))
    shown = height_grid(terrain)
    assert bpy.ops.terrane.preset_save(name="Valley") == {"FINISHED"}
    try:
        bpy.ops.terrane.terrain_add(
            preset="valley", resolution=COLUMNS, depth=(ROWS - 1) / (COLUMNS - 1)
        )
        other = bpy.context.active_object
        assert other != terrain and len(other.terrane.layers) == 1
        np.testing.assert_array_equal(height_grid(other), shown)
    finally:
        bpy.ops.terrane.preset_delete(preset="valley")


def test_it_is_one_step_of_undo(terrane, tmp_path):
    bpy.context.preferences.edit.use_global_undo = True
    path = write_asc(tmp_path / "valley.asc", land())
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.terrane.heightmap_import("EXEC_DEFAULT", True, filepath=str(path)) == {
        "FINISHED"
    }
    assert bpy.data.objects and bpy.data.images
    bpy.ops.ed.undo()
    assert not bpy.data.objects and not bpy.data.images
    bpy.ops.ed.redo()
    np.testing.assert_array_equal(height_grid(bpy.data.objects["valley"]), land())


@pytest.mark.parametrize(
    ("name", "content", "keywords", "message"),
    [
        ("gone.tif", None, {}, "gone.tif cannot be read"),
        ("gone.exr", None, {}, "gone.exr cannot be read"),
        ("bad.exr", b"\x76\x2f\x31\x01" + bytes(50), {}, "bad.exr cannot be read"),
        ("bad.tif", b"II*\0" + bytes(20), {}, "bad.tif"),
        ("bad.hgt", bytes(100), {}, "an HGT file must have"),
        ("bad.asc", b"ncols 3\nnrows 3\n", {}, "bad.asc"),
        ("land.raw", bytes(30), {}, "rows and columns must be given"),
        ("land.raw", bytes(30), {"columns": 4, "rows": 4}, "4 x 4 samples of 2 or 1 bytes each must fill"),
        ("land.raw", bytes(32), {"low": 5.0, "high": 5.0}, "Range.high must be above Range.low, 5; got 5"),
        ("land.xyz", b"1 2 3", {}, "the extension must be one of"),
        ("", None, {}, "filepath must name a file"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_in_one_line(terrane, tmp_path, name, content, keywords, message):
    path = tmp_path / name if name else ""
    if content is not None:
        path.write_bytes(content)
    datablocks_before = datablocks()
    with pytest.raises(RuntimeError) as refused:
        bpy.ops.terrane.heightmap_import(filepath=str(path), **keywords)
    text = str(refused.value).strip()
    assert message in text and "\n" not in text.removeprefix("Error: ")
    assert datablocks() == datablocks_before


def test_files_that_do_not_fit_are_refused(terrane, tmp_path):
    write_asc(tmp_path / "a.asc", land())
    write_exr(tmp_path / "b.exr", land())
    datablocks_before = datablocks()
    with pytest.raises(RuntimeError, match="b.exr must have a georeference to be joined"):
        bring(directory=str(tmp_path), files=[{"name": "a.asc"}, {"name": "b.exr"}])
    write_asc(tmp_path / "c.asc", land(), west=600007.0)
    with pytest.raises(RuntimeError, match="c.asc must lie a whole number of samples from a.asc"):
        bring(directory=str(tmp_path), files=[{"name": "a.asc"}, {"name": "c.asc"}])
    assert datablocks() == datablocks_before


def write_tiles(folder):
    """Write land of degrees as two tiles that share a column; return its heights."""
    values = land(60, 80)
    degrees = (
        'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],'
        'PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]'
    )
    for left, right in ((0, 41), (40, 80)):
        path = folder / f"tile_{left}.asc"
        head = f"ncols {right - left}\nnrows 60\nxllcenter {7 + left / 100}\nyllcenter 46\ncellsize 0.01\n"
        rows = (" ".join(f"{one:.0f}" for one in row) for row in values[::-1, left:right])
        path.write_text(head + "\n".join(rows))
        path.with_suffix(".prj").write_text(degrees)
    return values


def test_a_box_of_a_folder_of_tiles(terrane, tmp_path):
    values = write_tiles(tmp_path)
    box = {"west": 7.2, "south": 46.1, "east": 7.5, "north": 46.3}
    terrain = bring(tmp_path, **box)

    found = height_grid(terrain)
    assert terrain.terrane.layers[0].name == "Elevation"
    np.testing.assert_allclose(found[0, [0, -1]], values[10, [20, 50]], atol=1e-2)
    both = [{"name": "tile_0.asc"}, {"name": "tile_40.asc"}]
    again = bring(directory=str(tmp_path), files=both, **box)
    np.testing.assert_array_equal(height_grid(again), found)
    datablocks_before = datablocks()
    with pytest.raises(
        RuntimeError, match="box must lie within 7, 46, 7.79, 46.59 degrees; got 7.2"
    ):
        bring(tmp_path, **{**box, "east": 8.0})
    with pytest.raises(RuntimeError, match="box must be west, south, east and north in degrees"):
        bring(tmp_path, **{**box, "north": 46.0})
    write_exr(tmp_path / "land.exr", land())
    with pytest.raises(RuntimeError, match="land.exr: its place must be known for a box"):
        bring(tmp_path / "land.exr", **box)
    assert datablocks() == datablocks_before


def test_lines_of_a_place_are_drawn(terrane, tmp_path):
    """Roads, rivers and lakes become layers that follow curve objects; the terrain is as its layers say."""
    write_tiles(tmp_path)
    lake = [(7.3, 46.2), (7.34, 46.2), (7.34, 46.24), (7.3, 46.24)]
    extract = Extract()
    extract.way([*lake, lake[0]], natural="water", name="Lake")
    extract.way([(7.21, 46.11), (7.45, 46.15)], highway="primary", ref="A 1", width="400")
    extract.way([(7.21, 46.28), (7.45, 46.27)], waterway="river", name="Aare", width="300")
    extract.way([(7.21, 46.28), (7.45, 46.27)], natural="coastline")
    (tmp_path / "place.osm").write_text(extract.text(), encoding="utf-8")
    box = {"west": 7.2, "south": 46.1, "east": 7.5, "north": 46.3}
    plain = height_grid(bring(tmp_path, **box))
    terrain = bring(tmp_path, lines=str(tmp_path / "place.osm"), **box)
    names = [layer.name for layer in terrain.terrane.layers]
    assert names == ["Elevation", "Lakes", "Rivers", "Roads"]
    assert sorted(child.name for child in terrain.children) == ["A 1", "Aare", "Lake"]
    made = height_grid(terrain)
    assert made.shape == plain.shape and 0.01 < (made != plain).mean() < 0.9
    assert {"bed", "pond"} <= set(terrain.data.attributes.keys())
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    np.testing.assert_allclose(height_grid(terrain), made, atol=2e-3)
    datablocks_before = datablocks()
    (tmp_path / "bad.osm").write_text(extract.text(leave_out={100}), encoding="utf-8")
    for name, message in (
        ("bad.osm", "bad.osm: way 1 needs node 100, which is missing"),
        ("none.osm", "none.osm: .*No such file"),
        ("tile_0.prj", "tile_0.prj: must be GeoJSON"),
    ):
        with pytest.raises(RuntimeError, match=message):
            bring(tmp_path, lines=str(tmp_path / name), **box)
    bpy.context.scene.unit_settings.scale_length = 0.5
    try:
        with pytest.raises(RuntimeError, match="place.osm: lines need a scene in meters"):
            bring(tmp_path, lines=str(tmp_path / "place.osm"), **box)
    finally:
        bpy.context.scene.unit_settings.scale_length = 1.0
    assert datablocks() == datablocks_before


def test_canceling_leaves_nothing(terrane, tmp_path):
    """The work stops wherever it asks, and the steps that make the mesh leave none."""
    imports = module("operators.bridge.exchange.imported_lands")
    path = write_asc(tmp_path / "valley.asc", land(400, 400))
    order = imports.ImportOrder((path,), 2048, 0.0, (0.0, 1000.0), False, {})
    cancelled = module("noise_core.base.errors").Cancelled
    for allowed in (0, 1, 3):
        asked = iter([False] * allowed)
        with pytest.raises(cancelled):
            imports.work(order)(lambda share: None, lambda asked=asked: next(asked, True))
    shares = []
    done = imports.work(order)(shares.append, lambda: False)
    assert shares == sorted(shares) and shares[-1] == pytest.approx(1.0)
    datablocks_before = datablocks()
    building = module("operators.bridge.terrain.mesh_building").build_mesh("valley", done.grid, done.height, {})  # fmt: skip
    for _ in range(3):
        next(building)
    building.close()
    assert datablocks() == datablocks_before


def test_the_file_browser_shows_what_is_chosen(terrane, tmp_path):
    imports = module("operators.bridge.exchange.imported_lands")

    def facts(path, **options):
        found = imports.facts_of((path,), {"columns": 0, "rows": 0, **options}, {})
        return found, " | ".join(found.lines)

    found, text = facts(write_asc(tmp_path / "valley.asc", land()))
    assert "49 x 33 samples" in text and "30 x 30 m per sample" in text
    assert found.is_metric and not found.parameters
    found, text = facts(write_raw(tmp_path / "land.raw", land(32, 32)))
    assert "The size is guessed: a square of 32" in text and "The type is guessed" in text
    assert not found.is_metric and "columns" in found.parameters
    found, text = facts(tmp_path / "land.raw", columns=7)
    assert found.is_error and "rows and columns must be given" in text
    assert "columns" in found.parameters, "they can be given there"
    assert facts(tmp_path / "gone.tif")[0] == imports.FileFacts(()) == facts(tmp_path)[0]
    assert "OpenEXR" in facts(write_exr(tmp_path / "land.exr", land()))[1]


class Drawn:
    """Stand-in for a layout that records labels and properties."""

    def __init__(self, shown):
        self.shown = shown

    def label(self, *, text, icon="NONE", translate=True):
        self.shown.append((text, icon))

    def prop(self, owner, name, **options):
        for end in ("_auto", "_field"):  # they show the property whose name begins theirs
            name = name.removesuffix(end)
        self.shown.append((name, "PROPERTY"))

    def _part(self, **options):
        return self

    box = column = row = split = _part


def test_the_file_browser_draws_facts_and_the_options_that_count(terrane, tmp_path):
    cls = module("operators.heightmap_import").TERRANE_OT_heightmap_import
    raw = module("noise_core.io.elevation_reading.formats.raw").Raw()

    def drawn(path, **given):
        options = {parameter.name: getattr(raw, parameter.name) for parameter in raw.parameters()}
        options |= {
            "system": "",
            "unit": "",
            "west": 0.0,
            "south": 0.0,
            "east": 0.0,
            "north": 0.0,
            **given,
        }
        names = ("_facts", "_paths", "_options", "_spatial", "draw")
        own = {name: getattr(cls, name) for name in names}
        own["_is_range_given"] = lambda self: False
        rna = bpy.ops.terrane.heightmap_import.get_rna_type()
        own["properties"] = SimpleNamespace(bl_rna=rna)
        browser = type("Browser", (), own)()
        shown = []
        vars(browser).update(
            options, filepath=str(path), directory="", files=[], layout=Drawn(shown)
        )
        browser.draw(bpy.context)
        return dict(shown)

    shown = drawn(write_asc(tmp_path / "valley.asc", land()))
    assert "ESRI ASCII grid: 49 x 33 samples, float32" in shown
    assert {"samples", "size"} <= set(shown) and not {"low", "columns"} & set(shown)
    shown = drawn(write_raw(tmp_path / "land.raw", land(32, 32)))
    assert {"low", "high", "columns", "rows", "sample_type"} <= set(shown)
    shown = drawn(tmp_path / "land.raw", columns=7)
    assert "ERROR" in shown.values() and "columns" in shown
    shown = drawn(tmp_path / "valley.asc", system="local ft", unit="dm")
    assert {"system", "unit"} <= set(shown) and "Coordinate system: feet" in shown
    assert "ERROR" in drawn(tmp_path / "valley.asc", system="Mars").values()
    assert {"west", "south", "east", "north"} <= set(shown)
    shown = drawn(tmp_path / "valley.asc", west=7.0, south=46.0, east=8.0, north=47.0)
    assert any("a box in degrees cannot be found" in text for text in shown)
    assert "Choose a file" in drawn("")


def test_what_is_chosen_in_the_file_browser_is_known_before_it_closes(terrane, tmp_path):
    imports = module("operators.bridge.exchange.imported_lands")

    def browsed(filename, *chosen):
        params = SimpleNamespace(filename=filename, directory=os.fsencode(tmp_path))
        files = [SimpleNamespace(relative_path=one) for one in chosen]
        space = SimpleNamespace(params=params)
        return imports.browsed_paths(SimpleNamespace(space_data=space, selected_files=files))

    a, b = tmp_path / "a.tif", tmp_path / "b.tif"
    assert browsed("a.tif", "a.tif") == browsed("a.tif") == browsed("a.tif", "b.tif") == (a,)
    assert browsed("a.tif", "a.tif", "b.tif") == (a, b)
    assert browsed("") == imports.browsed_paths(SimpleNamespace(space_data=None)) == ()


def test_files_can_be_dropped(terrane):
    handler = bpy.types.TERRANE_FH_heightmap
    assert handler.bl_import_operator == "terrane.heightmap_import"
    suffixes = handler.bl_file_extensions.split(";")
    formats = module("noise_core.io.elevation_reading").elevation_formats().values()
    known = {suffix for format in formats for suffix in format.extensions}
    assert set(suffixes) <= known and not {".png", ".exr"} & set(suffixes)
