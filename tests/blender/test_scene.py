# SPDX-License-Identifier: GPL-3.0-or-later
"""Sky, camera and surroundings of a landscape: made, left alone, and removed."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest
from mathutils import Vector

from tests.blender.extension import module
from tests.blender.helpers import part


def make_terrain():
    bpy.context.scene.world = None
    bpy.ops.terrane.terrain_add(preset="fjords", resolution=65)


@pytest.fixture
def terrain(made_once):
    """Return a terrain of a preset with a sea."""
    return made_once("fjords_65", make_terrain)


def counts():
    return {
        name: len(getattr(bpy.data, name))
        for name in (
            "objects",
            "meshes",
            "worlds",
            "lights",
            "cameras",
            "node_groups",
            "collections",
        )
    }


@pytest.mark.slow
def test_sky_is_that_of_the_preset(terrain):
    assert bpy.ops.terrane.sky_add() == {"FINISHED"}
    sky = module("noise_core.landscapes.preset_library").preset("fjords").look.sky
    sun = part("sun")
    assert sun.data.energy == pytest.approx(sky.sun_strength)
    towards = sun.matrix_world.to_quaternion() @ Vector((0.0, 0.0, 1.0))
    assert math.degrees(math.asin(towards.z)) == pytest.approx(sky.sun_elevation, abs=0.01)
    compass = math.degrees(math.atan2(towards.x, towards.y)) % 360.0
    assert compass == pytest.approx(sky.sun_direction, abs=0.01)
    light = bpy.context.scene.world["terrane_light"]
    texture = next(node for node in light.nodes if node.bl_idname == "ShaderNodeTexSky")
    assert math.degrees(texture.sun_elevation) == pytest.approx(sky.sun_elevation, abs=1e-3)
    assert math.degrees(texture.sun_rotation) == pytest.approx(sky.sun_direction, abs=1e-3)
    assert not texture.sun_disc
    assert bpy.context.scene.terrane_sky.sun_strength == pytest.approx(sky.sun_strength)


@pytest.mark.wide
def test_keywords_change_the_sky_that_is_there(terrain):
    bpy.ops.terrane.sky_add()
    counts_before, world = counts(), bpy.context.scene.world
    bpy.ops.terrane.sky_add(sun_elevation=40.0, sun_strength=3.0)
    assert counts() == counts_before and bpy.context.scene.world == world
    assert part("sun").data.energy == 3.0
    bpy.ops.terrane.sky_add(from_panel=True, clouds=0.0)
    assert part("sun").data.energy == 3.0


def test_bad_values_are_refused_and_nothing_is_made(terrain):
    counts_before = counts()
    with pytest.raises(RuntimeError, match=r"Sky.clouds must be in \[0, 1\]; got 2"):
        bpy.ops.terrane.sky_add(clouds=2.0)
    assert counts() == counts_before


@pytest.mark.parametrize("name", ["water", "camera"])
def test_a_mesh_that_is_no_grid_any_more_is_refused_in_a_line(terrain, name):
    terrain.data.vertices.add(1)
    counts_before = counts()
    with pytest.raises(RuntimeError, match="is no longer the grid that was built") as told:
        getattr(bpy.ops.terrane, f"{name}_add")()
    assert "Traceback" not in str(told.value) and counts() == counts_before


@pytest.mark.slow
def test_a_world_of_the_user_stays_unless_it_is_to_be_replaced(terrain):
    mine = bpy.data.worlds.new("Mine")
    bpy.context.scene.world = mine
    with pytest.raises(RuntimeError, match="World Mine is yours"):
        bpy.ops.terrane.sky_add()
    assert bpy.context.scene.world == mine
    usual = bpy.context.scene.terrane_sky.clouds
    with pytest.raises(RuntimeError, match="World Mine is yours"):
        bpy.ops.terrane.sky_add(clouds=0.9)
    assert bpy.context.scene.terrane_sky.clouds == usual
    bpy.ops.terrane.sky_add(replace=True)
    assert bpy.context.scene.world != mine and mine.name in bpy.data.worlds


@pytest.mark.slow
def test_a_world_that_was_replaced_is_in_the_saved_file(terrain, tmp_path):
    bpy.context.scene.world = bpy.data.worlds.new("Mine")
    bpy.ops.terrane.sky_add(replace=True)
    path = str(tmp_path / "replaced.blend")
    for _ in range(2):  # without what ours keeps of it too
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
        assert "Mine" in bpy.data.worlds
        bpy.context.scene.world = None


@pytest.mark.slow
@pytest.mark.parametrize("is_kept", [False, True])
def test_removing_the_sky_puts_the_former_world_back(terrain, is_kept):
    scene = bpy.context.scene
    scene.world = mine = bpy.data.worlds.new("Mine")
    mine.use_fake_user = is_kept
    counts_before = counts()
    for _ in range(2):
        bpy.ops.terrane.sky_add(replace=True)
    bpy.ops.terrane.landscape_part_remove(part="sky")
    assert scene.world == mine and mine.use_fake_user == is_kept
    assert counts() == counts_before


@pytest.mark.slow
def test_removing_the_sky_brings_no_world_back_that_was_deleted(terrain):
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("Mine")
    bpy.ops.terrane.sky_add(replace=True)
    bpy.data.worlds.remove(bpy.data.worlds["Mine"])
    bpy.ops.terrane.landscape_part_remove(part="sky")
    assert scene.world is None


@pytest.mark.slow
def test_removing_the_sky_leaves_a_contrast_that_the_user_had_chosen(terrain):
    view = bpy.context.scene.view_settings
    for look in ("None", "AgX - High Contrast", "AgX - Punchy"):
        view.view_transform, view.look = "AgX", look
        bpy.ops.terrane.sky_add(replace=True)
        assert view.look == ("AgX - High Contrast" if look == "None" else look)
        bpy.ops.terrane.landscape_part_remove(part="sky")
        assert view.look == look


def test_the_record_of_a_sky_tells_whether_the_settings_have_changed(terrain):
    scene, sky = bpy.context.scene, module("operators.bridge.scene.sky_product").SKY
    scene.world = None
    assert not sky.is_due(scene) and sky.refusal(scene) == ""
    bpy.ops.terrane.sky_add(cumulus=0.0)
    assert sky.is_made(scene) and not sky.is_due(scene)
    scene.terrane_sky.sun_elevation += 0.1
    assert sky.is_due(scene)
    scene.world = bpy.data.worlds.new("Mine")
    assert "is yours" in sky.refusal(scene)


@pytest.mark.slow
def test_haze_lies_before_the_ground_and_stays_when_the_material_is_written_anew(terrain):
    bpy.ops.terrane.terrain_material(mapping="none")
    material = terrain.active_material
    bpy.ops.terrane.sky_add()

    def hazy():
        output = material.node_tree.get_output_node("ALL")
        node = output.inputs["Surface"].links[0].from_node
        return node.name == "Air" and node.inputs[0].links[0].from_node.type == "BSDF_PRINCIPLED"

    assert hazy()
    bpy.ops.terrane.terrain_material(mapping="none", palette="arctic")
    assert terrain.active_material == material and hazy()
    bpy.ops.terrane.sky_add()
    assert hazy() and sum(one.name.startswith("Air") for one in material.node_tree.nodes) == 1
    bpy.ops.terrane.landscape_part_remove(part="sky")
    output = material.node_tree.get_output_node("ALL")
    assert output.inputs["Surface"].links[0].from_node.type == "BSDF_PRINCIPLED"


@pytest.mark.slow
def test_haze_lies_before_the_ground_of_each_engine(terrain):
    bpy.ops.terrane.terrain_material(detail_pixels=16)
    tree = terrain.active_material.node_tree

    def shown():
        ends = [tree.get_output_node(engine).inputs["Surface"] for engine in ("CYCLES", "EEVEE")]
        return [end.links[0].from_node for end in ends]

    plain = shown()
    assert [one.type for one in plain] == ["MIX_SHADER", "BSDF_PRINCIPLED"]
    bpy.ops.terrane.sky_add()
    bpy.ops.terrane.sky_add()
    assert [one.inputs[0].links[0].from_node for one in shown()] == plain
    assert {one.node_tree.name for one in shown()} == {"Terrane Air"}
    bpy.ops.terrane.landscape_part_remove(part="sky")
    assert shown() == plain
    assert not any(node.name.startswith("Air") for node in tree.nodes)


@pytest.mark.slow
def test_a_ground_made_after_the_sky_is_hazy_too(terrain):
    bpy.ops.terrane.sky_add()
    bpy.ops.terrane.terrain_material(mapping="none")
    assert "Air" in terrain.active_material.node_tree.nodes


def test_camera_stands_over_the_ground_and_looks_at_its_target(terrain):
    bpy.context.scene.camera = None
    bpy.ops.terrane.camera_add()
    camera = bpy.context.scene.camera
    look = module("noise_core.landscapes.preset_library").preset("fjords").look
    width = terrain.terrane.size
    points = np.empty(len(terrain.data.vertices) * 3, np.float32)
    terrain.data.vertices.foreach_get("co", points)
    points = points.reshape(65, 65, 3)
    row, column = round(look.camera.eye[1] * 64), round(look.camera.eye[0] * 64)
    ground = max(float(points[row, column, 2]), look.sea)
    place = camera.matrix_world.translation
    assert place.z == pytest.approx(ground + look.camera.lift * width, rel=1e-5)
    assert place.x == pytest.approx((look.camera.eye[0] - 0.5) * width, rel=1e-5)
    ahead = camera.matrix_world.to_quaternion() @ Vector((0.0, 0.0, -1.0))
    flat = Vector(
        (look.camera.target[0] - look.camera.eye[0], look.camera.target[1] - look.camera.eye[1])
    )
    assert Vector(ahead.xy).normalized().dot(flat.normalized()) == pytest.approx(1.0, abs=1e-4)
    assert camera.data.clip_end > width


def test_views_stand_elsewhere_and_the_settings_show_them(terrain):
    bpy.context.scene.camera = None
    views = module("noise_core.landscapes.views").VIEWS
    placed = {}
    for view in views:
        bpy.ops.terrane.camera_add(view=view)
        camera = bpy.context.scene.camera
        placed[view] = (*(round(part) for part in camera.location), round(camera.data.lens))
        assert bpy.context.scene.terrane_camera.lens == pytest.approx(camera.data.lens)
    assert len(set(placed.values())) == len(views) == 4
    assert placed["overview"][2] > placed["preset"][2] > placed["low"][2]


def test_a_camera_of_the_user_stays_the_scenes(terrain):
    own = bpy.data.objects.new("Mine", bpy.data.cameras.new("Mine"))
    bpy.context.scene.collection.objects.link(own)
    bpy.context.scene.camera = own
    bpy.ops.terrane.camera_add()
    assert bpy.context.scene.camera == own
    bpy.ops.terrane.camera_add(replace=True)
    assert bpy.context.scene.camera == part("camera")


def new_camera(name, place=(0.0, 0.0, 0.0)):
    scene = bpy.context.scene
    made = bpy.data.objects.new(name, bpy.data.cameras.new(name))
    scene.collection.objects.link(made)
    scene.camera, made.location = made, place
    return made


def test_removing_the_camera_puts_the_former_one_back(terrain):
    mine, counts_before = new_camera("Mine"), counts()
    bpy.ops.terrane.camera_add(replace=True)
    bpy.ops.terrane.camera_add(lift=0.2)
    bpy.ops.terrane.landscape_part_remove(part="camera")
    assert bpy.context.scene.camera == mine and counts() == counts_before


def test_removing_the_camera_leaves_another_active_one_alone(terrain):
    new_camera("Mine")
    bpy.ops.terrane.camera_add(replace=True)
    other = new_camera("Other")
    bpy.ops.terrane.landscape_part_remove(part="camera")
    assert bpy.context.scene.camera == other


def test_removing_the_camera_brings_none_back_that_was_deleted(terrain):
    mine = new_camera("Mine")
    bpy.ops.terrane.camera_add(replace=True)
    bpy.context.scene.collection.objects.unlink(mine)
    bpy.ops.terrane.landscape_part_remove(part="camera")
    assert bpy.context.scene.camera is None


DEFAULT = (7.3589, -6.9258, 4.9583)
"""Where the camera of a new file stands."""


@pytest.mark.parametrize(
    ("name", "place", "is_placed"),
    [("Camera", DEFAULT, True), ("Camera", (1.0, 2.0, 3.0), False), ("", DEFAULT, True)],
)
def test_a_terrain_alone_gets_a_camera_if_there_is_but_that_of_a_new_file(
    terrane, name, place, is_placed
):
    if name:
        new_camera(name, place)
    bpy.ops.terrane.terrain_add(preset="mesa", resolution=33)
    assert not [obj for obj in bpy.context.scene.objects if obj.get("terrane_part") == "camera"]
    bpy.ops.terrane.terrain_add(preset="mesa", resolution=33, camera=True)
    terrain, camera = bpy.context.active_object, bpy.context.scene.camera
    assert (camera.get("terrane_part") == "camera") == is_placed
    if is_placed:
        assert camera.matrix_world.translation.length > 0.3 * terrain.terrane.size
    else:
        assert tuple(camera.location) == place


def test_mirror_images_follow_the_terrain(terrain):
    bpy.ops.terrane.surroundings_add(kind="mirror")
    around = part("surroundings")
    assert around.parent == terrain

    def places():
        graph = bpy.context.evaluated_depsgraph_get()
        return [
            (instance.matrix_world.copy(), len(instance.object.data.vertices))
            for instance in graph.object_instances
            if instance.is_instance and instance.parent.original == around
        ]

    width = terrain.terrane.size
    found = places()
    assert len(found) == 24 and {count for _, count in found} == {65 * 65}
    first = min(found, key=lambda one: tuple(one[0].translation))[0]
    np.testing.assert_allclose(
        first.translation, (-2 * width, -2 * width, 0.0), rtol=1e-5, atol=1e-2
    )
    beside = next(
        one for one, _ in found if one.translation.x > 0.5 * width and abs(one.translation.y) < 1.0
    )
    np.testing.assert_allclose(beside.col[0][:3], (-1.0, 0.0, 0.0), atol=1e-6)
    bpy.ops.terrane.terrain_update(size=2.0 * width)
    assert min(one.translation.x for one, _ in places()) == pytest.approx(-4.0 * width, rel=1e-5)


@pytest.mark.wide
@pytest.mark.parametrize("name", ["sky", "camera", "surroundings", "water"])
def test_parts_go_without_a_trace(terrain, name):
    counts_before = counts()
    for _ in range(2):
        getattr(bpy.ops.terrane, f"{name}_add")()
    assert counts() != counts_before
    bpy.ops.terrane.landscape_part_remove(part=name)
    assert counts() == counts_before


@pytest.mark.slow
def test_the_selection_stays(terrain):
    for name in ("sky", "camera", "surroundings"):
        getattr(bpy.ops.terrane, f"{name}_add")()
    assert bpy.context.active_object == terrain and bpy.context.selected_objects == [terrain]


def test_one_operator_adds_all_of_it(terrane):
    bpy.context.scene.world = bpy.context.scene.camera = None
    assert bpy.ops.terrane.landscape_add(preset="fjords", resolution=65) == {"FINISHED"}
    terrain = bpy.context.active_object
    assert {obj.get("terrane_part") for obj in bpy.context.scene.objects} == {
        None, "water", "land", "open_sea", "sun", "camera", "plants", "plant_model"
    }  # fmt: skip
    material = terrain.active_material
    assert material.name == "Alpine Ground" and "Air" in material.node_tree.nodes
    assert bpy.context.scene.camera == part("camera")
    assert bpy.context.scene.world.get("terrane_sky") is not None
    assert bpy.context.selected_objects == [terrain]


def test_parts_can_be_left_out(terrane):
    bpy.context.scene.world = bpy.context.scene.camera = None
    names = ("ground", "water", "surroundings", "sky", "camera", "plants", "cliffs")
    bpy.ops.terrane.landscape_add(preset="coast", resolution=65, **dict.fromkeys(names, False))
    assert len(bpy.context.scene.objects) == 1 and bpy.context.active_object.active_material is None
    assert bpy.context.scene.world is None and bpy.context.scene.camera is None


@pytest.mark.slow
def test_an_island_without_water_stands_alone(terrane):
    bpy.ops.terrane.landscape_add(preset="island", resolution=65, water=False, ground=False)
    parts = {obj.get("terrane_part") for obj in bpy.context.scene.objects}
    assert not parts & {"water", "open_sea", "land", "surroundings"} and "sun" in parts


@pytest.mark.slow
@pytest.mark.parametrize(("value", "is_taken"), [(0.050876, True), (0.3, False)])
def test_the_world_of_a_new_file_is_nobodys(terrain, value, is_taken):
    world = bpy.data.worlds.new("World")
    tree = module("operators.bridge.datablocks.compat").node_tree(world)
    background = tree.nodes["Background"]
    background.inputs["Color"].default_value = (value, value, value, 1.0)
    bpy.context.scene.world = world
    if is_taken:
        assert bpy.ops.terrane.sky_add() == {"FINISHED"}
    else:
        with pytest.raises(RuntimeError, match="World World is yours"):
            bpy.ops.terrane.sky_add()


@pytest.mark.slow
def test_what_is_the_users_stays_when_a_landscape_is_added(terrane):
    scene = bpy.context.scene
    scene.world = mine = bpy.data.worlds.new("Mine")
    camera = bpy.data.objects.new("Mine", bpy.data.cameras.new("Mine"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    bpy.ops.terrane.landscape_add(preset="mesa", resolution=33)
    assert scene.world == mine and scene.camera == camera


@pytest.mark.slow
@pytest.mark.parametrize("where", ["ground", "surroundings", "plants"])
def test_a_landscape_that_fails_leaves_nothing(terrane, monkeypatch, where):
    bpy.context.scene.world = bpy.context.scene.camera = None
    names = (*("objects", "meshes", "materials", "worlds"), *("lights", "cameras", "collections"))
    before = {name: len(getattr(bpy.data, name)) for name in names}
    core = module("noise_core.base.errors")

    def fail(*_, **__):
        raise core.TerraneError("no luck")

    if where == "ground":
        maker = module("operators.materials").GroundOperator
        monkeypatch.setattr(maker, "_finish_ground", fail)
    elif where == "plants":
        monkeypatch.setattr(module("operators.bridge.scene.plants"), "_maps", fail)
    else:
        monkeypatch.setattr(module("operators.bridge.scene.lands").LAND, "write", fail)
    with pytest.raises(RuntimeError, match="no luck"):
        bpy.ops.terrane.landscape_add(preset="fjords", resolution=33)
    assert {name: len(getattr(bpy.data, name)) for name in names} == before


def heights_of(obj):
    points = np.empty(len(obj.data.vertices) * 3, np.float32)
    obj.data.vertices.foreach_get("co", points)
    return points.reshape(-1, 3)


def test_the_sea_lies_flat_over_all_lower_ground(terrain):
    bpy.ops.terrane.water_add(rivers=0.0)
    water = part("water")
    points, ground = heights_of(water), heights_of(terrain)
    levels = points[:, 2]
    # So few samples have a lake above the sea, too.
    assert levels.min() == 0.0 and np.mean(levels == 0.0) > 0.9
    under = ground[ground[:, 2] < 0.0]
    inside = np.abs(under[:, :2]).max(axis=1) < 0.5 * terrain.terrane.size * (1.0 - 2.0 / 64.0)
    faces = np.empty(len(water.data.loops), np.int32)
    water.data.loops.foreach_get("vertex_index", faces)
    corners = points[faces.reshape(-1, 4)]
    corners = corners[(corners[..., 2] == 0.0).all(axis=1), :, :2]
    low, high = corners.min(axis=1) - 0.1, corners.max(axis=1) + 0.1
    for place in under[inside, :2]:
        assert ((low <= place) & (place <= high)).all(axis=1).any()
    depth = np.empty(len(points), np.float32)
    water.data.attributes["terrane_depth"].data.foreach_get("value", depth)
    here = {tuple(one[:2]): one[2] for one in ground.tolist()}
    expected = [level - here[tuple(place)] for *place, level in points.tolist()]
    np.testing.assert_allclose(depth, expected, atol=1e-3)


def test_water_follows_the_terrain(terrain):
    def area():
        return sum(polygon.area for polygon in part("water").data.polygons)

    bpy.ops.terrane.water_add(rivers=0.0)
    area_before = area()
    bpy.ops.terrane.water_add(level=200.0, rivers=0.0)
    higher = area()
    assert higher > area_before and heights_of(part("water"))[:, 2].min() == 200.0
    bpy.ops.terrane.terrain_update(height=terrain.terrane.height * 4.0)
    assert heights_of(part("water"))[:, 2].min() == 200.0
    assert area() != higher
    module("operators.bridge.tasks.live").update_now()
    assert sum(obj.get("terrane_part") == "water" for obj in bpy.context.scene.objects) == 1


def test_dry_land_is_said_to_be_dry(terrane):
    bpy.ops.terrane.terrain_add(preset="dunes", resolution=65)
    count = len(bpy.data.objects)
    with pytest.raises(RuntimeError, match="is dry"):
        bpy.ops.terrane.water_add()
    with pytest.raises(RuntimeError, match="has no sea"):
        bpy.ops.terrane.surroundings_add(kind="sea")
    assert len(bpy.data.objects) == count


def test_the_open_sea_begins_where_the_land_ends(terrain):
    bpy.ops.terrane.water_add()
    bpy.ops.terrane.surroundings_add(kind="sea")
    points = heights_of(part("open_sea"))
    width = terrain.terrane.size
    np.testing.assert_allclose(np.abs(points[:4, :2]), 0.5 * width, rtol=1e-6)
    assert np.abs(points[:, :2]).max() > 20.0 * width and set(points[:, 2].tolist()) == {0.0}
    bpy.ops.terrane.landscape_part_remove(part="water")
    assert {obj.get("terrane_part") for obj in bpy.context.scene.objects} == {None}


def test_a_terrain_material_begins_with_the_palette_of_the_preset(terrane):
    look = module("noise_core.landscapes.preset_library").preset("mountain_range").look
    for name, label in (("moon", "Moon"), ("mesa", "Desert"), ("dunes", "Dunes")):
        bpy.ops.terrane.terrain_add(preset=name, resolution=33)
        bpy.ops.terrane.terrain_material(mapping="none")
        assert bpy.context.active_object.active_material.name.startswith(f"{label} Ground")
    plan = module("operators.bridge.nodetree.terrain_material.plan").TerrainPlan
    values = module("operators.materials").DEFAULTS
    landscape = plan.of(values, (), look).landscape()
    assert landscape.layers["snow"].lowest == look.limits["snow_line"]
    own = plan.of({**values, "snow_line": 0.9}, {"snow_line"}, look).landscape()
    assert own.layers["snow"].lowest == 0.9
    assert own.layers["woods"].highest == look.limits["tree_line"]
    other = plan.of({**values, "palette": "alpine"}, {"palette"}, look).landscape()
    assert other == module("noise_core.materials.colors").LANDSCAPES["alpine"]
    sea = plan.of(values, (), module("noise_core.landscapes.preset_library").preset("coast").look)
    assert (sea["water"], sea["water_level"], sea.sea) == ("both", 0.0, 0.0)


@pytest.mark.wide
@pytest.mark.parametrize("name", ["water", "camera", "sky", "surroundings", "scatter"])
def test_parts_are_refused_in_edit_mode(terrain, name):
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        with pytest.raises(RuntimeError, match="Object Mode"):
            getattr(bpy.ops.terrane, f"{name}_add")()
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
