# SPDX-License-Identifier: GPL-3.0-or-later
"""Level ground under objects and collections, and objects that drop to the ground."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import activate, add_fractal_terrain, heights, read_recipe

CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2.0


@pytest.fixture
def terrain(terrane, live):
    return add_fractal_terrain(size=1000.0, height=100.0, resolution=129)


def new_house(name="House", *, at=(100.0, 50.0, 30.0), size=(60.0, 40.0), home=None):
    """Return a new box, whose lowest point is its origin."""
    flat = CORNERS * size
    places = [(*corner, z) for z in (0.0, 10.0) for corner in flat]
    faces = [(0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(places, [], faces)
    obj = bpy.data.objects.new(name, mesh)
    (home or bpy.context.scene.collection).objects.link(obj)
    obj.location = at
    bpy.context.view_layer.update()
    return obj


def footprint(terrain, *objects, **keywords):
    """Add a footprint of objects, as if they were selected; return its entry."""
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    for obj in objects:
        obj.select_set(True)
    assert bpy.ops.terrane.footprint_add(**keywords) == {"FINISHED"}
    module("operators.bridge.tasks.live").update_now()
    return terrain.terrane.layers[-1]


def settle():
    bpy.context.view_layer.update()
    module("operators.bridge.tasks.live").update_now()


def ground(terrain, x, y):
    """Return the height of the vertex nearest to a place."""
    step = 1000.0 / 128
    row, column = round((y + 500.0) / step), round((x + 500.0) / step)
    return heights(terrain).reshape(129, 129)[row, column]


def unevenness(terrain, obj):
    """Return how far the mesh of a terrain lies from an object's base, at most, anywhere under it."""
    worst, base = 0.0, min((obj.matrix_world @ v.co).z for v in obj.data.vertices)
    for u in np.linspace(-1.0, 1.0, 9):
        for v in np.linspace(-1.0, 1.0, 9):
            corner = obj.data.vertices[2].co
            place = obj.matrix_world @ type(corner)((u * corner.x, v * corner.y, 0.0))
            hit, point, *_ = terrain.evaluated_get(bpy.context.view_layer.depsgraph).ray_cast(
                terrain.matrix_world.inverted() @ type(corner)((place.x, place.y, 900.0)),
                (0.0, 0.0, -1.0),
            )
            assert hit
            worst = max(worst, abs((terrain.matrix_world @ point).z - base))
    return worst


def test_the_ground_under_a_house_is_level(terrain, live):
    house = new_house()
    entry = footprint(terrain, house)
    assert (entry.type, entry.name, entry.curves[0].object) == ("footprint", "House", house)
    (curve,) = read_recipe(terrain).layers[-1].curves
    assert curve.closed and len(curve.points) == 4
    assert {point.z for point in curve.points} == {30.0}
    bpy.context.view_layer.update()
    assert unevenness(terrain, house) < 1e-3
    assert bpy.context.view_layer.objects.active == terrain


def test_a_house_smaller_than_a_cell_stands_level(terrain, live):
    house = new_house(size=(5.0, 4.0), at=(103.0, 57.0, 41.0))
    footprint(terrain, house)
    bpy.context.view_layer.update()
    assert unevenness(terrain, house) < 1e-3


def test_the_ground_follows_moves_turns_sizes_and_parents(terrain, live):
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    house = new_house()
    house.parent = parent
    bpy.context.view_layer.update()
    footprint(terrain, house)
    for owner, path, value in (
        (house, "location", (-200.0, 100.0, 55.0)),
        (house, "rotation_euler", (0.0, 0.0, 0.7)),
        (house, "scale", (2.0, 1.5, 1.0)),
        (parent, "location", (50.0, 0.0, 10.0)),
        (parent, "rotation_euler", (0.0, 0.0, -0.4)),
    ):
        before = heights(terrain)
        setattr(owner, path, value)
        settle()
        assert (heights(terrain) != before).any(), path
        bpy.context.view_layer.update()
        assert unevenness(terrain, house) < 1e-3, path


def test_a_changed_mesh_and_a_modifier_change_the_ground(terrain, live):
    house = new_house()
    footprint(terrain, house)
    before = ground(terrain, 200, 50)
    house.data.vertices[6].co.x += 100.0
    house.data.update()
    settle()
    assert ground(terrain, 170, 60) == 30.0
    array = house.modifiers.new("Array", "ARRAY")
    array.count, array.use_relative_offset, array.use_constant_offset = 3, False, True
    array.constant_offset_displace = (0.0, 120.0, 0.0)
    settle()
    assert len(read_recipe(terrain).layers[-1].curves) == 3 and before != 30.0


def test_children_count_and_several_parts_are_one_house(terrain, live):
    house, wing = new_house(), new_house("Wing", at=(140.0, 70.0, 33.0), size=(30.0, 80.0))
    chimney = new_house("Chimney", at=(100.0, 50.0, 40.0), size=(5.0, 5.0))
    for part in (wing, chimney):
        part.parent, part.matrix_parent_inverse = house, house.matrix_world.inverted()
    bpy.context.view_layer.update()
    footprint(terrain, house)
    (curve,) = read_recipe(terrain).layers[-1].curves
    assert len(curve.points) == 6 and {point.z for point in curve.points} == {30.0}
    wing.location.x += 200.0
    settle()
    assert [len(curve.points) for curve in read_recipe(terrain).layers[-1].curves] == [4, 4]
    assert ground(terrain, 340, 80) == 33.0


def test_a_collection_is_a_village(terrain, live):
    village = bpy.data.collections.new("Village")
    bpy.context.scene.collection.children.link(village)
    houses = [
        new_house(f"House {n}", at=(200.0 * n - 300.0, 0.0, 20.0 + n), home=village)
        for n in range(3)
    ]
    activate(terrain)
    entry = footprint(terrain, collection="Village")
    assert entry.curves[0].collection == village and entry.curves[0].object is None
    assert [ground(terrain, 200 * n - 300, 0) for n in range(3)] == [20.0, 21.0, 22.0]
    houses[1].location.z = 50.0
    settle()
    assert ground(terrain, -100, 0) == 50.0
    new_house("New", at=(0.0, 300.0, 44.0), home=village)
    settle()
    assert ground(terrain, 0, 300) == 44.0
    bpy.data.objects.remove(houses[2])
    settle()
    assert ground(terrain, 100, 0) != 22.0
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    assert terrain.terrane.layers[-1].curves[0].collection == village


def test_instances_of_a_collection_count(terrain, live):
    models = bpy.data.collections.new("Models")
    model = new_house(at=(0.0, 0.0, 0.0), home=models)
    empty = bpy.data.objects.new("Instance", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.instance_type, empty.instance_collection = "COLLECTION", models
    empty.location = (100.0, 100.0, 35.0)
    bpy.context.view_layer.update()
    footprint(terrain, empty)
    assert ground(terrain, 100, 100) == 35.0
    empty.location.x = -200.0
    settle()
    assert ground(terrain, -200, 100) == 35.0
    model.location.x = 150.0
    settle()
    assert ground(terrain, -50, 100) == 35.0


def test_instances_of_nodes_count(terrain, live):
    models = bpy.data.collections.new("Models")
    model = new_house(at=(0.0, 0.0, 0.0), home=models)
    carrier = bpy.data.objects.new("Carrier", bpy.data.meshes.new("Carrier"))
    bpy.context.scene.collection.objects.link(carrier)
    tree = bpy.data.node_groups.new("Instances", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    info, output = (tree.nodes.new(key) for key in ("GeometryNodeObjectInfo", "NodeGroupOutput"))
    info.inputs["Object"].default_value, info.inputs["As Instance"].default_value = model, True
    tree.links.new(info.outputs["Geometry"], output.inputs[0])
    carrier.modifiers.new("Nodes", "NODES").node_group = tree
    carrier.location = (-50.0, 100.0, 35.0)
    bpy.context.view_layer.update()
    footprint(terrain, carrier)
    assert ground(terrain, -50, 100) == 35.0


@pytest.mark.parametrize("is_removed", [False, True])
def test_a_deleted_house_leaves_its_last_outline(terrain, live, is_removed):
    followed = module("operators.bridge.terrain.followed_sources")
    house = new_house()
    entry = footprint(terrain, house)
    before = heights(terrain)
    assert not followed.note(terrain, entry.curves[0])
    if is_removed:
        bpy.data.objects.remove(house)
    else:
        with bpy.context.temp_override(selected_objects=[house], active_object=house):
            bpy.ops.object.delete()
    settle()
    np.testing.assert_array_equal(heights(terrain), before)
    note = followed.note(terrain, entry.curves[0])
    assert note == "House was removed: the terrain keeps its last points"


def test_a_hidden_house_leaves_its_last_outline(terrain, live):
    followed = module("operators.bridge.terrain.followed_sources")
    house = new_house()
    entry = footprint(terrain, house)
    before = heights(terrain)
    for name in ("hide_viewport", "hide_set"):
        house.hide_viewport = name == "hide_viewport"
        house.hide_set(name == "hide_set")
        settle()
        np.testing.assert_array_equal(heights(terrain), before)
        note = followed.note(terrain, entry.curves[0])
        assert note == "House must be visible and have faces that are not upright"


def test_undo_and_redo_restore_the_ground(terrain, live):
    footprint(terrain, new_house())
    bpy.ops.ed.undo_push(message="before")
    before = heights(terrain)
    bpy.data.objects["House"].location.y = 250.0
    settle()
    bpy.ops.ed.undo_push(message="moved")
    moved = heights(terrain)
    assert (moved != before).any()
    bpy.ops.ed.undo()
    settle()
    terrain = bpy.data.objects["Terrain"]
    np.testing.assert_array_equal(heights(terrain), before)
    bpy.ops.ed.redo()
    settle()
    terrain = bpy.data.objects["Terrain"]
    np.testing.assert_array_equal(heights(terrain), moved)


def test_a_saved_file_follows_its_house_on(terrain, live, tmp_path):
    footprint(terrain, new_house())
    before = heights(terrain)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "house.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "house.blend"))
    terrain, house = bpy.data.objects["Terrain"], bpy.data.objects["House"]
    settle()
    np.testing.assert_array_equal(heights(terrain), before)
    house.location.y = 250.0
    settle()
    bpy.context.view_layer.update()
    assert unevenness(terrain, house) < 1e-3


def write_library(tmp_path, name, x):
    """Write a file with a collection of one house; return its path."""
    village = bpy.data.collections.new(f"{name} Village")
    house = new_house("Linked House", at=(x, 0.0, 25.0), home=village)
    path = str(tmp_path / f"{name}.blend")
    bpy.data.libraries.write(path, {village}, fake_user=True)
    bpy.data.objects.remove(house)
    bpy.data.collections.remove(village)
    return path


def link_village(path, name):
    with bpy.data.libraries.load(path, link=True) as (_, there):
        there.collections = [f"{name} Village"]
    return there.collections[0]


def test_linked_objects_count_and_ambiguous_names_are_refused(terrain, live, tmp_path):
    paths = {name: write_library(tmp_path, name, x) for name, x in (("A", -200.0), ("B", 200.0))}
    villages = [link_village(path, name) for name, path in paths.items()]
    for village in villages:
        bpy.context.scene.collection.children.link(village)
    bpy.context.view_layer.update()
    activate(terrain)
    assert bpy.ops.terrane.footprint_add(collection="A Village") == {"FINISHED"}
    settle()
    assert ground(terrain, -200, 0) == 25.0
    with pytest.raises(RuntimeError, match="object must name one there is; got 2 of the name"):
        bpy.ops.terrane.footprint_add(object="Linked House")
    bpy.context.scene.collection.children.unlink(villages[1])
    override = villages[1].override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    settle()
    footprint(terrain, collection=override.name)
    bpy.context.view_layer.update()
    assert ground(terrain, 200, 0) == 25.0


def test_parts_of_the_landscape_are_refused(terrain, live):
    activate(terrain)
    assert bpy.ops.terrane.surroundings_add(kind="base") == {"FINISHED"}
    base = next(obj for obj in terrain.children if obj.type == "MESH")
    layers = len(terrain.terrane.layers)
    for keywords in (
        {"object": base.name},
        {"object": "Terrain"},
        {"collection": terrain.users_collection[0].name},
    ):
        if keywords.get("collection") == "Scene Collection":
            continue
        with pytest.raises(RuntimeError, match="is a part of a landscape: choose objects"):
            bpy.ops.terrane.footprint_add(**keywords)
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    terrain.parent = parent
    with pytest.raises(RuntimeError, match="is a part of a landscape: choose objects"):
        bpy.ops.terrane.footprint_add(object="Parent")
    assert len(terrain.terrane.layers) == layers


def test_nothing_without_faces_is_taken(terrain, live):
    activate(terrain)
    terrain.select_set(True)
    with pytest.raises(RuntimeError, match="Select objects that stand on the terrain"):
        bpy.ops.terrane.footprint_add()
    empty = bpy.data.objects.new("Nothing", None)
    bpy.context.scene.collection.objects.link(empty)
    with pytest.raises(RuntimeError, match="Nothing must be visible and have faces"):
        bpy.ops.terrane.footprint_add(object="Nothing")
    with pytest.raises(RuntimeError, match="got 0 of the name 'Nowhere'"):
        bpy.ops.terrane.footprint_add(collection="Nowhere")


def test_the_panel_adds_a_layer_with_an_empty_place(terrain, live):
    activate(terrain)
    before = heights(terrain)
    assert bpy.ops.terrane.footprint_add(later=True) == {"FINISHED"}
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), before)
    terrain.terrane.layers[-1].curves[0].object = new_house()
    live.update_now()
    assert ground(terrain, 100, 50) == 30.0


def test_a_tilted_and_mirrored_house(terrain, live):
    house = new_house()
    house.rotation_euler, house.scale = (0.3, 0.2, 0.5), (-1.0, 1.0, 1.0)
    bpy.context.view_layer.update()
    footprint(terrain, house)
    lowest = min((house.matrix_world @ vertex.co).z for vertex in house.data.vertices)
    (curve,) = read_recipe(terrain).layers[-1].curves
    assert curve.points[0].z == pytest.approx(lowest, abs=1e-4)
    assert ground(terrain, *house.matrix_world.translation[:2]) == pytest.approx(lowest, abs=1e-3)


def test_a_mask_by_the_outline_of_a_house(terrain, live):
    house = new_house()
    activate(terrain)
    bpy.ops.terrane.layer_add(type="perlin")
    bpy.ops.terrane.layer_mask(source="curve_distance")
    mask = terrain.terrane.layers[-1].mask
    mask.limits, mask.high, mask.falloff = "below", 0.0, 0.0
    before = heights(terrain)
    assert bpy.ops.terrane.curve_choose(part="MASK") == {"FINISHED"}
    mask.curves[-1].object = house
    live.update_now()
    (curve,) = read_recipe(terrain).layers[-1].mask.map.curves
    assert curve.closed and (heights(terrain) != before).any()


# --- the other way round --------------------------------------------------------------------------


def test_objects_drop_to_the_ground(terrain, live):
    houses = [
        new_house(f"House {n}", at=(100.0 * n - 150.0, 80.0, 400.0 - 300.0 * n)) for n in (0, 1)
    ]
    child = new_house("Child", at=(0.0, 0.0, -5.0))
    child.parent = houses[0]
    bpy.context.view_layer.update()
    footprint_layers = len(terrain.terrane.layers)
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    for obj in (*houses, child):
        obj.select_set(True)
    assert bpy.ops.terrane.objects_drop() == {"FINISHED"}
    bpy.context.view_layer.update()
    for house, below in zip(houses, (5.0, 0.0)):
        x, y, z = house.matrix_world.translation
        hit, point, *_ = terrain.ray_cast((x, y, 300.0), (0.0, 0.0, -1.0))
        assert hit and z - below == pytest.approx(point.z, abs=1e-3)
        assert tuple(house.rotation_euler) == (0.0, 0.0, 0.0)
    assert child.location.z == -5.0 and len(terrain.terrane.layers) == footprint_layers


@pytest.mark.parametrize("in_collection", [False, True])
def test_a_house_that_the_ground_follows_drops_to_the_ground_without_it(
    terrain, live, in_collection
):
    plain = heights(terrain).reshape(129, 129)
    village = bpy.data.collections.new("Village")
    bpy.context.scene.collection.children.link(village)
    house = new_house(home=village if in_collection else None)
    footprint(terrain, *([] if in_collection else [house]), collection="Village" * in_collection)
    x, y = (90 - 64) * 1000.0 / 128, (50 - 64) * 1000.0 / 128
    house.location = (x, y, 90.0)
    settle()
    assert ground(terrain, x, y) == 90.0
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    house.select_set(True)
    assert bpy.ops.terrane.objects_drop() == {"FINISHED"}
    settle()
    assert house.location.z == pytest.approx(plain[50, 90], abs=1e-3)
    assert ground(terrain, x, y) == pytest.approx(plain[50, 90], abs=1e-3)


def test_objects_align_to_the_slope_of_a_turned_terrain(terrain, live):
    terrain.rotation_euler.z, terrain.location.z = 0.8, 30.0
    house = new_house(at=(120.0, -60.0, 900.0), size=(2.0, 2.0))
    house.select_set(True)
    bpy.context.view_layer.update()
    assert bpy.ops.terrane.objects_drop(align=True) == {"FINISHED"}
    bpy.context.view_layer.update()
    inverse = terrain.matrix_world.inverted()
    place = inverse @ house.matrix_world.translation
    hit, point, normal, _ = terrain.ray_cast((place.x, place.y, 300.0), (0.0, 0.0, -1.0))
    assert hit and place.z == pytest.approx(point.z, abs=1e-3)
    up = (inverse.to_3x3() @ house.matrix_world.to_3x3()).col[2].normalized()
    assert up.dot(normal) > 0.99999 and normal.z < 0.999


def test_objects_beside_the_land_stay(terrain, live):
    house, far = new_house(), new_house("Far", at=(5000.0, 0.0, 7.0))
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    far.select_set(True)
    with pytest.raises(RuntimeError, match="There is no ground below Far"):
        bpy.ops.terrane.objects_drop()
    house.select_set(True)
    assert bpy.ops.terrane.objects_drop() == {"FINISHED"}
    assert far.location.z == 7.0 and house.location.z != 30.0


def test_a_drop_is_one_step_of_undo(terrain, live):
    house = new_house(at=(0.0, 0.0, 500.0))
    house.select_set(True)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.terrane.objects_drop("EXEC_DEFAULT", True) == {"FINISHED"}
    assert bpy.data.objects["House"].location.z < 400.0
    bpy.ops.ed.undo()
    assert bpy.data.objects["House"].location.z == 500.0


# --- near ground ----------------------------------------------------------------------------------


def test_a_house_of_10_m_stands_level_in_the_detail_patch(terrane, live):
    terrain = add_fractal_terrain(size=12000.0, height=1000.0, resolution=513)
    house = new_house(at=(103.0, 57.0, 120.0), size=(10.0, 8.0))
    house.rotation_euler.z = 0.4
    bpy.context.view_layer.update()
    footprint(terrain, house)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    camera.location = (103.0, 57.0, 400.0)
    bpy.context.view_layer.update()
    activate(terrain)
    assert bpy.ops.terrane.detail_patch_add(patch_size=250.0, spacing=0.5) == {"FINISHED"}
    settle()
    bpy.context.view_layer.update()
    assert unevenness(terrain, house) < 1e-3
    house.location = (125.0, 40.0, 131.0)
    settle()
    bpy.context.view_layer.update()
    assert unevenness(terrain, house) < 1e-3
