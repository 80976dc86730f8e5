# SPDX-License-Identifier: GPL-3.0-or-later
"""Show Mask draws the mask of the active layer over the ground, and changes nothing of the user's."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, attribute_names, heights
from tests.blender.panels import EditorContext, shown_by

TERRAIN = {"preset": "none", "resolution": 65, "size": 1000.0, "height": 300.0}


def overlay():
    return module("operators.bridge.textures.mask_overlay").overlay


def drawing():
    return module("operators.bridge.textures.mask_drawing")


def settle():
    module("operators.bridge.tasks.live").update_now()


def colors():
    return None if drawing().shown is None else drawing().shown.colors


@pytest.fixture
def masked(terrane):
    """A terrain of a noise, and terraces on slopes alone."""
    terrain = add_terrain(**TERRAIN)
    bpy.ops.terrane.layer_add(type="terraces")
    bpy.ops.terrane.layer_mask(source="slope")
    settle()
    yield terrain
    overlay().end()


def expected(terrain):
    """Return the mask of the terraces, by slope on the noise alone."""
    request = module("operators.bridge.terrain.terrains").present_request(terrain)
    core = module("noise_core")
    grid, layer = request.grid(), request.recipe.layers[1]
    ground = core.Recipe(
        layers=request.recipe.layers[:1],
        seed=request.recipe.seed,
        height=request.recipe.height,
        size=request.recipe.size,
    ).evaluate(grid)
    context = layer.mask_context(layer.seed_in(request.recipe.seed), {})
    return layer.mask.share(ground.height, grid, context).reshape(-1)


def test_it_shows_the_mask_on_the_ground_below_the_layer(masked):
    assert bpy.ops.terrane.mask_show() == {"FINISHED"}
    values = expected(masked)
    assert values.min() < 0.1 and values.max() > 0.9
    np.testing.assert_allclose(colors(), drawing().colors_of(values), atol=1e-6)
    white, red = drawing().colors_of(np.array([0.0, 1.0], np.float32))
    np.testing.assert_allclose(white, drawing().WHITE)
    np.testing.assert_allclose(red, drawing().RED)
    np.testing.assert_array_equal(drawing().shown.positions[:, 2], heights(masked))
    assert len(drawing().shown.triangles) == 2 * 64 * 64


def test_it_follows_the_settings_and_the_heights(masked):
    bpy.ops.terrane.mask_show()
    for group, name, value in (
        (masked.terrane.layers[1].mask, "low", 35.0),
        (masked.terrane, "seed", 77),
        (masked.terrane, "height", 500.0),
        (masked.terrane.layers[1], "opacity", 0.5),
    ):
        setattr(group, name, value)
        settle()
        np.testing.assert_allclose(colors(), drawing().colors_of(expected(masked)), atol=1e-5)
        np.testing.assert_array_equal(drawing().shown.positions[:, 2], heights(masked))


def test_it_ends_with_another_layer_and_when_pressed_again(masked):
    bpy.ops.terrane.mask_show()
    assert colors() is not None
    masked.terrane.active_layer = 0
    assert colors() is None and overlay().owner is None
    masked.terrane.active_layer = 1
    assert colors() is None
    bpy.ops.terrane.mask_show()
    assert colors() is not None
    bpy.ops.terrane.mask_show()
    assert colors() is None


def test_nothing_of_the_users_changes(masked):
    mesh = masked.data
    mesh.color_attributes.new("Mine", "FLOAT_COLOR", "POINT")
    before = (attribute_names(masked), mesh.color_attributes.active_color_index, heights(masked))
    keys = set(masked.keys()), set(mesh.keys()), len(bpy.data.images), len(bpy.data.materials)
    bpy.ops.terrane.mask_show()
    during = (attribute_names(masked), mesh.color_attributes.active_color_index, heights(masked))
    assert before[:2] == during[:2]
    np.testing.assert_array_equal(before[2], during[2])
    assert keys == (
        *(set(masked.keys()), set(mesh.keys())),
        *(len(bpy.data.images), len(bpy.data.materials)),
    )


def test_files_are_saved_without_it(masked, tmp_path):
    bpy.ops.terrane.mask_show()
    file = str(tmp_path / "mask.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    assert colors() is not None
    bpy.ops.wm.open_mainfile(filepath=file)
    assert colors() is None and overlay().owner is None


def test_undo_shows_the_former_mask(masked):
    bpy.ops.terrane.mask_show()
    bpy.ops.ed.undo_push(message="before")
    before = colors().copy()
    masked.terrane.layers[1].mask.low = 50.0
    settle()
    bpy.ops.ed.undo_push(message="after")
    assert np.abs(colors() - before).max() > 0.1
    bpy.ops.ed.undo()
    settle()
    np.testing.assert_array_equal(colors(), before)


def test_a_layer_without_a_mask_is_refused_and_ends_it(masked):
    panel = module("ui.viewport").TERRANE_PT_terrain_layer
    assert "terrane.mask_show" in shown_by(panel)
    bpy.ops.terrane.mask_show()
    bpy.ops.terrane.layer_mask(source="everywhere")
    assert colors() is None
    assert "terrane.mask_show" not in shown_by(panel)
    with pytest.raises(RuntimeError, match="Choose a layer with a mask first"):
        bpy.ops.terrane.mask_show()
    bpy.context.view_layer.objects.active = None
    with pytest.raises(RuntimeError, match="Select a terrain"):
        bpy.ops.terrane.mask_show()


def test_a_painted_mask_is_shown(masked):
    bpy.ops.terrane.layer_mask(source="everywhere")
    group = masked.vertex_groups.new(name="east")
    east = np.flatnonzero(np.arange(65 * 65) % 65 > 40)
    group.add(east.tolist(), 1.0, "REPLACE")
    masked.terrane.layers[1].painted_mask = "east"
    settle()
    bpy.ops.terrane.mask_show()
    values = np.zeros(65 * 65, np.float32)
    values[east] = 1.0
    np.testing.assert_allclose(colors(), drawing().colors_of(values), atol=1e-6)


def test_a_layer_in_a_group_and_a_layer_of_noise(terrane):
    terrain = add_terrain(**TERRAIN)
    bpy.ops.terrane.layer_add(type="group")
    bpy.ops.terrane.layer_add(type="simplex")
    bpy.ops.terrane.layer_mask(source="slope")
    settle()
    bpy.ops.terrane.mask_show()
    share = expected_in_group(terrain)
    np.testing.assert_allclose(colors(), drawing().colors_of(share), atol=1e-5)
    overlay().end()


def expected_in_group(terrain):
    """Return the mask of a layer in a group, which reads the ground below the group."""
    request = module("operators.bridge.terrain.terrains").present_request(terrain)
    core = module("noise_core")
    grid, recipe = request.grid(), request.recipe
    ground = core.Recipe(
        layers=recipe.layers[:1], seed=recipe.seed, height=recipe.height, size=recipe.size
    ).evaluate(grid)
    mask = recipe.layers[1].layers[0].mask
    context = module("noise_core.masks.bases.mask").MaskContext({}, 0, 0, ())
    return mask.share(ground.height, grid, context).reshape(-1)


def test_a_mesh_that_is_no_grid_any_more_shows_none(masked):
    bpy.ops.terrane.mask_show()
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    bpy.ops.object.mode_set(mode="OBJECT")
    overlay().follow()
    assert colors() is None


def test_disabling_ends_it(masked):
    bpy.ops.terrane.mask_show()
    preview = module("operators.bridge.textures.recipe_preview")
    preview._end()
    preview._register()
    assert colors() is None and overlay().owner is None


def test_the_mask_of_an_image_is_shown_over_the_image(terrane):
    core, noises = module("noise_core"), module("noise_core.noises")
    slope = module("noise_core.masks").MapMask(
        map=module("noise_core.maps").Slope(), low=5.0, high=20.0
    )
    terraces = module("noise_core.modifiers").Terraces(mask=slope)
    recipe = core.Recipe(
        layers=(noises.Perlin(frequency=3.0), terraces), seed=3, size=1000.0, height=300.0
    )
    bpy.ops.terrane.image_new(recipe=recipe.to_json(), name="Land", width=48, height=32)
    image = bpy.data.images["Land"]
    before = list(image.pixels)
    image.terrane.active_layer = 1
    context = EditorContext("IMAGE_EDITOR", image)
    overlay_module = module("operators.bridge.textures.mask_overlay")
    assert overlay_module.why_not(context) == ""
    overlay().begin(image)
    settle()
    ground = core.Recipe(layers=recipe.layers[:1], seed=3, size=1000.0, height=300.0)
    grid = ground.grid((32, 48), wrap=image.terrane.image_options.seamless)
    values = slope.share(ground.evaluate(grid).height, grid, None)
    np.testing.assert_allclose(colors(), drawing().colors_of(values), atol=1e-5)
    assert values.min() < 0.1 and values.max() > 0.9
    assert list(image.pixels) == before and overlay_module.is_shown(image.terrane)
    image.terrane.active_layer = 0
    settle()
    assert colors() is None and overlay().owner is None
