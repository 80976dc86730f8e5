# SPDX-License-Identifier: GPL-3.0-or-later
"""New images that look like an image."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import pixels
from tests.blender.panels import shown_by


@pytest.fixture
def example(terrane):
    bpy.ops.terrane.image_new(
        coloring="cells", width=64, height=48, seamless=False, float_buffer=False, name="Cells"
    )
    return bpy.data.images["Cells"]


def make(**keywords):
    given = {"width": 80, "height": 72, "image": "Cells", "seed": 3, **keywords}
    before = set(bpy.data.images)
    assert bpy.ops.terrane.image_by_example(**given) == {"FINISHED"}
    (image,) = set(bpy.data.images) - before
    return image


def expected(stored, **settings):
    core = module("noise_core")
    cls = module("noise_core.materials.by_example.settings").ByExample
    return cls(**settings).paint(stored, core.Grid(72, 80, wrap=True), 3)


def test_it_holds_the_texture_of_the_core_and_the_example_stays(example):
    before = pixels(example)
    image = make(sharpness=2.0)
    wanted = expected(np.rint(before[..., :3] * 255.0).astype(np.uint8), sharpness=2.0)
    np.testing.assert_array_equal(np.rint(pixels(image)[..., :3] * 255.0), wanted)
    np.testing.assert_array_equal(pixels(example), before)
    assert image.name == "Cells by example" and not image.is_float
    assert image.packed_file is not None and image.use_fake_user


@pytest.mark.parametrize("space", ["sRGB", "Non-Color", "Linear Rec.709"])
def test_the_color_space_is_kept(example, space):
    example.colorspace_settings.name = space
    assert make().colorspace_settings.name == space


@pytest.mark.parametrize("space", ["Non-Color", "Linear Rec.709"])
def test_a_float_image_with_alpha_stays_one(terrane, space):
    image = bpy.data.images.new("Cells", 40, 40, alpha=True, float_buffer=True)
    image.colorspace_settings.name = space
    values = np.linspace(0.25, 3.0, 40 * 40 * 4, dtype=np.float32)
    image.pixels.foreach_set(values)
    made = make()
    assert made.is_float and made.colorspace_settings.name == space
    got = pixels(made)
    assert got.shape == (72, 80, 4) and got[..., 0].max() > 1.5 and got[..., 3].std() > 0.1


def test_undo_takes_it_away(example):
    bpy.ops.ed.undo_push(message="before")
    make()
    bpy.ops.ed.undo_push(message="texture")
    bpy.ops.ed.undo()
    assert "Cells by example" not in bpy.data.images and "Cells" in bpy.data.images


def test_a_saved_file_has_it(example, tmp_path):
    before = pixels(make(name="Texture"))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    np.testing.assert_array_equal(pixels(bpy.data.images["Texture"]), before)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"image": "Nothing"}, "image must name an image; got 'Nothing'"),
        ({"image": ""}, "image must name an image"),
        ({"image": "Lost"}, "has no pixels"),
        ({"image": "Tiles"}, "has tiles, frames or views"),
        ({"width": 65536, "height": 65536}, "GB of memory"),
    ],
)
def test_what_cannot_be_made_is_said_in_a_line(example, keywords, message):
    bpy.data.images.new("Lost", 8, 8).source = "FILE"
    bpy.data.images.new("Tiles", 8, 8, tiled=True)
    names = set(bpy.data.images.keys())
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.terrane.image_by_example(**{"image": "Cells", **keywords})
    assert set(bpy.data.images.keys()) == names


def test_the_panel_gives_its_settings(example):
    options = bpy.context.scene.terrane_by_example
    options.width, options.height, options.seed, options.sharpness = 80, 72, 3, 2.0
    bpy.ops.terrane.image_by_example(image="Cells", from_panel=True)
    np.testing.assert_array_equal(
        pixels(bpy.data.images["Cells by example"]), pixels(make(sharpness=2.0))
    )


def test_without_seamless_it_is_a_part_of_an_endless_texture(example):
    core = module("noise_core")
    stored = np.rint(pixels(example)[..., :3] * 255.0).astype(np.uint8)
    wanted = (
        module("noise_core.materials.by_example.settings")
        .ByExample()
        .paint(stored, core.Grid(72, 80), 3)
    )
    np.testing.assert_array_equal(np.rint(pixels(make(seamless=False))[..., :3] * 255.0), wanted)


def test_the_panel_shows_every_setting(terrane):
    shown = shown_by(module("ui.image_editor").TERRANE_PT_image_by_example)
    declared = {one.name for one in module("operators.bridge.textures.node_settings").BY_EXAMPLE}
    assert shown == {("TERRANE_PG_example", one) for one in declared} | {"terrane.image_by_example"}
