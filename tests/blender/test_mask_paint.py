# SPDX-License-Identifier: GPL-3.0-or-later
"""A press makes a mask, assigns it and paints it; another goes back."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, heights


@pytest.fixture
def terrain(terrane):
    """Return an active terrain with one modifier."""
    terrain = add_terrain(preset="none", resolution=33, height=5.0)
    bpy.ops.terrane.layer_add(type="terraces")
    return terrain


def entry_of(obj):
    return obj.terrane.layers[obj.terrane.active_layer]


def test_a_vertex_group_is_made_assigned_and_painted(terrain):
    entry = entry_of(terrain)
    assert bpy.ops.terrane.mask_paint() == {"FINISHED"}
    assert entry.painted_mask == "Terraces Mask" and terrain.mode == "WEIGHT_PAINT"
    assert terrain.vertex_groups.active.name == "Terraces Mask"
    weights = module("operators.bridge.schema.masks").weights(terrain, entry.painted_mask)
    assert not weights.any()
    assert bpy.ops.terrane.mask_paint() == {"FINISHED"}
    assert terrain.mode == "OBJECT" and len(terrain.vertex_groups) == 1


def test_what_is_painted_is_where_the_modifier_acts(terrain):
    heights_before = heights(terrain)
    bpy.ops.terrane.mask_paint()
    left = [place for place in range(33 * 33) if place % 33 < 10]
    terrain.vertex_groups.active.add(left, 1.0, "REPLACE")
    bpy.ops.terrane.mask_paint()
    bpy.ops.terrane.terrain_update()
    moved = (heights(terrain) != heights_before).reshape(33, 33)
    assert moved[:, :10].any() and not moved[:, 10:].any()


def test_the_next_press_goes_on_with_the_same_mask(terrain):
    for _ in range(2):
        bpy.ops.terrane.mask_paint(fill=0.5)
        assert terrain.mode == "WEIGHT_PAINT"
        bpy.ops.terrane.mask_paint()
    assert len(terrain.vertex_groups) == 1
    weights = module("operators.bridge.schema.masks").weights(
        terrain, entry_of(terrain).painted_mask
    )
    np.testing.assert_allclose(weights, 0.5, atol=1e-3)


def test_names_that_are_taken_are_left_alone(terrain):
    terrain.vertex_groups.new(name="Terraces Mask")
    bpy.data.images.new("Terraces Mask.001", 4, 4)
    bpy.ops.terrane.mask_paint()
    assert entry_of(terrain).painted_mask == "Terraces Mask.002"


@pytest.mark.parametrize("kind", ["GROUP", "IMAGE"])
def test_a_long_name_is_not_cut_within_a_character(terrain, kind):
    entry_of(terrain).name = 50 * "b" + 10 * "ä"
    for _ in range(2):
        entry_of(terrain).painted_mask = ""
        bpy.ops.terrane.mask_paint(kind=kind)
        assert entry_of(terrain).painted_mask.startswith(50 * "b")
        bpy.ops.terrane.mask_paint()
    names = [one.name for one in (terrain.vertex_groups if kind == "GROUP" else bpy.data.images)]
    assert len(names) == 2 and all(len(name.encode()) <= 63 for name in names)


def test_a_vertex_group_begins_with_the_attribute_it_takes_the_place_of(terrain):
    attribute = terrain.data.attributes.new("steep", "FLOAT", "POINT")
    values = np.linspace(-0.5, 1.5, 33 * 33).astype(np.float32)
    attribute.data.foreach_set("value", values)
    entry_of(terrain).painted_mask = "steep"
    bpy.ops.terrane.mask_paint()
    assert entry_of(terrain).painted_mask == "Terraces Mask" and "steep" in terrain.data.attributes
    weights = module("operators.bridge.schema.masks").weights(terrain, "Terraces Mask")
    np.testing.assert_allclose(weights, np.clip(values, 0.0, 1.0), atol=1e-3)


def test_an_image_is_made_assigned_and_painted_on_the_terrain(terrain):
    entry = entry_of(terrain)
    assert bpy.ops.terrane.mask_paint(kind="IMAGE", fill=1.0) == {"FINISHED"}
    image = bpy.data.images[entry.painted_mask]
    assert terrain.mode == "TEXTURE_PAINT" and tuple(image.size) == (33, 33)
    paint = bpy.context.scene.tool_settings.image_paint
    assert paint.mode == "IMAGE" and paint.canvas == image
    assert image.packed_file and image.colorspace_settings.name == "Non-Color"
    assert np.all(module("operators.bridge.datablocks.images").unsigned_pixels(image) == 1.0)
    bpy.ops.terrane.mask_paint(kind="IMAGE")
    assert terrain.mode == "OBJECT"


def test_strokes_on_an_image_are_saved_with_the_file(terrain, tmp_path):
    bpy.ops.terrane.mask_paint(kind="IMAGE")
    image = bpy.data.images[entry_of(terrain).painted_mask]
    image.pixels = [1.0] * (33 * 33 * image.channels)
    assert image.is_dirty
    bpy.ops.terrane.mask_paint()
    assert not image.is_dirty
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "painted.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "painted.blend"))
    entry = entry_of(bpy.context.active_object)
    pixels = module("operators.bridge.datablocks.images").unsigned_pixels(
        bpy.data.images[entry.painted_mask]
    )
    assert np.all(pixels == 1.0)


def painted(image, gray=1.0):
    """Paint all of an image as a brush does: the pixels at hand change, and nothing else."""
    image.pixels = [gray] * (len(image.pixels))
    assert image.is_dirty
    return image


def saved_and_opened(path):
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))


def grays(image):
    return module("operators.bridge.datablocks.images").unsigned_pixels(image)


@pytest.mark.parametrize("options", [{"kind": "IMAGE"}, {"target": "HEIGHT"}])
@pytest.mark.parametrize("is_left", [True, False], ids=["by the mode menu", "not at all"])
def test_strokes_are_saved_however_painting_is_left(terrain, tmp_path, options, is_left):
    bpy.ops.terrane.mask_paint(**options)
    name = painted(bpy.context.scene.tool_settings.image_paint.canvas).name
    if is_left:
        bpy.ops.object.mode_set(mode="OBJECT")
    saved_and_opened(tmp_path / "painted.blend")
    assert np.all(grays(bpy.data.images[name]) == 1.0)


def test_what_is_made_of_strokes_is_the_same_after_loading(terrain, tmp_path):
    terrain.terrane.height = 7.3
    bpy.ops.terrane.mask_paint(kind="IMAGE")
    painted(bpy.context.scene.tool_settings.image_paint.canvas)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.terrane.terrain_update()
    heights_before = heights(terrain)
    saved_and_opened(tmp_path / "painted.blend")
    bpy.ops.terrane.terrain_update()
    np.testing.assert_array_equal(heights(bpy.context.active_object), heights_before)


def test_strokes_are_saved_in_the_next_file_too(terrain, tmp_path):
    bpy.ops.terrane.mask_paint(kind="IMAGE")
    painted(bpy.context.scene.tool_settings.image_paint.canvas, 0.0)
    for gray in (1.0, 0.0):  # the handler goes on when a file is loaded
        painted(bpy.context.scene.tool_settings.image_paint.canvas, gray)
        saved_and_opened(tmp_path / "painted.blend")
        assert np.all(grays(bpy.data.images["Terraces Mask"]) == gray)


def test_saving_leaves_images_alone_that_are_the_users_to_save(terrain, tmp_path):
    own = bpy.data.images.new("Own", 4, 4)
    own.filepath_raw, own.file_format = str(tmp_path / "own.png"), "PNG"
    own.save()
    entry_of(terrain).painted_mask = "Own"
    bpy.ops.terrane.mask_paint(kind="IMAGE")
    painted(own)
    other = painted(bpy.data.images.new("Other", 4, 4))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "painted.blend"))
    assert own.is_dirty and own.packed_file is None
    assert other.is_dirty and other.packed_file is None


def test_a_generated_image_that_was_given_to_paint_is_saved(terrain, tmp_path):
    bpy.data.images.new("Plain", 4, 4)
    entry_of(terrain).painted_mask = "Plain"
    bpy.ops.terrane.mask_paint(kind="IMAGE")
    painted(bpy.data.images["Plain"])
    saved_and_opened(tmp_path / "painted.blend")
    assert np.all(grays(bpy.data.images["Plain"]) == 1.0)


def test_saving_amid_strokes_disturbs_no_undo(terrain, tmp_path):
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.terrane.mask_paint("EXEC_DEFAULT", True, kind="IMAGE")
    painted(bpy.data.images["Terraces Mask"])
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "painted.blend"))
    bpy.ops.object.mode_set("EXEC_DEFAULT", True, mode="OBJECT")
    assert np.all(grays(bpy.data.images["Terraces Mask"]) == 1.0)
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    assert bpy.context.active_object.mode == "OBJECT" and not bpy.data.images


def test_wide_terrains_have_wide_images_and_none_is_huge(terrane):
    shape = module("operators.bridge.schema.painting")._shape
    grid = module("noise_core").Grid
    assert shape(grid(100, 400)) == (100, 400)
    assert shape(grid(4096, 8192)) == (1024, 2048)


def test_the_noise_becomes_an_image_to_paint_on_and_the_terrain_stays(terrain):
    heights_before, recipe = (
        heights(terrain),
        module("operators.bridge.schema.settings").read(terrain.terrane),
    )
    assert bpy.ops.terrane.mask_paint(target="HEIGHT") == {"FINISHED"}
    group = terrain.terrane
    assert terrain.mode == "TEXTURE_PAINT" and group.layers[0].chain[0].type == "raster"
    image = group.layers[0].chain[0].raster.pixels
    assert image.is_float and image.name == f"{terrain.name} Height"
    assert [layer.type for layer in list(group.layers)[1:]] == ["terraces"]
    bpy.ops.terrane.mask_paint()
    painted = module("operators.bridge.schema.settings").read(group)
    assert (painted.height, painted.seed) == (recipe.height, recipe.seed)
    group.layers[1].muted = True
    bpy.ops.terrane.terrain_update()
    np.testing.assert_allclose(heights(terrain), heights_before, atol=1e-4 * 5.0)
    bpy.ops.terrane.mask_paint(target="HEIGHT")
    assert group.layers[0].chain[0].raster.pixels == image and len(bpy.data.images) == 1


def test_painted_uplift_becomes_mountains(terrain):
    group = terrain.terrane
    bpy.ops.terrane.layer_remove()
    bpy.ops.terrane.layer_add(type="stream_erosion")
    group.layers[1].stream_erosion.mode = "grow"
    bpy.ops.terrane.mask_paint(target="HEIGHT")
    image = group.layers[0].chain[0].raster.pixels
    right = np.zeros((33, 33), np.float32)
    right[:, 16:] = 1.0
    module("operators.bridge.textures.derived_images").repaint(image, right)
    bpy.ops.terrane.mask_paint()
    bpy.ops.terrane.terrain_update()
    relief = heights(terrain).reshape(33, 33)
    assert relief[:, 20:-4].mean() > relief[:, 4:12].mean() + 0.5


@pytest.mark.parametrize("options", [{}, {"kind": "IMAGE"}, {"target": "HEIGHT"}])
def test_one_undo_takes_it_all_back(terrain, options):
    bpy.ops.ed.undo_push(message="before")
    recipe_before = module("operators.bridge.schema.settings").read(terrain.terrane)
    bpy.ops.terrane.mask_paint("EXEC_DEFAULT", True, **options)
    bpy.ops.ed.undo()
    terrain = bpy.context.active_object
    assert terrain.mode == "OBJECT" and not terrain.vertex_groups
    assert entry_of(terrain).painted_mask == "" and not bpy.data.images
    assert module("operators.bridge.schema.settings").read(terrain.terrane) == recipe_before
    bpy.ops.ed.redo()
    assert bpy.context.active_object.mode != "OBJECT"


def test_from_edit_mode(terrain):
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.terrane.mask_paint()
    assert terrain.mode == "WEIGHT_PAINT"


def test_it_says_what_to_do_first(terrane):
    with pytest.raises(RuntimeError, match="Select a terrain first"):
        bpy.ops.terrane.mask_paint()
    terrain = add_terrain(preset="none", resolution=17)
    bpy.ops.terrane.layer_remove()
    with pytest.raises(RuntimeError, match="Add a layer first"):
        bpy.ops.terrane.mask_paint()
    bpy.ops.terrane.layer_add(type="blur")
    bpy.ops.object.mode_set(mode="SCULPT")
    with pytest.raises(RuntimeError, match="Switch to Object Mode"):
        bpy.ops.terrane.mask_paint()
    bpy.ops.object.mode_set(mode="OBJECT")
    terrain.data.uv_layers.remove(terrain.data.uv_layers[0])
    with pytest.raises(RuntimeError, match="has no UV map"):
        bpy.ops.terrane.mask_paint(kind="IMAGE")
    assert terrain.mode == "OBJECT"


def test_a_failed_image_changes_nothing(terrain):
    terrain.data.uv_layers.remove(terrain.data.uv_layers[0])
    with pytest.raises(RuntimeError, match="has no UV map"):
        bpy.ops.terrane.mask_paint(kind="IMAGE")
    assert entry_of(terrain).painted_mask == "" and not bpy.data.images


@pytest.mark.parametrize("options", [{}, {"kind": "IMAGE"}, {"target": "HEIGHT"}])
@pytest.mark.parametrize("mode", ["OBJECT", "EDIT"])
def test_a_terrain_that_is_disabled_in_viewports_is_left_alone(terrain, options, mode):
    bpy.ops.object.mode_set(mode=mode)
    terrain.hide_viewport = True
    with pytest.raises(RuntimeError, match="This object is disabled in viewports") as told:
        bpy.ops.terrane.mask_paint(**options)
    assert "Traceback" not in str(told.value) and terrain.mode == mode
    assert (
        not terrain.vertex_groups and not bpy.data.images and entry_of(terrain).painted_mask == ""
    )
    terrain.hide_viewport = False
    assert bpy.ops.terrane.mask_paint(**options) == {"FINISHED"}
    terrain.hide_viewport = True
    with pytest.raises(RuntimeError, match="This object is disabled in viewports"):
        bpy.ops.terrane.mask_paint()
    terrain.hide_viewport = False
    bpy.ops.terrane.mask_paint()
    assert terrain.mode == "OBJECT"
