# SPDX-License-Identifier: GPL-3.0-or-later
"""The mask of a layer as a field is the share by which the layer changes the ground; layers tell when they are done."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core import Group, NoiseLayer, Recipe
from noise_core.base.errors import ParameterError
from noise_core.maps import Slope
from noise_core.masks import LayerMask, MapMask
from noise_core.modifiers import Blur, Terraces
from noise_core.noises import Perlin, Simplex
from noise_core.recipes.mask_values import mask_values, place_below

SLOPE = MapMask(map=Slope(), low=20.0, falloff=12.0)
HILLS = NoiseLayer(name="Hills", noise=Simplex(frequency=5.0), opacity=0.0)


def recipe_of(*layers):
    return Recipe(layers=(Perlin(frequency=3.0), *layers), seed=3, height=90.0, size=600.0)


def ground_below(recipe, number, grid):
    below = dataclasses.replace(recipe, layers=recipe.layers[: place_below(recipe, number)])
    return below.evaluate(grid).height


@pytest.mark.parametrize(
    ("layer", "others"),
    [
        (Terraces(spacing=9.0), ()),
        (NoiseLayer(noise=Simplex(frequency=9.0), mode="add", height=30.0), ()),
        (Group(layers=(Simplex(frequency=9.0),), height=30.0, mode="max"), ()),
        (Terraces(spacing=9.0, seed_offset=4), (HILLS,)),
    ],
)
def test_a_layer_changes_the_ground_by_the_share_of_its_mask(layer, others):
    mask = LayerMask(layer="Hills", low=-0.2, falloff=0.4) if others else SLOPE
    masked = recipe_of(dataclasses.replace(layer, mask=mask), *others)
    grid = masked.grid(65)
    ground = ground_below(masked, 1, grid)
    share = mask_values(masked, 1, ground, grid)
    assert share.min() < 0.05 and share.max() > 0.95 and share.dtype == np.float32
    full = recipe_of(layer).evaluate(grid).height
    np.testing.assert_allclose(
        masked.evaluate(grid).height, ground + share * (full - ground), atol=2e-3
    )
    half = dataclasses.replace(layer, mask=mask, opacity=0.25, muted=True)
    np.testing.assert_array_equal(mask_values(recipe_of(half, *others), 1, ground, grid), share)


def test_a_mask_in_a_group_reads_the_ground_below_the_group():
    inner = NoiseLayer(noise=Simplex(frequency=9.0), mask=SLOPE)
    recipe = recipe_of(Group(layers=(Perlin(frequency=7.0), inner), mode="add"))
    grid = recipe.grid(33)
    assert place_below(recipe, 3) == place_below(recipe, 1) == 1
    ground = ground_below(recipe, 3, grid)
    alone = recipe_of(Terraces(mask=SLOPE))
    np.testing.assert_array_equal(
        mask_values(recipe, 3, ground, grid), mask_values(alone, 1, ground, grid)
    )


def test_painted_masks_count_and_without_a_mask_it_acts_everywhere():
    recipe = recipe_of(Blur(), Blur(mask=SLOPE))
    grid = recipe.grid(17)
    ground = ground_below(recipe, 2, grid)
    painted = np.zeros(grid.shape, np.float32)
    painted[:, 9:] = 0.5
    np.testing.assert_array_equal(mask_values(recipe, 1, ground, grid), 1.0)
    np.testing.assert_array_equal(mask_values(recipe, 1, ground, grid, painted), painted)
    slope = mask_values(recipe, 2, ground, grid)
    np.testing.assert_array_equal(mask_values(recipe, 2, ground, grid, painted), slope * painted)


@pytest.mark.parametrize("number", [-1, 3, 99])
def test_a_layer_that_is_not_there_is_refused(number):
    recipe = recipe_of(Blur(), Blur())
    with pytest.raises(ParameterError, match=rf"numbers in \[0, 2\]; got {number}"):
        mask_values(recipe, number, np.zeros((9, 9), np.float32), recipe.grid(9))


def test_layers_are_told_as_they_are_finished():
    over = NoiseLayer(noise=Simplex(), mask=SLOPE)
    group = Group(layers=(Perlin(), Simplex()), mode="add")
    recipe = recipe_of(NoiseLayer(noise=Perlin()), Blur(muted=True), group, Terraces(), over)
    grid, finished = recipe.grid(17), []
    whole = recipe.evaluate(grid, finished=finished.append).height
    assert finished == [(0, 1, 3), (6,), (7,)]
    finished.clear()
    again = recipe.evaluate(grid, ground=recipe.ground(grid), finished=finished.append).height
    assert finished == [(6,), (7,)]
    np.testing.assert_array_equal(again, whole)
    with pytest.raises(ParameterError, match="finished"):
        recipe.evaluate(grid, finished="soon")
