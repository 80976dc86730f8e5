# SPDX-License-Identifier: GPL-3.0-or-later
"""Live update of images: what Update would make, shown at once and packed when it rests."""

from __future__ import annotations

import importlib

import bpy
import numpy as np
import pytest

PACKAGE = "bl_ext.user_default.terrane"


def module(name):
    return importlib.import_module(f"{PACKAGE}.{name}")


@pytest.fixture
def live(terrane):
    yield module("operators.bridge.live_update")
    module("operators.bridge.live_update").dispatcher.clear()


def new(**keywords):
    plain = {"width": 64, "height": 32, "octaves": 3, "frequency": 2}
    before = set(bpy.data.images)
    assert bpy.ops.terrane.image_new(**{**plain, **keywords}) == {"FINISHED"}
    (image,) = set(bpy.data.images) - before
    return image


def pixels(image):
    values = np.empty(len(image.pixels), np.float32)
    image.pixels.foreach_get(values)
    return values


def made(image):
    return module("operators.bridge.made_pictures").MadePicture.of(image)


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"float_buffer": True},
        {"colouring": "palette"},
        {"colouring": "marble"},
        {"colouring": "marble", "source": "recipe"},
        {"seamless": False},
        {"preset": "alps"},
    ],
)
def test_the_pixels_are_those_of_update(live, keywords):
    image = new(**keywords)
    before = pixels(image)
    live.update_now()
    assert np.array_equal(pixels(image), before) and live.dispatcher.is_idle
    image.terrane.seed += 5
    live.update_now(is_preview=True)
    shown = pixels(image)
    assert not np.array_equal(shown, before) and made(image).is_preview
    live.update_now()
    now = pixels(image)
    assert not made(image).is_preview and not image.is_dirty and live.note(image) == ""
    assert bpy.ops.terrane.image_update(image=image.name) == {"FINISHED"}
    np.testing.assert_array_equal(pixels(image), now)
    image.buffers_free()
    np.testing.assert_array_equal(pixels(image), now)
    assert np.abs(shown - now).max() < 0.01, "all pixels can be had quickly"


def test_size_and_kind_are_followed(live):
    image = new()
    image.terrane.image_options.width, image.terrane.image_options.float_buffer = 48, True
    live.update_now(is_preview=True)
    live.update_now()
    assert tuple(image.size) == (48, 32) and image.is_float and live.note(image) == ""


def painted(image):
    image.pixels[0] = 0.123


def painted_and_packed(image):
    painted(image)
    image.update()
    image.pack()


def from_an_old_file(image):
    del image["terrane_made"]


@pytest.mark.parametrize("change", [painted, painted_and_packed, from_an_old_file])
def test_what_was_painted_stays(live, change):
    image = new()
    change(image)
    before = pixels(image)
    image.terrane.seed += 1
    for is_preview in (True, False):
        live.update_now(is_preview=is_preview)
        assert np.array_equal(pixels(image), before)
    assert "Update" in live.note(image) and live.dispatcher.is_idle
    bpy.ops.terrane.image_update(image=image.name)
    image.terrane.seed += 1
    before = pixels(image)
    live.update_now()
    assert not np.array_equal(pixels(image), before) and live.note(image) == ""


def test_errors_are_said(live):
    image = new()
    image.terrane.image_options.kind = "surface"
    live.update_now()
    assert "kind" in live.note(image)
    image.terrane.image_options.kind = "noise"
    image.terrane.seed += 1
    live.update_now()
    assert live.note(image) == ""


def test_undo_and_redo_make_pixels_and_settings_agree(live):
    image = new()
    name, seed, before = image.name, image.terrane.seed, pixels(image)
    bpy.ops.ed.undo_push(message="added")
    image.terrane.seed = 11
    live.update_now(is_preview=True)
    bpy.ops.ed.undo_push(message="seed")
    live.update_now()
    after = pixels(bpy.data.images[name])
    assert not np.array_equal(before, after)
    for _ in range(2):
        bpy.ops.ed.undo()
        live.update_now()
        assert bpy.data.images[name].terrane.seed == seed
        np.testing.assert_array_equal(pixels(bpy.data.images[name]), before)
        bpy.ops.ed.redo()
        live.update_now()
        assert bpy.data.images[name].terrane.seed == 11
        np.testing.assert_array_equal(pixels(bpy.data.images[name]), after)


def test_a_preview_that_was_saved_is_finished_after_loading(live, tmp_path):
    image = new()
    name = image.name
    image.terrane.seed += 1
    live.update_now(is_preview=True)
    path = str(tmp_path / "preview.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
    live.update_now()
    expected = pixels(bpy.data.images[name])
    bpy.ops.wm.open_mainfile(filepath=path)
    live.update_now()
    np.testing.assert_array_equal(pixels(bpy.data.images[name]), expected)
    assert not made(bpy.data.images[name]).is_preview
