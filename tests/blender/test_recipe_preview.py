# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of the settings: what it shows, that it takes no more and more room, that it is not saved.

That it follows the sliders takes a window: see tests/gui/run_pictures.py.
"""

from __future__ import annotations

import importlib

import bpy
import numpy as np
import pytest

PACKAGE = "bl_ext.user_default.terrane"


def module(name: str):
    return importlib.import_module(f"{PACKAGE}.{name}")


def collection():
    return module("operators.bridge.thumbnails")._collection


def drawn(kind: str = "VIEW_3D") -> np.ndarray:
    module("operators.bridge.recipe_preview").update_now(bpy.context, kind)
    preview = collection()[f"settings {kind}"]
    assert tuple(preview.image_size) == (256, 256)
    return np.array(preview.image_pixels_float[:]).reshape(256, 256, 4)


def test_it_shows_the_settings(terrane):
    bpy.ops.terrane.preset_load(preset="island")
    island = drawn()
    assert island[4, 4, 2] > island[4, 4, 0], "the sea"
    assert island[128, 128, 1] > island[128, 128, 2], "woods"
    bpy.context.scene.terrane.seed += 1
    assert abs(drawn() - island).max() > 0.2
    bpy.context.scene.terrane.seed -= 1
    assert np.array_equal(drawn(), island)


def test_the_sea_stays_when_a_terrain_is_resized(terrane):
    bpy.ops.terrane.preset_load(preset="island")
    before, group = drawn(), bpy.context.scene.terrane
    group.size, group.height = group.size / 4.0, group.height / 4.0
    assert abs(drawn() - before).mean() < 0.02


def test_it_shows_the_active_terrain(terrane):
    bpy.ops.terrane.preset_load(preset="none")
    plain = drawn()
    bpy.ops.terrane.terrain_add(preset="dunes", resolution=9)
    dunes = drawn()
    assert abs(dunes - plain).max() > 0.2
    bpy.context.view_layer.objects.active = None
    assert np.array_equal(drawn(), plain)


def test_layers_that_are_left_out_are_not_seen(terrane):
    bpy.ops.terrane.preset_load(preset="alps")
    eroded, group = drawn(), bpy.context.scene.terrane
    settings = module("operators.bridge.settings")
    settings.unfold_modifiers(group)
    assert np.array_equal(drawn(), eroded)
    group.modifiers[0].solo = True
    alone = drawn()
    assert not np.array_equal(alone, eroded)
    group.modifiers[0].solo = False
    assert np.array_equal(drawn(), eroded)


def test_two_hundred_pictures_take_the_room_of_one(terrane):
    bpy.ops.terrane.preset_load(preset="none")
    before = drawn()
    count, images = len(collection()), len(bpy.data.images)
    group = bpy.context.scene.terrane
    for seed in range(200):
        group.seed = seed
        module("operators.bridge.thumbnails").show("settings VIEW_3D", before[..., :3])
    assert len(collection()) == count and len(bpy.data.images) == images


def test_nothing_of_it_is_saved(terrane, tmp_path):
    bpy.ops.terrane.preset_load(preset="none")
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    size = (tmp_path / "file.blend").stat().st_size
    drawn()
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    assert abs((tmp_path / "file.blend").stat().st_size - size) < 10_000
    assert len(bpy.data.images) == 0


@pytest.mark.parametrize("colours", ["grey", "palette"])
def test_images_are_shown_as_they_would_be_made(terrane, colours):
    pictures = module("operators.bridge.recipe_pictures")
    bpy.ops.terrane.preset_load(preset="none")
    group = bpy.context.scene.terrane
    options = group.image_options
    options.width = options.height = 64
    options.colours, options.palette, options.float_buffer = colours, "heat", False
    area = type("Area", (), {"type": "IMAGE_EDITOR"})()
    context = type("Context", (), {"area": area})()
    order = pictures.order_of(context, group)
    made = module("operators.bridge.jobs").at_once(pictures.work(order, 64))
    assert bpy.ops.terrane.image_new(
        preset="none", colouring=colours, palette="heat", width=64, height=64, float_buffer=False
    ) == {"FINISHED"}
    image = bpy.data.images[-1]
    wanted = np.array(image.pixels[:]).reshape(64, 64, 4)[..., :3]
    assert np.allclose(made, wanted, atol=1.0 / 255.0)
