# SPDX-License-Identifier: GPL-3.0-or-later
"""An image that is a mask stays one: renamed, saved, appended, linked and copied."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, heights


def half_white(name):
    """Return an image of our own, white on its left half."""
    values = np.zeros((8, 8), np.float32)
    values[:, :4] = 1.0
    return module("operators.bridge.datablocks.images").new_image(name, values, float_buffer=False)


def masked_terrain(name="Land"):
    """Return a terrain whose one modifier acts where an image says, and that was made so."""
    bpy.ops.terrane.terrain_add(preset="none", resolution=17, height=5.3)
    bpy.ops.terrane.layer_add(type="terraces")
    obj = bpy.context.active_object
    obj.name = name
    half_white("Terraces Mask")
    entry_of(obj).painted_mask = "Terraces Mask"
    bpy.ops.terrane.terrain_update()
    return obj


@pytest.fixture
def terrain(terrane):
    return masked_terrain()


def entry_of(obj):
    return obj.terrane.layers[1]


def assert_as_made(obj, before):
    """Update a terrain, and compare its heights with earlier ones."""
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    np.testing.assert_array_equal(heights(obj), before)


def brought(path, name, *, link=False):
    """Append or link an object from a file; it is active then."""
    with bpy.data.libraries.load(str(path), link=link) as (_, into):
        into.objects = [name]
    obj = into.objects[0]
    bpy.context.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    return obj


def saved(path):
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    return path


def test_a_renamed_image_is_followed(terrain, tmp_path):
    heights_before = heights(terrain)
    image = bpy.data.images["Terraces Mask"]
    assert entry_of(terrain).mask_image == image
    image.name = "East"
    assert entry_of(terrain).painted_mask == "East"
    assert_as_made(terrain, heights_before)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "renamed.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "renamed.blend"))
    terrain = bpy.context.active_object
    assert entry_of(terrain).painted_mask == "East"
    assert_as_made(terrain, heights_before)


def test_a_renamed_image_is_not_taken_for_a_vertex_group(terrain):
    heights_before = heights(terrain)
    terrain.vertex_groups.new(name="East")
    bpy.data.images["Terraces Mask"].name = "East"
    assert_as_made(terrain, heights_before)
    assert module("operators.bridge.schema.masks").kind_of(terrain, entry_of(terrain)) == "IMAGE"


def test_blender_counts_it_as_used(terrain):
    image = bpy.data.images["Terraces Mask"]
    image.use_fake_user = False
    assert image.users == 1
    entry_of(terrain).painted_mask = ""
    assert image.users == 0 and entry_of(terrain).painted_mask == ""


def test_appending_brings_the_image(terrain, tmp_path):
    heights_before = heights(terrain)
    path = saved(tmp_path / "library.blend")
    land = brought(path, "Land")
    assert [image.name for image in bpy.data.images] == ["Terraces Mask"]
    assert_as_made(land, heights_before)


def test_another_image_of_that_name_is_left_alone(terrain, tmp_path):
    heights_before = heights(terrain)
    path = saved(tmp_path / "library.blend")
    own = module("operators.bridge.datablocks.images").new_image(
        "Terraces Mask", np.zeros((8, 8), np.float32), float_buffer=False
    )
    land = brought(path, "Land")
    assert entry_of(land).mask_image != own and entry_of(land).painted_mask == "Terraces Mask.001"
    assert_as_made(land, heights_before)
    assert entry_of(land).painted_mask == "Terraces Mask.001"


def test_a_linked_image_of_a_name_that_is_taken_is_told_apart(terrain, tmp_path):
    heights_before = heights(terrain)
    path = saved(tmp_path / "library.blend")
    module("operators.bridge.datablocks.images").new_image(
        "Terraces Mask", np.zeros((8, 8), np.float32), float_buffer=False
    )
    brought(path, "Land", link=True)
    bpy.ops.object.make_local(type="SELECT_OBDATA")
    land = bpy.context.active_object
    assert land.library is None and entry_of(land).mask_image.library is not None
    assert_as_made(land, heights_before)


def test_duplicates_keep_it(terrain):
    image = bpy.data.images["Terraces Mask"]
    bpy.ops.terrane.layer_duplicate()
    bpy.ops.terrane.layer_move(direction="DOWN")
    assert [layer.mask_image for layer in list(terrain.terrane.layers)[1:]] == [image, image]
    bpy.ops.object.select_all(action="DESELECT")
    terrain.select_set(True)
    bpy.ops.object.duplicate()
    copy = bpy.context.active_object
    image.name = "East"
    assert copy != terrain and [layer.painted_mask for layer in list(copy.terrane.layers)[1:]] == [
        "East",
        "East",
    ]


def test_a_new_terrain_of_the_same_settings_has_it(terrain):
    image, heights_before = bpy.data.images["Terraces Mask"], heights(terrain)
    new = add_terrain(from_panel=True)
    assert new != terrain and entry_of(new).mask_image == image
    np.testing.assert_array_equal(heights(new), heights_before)


def test_a_pasted_recipe_has_none(terrain):
    text = module("operators.bridge.schema.settings").read(terrain.terrane).to_json()
    bpy.ops.terrane.recipe_paste(text=text)
    assert entry_of(terrain).painted_mask == "" and entry_of(terrain).mask_image is None


def test_undo_and_redo_bring_it_back(terrain):
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.terrane.layer_painted_mask("EXEC_DEFAULT", True, mask="")
    bpy.ops.ed.undo()
    terrain = bpy.context.active_object
    image = bpy.data.images["Terraces Mask"]
    assert (
        entry_of(terrain).painted_mask == "Terraces Mask" and entry_of(terrain).mask_image == image
    )
    bpy.ops.ed.redo()
    entry = entry_of(bpy.context.active_object)
    assert entry.painted_mask == "" and entry.mask_image is None


def test_a_file_that_has_only_the_name_is_as_before(terrain, tmp_path):
    heights_before = heights(terrain)
    entry_of(terrain).mask_image = None
    assert entry_of(terrain).painted_mask == "Terraces Mask"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "names.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "names.blend"))
    terrain = bpy.context.active_object
    assert (
        entry_of(terrain).painted_mask == "Terraces Mask" and entry_of(terrain).mask_image is None
    )
    assert module("operators.bridge.schema.masks").kind_of(terrain, entry_of(terrain)) == "IMAGE"
    assert_as_made(terrain, heights_before)
    bpy.ops.terrane.mask_paint(kind="IMAGE")
    assert bpy.context.scene.tool_settings.image_paint.canvas.name == "Terraces Mask"


def test_what_lies_on_the_mesh_comes_first(terrain):
    entry = entry_of(terrain)
    for name in ("Group", "Attribute"):
        half_white(name)
    terrain.vertex_groups.new(name="Group")
    terrain.data.attributes.new("Attribute", "FLOAT", "POINT")
    for name in ("Group", "Attribute", "Nothing"):
        entry.painted_mask = "Terraces Mask"
        assert entry.mask_image is not None
        entry.painted_mask = name
        assert entry.painted_mask == name and entry.mask_image is None


def test_a_removed_image_is_named(terrain):
    bpy.data.images.remove(bpy.data.images["Terraces Mask"])
    assert (
        entry_of(terrain).painted_mask == "Terraces Mask" and entry_of(terrain).mask_image is None
    )
    with pytest.raises(RuntimeError, match="must name .*; got 'Terraces Mask'"):
        bpy.ops.terrane.terrain_update()


def test_the_scene_and_images_have_masks_too(terrane):
    image = half_white("Mask")
    module("operators.bridge.schema.settings").write_preset(image.terrane, "alps")
    for group in (bpy.context.scene.terrane, image.terrane):
        entry = group.layers[1]
        entry.painted_mask = "Mask"
        is_itself = group.id_data == image  # an image that used itself would never be let go
        assert entry.painted_mask == "Mask" and entry.mask_image == (None if is_itself else image)


def test_names_make_the_difference_between_terrains_and_numbers_none(terrain):
    made = module("operators.bridge.terrain.mesh_record")
    terrains = module("operators.bridge.terrain.terrains")
    then = made.digest(terrains.present_request(terrain))
    entry_of(terrain).mask_image = None
    assert made.digest(terrains.present_request(terrain)) == then
