# SPDX-License-Identifier: GPL-3.0-or-later
"""A heightmap that was made elsewhere has the heights of its file, however Blender opens it."""

from __future__ import annotations

import importlib

import bpy
import numpy as np
import pytest

PACKAGE = "bl_ext.user_default.terrane"

STEP = 1.0 / 65535.0
"""Of 16 bits. Blender makes sRGB linear with two thirds of it as its largest error."""

FILES = [("png", 8), ("png", 16), ("tiff", 16), ("exr", 16), ("exr", 32)]


def module(name):
    return importlib.import_module(f"{PACKAGE}.{name}")


def heights():
    """Return what 8 bits hold exactly: a slope, with a corner to tell top from bottom."""
    field = np.tile(np.arange(0, 256, 17, dtype=np.float32) / 255.0, (6, 1))
    field[0] = 0.2
    return field


@pytest.fixture
def opened(terrane, tmp_path):
    """Return a function that opens the heights in a file, as the button of the panel does."""

    def opened(file_format, bits):
        writing = module("noise_core.image_writing")
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
    module("operators.bridge.settings").write_preset(group, "none")
    group.noise, group.fractal, group.height = "raster", "none", 100.0
    group.noise_raster.pixels, group.noise_raster.edge = image, "clamp"
    recipe = module("operators.bridge.settings").read(group)
    tolerance = 2e-3 if (file_format, bits) == ("exr", 16) else STEP
    np.testing.assert_allclose(recipe.noise.pixels, heights() * 2.0 - 1.0, atol=2.0 * tolerance)


@pytest.mark.parametrize(("file_format", "bits"), FILES)
def test_an_erosion_in_place_begins_and_ends_with_the_files_numbers(opened, file_format, bits):
    images = module("operators.bridge.images")
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
