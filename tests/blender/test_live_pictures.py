# SPDX-License-Identifier: GPL-3.0-or-later
"""Live update of images: the result of Update, shown at once and packed at rest."""

from __future__ import annotations

import threading
import zlib
from functools import partial
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import new_image, pixels

new = partial(new_image, width=64, height=32, octaves=3, frequency=2)


def made(image):
    return module("operators.bridge.datablocks.record").Record.of(image, "picture")


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"float_buffer": True},
        {"coloring": "palette"},
        {"coloring": "marble"},
        {"coloring": "marble", "source": "recipe"},
        {"seamless": False},
        {"preset": "alps"},
    ],
)
def test_the_pixels_are_those_of_update(live, monkeypatch, keywords):
    # What other tests have measured on a busy machine would make previews coarser.
    monkeypatch.setattr(live.queue, "pace", module("operators.bridge.tasks.pace").Pace())
    image = new(**keywords)
    pixels_before = pixels(image)
    live.update_now()
    assert np.array_equal(pixels(image), pixels_before) and live.queue.is_idle
    image.terrane.seed += 5
    live.update_now(is_preview=True)
    shown = pixels(image)
    assert not np.array_equal(shown, pixels_before) and made(image).is_preview
    live.update_now()
    now = pixels(image)
    assert not made(image).is_preview and not image.is_dirty and live.note(image) == ""
    assert bpy.ops.terrane.image_update(image=image.name) == {"FINISHED"}
    np.testing.assert_array_equal(pixels(image), now)
    image.buffers_free()
    np.testing.assert_array_equal(pixels(image), now)
    if "preset" in keywords:  # two erosions are worked out for fewer pixels first
        assert np.abs(shown - now).mean() < 0.05
    else:
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
    del image["terrane_made_picture"]


@pytest.mark.parametrize("change", [painted, painted_and_packed, from_an_old_file])
def test_what_was_painted_stays(live, change):
    image = new()
    change(image)
    pixels_before = pixels(image)
    image.terrane.seed += 1
    for is_preview in (True, False):
        live.update_now(is_preview=is_preview)
        assert np.array_equal(pixels(image), pixels_before)
    assert "Update" in live.note(image) and live.queue.is_idle
    bpy.ops.terrane.image_update(image=image.name)
    image.terrane.seed += 1
    pixels_before = pixels(image)
    live.update_now()
    assert not np.array_equal(pixels(image), pixels_before) and live.note(image) == ""


def test_errors_are_said(live):
    image = new()
    image.terrane.layers[0].text = "no JSON"
    image.terrane.seed += 1
    live.update_now()
    assert "JSON" in live.note(image)
    image.terrane.layers[0].text = ""
    image.terrane.seed += 1
    live.update_now()
    assert live.note(image) == ""


def test_undo_and_redo_make_pixels_and_settings_agree(live):
    image = new()
    name, seed, pixels_before = image.name, image.terrane.seed, pixels(image)
    bpy.ops.ed.undo_push(message="added")
    image.terrane.seed = 11
    live.update_now(is_preview=True)
    bpy.ops.ed.undo_push(message="seed")
    live.update_now()
    pixels_after = pixels(bpy.data.images[name])
    assert not np.array_equal(pixels_before, pixels_after)
    for _ in range(2):
        bpy.ops.ed.undo()
        live.update_now()
        assert bpy.data.images[name].terrane.seed == seed
        np.testing.assert_array_equal(pixels(bpy.data.images[name]), pixels_before)
        bpy.ops.ed.redo()
        live.update_now()
        assert bpy.data.images[name].terrane.seed == 11
        np.testing.assert_array_equal(pixels(bpy.data.images[name]), pixels_after)


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


# --- ramps, whose widget tells nobody -----------------------------------------------------------


@pytest.fixture
def ramps(live):
    return module("operators.bridge.textures.live_ramps")


def colored(name="Mine", texture=None):
    """Return an image through the ramp of a texture, and that texture."""
    texture = texture or bpy.data.textures.new(name, "BLEND")
    texture.use_color_ramp = True
    options = bpy.context.scene.terrane.image_options
    options.kind, options.colors, options.ramp_texture = "noise", "ramp", texture
    options.width, options.height = 64, 32
    bpy.ops.terrane.image_new(from_panel=True)
    return bpy.data.images[-1], texture


def paint(texture, color=(1.0, 0.0, 1.0, 1.0)):
    texture.color_ramp.elements[0].color = color


@pytest.mark.slow
def test_an_edited_ramp_is_followed(live):
    image, texture = colored()
    pixels_before = pixels(image)
    for change in (
        lambda: paint(texture),
        lambda: setattr(texture.color_ramp.elements[0], "position", 0.4),
        lambda: setattr(texture.color_ramp.elements.new(0.5), "color", (0.0, 1.0, 0.0, 1.0)),
        lambda: setattr(texture.color_ramp, "interpolation", "CONSTANT"),
        lambda: texture.color_ramp.elements.remove(texture.color_ramp.elements[1]),
    ):
        change()
        live.update_now(is_preview=True)
        assert not np.array_equal(pixels(image), pixels_before) and made(image).is_preview
        live.update_now()
        pixels_before = pixels(image)
        assert not made(image).is_preview and live.note(image) == ""
        bpy.ops.terrane.image_update(image=image.name)
        np.testing.assert_array_equal(pixels(image), pixels_before)


def test_a_ramp_as_it_was_is_no_work(live, ramps, monkeypatch):
    image, texture = colored()
    other, _ = colored("Other")
    shared = new()
    shared.terrane.image_options.colors = "ramp"
    shared.terrane.image_options.ramp_texture = texture
    live.update_now()
    heard = []
    changes = module("operators.bridge.schema.changes")
    listener = lambda owner: heard.append(owner.name)  # noqa: E731
    changes.subscribe(listener)
    try:
        for _ in range(3):
            ramps.look()
        assert heard == [] and live.queue.is_idle
        paint(texture)
        ramps.look([image])
        assert sorted(heard) == sorted([image.name, shared.name])
        heard.clear()
        ramps.look()
        assert heard == []
        # What a ramp no longer colors does not care.
        shared.terrane.image_options.colors = "gray"
        heard.clear()
        paint(texture, (0.0, 0.0, 1.0, 1.0))
        ramps.look()
        assert heard == [image.name] and other.name not in heard
    finally:
        changes.unsubscribe(listener)


def test_all_images_of_a_ramp_follow_though_one_was_made_anew_by_hand(live):
    first, texture = colored()
    second, _ = colored(texture=texture)
    pixels_before = pixels(second)
    paint(texture)
    bpy.ops.terrane.image_update(image=first.name)
    live.update_now()
    assert not np.array_equal(pixels(second), pixels_before)
    np.testing.assert_array_equal(pixels(second), pixels(first))


def test_ramps_are_looked_at_while_they_are_shown_and_live(live, ramps, monkeypatch):
    """On a stand-in for windows: Blender's module has none."""
    image, texture = colored()
    space = SimpleNamespace(image=image)
    area = SimpleNamespace(type="IMAGE_EDITOR", spaces=SimpleNamespace(active=space))
    other = SimpleNamespace(type="VIEW_3D", spaces=SimpleNamespace(active=None))
    screen, scene = SimpleNamespace(areas=[other, area]), bpy.context.scene
    manager = SimpleNamespace(windows=[SimpleNamespace(screen=screen, scene=scene)])
    stand_in = SimpleNamespace(window_manager=manager)
    parts = {name: getattr(bpy, name) for name in ("app", "data", "types")}
    monkeypatch.setattr(ramps, "bpy", SimpleNamespace(context=stand_in, **parts))
    live.queue.finish()
    assert ramps.visible_owners() == [image] and ramps.tick() == ramps.PAUSE
    assert live.queue.is_idle
    paint(texture)
    assert ramps.tick() == ramps.PAUSE and not live.queue.is_idle
    live.queue.finish()
    assert live.queue.is_idle
    # An image of somebody else's shows the scene's settings, which have this ramp too.
    space.image = bpy.data.images.new("Foreign", 4, 4)
    assert ramps.visible_owners() == [scene]
    scene.terrane.image_options.colors = "gray"
    assert ramps.visible_owners() == [] and ramps.tick() is None
    space.image, scene.terrane_live = image, False
    assert ramps.visible_owners() == [] and ramps.tick() is None
    scene.terrane_live = True
    image.terrane.image_options.ramp_texture = None
    assert ramps.tick() is None


def test_a_ramp_that_is_edited_after_loading_is_followed(live, tmp_path):
    image, texture = colored()
    names, path = (image.name, texture.name), str(tmp_path / "ramp.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
    bpy.ops.wm.open_mainfile(filepath=path)
    image, texture = bpy.data.images[names[0]], bpy.data.textures[names[1]]
    pixels_before = pixels(image)
    live.update_now()
    np.testing.assert_array_equal(pixels(image), pixels_before)
    paint(texture)
    live.update_now()
    assert not np.array_equal(pixels(image), pixels_before)


@pytest.mark.parametrize("source", ["TILED", "SEQUENCE"])
def test_what_became_tiles_or_frames_is_left_alone(live, source):
    image = new()
    before, image.source = made(image), source
    image.terrane.seed += 1
    live.update_now()
    assert "tiles, frames or views" in live.note(image)
    assert made(image) == before
    assert live.queue.is_idle


# --- what is packed -----------------------------------------------------------------------------


def packed_checksum(image):
    return zlib.crc32(image.packed_file.data)


@pytest.mark.parametrize("float_buffer", [False, True])
def test_the_checksum_is_that_of_what_is_packed(live, tmp_path, float_buffer):
    packed = module("operators.bridge.datablocks.images")
    assert packed.packed_checksum(bpy.data.images.new("Nothing", 4, 4)) == 0
    image = new(float_buffer=float_buffer)
    name, seen = image.name, [packed.packed_checksum(image)]
    assert seen[-1] == packed_checksum(image) == made(image).checksum
    bpy.ops.ed.undo_push(message="added")
    image.terrane.seed += 1
    live.update_now()
    seen.append(packed.packed_checksum(image))
    assert seen[-1] == packed_checksum(image) == made(image).checksum
    bpy.ops.ed.undo_push(message="seed")
    for step in (bpy.ops.ed.undo, bpy.ops.ed.redo, bpy.ops.ed.undo):
        step()
        image = bpy.data.images[name]
        seen.append(packed.packed_checksum(image))
        assert seen[-1] == packed_checksum(image)
    painted_and_packed(image)
    seen.append(packed.packed_checksum(image))
    assert seen[-1] == packed_checksum(image)
    assert len(set(seen)) > 2
    path = str(tmp_path / "packed.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
    bpy.ops.wm.open_mainfile(filepath=path)
    image = bpy.data.images[name]
    assert packed.packed_checksum(image) == packed_checksum(image) == seen[-1]


def test_after_undo_and_loading_no_checksum_is_remembered(live, tmp_path):
    """Another file of the same size may lie at the same address by then."""
    packed = module("operators.bridge.datablocks.images")
    image = new()
    name, path = image.name, str(tmp_path / "packed.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
    bpy.ops.ed.undo_push(message="one")
    bpy.ops.ed.undo_push(message="two")
    for step in (
        bpy.ops.ed.undo,
        bpy.ops.ed.redo,
        lambda: bpy.ops.wm.open_mainfile(filepath=path),
    ):
        packed._remember(bpy.data.images[name], 7)
        assert packed.packed_checksum(bpy.data.images[name]) == 7
        step()
        assert packed._known == {}


def test_while_a_slider_is_dragged_nothing_packed_is_read(live, monkeypatch):
    image = new(float_buffer=True)
    target = module("operators.bridge.textures.image_product").IMAGE
    packed = module("operators.bridge.datablocks.images")
    packed.packed_checksum(image)
    read = []
    reading = packed._read_checksum
    monkeypatch.setattr(
        packed, "_read_checksum", lambda file: read.append(file.size) or reading(file)
    )
    for _ in range(3):
        image.terrane.seed += 1
        live.update_now(is_preview=True)
        assert made(image).is_preview and target.refusal(image) == ""
    live.update_now()
    assert not made(image).is_preview and target.refusal(image) == "" and read == []
    packed.forget_checksums()
    assert target.refusal(image) == "" and read == [image.packed_file.size]


def test_threads_encode_what_is_packed(live, monkeypatch):
    """The main thread handles no pixels, only the file that holds them."""
    images = module("noise_core.codecs.image_writing")
    image = new()
    encoding = []
    encode = images.image_bytes
    monkeypatch.setattr(
        images,
        "image_bytes",
        lambda *a, **k: encoding.append(threading.current_thread()) or encode(*a, **k),
    )
    monkeypatch.setattr(module("operators.bridge.tasks.queue"), "INLINE_BUDGET", -1.0)
    image.terrane.seed += 1
    live.update_now()
    assert len(encoding) == 1 and encoding[0] is not threading.main_thread()
    assert live.note(image) == "" and made(image).checksum == packed_checksum(image)


@pytest.mark.parametrize(("side", "is_main"), [(64, True), (1024, False)])
def test_threads_spread_the_previews_of_large_images(live, monkeypatch, side, is_main):
    images, shown = module("operators.bridge.datablocks.images"), []
    image, show = new(width=side, height=side), images.pixels_of
    monkeypatch.setattr(
        images, "pixels_of", lambda *a: shown.append(threading.current_thread()) or show(*a)
    )
    # As if all recipes were quick, however busy the machine is.
    monkeypatch.setattr(live.queue.pace, "estimate", lambda *a, **k: 0.001)
    monkeypatch.setattr(live.queue, "quick_side", lambda *a: 48)
    image.terrane.seed += 1
    live.update_now(is_preview=True)
    assert made(image).is_preview and len(shown) == 1
    assert (shown[0] is threading.main_thread()) == is_main
