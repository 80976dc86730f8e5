# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported land of any size: an overview, regions at full detail without a crack, and no trace of failures."""

from __future__ import annotations

import json

import bpy
import numpy as np
import pytest
from mathutils import Vector

from tests.blender.extension import module
from tests.blender.helpers import positions

ROWS, COLUMNS, SPACING = 161, 193, 5.0


def land():
    """Return heights, row 0 in the south, of which no two rows are the same."""
    y, x = np.mgrid[0:ROWS, 0:COLUMNS]
    hills = 900.0 + 2.0 * x - 1.5 * y + 90.0 * np.sin(x / 9.0) * np.cos(y / 11.0)
    return hills.astype(np.float32)


def export(folder, target="npy", samples=(41, 49), tiles=(4, 4)):
    """Export the land in tiles; return the path of the sidecar."""
    writing = module("noise_core.io.heightmaps.export")
    size = SPACING * (COLUMNS - 1)
    suffix = {"npy": ".npy", "geotiff": ".tif"}[target]
    options = module("noise_core.io.heightmaps.options").ExportOptions(tiles=tiles)
    path = folder / f"alps{suffix}"
    writing.export_heightmap(
        land(), path, target=target, size=size, samples=samples, options=options
    )
    return path.with_name(f"{path.name}.json")


@pytest.fixture
def tiles(terrane, tmp_path):
    return export(tmp_path)


def open_world(path, **keywords):
    options = {"samples": 25, "ground": False, **keywords}
    assert bpy.ops.terrane.world_open(filepath=str(path), **options) == {"FINISHED"}
    return bpy.context.active_object


def load(first=(60, 50), samples=33, **keywords):
    """Load a region by its first column and row."""
    options = {"place": "samples", "first_sample": first, "samples": samples, **keywords}
    return bpy.ops.terrane.world_region_load(**options)


def samples_of(points):
    """Return the column and row of each point."""
    return points[:, :2].astype(np.float64) / SPACING + 0.5 * (np.array((COLUMNS, ROWS)) - 1.0)


def state_of_scene():
    kinds = ("objects", "meshes", "materials", "collections", "node_groups", "images")
    names = {kind: sorted(one.name for one in getattr(bpy.data, kind)) for kind in kinds}
    shown = {one.name: (one.data.name, len(one.data.vertices)) for one in bpy.data.objects}
    return names, shown, getattr(bpy.context.active_object, "name", None)


def check_is_whole(mesh):
    """Check that every edge within the land has two faces, one at its border, and no vertex is loose."""
    corners, sides = (np.empty(len(mesh.loops), np.int32) for _ in range(2))
    mesh.loops.foreach_get("vertex_index", corners)
    mesh.loops.foreach_get("edge_index", sides)
    ends = np.empty(2 * len(mesh.edges), np.int32)
    mesh.edges.foreach_get("vertices", ends)
    flat = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", flat)
    points = flat.reshape(-1, 3)[ends].reshape(-1, 2, 3)[..., :2]
    low, high = flat.reshape(-1, 3)[:, :2].min(axis=0), flat.reshape(-1, 3)[:, :2].max(axis=0)
    at_border = ((points == low).all(axis=1) | (points == high).all(axis=1)).any(axis=1)
    uses = np.bincount(sides, minlength=len(mesh.edges))
    assert (uses[~at_border] == 2).all() and (uses[at_border] == 1).all()
    assert len(np.unique(corners)) == len(mesh.vertices)
    assert not mesh.validate()


def test_the_overview_shows_all_the_land(tiles):
    world = open_world(tiles)
    assert (world.name, world.data.name, world.users_collection[0].name) == ("World",) * 3
    points = positions(world.data)
    assert len(points) == 25 * 21
    assert points[0, :2].tolist() == [-480.0, -400.0] and points[-1, :2].tolist() == [480.0, 400.0]
    column, row = samples_of(points).T
    nearest = land()[np.rint(row).astype(int), np.rint(column).astype(int)]
    assert np.abs(points[:, 2] - nearest).max() < 25.0
    check_is_whole(world.data)
    assert world.data.attributes["Terrane Color"].domain == "POINT"
    # An ordinary grid, for what works on meshes that are one.
    assert bpy.ops.terrane.maps_bake(maps={"slope"}) == {"FINISHED"}


@pytest.mark.parametrize("target", ["npy", "geotiff"])
def test_a_region_has_the_samples_of_its_tiles_and_no_crack(terrane, tmp_path, target):
    world = open_world(export(tmp_path, target))
    before = positions(world.data)
    assert load() == {"FINISHED"}
    check_is_whole(world.data)
    points = positions(world.data)
    column, row = samples_of(points).T
    inside = (column >= 60) & (column <= 92) & (row >= 50) & (row <= 82)
    assert np.count_nonzero(inside) == 33 * 33
    expected = land()[np.rint(row[inside]).astype(int), np.rint(column[inside]).astype(int)]
    np.testing.assert_array_equal(points[inside, 2], expected)
    # Far away the overview is as it was, to the bit.
    kept = {tuple(one) for one in points.tolist()} & {tuple(one) for one in before.tolist()}
    assert 0.5 * len(before) < len(kept) < len(before)
    assert all(polygon.use_smooth for polygon in world.data.polygons)


def test_another_region_takes_the_place_of_the_first_and_removing_leaves_the_overview(tiles):
    world = open_world(tiles)
    overview, before = world.data, positions(world.data)
    load((60, 50))
    first = world.data.name
    load((120, 100))
    assert world.data.name == first and len(bpy.data.meshes) == 2
    column, row = samples_of(positions(world.data)).T
    inside = (column >= 60) & (column <= 92) & (row >= 50) & (row <= 82)
    assert np.count_nonzero(inside) < 33 * 33 / 3
    check_is_whole(world.data)
    assert bpy.ops.terrane.world_region_remove() == {"FINISHED"}
    assert world.data == overview and len(bpy.data.meshes) == 1
    np.testing.assert_array_equal(positions(world.data), before)
    assert not bpy.ops.terrane.world_region_remove.poll()


@pytest.mark.parametrize("first", [(0, 0), (160, 128), (0, 70), (97, 128)])
def test_a_region_may_lie_at_the_border(tiles, first):
    world = open_world(tiles)
    assert load(first) == {"FINISHED"}
    check_is_whole(world.data)


def test_a_region_lies_around_the_cursor_or_before_the_camera(tiles):
    world = open_world(tiles)
    world.location, world.scale, world.rotation_euler = (
        (70.0, -20.0, 5.0),
        (2.0, 2.0, 2.0),
        (0.0, 0.0, 0.5),
    )
    bpy.context.view_layer.update()
    place = world.matrix_world @ Vector(((76 - 96) * SPACING, (66 - 80) * SPACING, 0.0))
    bpy.context.scene.cursor.location = place
    assert bpy.ops.terrane.world_region_load(place="cursor", samples=33) == {"FINISHED"}
    assert list(world.data["terrane_region"]) == [50, 60, 33, 33]
    camera = bpy.data.objects.new("Eye", bpy.data.cameras.new("Eye"))
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    camera.location = place
    bpy.context.view_layer.update()
    assert bpy.ops.terrane.world_region_load(place="camera", samples=33) == {"FINISHED"}
    assert list(world.data["terrane_region"]) == [50, 60, 33, 33]  # it looks down
    camera.rotation_euler = (1.5, 0.0, 0.5)  # to the north of the world
    bpy.context.view_layer.update()
    assert bpy.ops.terrane.world_region_load(place="camera", samples=33) == {"FINISHED"}
    assert list(world.data["terrane_region"]) == [62, 60, 33, 33]


@pytest.mark.slow
def test_what_the_overview_wears_the_region_wears_too(tiles):
    world = open_world(tiles, ground=True)
    (material,) = world.data.materials
    assert material.name.endswith("Ground") and material.users == 1
    names = {one.name for one in world.data.attributes}
    load()
    assert list(world.data.materials) == [material]
    assert {"Terrane Color", "flow"} <= names <= {one.name for one in world.data.attributes}
    flow = module("operators.bridge.datablocks.meshes").read_attribute(world.data, "flow")
    assert 0.0 <= flow.min() < flow.max() <= 1.0
    assert world.data.attributes.active_color_name == "Terrane Color"
    other = bpy.data.materials.new("Mine")
    world.data.materials[0] = other
    bpy.ops.terrane.world_region_remove()
    assert list(world.data.materials) == [other]


def test_a_file_keeps_the_world_and_its_region(tiles, tmp_path):
    world = open_world(tiles)
    before = positions(world.data)
    load()
    path = str(tmp_path / "kept.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    world = bpy.context.active_object
    check_is_whole(world.data)
    assert bpy.ops.terrane.world_region_remove() == {"FINISHED"}
    np.testing.assert_array_equal(positions(world.data), before)


def test_opening_and_loading_are_one_step_each(tiles):
    bpy.context.preferences.edit.use_global_undo = True
    bpy.ops.ed.undo_push(message="Before")
    world = open_world(tiles)
    bpy.ops.ed.undo_push(message="Opened")
    name, count = world.name, len(world.data.vertices)
    load()
    bpy.ops.ed.undo_push(message="Loaded")
    assert len(bpy.data.objects[name].data.vertices) > count
    bpy.ops.ed.undo()
    assert len(bpy.data.objects[name].data.vertices) == count
    bpy.ops.ed.undo()
    assert name not in bpy.data.objects and not bpy.data.collections


def without_a_tile(path):
    path.with_name("alps_x2_y1.npy").unlink()


def of_another_shape(path):
    np.save(path.with_name("alps_x2_y1.npy"), np.zeros((49, 41), np.float32))


def of_changed_sizes(path):
    plain = json.loads(path.read_text())
    path.write_text(json.dumps({**plain, "meters_per_sample": 2.0 * SPACING}))


def damaged(path):
    path.write_text("{")


DAMAGE = [
    (without_a_tile, "alps_x2_y1.npy is missing"),
    (of_another_shape, "alps_x2_y1.npy must have 49 x 41 samples of float32"),
    (damaged, "alps.npy.json must be the sidecar of heights that Terrane has exported"),
]


@pytest.mark.parametrize(("damage", "says"), DAMAGE)
def test_damaged_tiles_leave_the_scene_as_it_was(tiles, damage, says):
    damage(tiles)
    before = state_of_scene()
    with pytest.raises(RuntimeError, match=says) as caught:
        open_world(tiles)
    assert len(str(caught.value).strip().splitlines()) == 1
    assert state_of_scene() == before


@pytest.mark.parametrize(
    ("damage", "says"),
    [*DAMAGE, (of_changed_sizes, "alps.npy.json has other samples than World was opened with")],
)
def test_tiles_that_were_damaged_later_leave_the_region_as_it_was(tiles, damage, says):
    open_world(tiles)
    load((0, 0))
    before = state_of_scene()
    damage(tiles)
    with pytest.raises(RuntimeError, match=says):
        load((90, 50), 41)
    assert state_of_scene() == before
    assert bpy.ops.terrane.world_region_remove() == {"FINISHED"}  # which needs no tiles


@pytest.mark.parametrize(
    ("keywords", "says"),
    [
        (
            {"first": (180, 0)},
            "the window's columns must be two or more of 0 to 192; got 33 from 180 on",
        ),
        (
            {"samples": 170, "first": (0, 0)},
            "the window's rows must be two or more of 0 to 160; got 170 from 0 on",
        ),
        ({"place": "camera"}, "The scene has no camera"),
    ],
)
def test_a_window_that_cannot_be_is_refused(tiles, keywords, says):
    open_world(tiles)
    before = state_of_scene()
    with pytest.raises(RuntimeError, match=says):
        load(**keywords)
    bpy.context.scene.cursor.location = (5000.0, 0.0, 0.0)
    with pytest.raises(RuntimeError, match="The 3D cursor is not over World: move it there"):
        bpy.ops.terrane.world_region_load(place="cursor")
    assert state_of_scene() == before


@pytest.mark.slow
def test_a_failure_after_the_mesh_takes_all_of_it_away(tiles, monkeypatch):
    materials = module("operators.materials")
    error = module("noise_core.base.errors").TerraneError

    def fail(*arguments):
        raise error("no material today")

    monkeypatch.setattr(materials.GroundOperator, "_finish_ground", fail)
    before = state_of_scene()
    with pytest.raises(RuntimeError, match="no material today"):
        open_world(tiles, ground=True)
    assert state_of_scene() == before


def test_other_objects_are_no_worlds(terrane):
    bpy.ops.mesh.primitive_cube_add()
    assert not bpy.ops.terrane.world_region_load.poll()
    assert not bpy.ops.terrane.world_region_remove.poll()


def test_the_overview_must_be_the_one_that_was_opened(tiles):
    world = open_world(tiles)
    world.data.clear_geometry()
    with pytest.raises(RuntimeError, match="World is no longer the overview that was opened"):
        load()
