# SPDX-License-Identifier: GPL-3.0-or-later
"""An image of heights erodes as the field that it shows."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import pixels


@pytest.fixture
def source(terrane):
    bpy.ops.terrane.image_new(
        width=48, height=32, noise="perlin", frequency=4, name="Relief", seed=4
    )
    return bpy.data.images["Relief"]


def erode(**keywords):
    keywords = {
        "modifier": "thermal_erosion",
        "image": "Relief",
        "size": 100.0,
        "height": 60.0,
        **keywords,
    }
    assert bpy.ops.terrane.image_erode(**keywords) == {"FINISHED"}


def expected(gray, seamless=False, mask=None, **parameters):
    core = module("noise_core")
    field = core.Grid(*gray.shape, size=100.0, wrap=seamless)
    cls = module("noise_core.modifiers").ThermalErosion
    relief = cls(**parameters).apply(gray * np.float32(60.0), field, 0, mask)
    return relief.height / np.float32(60.0), relief.maps


@pytest.mark.parametrize("seamless", [False, True])
def test_a_new_image(source, seamless):
    pixels_before = pixels(source)
    erode(seamless=seamless, talus_angle=20.0)
    image = bpy.data.images["Relief eroded"]
    wanted, _ = expected(pixels_before[..., 0], seamless, talus_angle=20.0)
    assert np.abs(wanted - pixels_before[..., 0]).max() > 0.01
    for channel in range(3):
        np.testing.assert_array_equal(pixels(image)[..., channel], wanted)
    np.testing.assert_array_equal(pixels(source), pixels_before)
    assert image.is_float and image.packed_file is not None and image.use_fake_user


def test_in_place_keeps_the_transparency(source):
    pixels_before = pixels(source)
    pixels_before[..., 3] = 0.5
    source.pixels.foreach_set(pixels_before.ravel())
    erode(in_place=True, talus_angle=20.0)
    assert [image.name for image in bpy.data.images] == ["Relief"]
    wanted, _ = expected(pixels_before[..., 0], talus_angle=20.0)
    np.testing.assert_array_equal(pixels(source)[..., 0], wanted)
    assert (pixels(source)[..., 3] == 0.5).all()


def test_an_image_of_bytes(terrane):
    image = bpy.data.images.new("Relief", 32, 16)
    ramp = np.zeros((16, 32, 4), np.float32)
    ramp[:, 16:] = 1.0
    image.pixels.foreach_set(ramp.ravel())
    erode()
    made = pixels(bpy.data.images["Relief eroded"])[..., 0]
    assert bpy.data.images["Relief eroded"].is_float
    assert 0.0 < made[8, 15] < made[8, 16] < 1.0 and made[8, 0] < 0.01
    erode(in_place=True)
    np.testing.assert_allclose(pixels(image)[..., 0], made, atol=0.6 / 255)


def test_a_mask_and_maps(source):
    mask = bpy.data.images.new("Mask", 2, 1, float_buffer=True, is_data=True)
    mask.pixels.foreach_set(np.array([1, 1, 1, 1, 1, 1, 1, 1], np.float32))
    pixels_before = pixels(source)[..., 0]
    erode(talus_angle=20.0, mask="Mask", maps={"scree"}, name="Other")
    wanted, maps = expected(pixels_before, talus_angle=20.0)
    np.testing.assert_array_equal(pixels(bpy.data.images["Other"])[..., 0], wanted)
    scree = maps["scree"]
    np.testing.assert_allclose(
        pixels(bpy.data.images["Other scree"])[..., 0],
        (scree - scree.min()) / np.ptp(scree),
        atol=1e-6,
    )
    with pytest.raises(RuntimeError, match="mask must name an image; got 'no'"):
        erode(mask="no")


def test_wrong_values_are_one_line(source):
    for keywords, message in (
        ({"image": "none"}, "image must name an image; got 'none'"),
        ({"image": ""}, "image must name an image"),
        ({"size": 0.0}, "Image.size must be in"),
        ({"height": -1.0}, "Image.height must be in"),
    ):
        with pytest.raises(RuntimeError, match=message) as error:
            erode(**keywords)
        assert "Traceback" not in str(error.value)
    assert len(bpy.data.images) == 1


@pytest.mark.parametrize("kind", ["tiled", "stereo3d"])
def test_what_is_more_than_one_picture_is_not_changed_in_place(terrane, kind):
    image = bpy.data.images.new("Relief", 16, 12, float_buffer=True, **{kind: True})
    with pytest.raises(RuntimeError, match="Relief has tiles, frames or views: make another image"):
        erode(in_place=True)
    assert image.packed_file is None
    erode()
    assert bpy.data.images["Relief eroded"].source == "FILE"


def test_it_needs_an_image(terrane):
    with pytest.raises(RuntimeError, match="Open an image in the Image Editor first"):
        bpy.ops.terrane.image_erode()


def test_undo_takes_a_new_image_away(source):
    bpy.ops.ed.undo_push(message="before")
    erode(talus_angle=20.0)
    bpy.ops.ed.undo_push(message="eroded")
    bpy.ops.ed.undo()
    assert [image.name for image in bpy.data.images] == ["Relief"]
    bpy.ops.ed.redo()
    assert pixels(bpy.data.images["Relief eroded"])[..., 0].max() > 0.1


FIELD = np.random.default_rng(3).random((12, 16), np.float32)

SOURCES = ["made", "byte file", "float file", "float file, numbers", "painted", "packed"]


def brought_in(kind, tmp_path):
    """Return an image of rough heights from one source or another."""
    if kind == "made":
        bpy.ops.terrane.image_new(width=16, height=12, noise="white", name="Relief")
        return bpy.data.images["Relief"]
    if "file" in kind:
        path = tmp_path / "Relief.png"
        bits = 16 if "float" in kind else 8
        path.write_bytes(module("noise_core.codecs.image_writing").image_bytes(FIELD, "png", bits))
        image = bpy.data.images.load(str(path))
        image.colorspace_settings.name = "Non-Color" if "numbers" in kind else "sRGB"
        image.use_fake_user = True
    else:
        image = bpy.data.images.new("Relief", 16, 12, float_buffer=True)
        image.use_fake_user = True
        colors = np.dstack((FIELD, FIELD, FIELD, np.ones_like(FIELD)))
        image.pixels.foreach_set(np.ascontiguousarray(colors).ravel())
        image.update()
        if kind == "packed":
            image.pack()
    image.name = "Relief"
    return image


@pytest.mark.parametrize("kind", SOURCES)
def test_what_was_done_in_place_can_be_undone(terrane, tmp_path, kind):
    pixels_before = pixels(brought_in(kind, tmp_path))
    bpy.ops.ed.undo_push(message="before")
    erode(talus_angle=5.0, size=10.0, in_place=True)
    eroded = pixels(bpy.data.images["Relief"])
    assert np.abs(eroded - pixels_before).max() > 0.1
    bpy.ops.ed.undo_push(message="eroded")
    bpy.ops.ed.undo()
    np.testing.assert_array_equal(pixels(bpy.data.images["Relief"]), pixels_before)
    bpy.ops.ed.redo()
    np.testing.assert_array_equal(pixels(bpy.data.images["Relief"]), eroded)


@pytest.mark.parametrize("kind", SOURCES)
def test_what_was_done_in_place_survives_saving(terrane, tmp_path, kind):
    image = brought_in(kind, tmp_path)
    space = image.colorspace_settings.name
    erode(talus_angle=5.0, size=10.0, in_place=True)
    eroded = pixels(image)
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    image = bpy.data.images["Relief"]
    assert image.packed_file is not None and image.colorspace_settings.name == space
    np.testing.assert_array_equal(pixels(image), eroded)


def test_what_was_done_in_place_can_be_redone_with_other_values(source):
    derived_images = module("operators.bridge.textures.derived_images")
    pixels_before = pixels(source)
    erode(talus_angle=20.0, in_place=True)
    derived_images.take_back(source)
    np.testing.assert_array_equal(pixels(source), pixels_before)
    erode(talus_angle=20.0, in_place=True)
    painted = pixels(source)
    painted[3, 3, :3] = 1.0
    source.pixels.foreach_set(painted.ravel())
    derived_images.take_back(source)  # somebody has painted since: nothing to take back
    np.testing.assert_array_equal(pixels(source), painted)


@pytest.mark.parametrize("is_float", [True, False])
def test_what_is_painted_a_little_is_not_taken_back(terrane, is_float):
    derived_images = module("operators.bridge.textures.derived_images")
    image = bpy.data.images.new("Relief", 16, 16, float_buffer=is_float, is_data=is_float)
    values = np.linspace(-0.1, 1.1, 256, dtype=np.float32).reshape(16, 16)
    pixels_before = pixels(image)
    module("operators.bridge.tasks.steps").at_once(derived_images.write(lambda: image, values))
    assert np.ptp(pixels(image)[..., 0]) > 0.9
    derived_images.take_back(image)
    np.testing.assert_array_equal(pixels(image), pixels_before)
    module("operators.bridge.tasks.steps").at_once(derived_images.write(lambda: image, values))
    painted = pixels(image)
    painted[8, 8, :3] += 1.5 / 255.0
    image.pixels.foreach_set(painted.ravel())
    painted = pixels(image)
    derived_images.take_back(image)
    np.testing.assert_array_equal(pixels(image), painted)
    image.scale(8, 8)
    derived_images.take_back(image)
    assert tuple(image.size) == (8, 8)


def test_an_image_changes_in_the_last_step(source):
    derived_images = module("operators.bridge.textures.derived_images")
    pixels_before, values = pixels(source), np.full(pixels(source).shape[:2], 0.25, np.float32)
    taken = derived_images.write(lambda: source, values)
    work = next(taken)
    given = work(lambda share: None, lambda: False)
    np.testing.assert_array_equal(pixels(source), pixels_before)
    with pytest.raises(StopIteration):
        taken.send(given)
    assert (pixels(source)[..., 0] == 0.25).all()
