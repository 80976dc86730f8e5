# SPDX-License-Identifier: GPL-3.0-or-later
"""An image of Terrane is updated in place: its datablock stays while all else changes."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import colors


def new(name="Picture", **keywords):
    given = {"width": 48, "height": 32, "name": name, **keywords}
    assert bpy.ops.terrane.image_new(**given) == {"FINISHED"}
    return bpy.data.images[name]


def update(name="Picture", **keywords):
    assert bpy.ops.terrane.image_update(image=name, **keywords) == {"FINISHED"}
    return bpy.data.images[name]


def same(image, **keywords):
    """Compare with an image that was made so from the start."""
    other = new("Other", **keywords)
    assert image.is_float == other.is_float
    assert image.colorspace_settings.name == other.colorspace_settings.name
    np.testing.assert_array_equal(colors(image), colors(other))
    bpy.data.images.remove(other)


KINDS = [
    {},
    {"float_buffer": False},
    {"coloring": "marble"},
    {"coloring": "marble", "float_buffer": False},
    {"coloring": "palette", "palette": "mars", "width": 20, "height": 40},
]


@pytest.mark.slow
@pytest.mark.parametrize("before", KINDS)
@pytest.mark.parametrize("after", KINDS)
def test_the_datablock_and_its_users_stay(terrane, before, after):
    image = new(seed=1, **before)
    pointer, number = image.as_pointer(), image.session_uid
    material = bpy.data.materials.new("user")
    module("operators.bridge.datablocks.compat").node_tree(material)
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    keywords = {
        "seed": 2, "float_buffer": True, "coloring": "gray", "width": 48, "height": 32, **after,
    }  # fmt: skip
    if keywords["coloring"] != "marble":
        keywords["preset"] = "none"  # or else it is the noise of the image before
    image = update(**keywords)
    assert (image.as_pointer(), image.session_uid) == (pointer, number)
    assert node.image == image and len(bpy.data.images) == 1 and image.packed_file
    same(image, **keywords)


def test_an_image_is_made_again_of_what_it_was(terrane):
    image = new(coloring="marble", seed=7, frequency=4, parameters='{"bands": 5}')
    colors_before = colors(image)
    group = image.terrane
    assert group.is_picture and group.seed == 7
    assert group.layers[0].chain[0].perlin.frequency == 4.0
    assert group.image_options.coloring_marble.bands == 5
    image.pixels.foreach_set(np.zeros(48 * 32 * 4, np.float32))
    np.testing.assert_array_equal(colors(update()), colors_before)


def test_settings_of_the_image_count(terrane):
    image = new(coloring="marble", seed=7)
    image.terrane.seed = 8
    image.terrane.layers[0].chain[0].perlin.frequency = 6.0
    image.terrane.image_options.source = "recipe"
    image.terrane.image_options.coloring_marble.strength = 0.5
    image.terrane.image_options.width = 64
    updated = update()
    assert tuple(updated.size) == (64, 32)
    same(updated, coloring="marble", seed=8, frequency=6, width=64,
         parameters='{"strength": 0.5}')  # fmt: skip
    assert updated.terrane.seed == 8


def test_keywords_win_and_are_kept(terrane):
    new(coloring="marble", seed=7)
    updated = update(coloring="clouds", source="own", parameters='{"cover": 0.4}')
    same(updated, coloring="clouds", seed=7, parameters='{"cover": 0.4}')
    same(update(), coloring="clouds", seed=7, parameters='{"cover": 0.4}')


def test_the_noise_that_an_image_was_made_of_stays_unless_it_was_the_colorings_own(terrane):
    image = new(coloring="marble", seed=7)
    assert image.terrane.image_options.source == "own"
    same(update(coloring="sea_level"), coloring="sea_level", seed=7)
    update(coloring="marble", frequency=6)
    assert bpy.data.images["Picture"].terrane.image_options.source == "recipe"
    recipe = module("operators.bridge.schema.settings").read(bpy.data.images["Picture"].terrane)
    same(update(coloring="sea_level"), coloring="sea_level", recipe=recipe.to_json(), seed=7)


def test_a_preset_with_modifiers_and_a_mask(terrane):
    mask = new("Mask", width=16, height=16)
    image = new(preset="alps", width=65, height=65)
    assert len(image.terrane.layers) > 1
    image.terrane.layers[1].painted_mask = mask.name
    colors_before = colors(image)
    masked = colors(update())
    assert np.abs(masked - colors_before).max() > 1e-3
    np.testing.assert_array_equal(colors(update()), masked)
    image.terrane.layers[1].painted_mask = "Gone"
    with pytest.raises(RuntimeError, match="mask must name an image; got 'Gone'"):
        bpy.ops.terrane.image_update(image="Picture")
    np.testing.assert_array_equal(colors(image), masked)


def test_it_survives_saving(terrane, tmp_path):
    new(coloring="wood_rings", seed=3)
    colors_before = colors(update(seed=4, float_buffer=False, width=40))
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    image = bpy.data.images["Picture"]
    np.testing.assert_array_equal(colors(image), colors_before)
    assert image.colorspace_settings.name == "sRGB" and image.terrane.seed == 4
    np.testing.assert_array_equal(colors(update()), colors_before)


@pytest.mark.parametrize("change", [{"seed": 2}, {"width": 20, "float_buffer": False}])
def test_undo_and_redo_bring_back_pixels_and_settings(terrane, change):
    first = colors(new(coloring="marble", seed=1))
    bpy.ops.ed.undo_push(message="made")
    second = colors(update(**change))
    bpy.ops.ed.undo_push(message="updated")
    assert first.shape != second.shape or np.abs(first - second).max() > 0.01
    bpy.ops.ed.undo()
    image = bpy.data.images["Picture"]
    np.testing.assert_array_equal(colors(image), first)
    assert image.terrane.seed == 1 and image.terrane.image_options.width == 48
    bpy.ops.ed.redo()
    np.testing.assert_array_equal(colors(bpy.data.images["Picture"]), second)


def test_what_cannot_be_made_anew(terrane, tmp_path):
    with pytest.raises(RuntimeError, match="Make an image with Terrane first"):
        bpy.ops.terrane.image_update()
    bpy.data.images.new("Plain", 8, 8)
    for name, message in (
        ("Plain", "Plain was not made by Terrane: make a new image"),
        ("Gone", "image must name an image; got 'Gone'"),
        ("", "image must name an image; got ''"),
    ):
        with pytest.raises(RuntimeError, match=message):
            bpy.ops.terrane.image_update(image=name)
    image = new()
    image.terrane.image_options.kind = "surface"
    with pytest.raises(RuntimeError, match="kind must be 'noise' or 'coloring'"):
        bpy.ops.terrane.image_update(image="Picture")
    image.terrane.image_options.kind = "noise"
    path = str(tmp_path / "library.blend")
    bpy.data.libraries.write(path, {image})
    bpy.data.images.remove(image)
    with bpy.data.libraries.load(path, link=True) as (_, into):
        into.images = ["Picture"]
    with pytest.raises(RuntimeError, match="Picture is linked from another file"):
        bpy.ops.terrane.image_update(image="Picture")


def test_an_image_is_as_it_was_while_its_panel_shows_surfaces(terrane, dispatcher, live):
    image = new(seed=1)
    before, product = colors(image), module("operators.bridge.textures.image_product").IMAGE
    image.terrane.image_options.kind = "surface"
    live.add(module("operators.bridge.tasks.task").Task(product, image))
    dispatcher.clear()
    assert product.plan(image) is None and live.note(image) == ""
    assert bpy.ops.terrane.images_bake(from_panel=True, width=8, height=8) == {"FINISHED"}
    np.testing.assert_array_equal(colors(image), before)
    image.terrane.image_options.kind = "noise"
    assert product.plan(image) is None
    image.terrane.seed = 2
    assert product.plan(image) is not None


def rest(steps, result):
    """Take the steps after a work that had this result."""
    try:
        while True:
            result = yield steps.send(result)
    except StopIteration as end:
        return end.value


def test_an_image_that_vanishes_meanwhile(terrane):
    image = new()
    operator = module("operators.images").TERRANE_OT_image_update
    run = operator.run

    def removing(self, context):
        steps = run(self, context)
        result = yield next(steps)
        bpy.data.images.remove(bpy.data.images["Picture"])
        return (yield from rest(steps, result))

    operator.run = removing
    try:
        with pytest.raises(RuntimeError, match="Picture is gone: nothing was made anew"):
            bpy.ops.terrane.image_update(image=image.name)
    finally:
        operator.run = run


def test_settings_changed_meanwhile_stay(terrane):
    new(seed=1)
    operator = module("operators.images").TERRANE_OT_image_update
    run = operator.run

    def turning(self, context):
        steps = run(self, context)
        result = yield next(steps)
        bpy.data.images["Picture"].terrane.seed = 99
        return (yield from rest(steps, result))

    operator.run = turning
    try:
        image = update(seed=2)
    finally:
        operator.run = run
    assert image.terrane.seed == 99
    same(image, seed=2)


@pytest.mark.parametrize("source", ["TILED", "SEQUENCE"])
def test_an_image_that_became_several_is_left_alone(terrane, source):
    image = new()
    image.source = source
    with pytest.raises(
        RuntimeError, match="has tiles, frames or views: make another image"
    ) as told:
        bpy.ops.terrane.image_update(image="Picture")
    assert "Traceback" not in str(told.value) and image.source == source
    image.source = "FILE"
    update(seed=7)
