# SPDX-License-Identifier: GPL-3.0-or-later
"""A heightmap that was made elsewhere has the heights of its file, however Blender opens it."""

from __future__ import annotations

import json
import struct
import zlib

import bpy
import numpy as np
import pytest

from tests.blender.extension import module

STEP = 1.0 / 65535.0
"""Of 16 bits. Blender makes sRGB linear with two thirds of it as its largest error."""

FILES = [("png", 8), ("png", 16), ("tiff", 16), ("exr", 16), ("exr", 32)]


def heights():
    """Return heights that 8 bits hold exactly: a slope, with a mark that tells top from bottom."""
    field = np.tile(np.arange(0, 256, 17, dtype=np.float32) / 255.0, (6, 1))
    field[0] = 0.2
    return field


@pytest.fixture
def opened(terrane, tmp_path):
    """Return a function that opens the heights in a file, as the button of the panel does."""

    def opened(file_format, bits):
        writing = module("noise_core.codecs.image_writing")
        path = tmp_path / f"heights_{bits}{writing.SUFFIXES[file_format]}"
        path.write_bytes(writing.image_bytes(heights(), file_format, bits))
        return bpy.data.images.load(str(path))

    return opened


@pytest.mark.parametrize("space", [None, "Non-Color", "sRGB"])
@pytest.mark.parametrize(("file_format", "bits"), FILES)
def test_a_terrain_has_the_heights_of_the_file(opened, file_format, bits, space):
    image = opened(file_format, bits)
    if space is not None:
        image.colorspace_settings.name = space
    group = bpy.context.scene.terrane
    module("operators.bridge.schema.settings").write_preset(group, "none")
    group.height = 100.0
    group.layers[0].chain[0].basis = "raster"
    raster = group.layers[0].chain[0].raster
    raster.pixels, raster.edge = image, "clamp"
    recipe = module("operators.bridge.schema.settings").read(group)
    tolerance = 2e-3 if (file_format, bits) == ("exr", 16) else STEP
    np.testing.assert_allclose(recipe.noise.pixels, heights() * 2.0 - 1.0, atol=2.0 * tolerance)


@pytest.mark.parametrize(("file_format", "bits"), FILES)
def test_an_erosion_in_place_begins_and_ends_with_the_files_numbers(opened, file_format, bits):
    images = module("operators.bridge.datablocks.images")
    image = opened(file_format, bits)
    tolerance = 2e-3 if (file_format, bits) == ("exr", 16) else STEP
    # Nothing slides on ground as flat as this.
    kept = {"modifier": "thermal_erosion", "image": image.name, "size": 1000.0, "height": 1.0}
    assert bpy.ops.terrane.image_erode(**kept) == {"FINISHED"}
    (other,) = [one for one in bpy.data.images if one.name.endswith("eroded")]
    np.testing.assert_allclose(images.unsigned_pixels(other), heights(), atol=tolerance)
    assert bpy.ops.terrane.image_erode(**kept, in_place=True) == {"FINISHED"}
    # Made linear once more.
    np.testing.assert_allclose(images.unsigned_pixels(image), heights(), atol=2.0 * tolerance)


def png(path, gray, alpha=None):
    """Write a picture of 4 x 4 alike pixels of 16 bits: gray, or colors with transparency."""
    channels = [gray] if alpha is None else [gray, gray, gray, alpha]
    row = (
        b"\0"
        + struct.pack(f">{len(channels)}H", *(round(channel * 65535) for channel in channels)) * 4
    )
    header = struct.pack(">2I5B", 4, 4, 16, 0 if alpha is None else 6, 0, 0, 0)
    content = b"\x89PNG\r\n\x1a\n"
    for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(row * 4)), (b"IEND", b"")):
        content += struct.pack(">I", len(data)) + kind + data
        content += struct.pack(">I", zlib.crc32(kind + data))
    path.write_bytes(content)
    return bpy.data.images.load(str(path))


def spaces(image):
    settings = image.colorspace_settings.bl_rna.properties["name"]
    return [one.identifier for one in settings.enum_items]


def numbers(image):
    return module("operators.bridge.datablocks.images").unsigned_pixels(image)


def at_hand(image):
    data = np.empty(image.size[0] * image.size[1] * image.channels, np.float32)
    image.pixels.foreach_get(data)
    return data.reshape(-1, image.channels)


def leave_as_it_is(image):
    """Erode so that nothing changes."""
    nothing = {"modifier": "blur", "amount": 0.0, "radius": 1e-6, "in_place": True}
    assert bpy.ops.terrane.image_erode(image=image.name, **nothing) == {"FINISHED"}


def test_a_color_space_makes_no_difference_or_is_refused(terrane, tmp_path):
    image = png(tmp_path / "gray.png", 0.25)
    refused = set()
    for space in spaces(image):
        image.colorspace_settings.name = space
        try:
            np.testing.assert_allclose(numbers(image), 0.25, atol=5e-5, err_msg=space)
        except module("noise_core.base.errors").ParameterError as error:
            assert f"has the color space {space}, which bends" in str(error)
            refused.add(space)
    assert {"Filmic Log", "Rec.1886", "AgX Log", "Linear CIE-XYZ D65"} <= refused
    taken = {"sRGB", "Non-Color", "Linear Rec.709", "Linear Rec.2020", "ACEScg"}
    assert not refused & taken


def test_a_color_space_makes_no_difference_in_8_bits(opened):
    image = opened("png", 8)
    for space in spaces(image):
        image.colorspace_settings.name = space
        np.testing.assert_allclose(numbers(image), heights(), atol=1e-6, err_msg=space)


def test_numbers_that_are_bent_for_good_are_left_alone(terrane, tmp_path):
    image = png(tmp_path / "gray.png", 0.25)
    image.colorspace_settings.name = "Rec.1886"
    at_hand_before = at_hand(image)
    with pytest.raises(RuntimeError, match="'gray.png' has the color space Rec.1886") as error:
        leave_as_it_is(image)
    assert "choose Non-Color" in str(error.value) and "Traceback" not in str(error.value)
    np.testing.assert_array_equal(at_hand(image), at_hand_before)
    assert image.packed_file is None and image.colorspace_settings.name == "Rec.1886"


@pytest.mark.slow
@pytest.mark.parametrize("space", ["sRGB", "Non-Color", "Linear Rec.709", "Linear Rec.2020"])
@pytest.mark.parametrize("alpha", [None, 0.3])
@pytest.mark.parametrize("is_painted", [False, True])
def test_an_erosion_of_nothing_can_be_repeated(terrane, tmp_path, space, alpha, is_painted):
    image = png(tmp_path / "gray.png", 0.5, alpha)
    image.use_fake_user, name = True, image.name
    image.colorspace_settings.name = space
    np.testing.assert_allclose(numbers(image), 0.5, atol=1e-4)
    if is_painted:
        image.pixels.foreach_set(at_hand(image).ravel())
        image.update()
    at_hand_before, first = at_hand(image), numbers(image)
    bpy.ops.ed.undo_push(message="before")
    for _ in range(4):
        leave_as_it_is(image)
        np.testing.assert_allclose(numbers(image), first, atol=2e-5)
    if space != "Linear Rec.2020":
        assert image.colorspace_settings.name == space
        np.testing.assert_allclose(at_hand(image), at_hand_before, atol=2e-5)
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    image = bpy.data.images[name]
    np.testing.assert_allclose(at_hand(image), at_hand_before, atol=2e-4)
    np.testing.assert_allclose(numbers(image), first, atol=2e-4)


@pytest.mark.parametrize("mode", ["STRAIGHT", "CHANNEL_PACKED", "NONE"])
@pytest.mark.parametrize("space", ["sRGB", "Non-Color", "Linear Rec.709"])
def test_transparency_makes_no_difference(terrane, tmp_path, mode, space):
    image = png(tmp_path / "half.png", 0.75, 0.4)
    image.alpha_mode, image.colorspace_settings.name = mode, space
    np.testing.assert_allclose(numbers(image), 0.75, atol=2.0 * STEP)
    group = bpy.context.scene.terrane
    module("operators.bridge.schema.settings").write_preset(group, "none")
    group.layers[0].chain[0].basis = "raster"
    group.layers[0].chain[0].raster.pixels = image
    recipe = module("operators.bridge.schema.settings").read(group)
    np.testing.assert_allclose(recipe.noise.pixels, 0.5, atol=4.0 * STEP)


def test_colors_that_have_their_transparency_in_them_come_back(terrane, tmp_path):
    image = png(tmp_path / "part.png", 0.2, 0.4)
    for space in ("sRGB", "Linear Rec.709", "Non-Color"):
        image.alpha_mode, image.colorspace_settings.name = "PREMUL", space
        np.testing.assert_allclose(numbers(image), 0.2, atol=2.0 * STEP)
        leave_as_it_is(image)
        np.testing.assert_allclose(numbers(image), 0.2, atol=2.0 * STEP)


def test_an_erosion_in_place_keeps_heights_that_cannot_be_seen(terrane, tmp_path):
    image = png(tmp_path / "clear.png", 0.5, 0.0)
    assert (numbers(image) == 0.0).all()  # there is nothing left of them
    values = np.full((4, 4), 0.25, np.float32)
    module("operators.bridge.textures.derived_images").repaint(image, values)
    np.testing.assert_allclose(numbers(image), values, atol=STEP)
    assert (at_hand(image)[:, 3] == 0.0).all()


def test_a_picture_is_shown_as_it_is_when_it_is_chosen(opened):
    """In the panel, for a terrain that had a fractal, and in operators, redone or not."""
    settings = module("operators.bridge.schema.settings")
    raster = module("noise_core.noises.raster").Raster
    image = opened("png", 16)
    bpy.ops.terrane.terrain_add(resolution=9, octaves=7, frequency=5.0)
    group = bpy.context.object.terrane
    basis, fractal = group.layers[0].chain
    basis.basis = "raster"
    assert fractal.muted
    basis.raster.pixels = image
    noise = settings.read(group).noise
    assert type(noise) is raster and noise.pixels.shape == heights().shape

    fractal.muted = False  # on purpose
    assert settings.read(group).noise.kind == "fbm"
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    assert [one.type for one in group.layers[0].chain] == ["raster", "fractal"]

    bpy.ops.terrane.terrain_add(resolution=9, noise="raster")
    assert type(settings.read(bpy.context.object.terrane).noise) is raster


def test_a_picture_that_is_chosen_in_the_redo_panel(terrane):
    """There the keywords have the values of the earlier call."""
    settings = module("operators.bridge.schema.settings")
    bpy.ops.terrane.terrain_add(resolution=9, octaves=7, frequency=5.0)
    before = {"frequency": 5.0, "fractal": "fbm", "octaves": 7.0, "preset": "none", "seed": 0}
    shown = json.dumps({**before, "noise": "perlin"})
    bpy.ops.terrane.terrain_add(**before, noise="raster", shown=shown, resolution=9)
    noise = settings.read(bpy.context.object.terrane).noise
    assert type(noise) is module("noise_core.noises.raster").Raster
