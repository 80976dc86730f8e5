# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks made of a noise, of two masks, and of a group: edited by the operators that layers have."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, heights, read_recipe, update_terrain

element_add = bpy.ops.terrane.element_add
element_move = bpy.ops.terrane.element_move
element_mute = bpy.ops.terrane.element_mute
element_remove = bpy.ops.terrane.element_remove
layer_mask = bpy.ops.terrane.layer_mask


def read(obj=None):
    return read_recipe(obj or bpy.context.object)


def masked():
    """Return the mask of the second layer as the core has it."""
    return read().layers[1].mask


def entry():
    return bpy.context.object.terrane.layers[1]


def update_heights():
    """Return the heights of the updated terrain, which are those of its recipe."""
    update_terrain()
    height, recipe = heights(bpy.context.object), read()
    np.testing.assert_array_equal(height, recipe.evaluate(recipe.grid(17)).height.ravel())
    return height


def types_of(noise):
    return [element.key for element in module("noise_core.recipes.chains").elements(noise)]


def image_of(values):
    pixels = np.array(values, np.float32)
    new_image = module("operators.bridge.datablocks.images").new_image
    return new_image("Pattern", pixels, float_buffer=True)


@pytest.fixture
def terrain(terrane):
    """A terrain whose second layer has a mask of its own noise."""
    terrain = add_terrain(preset="none", resolution=17, height=5.3)
    bpy.ops.terrane.layer_add(type="simplex")
    assert layer_mask(source="noise") == {"FINISHED"}
    return terrain


def test_a_filter_of_a_mask_changes_the_heights_as_the_recipe_says(terrain):
    plain, recipe_before = update_heights(), read()
    bpy.ops.ed.undo_push(message="a mask")
    assert element_add(type="invert", part="MASK") == {"FINISHED"}
    bpy.ops.ed.undo_push(message="a filter")
    assert types_of(masked().noise) == ["perlin", "invert", "fractal"]
    assert element_move(place=1, direction="DOWN", part="MASK") == {"FINISHED"}
    assert types_of(masked().noise) == ["perlin", "fractal", "invert"]
    bpy.ops.ed.undo_push(message="moved")
    core = module("noise_core")
    noise = module("noise_core.noises").Invert(source=recipe_before.layers[1].mask.noise)
    mask = recipe_before.layers[1].mask.with_values(noise=noise)
    expected = core.Recipe(
        layers=(recipe_before.layers[0], recipe_before.layers[1].with_values(mask=mask)),
        **{name: getattr(recipe_before, name) for name in ("seed", "height", "size")},
    )
    assert read() == expected
    assert not np.array_equal(update_heights(), plain)
    bpy.ops.ed.undo()
    assert types_of(masked().noise) == ["perlin", "invert", "fractal"]
    bpy.ops.ed.undo()
    assert read() == recipe_before
    bpy.ops.ed.redo()
    assert element_remove(place=1, part="MASK") == {"FINISHED"}
    assert read() == recipe_before
    np.testing.assert_array_equal(update_heights(), plain)
    assert [one.type for one in entry().chain] == ["simplex", "fractal"], "the layer keeps its own"


def test_muted_filters_and_images_of_a_mask_are_copied(terrain):
    element_add(type="invert", part="MASK")
    element_mute(place=1, part="MASK")
    assert types_of(masked().noise) == ["perlin", "fractal"]
    entry().mask.chain[0].basis = "raster"
    entry().mask.chain[0].raster.pixels = image_of([[0.1, 0.9], [0.6, 0.4]])
    plain = update_heights()
    bpy.ops.terrane.layer_duplicate()
    copied = terrain.terrane.layers[2].mask.chain
    assert [one.type for one in copied] == ["raster", "invert", "fractal"]
    assert [one.muted for one in copied] == [False, True, True]
    assert copied[0].raster.pixels == bpy.data.images["Pattern"] and not copied[0].text
    bpy.ops.terrane.layer_remove()
    np.testing.assert_array_equal(update_heights(), plain)
    bpy.ops.terrane.layer_select(place=1)
    element_mute(place=1, part="MASK")
    assert "invert" in types_of(masked().noise)


def test_a_curve_in_a_mask_has_an_editor_beside_that_of_the_layer(terrain):
    editor, group = module("operators.bridge.schema.curve_editor"), terrain.terrane
    element_add(type="curve")
    element_add(type="curve", part="MASK")
    own, of_mask = editor.curves_of(group)
    assert editor.synchronize(group)
    editor.editor_of(of_mask).mapping.curves[0].points[1].location = (0.25, 0.75)
    assert editor.synchronize(group)
    assert masked().noise.source.points[1] == (0.25, 0.75)
    assert tuple(own.points[1].position) != (0.25, 0.75)
    layer_mask(source="everywhere")
    editor.synchronize(group)
    assert [one.name for one in bpy.data.node_groups] == [editor.GROUP]
    editor.remove()


def test_what_has_no_chain_is_refused(terrain):
    bpy.ops.terrane.layer_add(type="blur")
    with pytest.raises(RuntimeError, match="modifiers have no chain"):
        element_add(type="curve")
    layer_mask(source="noise")
    with pytest.raises(RuntimeError, match="modifiers have no chain"):
        element_add(type="curve")
    assert element_add(type="curve", part="MASK") == {"FINISHED"}
    with pytest.raises(RuntimeError, match=r"place must be in \[1, 2\]; got 0"):
        element_remove(place=0, part="MASK")
    with pytest.raises(RuntimeError, match="not made of a noise"):
        element_add(type="curve", part="FIRST")
    with pytest.raises(RuntimeError, match="not made of two"):
        layer_mask(source="slope", part="SECOND")


def test_both_halves_of_a_mask_are_edited(terrain):
    layer_mask(source="product")
    assert layer_mask(source="height", part="FIRST") == {"FINISHED"}
    assert layer_mask(source="noise", part="SECOND") == {"FINISHED"}
    assert element_add(type="invert", part="SECOND") == {"FINISHED"}
    both = masked()
    assert both.first.map.key == "height"
    assert types_of(both.second.noise) == ["perlin", "invert", "fractal"]
    entry().mask.first.low = 1.5
    assert masked().first.low == 1.5 and not entry().mask.text
    update_heights_before, recipe = update_heights(), read()
    bpy.ops.terrane.layer_duplicate()
    assert read().layers[2].mask == recipe.layers[1].mask
    bpy.ops.terrane.layer_remove()
    np.testing.assert_array_equal(update_heights(), update_heights_before)


def test_halves_are_read_from_recipes_and_files_as_deep_as_they_go(terrain):
    masks = module("noise_core.masks")
    inner = masks.ProductMask(first=masks.MapMask(low=1.0), second=masks.NoiseMask())
    deep = masks.ProductMask(first=inner, second=masks.LayerMask(layer=entry().name))
    settings = module("operators.bridge.schema.settings")
    bpy.ops.terrane.layer_add(type="blur")
    recipe = read()
    written = module("noise_core").Recipe(
        layers=(*recipe.layers[:2], recipe.layers[2].with_values(mask=deep)), seed=4
    )
    settings.write(terrain.terrane, written)
    assert read() == written
    entry().name = "Renamed"
    assert read().layers[2].mask.second.layer == "Renamed"
    # Files from before halves could be edited have them as text.
    mask = terrain.terrane.layers[2].mask
    module("operators.bridge.schema.mask_settings").MASKS.write_tree(mask, masks.ProductMask())
    mask.text = '{"first": {"type": "map", "map": {"type": "slope"}, "low": 7.0}}'
    assert read().layers[2].mask.first.low == 7.0


def test_a_group_masks_other_layers(terrain):
    bpy.ops.terrane.layer_group()
    bpy.ops.terrane.layer_add(type="value")
    layer_list, group = module("operators.bridge.schema.layer_list"), terrain.terrane
    inside = layer_list.active_place(group)
    around = group.layers[1].name
    assert group.layers[1].type == "group" and group.layers[inside].depth == 1
    assert around not in [one.name for one in layer_list.maskable(group)], "it is part of it"
    bpy.ops.terrane.layer_select(place=0)
    bpy.ops.terrane.layer_add(type="value")
    assert around in [one.name for one in layer_list.maskable(group)]
    layer_mask(source="layer", layer=around)
    assert read().layers[-1].mask.layer == around
    update_heights()
