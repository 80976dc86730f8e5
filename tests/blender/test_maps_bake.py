# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps are written where requested, refreshed or removed by an update, and never over the user's data."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, attribute_names, attribute_values, pixels, positions

TERRAIN = {"resolution": 33, "depth": 0.5, "size": 100, "height": 30, "seed": 3, "noise": "perlin"}


def bake(**keywords):
    assert bpy.ops.terrane.maps_bake(**keywords) == {"FINISHED"}


def expected(obj, name, rows=17, columns=33):
    core = module("noise_core")
    maps = module("noise_core.maps.bases.map").map_types()
    heights = positions(obj.data)[:, 2].reshape(rows, columns)
    return maps[name]().values(heights, core.Grid(rows, columns, size=100.0))


def test_attributes_are_what_the_core_reads(terrain):
    bake(maps={"slope", "normal", "cavity"})
    for name in ("slope", "cavity"):
        np.testing.assert_allclose(
            attribute_values(terrain.data, name), expected(terrain, name).ravel(), atol=1e-5
        )
        assert terrain.data.attributes[name].data_type == "FLOAT"
    normals = attribute_values(terrain.data, "normal")
    np.testing.assert_allclose(normals, expected(terrain, "normal").reshape(-1, 3), atol=1e-6)


def test_every_map_that_is_read_off_a_relief(terrain):
    types = module("noise_core.maps.bases.map").map_types()
    every = {key for key, cls in types.items() if cls.name_of("curves") is None}
    bake(maps=every)
    assert every <= attribute_names(terrain)


def test_an_update_refreshes_baked_maps(terrain):
    bake(maps={"slope"})
    old = attribute_values(terrain.data, "slope")
    bpy.ops.terrane.terrain_update(seed=8)
    assert np.abs(attribute_values(terrain.data, "slope") - old).max() > 1.0
    np.testing.assert_allclose(
        attribute_values(terrain.data, "slope"), expected(terrain, "slope").ravel(), atol=1e-5
    )
    bpy.ops.terrane.terrain_update(resolution=65)
    assert len(attribute_values(terrain.data, "slope")) == 65 * 33
    assert np.ptp(attribute_values(terrain.data, "slope")) > 1.0


def test_maps_that_are_not_asked_for_any_more_go(terrain):
    bpy.ops.terrane.terrain_update(maps={"slope", "aspect"})
    assert {"slope", "aspect"} <= attribute_names(terrain)
    bpy.ops.terrane.terrain_update(maps={"aspect"}, resolution=20)
    assert "slope" not in attribute_names(terrain) and "aspect" in attribute_names(terrain)
    bpy.ops.terrane.terrain_update()
    assert "slope" not in attribute_names(terrain) and "aspect" in attribute_names(terrain)


def test_maps_can_be_asked_for_at_once(terrane):
    bpy.ops.terrane.terrain_add(resolution=17, maps={"slope"})
    assert "slope" in attribute_names(bpy.context.active_object)
    bpy.ops.terrane.terrain_add(resolution=17)
    assert "slope" not in attribute_names(bpy.context.active_object)


def test_a_users_attribute_of_another_kind_is_left_alone(terrain):
    terrain.data.attributes.new("slope", "FLOAT_COLOR", "POINT").data[5].color = (1, 0, 1, 1)
    terrain.data.attributes.new("own", "FLOAT", "POINT").data[5].value = 7.0
    bake(maps={"slope", "aspect"})
    bpy.ops.terrane.terrain_update(seed=9)
    assert terrain.data.attributes["slope"].data_type == "FLOAT_COLOR"
    assert tuple(terrain.data.attributes["slope"].data[5].color) == (1, 0, 1, 1)
    assert terrain.data.attributes["own"].data[5].value == 7.0


def test_what_modifiers_made_is_baked_from_the_recipe(terrane):
    core = module("noise_core")
    thermal = module("noise_core.modifiers").ThermalErosion(talus_angle=20.0)
    perlin = module("noise_core.noises").Perlin(frequency=4.0)
    recipe = core.Recipe(layers=(perlin, thermal), height=40.0)
    obj = add_terrain(recipe=recipe.to_json(), resolution=33, maps=set())
    assert "scree" not in attribute_names(obj)
    bake(maps={"scree"})
    relief = recipe.evaluate(core.Grid(33, 33, size=100.0))
    np.testing.assert_allclose(
        attribute_values(obj.data, "scree"), relief.maps["scree"].ravel(), atol=1e-5
    )
    # What is on the mesh counts: an erosion of the finished mesh has changed it.
    obj.data.attributes["scree"].data.foreach_set("value", np.full(33 * 33, 2.0, np.float32))
    bake(maps={"scree"}, as_images=True, low=0.0, high=4.0)
    np.testing.assert_allclose(pixels(bpy.data.images["Terrain scree"])[..., 0], 0.5)


def test_what_nobody_made_is_said(terrain):
    with pytest.raises(RuntimeError, match="only modifiers make: scree"):
        bake(maps={"scree"})
    bake(maps={"scree", "slope"})
    assert "slope" in attribute_names(terrain)


def test_images_have_the_grid_and_its_directions(terrain):
    bake(maps={"height", "slope", "normal"}, as_attributes=False, as_images=True)
    assert "slope" not in attribute_names(terrain)
    image = bpy.data.images["Terrain height"]
    assert tuple(image.size) == (33, 17) and image.is_float
    assert image.colorspace_settings.name == "Non-Color" and image.packed_file is not None
    heights = positions(terrain.data)[:, 2].reshape(17, 33)
    shown = pixels(image)
    stretched = (heights - heights.min()) / np.ptp(heights)
    if not np.allclose(shown[..., 0], stretched, atol=1e-5):
        low, high = module("operators.bridge.terrain.catalog").entries()["height"].limits
        np.testing.assert_allclose(shown[..., 0], (heights - low) / (high - low), atol=1e-5)
    assert shown[..., 3].min() == 1.0
    normal = pixels(bpy.data.images["Terrain normal"])[..., :3] * 2 - 1
    np.testing.assert_allclose(normal, expected(terrain, "normal"), atol=1e-5)


def test_images_are_written_again_and_a_users_image_is_not(terrain):
    bake(maps={"slope"}, as_images=True)
    image = bpy.data.images["Terrain slope"]
    pixels_before = pixels(image)
    bpy.ops.terrane.terrain_update(seed=77)
    bake(maps={"slope"}, as_images=True)
    assert [one.name for one in bpy.data.images] == ["Terrain slope"]
    assert np.abs(pixels(image) - pixels_before).max() > 0.01
    own = bpy.data.images.new("Terrain aspect", 4, 4)
    bake(maps={"aspect"}, as_images=True)
    assert tuple(own.size) == (4, 4) and len(bpy.data.images) == 3


def test_a_users_image_of_that_name_makes_none_pile_up(terrain):
    own = bpy.data.images.new("Terrain slope", 4, 4)
    for _ in range(3):
        bake(maps={"slope"}, as_images=True)
    assert tuple(own.size) == (4, 4) and len(bpy.data.images) == 2


def test_images_stay_with_a_terrain_that_is_renamed(terrain, tmp_path):
    bake(maps={"slope"}, as_images=True)
    image = bpy.data.images["Terrain slope"]
    terrain.name = "First"
    pixels_before = pixels(image)
    second = add_terrain(preset="dunes", resolution=17)
    second.name = "Terrain"
    for _ in range(2):
        bake(maps={"slope"}, as_images=True)
    np.testing.assert_array_equal(pixels(image), pixels_before)
    assert set(bpy.data.images.keys()) == {"Terrain slope", "Terrain slope.001"}
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    first = bpy.data.objects["First"]
    bpy.context.view_layer.objects.active = first
    bpy.ops.terrane.terrain_update(seed=8)
    bake(maps={"slope"}, as_images=True)
    assert len(bpy.data.images) == 2
    assert np.abs(pixels(bpy.data.images["Terrain slope"]) - pixels_before).max() > 0.01


def test_a_duplicate_gets_images_of_its_own(terrain):
    bake(maps={"slope"}, as_images=True)
    image = bpy.data.images["Terrain slope"]
    bpy.ops.object.select_all(action="DESELECT")
    terrain.select_set(True)
    bpy.ops.object.duplicate()
    copy = bpy.context.active_object
    pixels_before = pixels(image)
    bpy.ops.terrane.terrain_update(seed=8)
    for _ in range(2):
        bake(maps={"slope"}, as_images=True)
    np.testing.assert_array_equal(pixels(image), pixels_before)
    assert set(bpy.data.images.keys()) == {"Terrain slope", f"{copy.name} slope"}
    bpy.context.view_layer.objects.active = terrain
    bake(maps={"slope"}, as_images=True)
    assert len(bpy.data.images) == 2


def test_images_keep_no_terrain_in_the_file(terrain):
    bake(maps={"slope"}, as_images=True)
    bpy.ops.object.select_all(action="DESELECT")
    terrain.select_set(True)
    bpy.ops.object.delete()
    assert not bpy.data.objects and bpy.data.images.keys() == ["Terrain slope"]


def test_an_image_that_was_removed_is_made_anew(terrain):
    bake(maps={"slope"}, as_images=True)
    bpy.data.images.remove(bpy.data.images["Terrain slope"])
    bake(maps={"slope"}, as_images=True)
    assert bpy.data.images.keys() == ["Terrain slope"]


def test_an_image_that_became_tiles_stays(terrain):
    bake(maps={"slope"}, as_images=True)
    bpy.data.images["Terrain slope"].source = "TILED"
    bake(maps={"slope"}, as_images=True)
    assert bpy.data.images["Terrain slope"].source == "TILED"
    assert "Terrain slope.001" in bpy.data.images


def test_images_follow_the_resolution(terrain):
    bake(maps={"slope"}, as_images=True)
    texture = bpy.data.textures.new("Own", "IMAGE")
    texture.image = bpy.data.images["Terrain slope"]
    bpy.ops.terrane.terrain_update(resolution=65)
    for _ in range(2):
        bake(maps={"slope"}, as_images=True)
    (image,) = (one for one in bpy.data.images if one.name.startswith("Terrain"))
    assert tuple(image.size) == (65, 33) and texture.image == image
    assert image.name == "Terrain slope"
    slope = attribute_values(terrain.data, "slope").reshape(33, 65)
    np.testing.assert_allclose(pixels(image)[..., 0], slope / 90.0, atol=1e-5)


def test_images_survive_saving(terrain, tmp_path):
    bake(maps={"slope"}, as_images=True, splat=True)
    pixels_before = pixels(bpy.data.images["Terrain slope"])
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    np.testing.assert_array_equal(pixels(bpy.data.images["Terrain slope"]), pixels_before)


def test_a_splat_map_has_four_maps_side_by_side(terrain, tmp_path):
    bake(splat=True, maps=set(), red="slope", green="aspect", alpha="cavity", low=0.0, high=45.0)
    shown = pixels(bpy.data.images["Terrain splat"])
    for channel, name in ((0, "slope"), (1, "aspect"), (3, "cavity")):
        wanted = np.clip(expected(terrain, name) / 45.0, 0.0, 1.0)
        np.testing.assert_allclose(shown[..., channel], wanted, atol=1e-5)
    assert shown[..., 2].max() == 0.0 and np.ptp(shown[..., 0]) > 0.1
    assert bpy.data.images["Terrain splat"].alpha_mode == "CHANNEL_PACKED"
    assert "slope" not in attribute_names(terrain)
    # Saved and loaded, an empty alpha has not blackened the rest.
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    np.testing.assert_array_equal(pixels(bpy.data.images["Terrain splat"]), shown)


def test_a_splat_map_of_the_chosen_maps_in_order(terrain):
    bake(splat=True, maps={"slope", "aspect"}, low=0.0, high=45.0)
    shown = pixels(bpy.data.images["Terrain splat"])
    ordered = module("operators.bridge.terrain.catalog").check_names({"slope", "aspect"})
    wanted = np.clip(expected(terrain, ordered[1]) / 45.0, 0.0, 1.0)
    np.testing.assert_allclose(shown[..., 1], wanted, atol=1e-5)


def test_channels_of_a_splat_map_stay_where_they_were_asked_for(terrain, capfd):
    bake(splat=True, maps=set(), red="wear", green="slope", blue="slope", low=0.0, high=45.0)
    shown = pixels(bpy.data.images["Terrain splat"])
    wanted = np.clip(expected(terrain, "slope") / 45.0, 0.0, 1.0)
    for channel in (1, 2):
        np.testing.assert_allclose(shown[..., channel], wanted, atol=1e-5)
    assert shown[..., 0].max() == shown[..., 3].max() == 0.0
    assert "No modifier has made: wear" in "".join(capfd.readouterr())


def test_a_splat_map_says_what_it_has_no_room_for(terrain, capfd):
    chosen = {"slope", "aspect", "cavity", "curvature", "height", "wetness", "normal"}
    ordered = [
        name
        for name in module("operators.bridge.terrain.catalog").check_names(chosen)
        if name != "normal"
    ]
    bake(splat=True, maps=chosen, as_attributes=False)
    said = "".join(capfd.readouterr())
    assert f"A splat map has four channels; left out: {', '.join(ordered[4:])}" in said
    bake(splat=True, maps=set(ordered[:4]), as_attributes=False)
    assert "left out" not in "".join(capfd.readouterr())
    with pytest.raises(RuntimeError, match="A splat map needs at least one map with one number"):
        bake(splat=True, maps={"normal"}, as_attributes=False)


def test_a_vertex_group_with_limits(terrain):
    terrain.vertex_groups.new(name="slope").add(list(range(17 * 33)), 1.0, "REPLACE")
    bake(maps={"slope"}, as_attributes=False, as_groups=True, low=10.0, high=30.0)
    read = module("operators.bridge.datablocks.vertex_groups").read_weights
    weights = read(terrain.data, "slope")
    wanted = np.clip((expected(terrain, "slope").ravel() - 10.0) / 20.0, 0.0, 1.0)
    np.testing.assert_allclose(weights, wanted, atol=1e-3)
    assert len(terrain.vertex_groups) == 1 and weights.min() == 0.0 and weights.max() > 0.2


def test_wrong_values_are_one_line(terrain):
    with pytest.raises(RuntimeError, match="Maps.low must be at most Maps.high; got 2 and 1"):
        bake(low=2.0, high=1.0)
    with pytest.raises((TypeError, ValueError), match="slop"):
        bake(maps={"slop"})
    with pytest.raises(RuntimeError, match="Choose at least one map"):
        bake(maps=set())
    with pytest.raises(RuntimeError, match="Choose what to make"):
        bake(maps={"slope"}, as_attributes=False)
    bpy.ops.mesh.primitive_uv_sphere_add()
    with pytest.raises(RuntimeError, match="Sphere is not a grid of quads"):
        bake()


def test_a_mesh_of_long_cells_in_edit_mode(terrane):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=16, y_subdivisions=8, size=10)
    obj = bpy.context.active_object
    points = positions(obj.data)
    points[:, 2] = points[:, 1] * 0.5
    obj.data.attributes["position"].data.foreach_set("vector", points.ravel())
    bpy.ops.object.mode_set(mode="EDIT")
    bake(maps={"slope", "normal"}, as_images=True)
    assert obj.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    np.testing.assert_allclose(
        attribute_values(obj.data, "slope"), np.degrees(np.arctan(0.5)), atol=0.01
    )
    assert tuple(bpy.data.images["Grid slope"].size) == (17, 9)
