# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain's depth ratio is its recipe's depth, both ways: panel, mesh, file and command line make one land."""

from __future__ import annotations

import dataclasses

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, height_grid
from tests.drawing import count_of, generator


@pytest.mark.parametrize("depth", [0.5, 2.0, 1.0, 0.37])
def test_a_terrain_its_recipe_and_a_file_are_one_land(settings, group, depth, tmp_path):
    core = module("noise_core")
    obj = add_terrain(preset="canyon", resolution=65, depth=depth)
    mesh, text = height_grid(obj), settings.read(obj.terrane).to_json()
    recipe = core.Recipe.from_json(text)
    assert recipe.depth_ratio == pytest.approx(depth)
    assert ('"depth"' in text) == (depth != 1.0)
    np.testing.assert_array_equal(recipe.evaluate(recipe.grid(65)).height, mesh)

    (tmp_path / "land.json").write_text(text)
    arguments = ["export", str(tmp_path / "land.json"), "--target", "npy", "--samples", "65"]
    run, noted = module("noise_core.commands.command_line").run, []
    assert run([*arguments, "--folder", str(tmp_path / "out")], noted.append, noted.append) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "out" / "land.npy"), mesh)

    bpy.context.view_layer.objects.active = None  # the scene's settings, not the terrain's
    assert bpy.ops.terrane.recipe_load(filepath=str(tmp_path / "land.json")) == {"FINISHED"}
    assert group.depth == pytest.approx(depth)
    for keywords in ({"from_panel": True}, {"recipe": text}):
        again = add_terrain(resolution=65, **keywords)
        np.testing.assert_array_equal(height_grid(again), mesh)


def test_settings_keep_any_proportion(settings, group):
    recipe_class, draw = module("noise_core").Recipe, generator("proportion")
    for _ in range(count_of(200)):
        size, ratio = 10.0 ** draw.uniform(-2.0, 6.0), 10.0 ** draw.uniform(-1.9, 1.9)
        recipe = recipe_class(size=size, depth=size * ratio)
        settings.write(group, recipe)
        found = settings.read(group)
        assert found.depth == pytest.approx(recipe.depth, rel=1e-12)
        for samples in (9, 257, 4033):
            assert found.grid(samples) == recipe.grid(samples)
    settings.write(group, recipe_class(size=7.0))
    assert group.depth == 1.0 and settings.read(group).depth is None


def test_the_size_alone_keeps_the_proportion(settings, group):
    obj = add_terrain(preset="none", resolution=33, depth=2.0)
    assert bpy.ops.terrane.terrain_update(size=50.0) == {"FINISHED"}
    recipe = settings.read(obj.terrane)
    assert recipe.size == 50.0 and recipe.depth == 100.0
    assert height_grid(obj).shape == (33, 17)


def test_a_proportion_that_settings_cannot_hold_is_refused(settings, group):
    recipe = dataclasses.replace(settings.read(group), size=10.0, depth=5000.0)
    error = module("noise_core.base.errors").ParameterError
    with pytest.raises(error, match=r"^Recipe\.depth must be in \[0\.01, 100\]; got 500\.0"):
        settings.write(group, recipe)
