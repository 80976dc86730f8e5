# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains have the heights of their recipe, and keep the user's data when they are updated."""

from __future__ import annotations

import math
from functools import partial

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, height_grid, positions

HIGH = '{"format": 1, "layers": [{"type": "noise"}], "height": 1e9}'
"""A recipe that is higher than settings can say."""


add_land = partial(add_terrain, resolution=33)


def layer(mesh, name, what, width):
    data = mesh.attributes[name].data
    values = np.empty(len(data) * width, np.float32)
    data.foreach_get(what, values)
    return values.reshape(-1, width)


# --- adding -------------------------------------------------------------------------------------


def test_a_terrain_has_the_heights_of_its_recipe(terrane):
    core = module("noise_core")
    fractal, perlin = module("noise_core.noises.fractal"), module("noise_core.noises.perlin")
    terrain = add_land(
        noise="perlin", fractal="fbm", seed=5, octaves=4, frequency=3, persistence=0.4,
        lacunarity=2.1, size=50, height=7,
    )  # fmt: skip
    noise = fractal.Fractal(
        source=perlin.Perlin(frequency=3.0), octaves=4.0, persistence=0.4, lacunarity=2.1
    )
    recipe = core.Recipe(layers=noise, seed=5, height=7.0, size=50.0)
    expected = recipe.evaluate(core.Grid(33, 33, size=50.0)).height
    np.testing.assert_array_equal(height_grid(terrain), expected)
    assert module("operators.bridge.schema.settings").read(terrain.terrane) == recipe


def test_a_terrain_is_centered_smooth_and_valid(terrane):
    bpy.context.scene.cursor.location = (1.0, 2.0, 3.0)
    terrain = add_land(size=50, depth=0.5)
    mesh = terrain.data
    assert tuple(terrain.location) == (1.0, 2.0, 3.0)
    points = positions(mesh)
    np.testing.assert_allclose(points[:, :2].min(axis=0), (-25.0, -12.5))
    np.testing.assert_allclose(points[:, :2].max(axis=0), (25.0, 12.5))
    assert len(mesh.vertices) == 33 * 17 and len(mesh.polygons) == 32 * 16
    assert not mesh.validate(verbose=True)
    assert all(face.use_smooth for face in mesh.polygons)
    assert min(face.normal.z for face in mesh.polygons) > 0.0
    assert bpy.context.selected_objects == [terrain] == [bpy.context.active_object]


@pytest.mark.parametrize(
    ("depth", "rows", "columns"), [(1.0, 33, 33), (0.5, 17, 33), (2.0, 33, 17)]
)
def test_resolution_counts_along_the_longer_side(terrane, depth, rows, columns):
    terrain = add_land(depth=depth, size=50)
    assert len(terrain.data.vertices) == rows * columns
    np.testing.assert_allclose(terrain.dimensions.y, 50 * depth, rtol=1e-5)


def test_uv_follow_the_vertices(terrane):
    terrain = add_land(size=50, depth=0.5)
    uv = layer(terrain.data, "UVMap", "vector", 2)
    vertex = np.empty(len(uv), np.int32)
    terrain.data.attributes[".corner_vert"].data.foreach_get("value", vertex)
    expected = positions(terrain.data)[vertex, :2] / (50.0, 25.0) + 0.5
    np.testing.assert_allclose(uv, expected, atol=1e-6)


def test_the_same_recipe_at_two_resolutions_agrees(terrane):
    coarse, fine = add_land(resolution=17), add_land(resolution=33)
    np.testing.assert_allclose(height_grid(fine)[::2, ::2], height_grid(coarse), atol=2e-4)


@pytest.mark.slow
def test_every_preset_makes_a_terrain(terrane):
    for name in module("noise_core.landscapes.preset_library").preset_names():
        terrain = add_land(preset=name)
        assert terrain.terrane.preset == name
        assert np.ptp(height_grid(terrain)) > 0.0


def test_a_keyword_wins_over_the_preset(terrane):
    terrain = add_land(preset="alps", octaves=2, seed=123)
    values = module("noise_core.recipes.chain_keywords").values
    recipe = module("operators.bridge.schema.settings").read(terrain.terrane)
    shipped = module("noise_core.landscapes.preset_library").load_preset("alps")
    assert recipe.seed == 123 and values(recipe.noise)["octaves"] == 2.0
    assert values(recipe.noise)["frequency"] == values(shipped.noise)["frequency"]
    assert recipe.height == shipped.height


def test_a_recipe_as_text(terrane):
    recipe = module("noise_core.landscapes.preset_library").load_preset("alps")
    terrain = add_land(recipe=recipe.to_json(), height=5)
    read = module("operators.bridge.schema.settings").read(terrain.terrane)
    assert read.noise == recipe.noise and read.height == 5.0


def test_the_panel_gives_what_is_left_out(terrane):
    scene = bpy.context.scene.terrane
    scene.seed, scene.height, scene.resolution = 77, 3.0, 20
    terrain = add_terrain(from_panel=True, height=4.0)
    assert (terrain.terrane.seed, terrain.terrane.height) == (77, 4.0)
    assert len(terrain.data.vertices) == 400


def test_wrong_values_are_one_line_and_leave_nothing(terrane):
    for keywords, message in (
        ({"octaves": 99}, r"Fractal.octaves must be in \[1, 24\]; got 99.0"),
        ({"frequency": -1}, "frequency must be in"),
        ({"resolution": 1}, r"Terrain.resolution must be in \[2, 16384\]; got 1"),
        ({"size": 0}, "Terrain.size must be in"),
        ({"height": 2e6}, r"Recipe.height must be in \[-1e\+06, 1e\+06\]; got 2000000.0"),
        ({"height": -math.inf}, "Recipe.height must be in"),
        ({"recipe": HIGH}, r"Recipe.height must be in .*; got 1000000000.0"),
        ({"recipe": "{"}, "Recipe: not JSON"),
    ):
        with pytest.raises(RuntimeError, match=message) as error:
            bpy.ops.terrane.terrain_add(**keywords)
        assert "Traceback" not in str(error.value)
    with pytest.raises(TypeError, match="alp"):
        bpy.ops.terrane.terrain_add(preset="alp")
    assert not bpy.data.meshes and not bpy.data.objects


def test_adding_needs_object_mode(terrane):
    add_land()
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RuntimeError, match="Switch to Object Mode first"):
        bpy.ops.terrane.terrain_add()


def test_a_terrain_survives_saving_and_is_updated_then(terrane, tmp_path):
    before = height_grid(add_land(preset="alps", seed=3)).copy()
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    terrain = bpy.context.active_object
    terrain.data.attributes["position"].data[0].vector = (0.0, 0.0, 1e4)
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    np.testing.assert_array_equal(height_grid(terrain), before)


def test_undo_and_redo(terrane):
    bpy.ops.ed.undo_push(message="before")
    add_land(seed=4)
    bpy.ops.ed.undo_push(message="added")
    bpy.ops.ed.undo()
    assert not bpy.data.objects
    bpy.ops.ed.redo()
    assert bpy.data.objects[0].terrane.seed == 4
    assert np.ptp(height_grid(bpy.data.objects[0])) > 0.0


# --- updating -----------------------------------------------------------------------------------


def test_an_update_without_changes_changes_nothing(terrane):
    terrain = add_land(preset="alps")
    before = positions(terrain.data)
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    np.testing.assert_array_equal(positions(terrain.data), before)


def test_an_update_follows_the_settings(terrane):
    terrain, other = add_land(seed=1), add_land(seed=2, size=200, height=3)
    bpy.context.view_layer.objects.active = terrain
    terrain.terrane.seed, terrain.terrane.size, terrain.terrane.height = 2, 200.0, 3.0
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    np.testing.assert_allclose(positions(terrain.data), positions(other.data), atol=1e-5)
    np.testing.assert_allclose(terrain.dimensions, other.dimensions, rtol=1e-6)


def test_an_update_takes_keywords_and_keeps_them(terrane):
    terrain = add_land(seed=1)
    bpy.ops.terrane.terrain_update(seed=9, resolution=20)
    assert (terrain.terrane.seed, terrain.terrane.resolution) == (9, 20)
    assert len(terrain.data.vertices) == 400


def decorate(terrain):
    """Give a terrain everything that a user may add to it."""
    mesh = terrain.data
    for name in ("rock", "snow"):
        mesh.materials.append(bpy.data.materials.new(name))
    for face in mesh.polygons:
        face.material_index = int(face.center.x > 0.0)
    mesh.uv_layers.new(name="Second")
    second = layer(mesh, "UVMap", "vector", 2) * (3.0, 1.0)
    mesh.attributes["Second"].data.foreach_set("vector", second.astype(np.float32).ravel())
    mesh.uv_layers.active = mesh.uv_layers["Second"]
    mesh.attributes.new("wet", "FLOAT", "POINT")
    wet = (positions(mesh)[:, 0] / 100.0).astype(np.float32)
    mesh.attributes["wet"].data.foreach_set("value", wet)
    right = np.flatnonzero(positions(mesh)[:, 0] > 0.0).tolist()
    terrain.vertex_groups.new(name="other")
    terrain.vertex_groups.new(name="right").add(right, 0.75, "REPLACE")
    terrain.vertex_groups["right"].lock_weight = True
    terrain.modifiers.new("smooth", "SMOOTH").vertex_group = "right"
    terrain["answer"] = 42
    mesh["question"] = "?"
    child = bpy.data.objects.new("child", None)
    bpy.context.collection.objects.link(child)
    child.parent = terrain


@pytest.mark.parametrize("resolution", [33, 20, 65])
def test_what_is_the_users_stays(terrane, resolution):
    terrain = add_land(size=100)
    decorate(terrain)
    mesh = terrain.data
    assert bpy.ops.terrane.terrain_update(resolution=resolution, seed=5) == {"FINISHED"}
    assert terrain.data is mesh and len(mesh.vertices) == resolution**2
    assert not mesh.validate(verbose=True)
    points = positions(mesh)
    assert [slot.material.name for slot in terrain.material_slots] == ["rock", "snow"]
    wrong = sum(face.material_index != int(face.center.x > 0.0) for face in mesh.polygons)
    assert wrong <= resolution  # the faces on the border line may fall either way
    assert [uv.name for uv in mesh.uv_layers] == ["UVMap", "Second"]
    assert mesh.uv_layers.active.name == "Second"
    uv = layer(mesh, "UVMap", "vector", 2)
    np.testing.assert_allclose(layer(mesh, "Second", "vector", 2), uv * (3.0, 1.0), atol=1e-5)
    np.testing.assert_allclose(layer(mesh, "wet", "value", 1)[:, 0], points[:, 0] / 100, atol=1e-5)
    assert [group.name for group in terrain.vertex_groups] == ["other", "right"]
    assert terrain.vertex_groups["right"].lock_weight
    weights = module("operators.bridge.datablocks.vertex_groups").read_weights(mesh, "right")
    np.testing.assert_allclose(weights[points[:, 0] > 7.0], 0.75, atol=1e-3)
    np.testing.assert_allclose(weights[points[:, 0] < -7.0], 0.0, atol=1e-3)
    assert terrain.modifiers["smooth"].vertex_group == "right"
    assert terrain["answer"] == 42 and mesh["question"] == "?"
    assert bpy.data.objects["child"].parent == terrain
    assert len(bpy.data.node_groups) == 0 and len(bpy.data.objects) == 2


def test_edited_uv_are_kept(terrane):
    terrain = add_land()
    turned = layer(terrain.data, "UVMap", "vector", 2)[:, ::-1]
    terrain.data.attributes["UVMap"].data.foreach_set(
        "vector", np.ascontiguousarray(turned).ravel()
    )
    bpy.ops.terrane.terrain_update(resolution=20)
    uv = layer(terrain.data, "UVMap", "vector", 2)
    vertex = np.empty(len(uv), np.int32)
    terrain.data.attributes[".corner_vert"].data.foreach_get("value", vertex)
    expected = positions(terrain.data)[vertex, 1::-1] / 100.0 + 0.5
    np.testing.assert_allclose(uv, expected, atol=1e-5)


def test_face_corner_layers_with_seams_are_kept(terrane):
    terrain = add_land(resolution=5)
    mesh = terrain.data
    mesh.attributes.new("split", "FLOAT", "CORNER")
    per_face = np.repeat(np.arange(16, dtype=np.float32), 4)
    mesh.attributes["split"].data.foreach_set("value", per_face)
    bpy.ops.terrane.terrain_update(resolution=9)
    split = layer(mesh, "split", "value", 1).reshape(8, 8, 4)
    expected = np.arange(16, dtype=np.float32).reshape(4, 4).repeat(2, axis=0).repeat(2, axis=1)
    np.testing.assert_allclose(split, np.repeat(expected[..., np.newaxis], 4, axis=2))


def test_shape_keys_keep_their_difference(terrane):
    terrain = add_land(seed=1)
    terrain.shape_key_add(name="Basis")
    key = terrain.shape_key_add(name="Dent")
    key.points[40].co.z -= 5.0
    assert bpy.ops.terrane.terrain_update(seed=2) == {"FINISHED"}
    expected = height_grid(add_land(seed=2)).ravel()
    blocks = terrain.data.shape_keys.key_blocks
    basis = np.array([point.co.z for point in blocks["Basis"].points])
    dent = np.array([point.co.z for point in blocks["Dent"].points]) - basis
    np.testing.assert_allclose(basis, expected, atol=1e-5)
    assert dent[40] == pytest.approx(-5.0, abs=1e-4) and np.abs(np.delete(dent, 40)).max() < 1e-4


def test_shape_keys_forbid_another_resolution(terrane):
    terrain = add_land()
    terrain.shape_key_add(name="Basis")
    with pytest.raises(RuntimeError, match="has shape keys"):
        bpy.ops.terrane.terrain_update(resolution=20)
    assert len(terrain.data.vertices) == 33 * 33


def test_edit_mode_is_left_and_entered_again(terrane):
    terrain = add_land(seed=1)
    bpy.ops.object.mode_set(mode="EDIT")
    assert bpy.ops.terrane.terrain_update(seed=2) == {"FINISHED"}
    assert terrain.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    after = height_grid(terrain).copy()
    np.testing.assert_array_equal(after, height_grid(add_land(seed=2)))


def test_a_shared_mesh_changes_for_all_or_becomes_single(terrane):
    terrain = add_land(seed=1)
    twin = terrain.copy()
    bpy.context.collection.objects.link(twin)
    bpy.ops.terrane.terrain_update(seed=2)
    assert twin.data is terrain.data and twin.terrane.seed == 2
    bpy.ops.terrane.terrain_update(seed=3, single_user=True)
    assert twin.data is not terrain.data and twin.terrane.seed == 2


def test_a_mesh_that_was_edited_is_made_anew(terrane):
    terrain = add_land()
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    assert len(terrain.data.vertices) == 33 * 33
    assert not terrain.data.validate(verbose=True)


def test_only_terrains_can_be_updated(terrane):
    with pytest.raises(RuntimeError, match="Select a mesh first"):
        bpy.ops.terrane.terrain_update()
    bpy.ops.mesh.primitive_cube_add()
    with pytest.raises(RuntimeError, match="Select a terrain that was added with Terrane"):
        bpy.ops.terrane.terrain_update()


def test_a_linked_terrain_is_refused(terrane, linked):
    linked(add_land())
    with pytest.raises(RuntimeError, match="linked from another file"):
        bpy.ops.terrane.terrain_update()
    with pytest.raises(RuntimeError, match="linked from another file"):
        bpy.ops.terrane.mesh_displace()


def test_an_override_of_a_linked_mesh_is_refused(terrane, linked):
    # Blender would take no position for it, and say nothing.
    own = linked(add_land()).override_create(remap_local_usages=True)
    own.data.override_create(remap_local_usages=True)
    assert own.data.override_library is not None and own.data.library is None
    bpy.context.view_layer.objects.active = own
    for name in (
        "terrain_update",
        "mesh_displace",
        "mesh_erode",
        "maps_bake",
        "terrain_material",
    ):
        with pytest.raises(RuntimeError, match="linked from another file: make it local"):
            getattr(bpy.ops.terrane, name)()
    with pytest.raises(RuntimeError, match="linked from another file: make it local"):
        bpy.ops.terrane.nodes_add()
    own.data.make_local()
    with pytest.raises(
        RuntimeError, match=f"{own.name} is linked from another file: make it local first"
    ):
        bpy.ops.terrane.terrain_update()  # its settings would be lost when the file is loaded
    own.make_local()
    assert bpy.ops.terrane.terrain_update(seed=9) == {"FINISHED"}


@pytest.mark.parametrize(
    "name",
    [
        *("terrain_update", "mesh_erode", "mesh_release", "maps_bake"),
        *("mesh_displace", "terrain_material"),
    ],
)
def test_edit_mode_is_not_left_without_a_way_back(terrane, name):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=16, y_subdivisions=16)
    terrain = bpy.context.active_object
    bpy.ops.terrane.mesh_erode(modifier="blur")
    bpy.ops.object.mode_set(mode="EDIT")
    terrain.hide_viewport = True
    with pytest.raises(RuntimeError, match="This object is disabled in viewports") as told:
        getattr(bpy.ops.terrane, name)()
    assert "Traceback" not in str(told.value) and terrain.mode == "EDIT"
    terrain.hide_viewport = False
    bpy.ops.object.mode_set(mode="OBJECT")
    terrain.hide_viewport = True  # nothing has to be left
    assert getattr(bpy.ops.terrane, name).poll()


def test_a_preset_is_loaded_into_the_panel(terrane):
    bpy.ops.terrane.preset_load(preset="alps")
    assert bpy.context.scene.terrane.preset == "alps"
    terrain = add_land()
    bpy.ops.terrane.preset_load(preset="none")
    assert terrain.terrane.preset == "none" and bpy.context.scene.terrane.preset == "alps"


def test_a_new_seed_is_another_one(terrane):
    seeds = set()
    for _ in range(5):
        bpy.ops.terrane.seed_new()
        seeds.add(bpy.context.scene.terrane.seed)
    assert len(seeds) > 2
