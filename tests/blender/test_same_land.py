# SPDX-License-Identifier: GPL-3.0-or-later
"""One recipe is the same land as a mesh, as an image and in plain Python: it knows its size."""

from __future__ import annotations

import dataclasses
from functools import partial

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, height_grid, new_image, pixels

SIDE = 65
ERODED = "badlands"
"""Stream erosion and gullies, on slopes that 100 meters in place of its 1500 would change."""


def preset(name=ERODED):
    return module("noise_core.recipes.recipe").Recipe.from_preset(name)


def land(recipe, resolution=SIDE, **options):
    return recipe.evaluate(recipe.grid(resolution, **options)).height


add_land = partial(add_terrain, resolution=SIDE)


image = partial(new_image, width=SIDE, height=SIDE, levels="signed", seamless=False)


def shown(image):
    return pixels(image)[..., 0]


def agree(field, other, recipe):
    """Compare meters: an image stores them divided by the recipe's height, as 32-bit floats."""
    np.testing.assert_allclose(field, other, rtol=0.0, atol=4e-7 * abs(recipe.height))


def test_mesh_image_and_plain_python_agree_for_an_eroded_preset(terrane):
    recipe = preset()
    expected = land(recipe)
    np.testing.assert_array_equal(height_grid(add_land(preset=ERODED)), expected)
    agree(shown(image(preset=ERODED)) * np.float32(recipe.height), expected, recipe)


def test_a_recipe_as_text_has_its_size_too(terrane):
    recipe = dataclasses.replace(preset(), size=700.0)
    expected, text = land(recipe), recipe.to_json()
    assert np.abs(expected - land(preset())).max() > 0.05 * recipe.height
    obj = add_land(recipe=text)
    assert obj.terrane.size == 700.0 and obj.dimensions.x == pytest.approx(700.0)
    np.testing.assert_array_equal(height_grid(obj), expected)
    agree(shown(image(recipe=text)) * np.float32(recipe.height), expected, recipe)


def test_the_size_that_is_given_is_the_recipes(terrane):
    obj = add_land(preset=ERODED, size=700.0)
    recipe = module("operators.bridge.schema.settings").read(obj.terrane)
    assert recipe == dataclasses.replace(preset(), size=700.0)
    np.testing.assert_array_equal(height_grid(obj), land(recipe))
    made = image(from_panel=True)
    agree(shown(made) * np.float32(recipe.height), height_grid(obj), recipe)
    assert made.terrane.size == 700.0
    made.terrane.size = 300.0
    assert bpy.ops.terrane.image_update(image=made.name) == {"FINISHED"}
    agree(
        shown(made) * np.float32(recipe.height),
        land(dataclasses.replace(recipe, size=300.0)),
        recipe,
    )


def test_a_recipe_without_a_size_has_the_default(terrane):
    text = '{"format": 1, "height": 200.0, "layers": [{"type": "noise"}]}'
    assert add_land(recipe=text).terrane.size == 100.0
    assert add_land(recipe=text, size=1500.0).terrane.size == 1500.0


def told(capfd, operator, **keywords):
    capfd.readouterr()
    assert operator(**keywords) == {"FINISHED"}
    return capfd.readouterr().out


def test_an_image_that_wraps_where_the_terrain_does_not_says_so(terrane, capfd):
    new = bpy.ops.terrane.image_new
    small = {"width": 16, "height": 16}
    assert "The image wraps: it differs from the terrain" in told(
        capfd, new, preset="dunes", **small
    )
    assert "other land" not in told(capfd, new, preset="dunes", seamless=False, **small)
    assert "other land" not in told(capfd, new, preset="marble", **small)
    assert "other land" not in told(capfd, new, noise="simplex", **small)
    obj = add_land(preset="none", seamless=True)
    assert "other land" not in told(capfd, new, from_panel=True, seamless=True, **small)
    text = told(capfd, new, from_panel=True, seamless=False, **small)
    assert "The terrain wraps: it differs from the image" in text
    obj.terrane.seamless = False
    obj.terrane.tile = (0.0, 2.0)
    text = told(capfd, new, from_panel=True, seamless=False, **small)
    assert "wraps" not in text and "The image shows tile (0, 0), the terrain another" in text
    obj.terrane.tile = (0.0, 0.0)
    text = told(capfd, new, from_panel=True, seamless=False, **small)
    assert "wraps" not in text and "tile" not in text
    assert "The image wraps: it differs from the terrain" in told(
        capfd, new, from_panel=True, seamless=True, **small
    )


def test_an_update_that_makes_other_land_than_the_terrain_says_so(terrane, capfd):
    update = bpy.ops.terrane.image_update
    small = {"width": 16, "height": 16}
    wraps, does_not = (
        "The image wraps: it differs from the terrain",
        "The terrain wraps: it differs from the image",
    )
    made = image(preset="dunes", **small)
    assert "other land" not in told(capfd, update, image=made.name)
    assert wraps in told(capfd, update, image=made.name, seamless=True)
    assert wraps in told(capfd, update, image=made.name)
    made = image(preset="marble", **small)
    assert "other land" not in told(capfd, update, image=made.name, seamless=True)
    # Of a terrain without a preset: the image knows its borders.
    obj = add_land(preset="none", seamless=True)
    made = image(from_panel=True, **small)
    assert made.terrane.seamless and not made.terrane.image_options.seamless
    assert does_not in told(capfd, update, image=made.name)
    assert "other land" not in told(capfd, update, image=made.name, seamless=True)
    obj.terrane.seamless = False
    obj.terrane.tile = (0.0, 2.0)
    made = image(from_panel=True, **small)
    assert "The image shows tile (0, 0), the terrain another" in told(
        capfd, update, image=made.name
    )


def test_an_image_of_terranes_own_is_eroded_in_its_size(terrane, capfd):
    made = image(preset=ERODED, levels="fixed", seamless=True)
    erode = bpy.ops.terrane.image_erode
    own = {"image": made.name, "modifier": "thermal_erosion", "height": 400.0, "talus_angle": 30.0}
    text = told(capfd, erode, name="Own", seamless=True, **own)
    assert "seamless" not in text
    text = told(capfd, erode, name="Same", size=1500.0, seamless=True, **own)
    np.testing.assert_array_equal(shown(bpy.data.images["Own"]), shown(bpy.data.images["Same"]))
    assert "its edges do not meet" in told(capfd, erode, name="Other", **own)
    assert np.abs(shown(bpy.data.images["Own"]) - shown(bpy.data.images["Other"])).max() > 0.0
    made = image(preset=ERODED, levels="fixed", seamless=False)
    own["image"] = made.name
    assert "goes across its edges" in told(capfd, erode, name="Across", seamless=True, **own)
