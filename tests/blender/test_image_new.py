# SPDX-License-Identifier: GPL-3.0-or-later
"""Images hold the noise, meet without a seam, and survive saving."""

from __future__ import annotations

from functools import partial

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import new_image, pixels

new = partial(new_image, width=32, height=32)


def noise_field(rows, columns, *, wrap=True, **knobs):
    core, chain_keywords = module("noise_core"), module("noise_core.recipes.chain_keywords")
    plain = module("noise_core.landscapes.preset_library").preset("none").recipe.noise
    noise = chain_keywords.with_values(plain, **knobs)
    return noise.sample_grid(core.Grid(rows, columns, wrap=wrap), seed=5)


def test_an_image_holds_the_noise_from_0_to_1_bottom_row_first(terrane):
    image = new(width=48, height=32, seed=5, frequency=3, octaves=2)
    assert tuple(image.size) == (48, 32)
    got = pixels(image)
    expected = noise_field(32, 48, frequency=3.0, octaves=2.0) * 0.5 + 0.5
    np.testing.assert_allclose(got[..., 0], expected, atol=1e-6)
    np.testing.assert_array_equal(got[..., 0], got[..., 1])
    np.testing.assert_array_equal(got[..., 0], got[..., 2])
    assert (got[..., 3] == 1.0).all()


def test_a_float_image_is_float_data(terrane):
    image = new()
    assert image.is_float and image.colorspace_settings.name == "Non-Color"


def test_an_8_bit_image_is_data_too(terrane):
    image = new(float_buffer=False, seed=5)
    assert not image.is_float and image.colorspace_settings.name == "Non-Color"
    expected = noise_field(32, 32) * 0.5 + 0.5
    np.testing.assert_allclose(pixels(image)[..., 0], expected, atol=0.5 / 255 + 1e-6)


def test_seamless_or_not(terrane):
    np.testing.assert_allclose(
        pixels(new(seamless=False, seed=5))[..., 0],
        noise_field(32, 32, wrap=False) * 0.5 + 0.5,
        atol=1e-6,
    )
    field = pixels(new(seed=5, width=64, height=64, octaves=3))[..., 0]
    inner = np.abs(np.diff(field, axis=0)).max(), np.abs(np.diff(field, axis=1)).max()
    assert np.abs(field[0] - field[-1]).max() <= inner[0] * 1.5
    assert np.abs(field[:, 0] - field[:, -1]).max() <= inner[1] * 1.5


def test_levels(terrane):
    stretched = pixels(new(levels="stretched"))[..., 0]
    assert stretched.min() == 0.0 and stretched.max() == 1.0
    signed = pixels(new(levels="signed", seed=5))[..., 0]
    np.testing.assert_allclose(signed, noise_field(32, 32), atol=1e-6)
    with pytest.raises(RuntimeError, match="'signed' needs 32-bit float"):
        bpy.ops.terrane.image_new(levels="signed", float_buffer=False)


@pytest.mark.parametrize("float_buffer", [False, True])
def test_an_image_survives_saving(terrane, tmp_path, float_buffer):
    image = new(name="kept", float_buffer=float_buffer)
    pixels_before = pixels(image)
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    image = bpy.data.images["kept"]
    assert image.packed_file and image.colorspace_settings.name == "Non-Color"
    np.testing.assert_allclose(pixels(image), pixels_before, atol=1e-6)


@pytest.mark.slow
def test_every_preset_makes_an_image(terrane):
    for name in module("noise_core.landscapes.preset_library").preset_names():
        image = new(preset=name)
        assert image.name == module("noise_core.landscapes.preset_library").preset(name).label
        values = pixels(image)[..., 0]
        assert np.ptp(values) > 0.01, name
        assert values.min() >= -1e-3 and values.max() <= 1.0 + 1e-3, name


def test_names(terrane):
    assert new(name="Mine").name == "Mine"
    assert (
        new(preset="alps").name
        == module("noise_core.landscapes.preset_library").preset("alps").label
    )


def test_the_panel_gives_what_is_left_out(terrane):
    scene = bpy.context.scene.terrane
    scene.image_options.width, scene.image_options.height = 40, 20
    scene.image_options.float_buffer = False
    bpy.ops.terrane.image_new(from_panel=True, width=50)
    (image,) = bpy.data.images
    assert tuple(image.size) == (50, 20) and not image.is_float


def test_wrong_values_are_one_line_and_leave_nothing(terrane):
    for keywords, message in (
        (
            {"width": 0},
            r"Image.width must be an integer in|Image.width must be in \[1, 65536\]; got 0",
        ),
        ({"octaves": 50}, "Fractal.octaves must be in"),
    ):
        with pytest.raises(RuntimeError, match=message):
            bpy.ops.terrane.image_new(**keywords)
    assert not bpy.data.images
