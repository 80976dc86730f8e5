# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground to train robots on: the meters that it promises, and borders at one height."""

from __future__ import annotations

import dataclasses
import json
import math
import re

import numpy as np
import pytest

from noise_core import Recipe, RecipeError
from noise_core.landscapes.preset_library import FOLDER, GROUPS, parse_preset, preset, shipped_names

ROBOTS = tuple(name for name in shipped_names() if preset(name).group == "robots")
SAMPLES = 257
SPACING = 8.0 / (SAMPLES - 1)


def field(name, difficulty=1.0, **keywords):
    recipe = Recipe.from_preset(name, **keywords)
    (layer,) = recipe.layers
    recipe = dataclasses.replace(recipe, layers=(dataclasses.replace(layer, opacity=difficulty),))
    return recipe.evaluate(recipe.grid(SAMPLES)).height


def test_there_are_eight_and_each_says_so_itself():
    assert len(ROBOTS) == 8
    assert {preset(name).group for name in shipped_names()} == set(GROUPS)
    for name in ROBOTS:
        plain = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        assert plain["group"] == "robots"
        again = parse_preset(name, preset(name).to_json())
        assert again == preset(name) and again.group == "robots"
    plain["group"] = 1
    with pytest.raises(
        RecipeError, match="group must be one of landforms, noise, textures, robots; got 1"
    ):
        parse_preset("x", json.dumps(plain))
    assert '"group"' not in preset("alps").to_json()


@pytest.mark.parametrize("name", ROBOTS)
def test_nothing_grows_there_and_no_water_runs(name):
    look = preset(name).look
    assert look.plants is None and look.sea is None and look.water.rivers == 0.0
    assert look.surroundings == "none" and not look.has_lakes and not look.is_flat


@pytest.mark.parametrize("difficulty", [0.25, 1.0])
@pytest.mark.parametrize("name", ROBOTS)
def test_borders_lie_at_height_0_so_that_any_two_join(name, difficulty):
    for seed in (1, 99):
        height = field(name, difficulty, seed=seed)
        for edge in (height[0], height[-1], height[:, 0], height[:, -1]):
            assert not edge.any()
        assert height.any()


@pytest.mark.parametrize("name", ROBOTS)
def test_the_opacity_of_the_only_layer_is_the_difficulty(name):
    (layer,) = preset(name).recipe.layers
    assert layer.name == "Difficulty" and layer.opacity == 1.0
    np.testing.assert_allclose(field(name, 0.25), 0.25 * field(name), atol=1e-6)
    assert not field(name, 0.0).any()


@pytest.mark.parametrize(("name", "sign"), [("stairs_up", 1.0), ("stairs_down", -1.0)])
def test_stairs_have_eight_level_steps_of_20_centimeters(name, sign):
    height = field(name)
    levels, counts = np.unique(height, return_counts=True)
    np.testing.assert_allclose(np.sort(sign * levels), np.arange(9) * 0.2, atol=1e-6)
    risers = np.flatnonzero(np.diff(height[128, :129]))
    np.testing.assert_allclose(np.diff(risers) * SPACING, 0.3125)
    for turned in (height[::-1], height[:, ::-1], height.T):
        np.testing.assert_array_equal(turned, height)
    platform = np.count_nonzero(height[128] == height[128, 128]) * SPACING
    assert 3.2 <= platform <= 3.4
    # Two side by side have a whole tread between them.
    assert 0.25 <= 2.0 * (risers[0] + 0.5) * SPACING <= 0.3125


def test_slopes_have_25_degrees():
    height = field("slope_smooth")
    rise = np.diff(height[128, 2:78].astype(float)) / SPACING
    np.testing.assert_allclose(np.degrees(np.arctan(rise)), 25.0, atol=0.01)
    assert np.ptp(height[90:167, 90:167]) == 0.0, "the platform is level"
    bumps = field("slope_rough") - height
    assert 0.045 <= np.abs(bumps).max() <= 0.05 + 1e-6


def test_a_rough_field_has_a_random_height_every_20_centimeters():
    height = field("rough_field").astype(float)
    assert 0.09 <= np.abs(height).max() <= 0.1
    recipe = Recipe.from_preset("rough_field")
    inner = recipe.evaluate(recipe.grid(401)).height.astype(float)[30:-30, 30:-30]
    # Straight between the points of a lattice of 10 samples: no bend but at its lines.
    bend = np.abs(np.diff(inner, n=2, axis=1))
    is_line = (np.arange(31, 31 + bend.shape[1]) % 10) == 0
    assert bend[:, ~is_line].max() < 1e-6 < 1e-3 < bend[:, is_line].max()
    nodes = inner[::10, ::10]
    assert abs(nodes.mean()) < 0.01 and nodes.std() == pytest.approx(0.1 / math.sqrt(3.0), rel=0.1)


def test_obstacles_have_four_heights_and_a_platform():
    for seed in (1, 2):
        height = field("obstacles", seed=seed)
        assert set(np.unique(height)) == {-0.25, -0.125, 0.0, 0.125, 0.25}
        assert 0.1 <= np.count_nonzero(height) / height.size <= 0.5
        assert not height[128 - 47 : 128 + 48, 128 - 47 : 128 + 48].any()


def test_stones_are_level_with_the_platform_and_gaps_a_meter_deep():
    height = field("stepping_stones")
    assert set(np.unique(height)) == {-1.0, 0.0}
    assert not height[128 - 47 : 128 + 48, 128 - 47 : 128 + 48].any()
    fine = Recipe.from_preset("stepping_stones")
    row = fine.evaluate(fine.grid(1601)).height[1520]  # through the middle of a course
    edges = np.flatnonzero(np.diff(row))
    widths = np.diff(edges) * (8.0 / 1600)
    stones, gaps = widths[row[edges[:-1] + 1] == 0.0], widths[row[edges[:-1] + 1] < 0.0]
    np.testing.assert_allclose(stones, 0.64, atol=0.011)
    np.testing.assert_allclose(gaps[1:-1], 0.16, atol=0.011)


def test_waves_are_two_meters_long():
    height = field("waves").astype(float)
    inner = height[64, 32:-31]  # beyond the border, over three waves
    x = np.arange(32, SAMPLES - 31) * SPACING
    along = 0.15 * np.cos(2.0 * np.pi * x / 2.0)
    # Half waves are cubic: within 2.1 % of a cosine.
    np.testing.assert_allclose(inner - inner.mean(), along - along.mean(), atol=0.021 * 0.15)
    assert np.abs(height).max() == pytest.approx(0.3, abs=1e-3)


def test_descriptions_name_their_meters():
    for name in ROBOTS:
        assert re.search(r"to train robots on$", preset(name).description)
