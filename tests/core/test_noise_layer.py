# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers of noise on ground: the formulas of `Blend` in meters, seeds, and time."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid, Recipe
from noise_core.base.blending import OPTIONS, ROUNDED
from noise_core.lattice.hash import child_seed
from noise_core.modifiers import Blur
from noise_core.noises import Blend, Constant, Fractal, Perlin, Simplex, Transform
from noise_core.recipes.evaluation import Sampling, lay_over
from noise_core.recipes.folding import Scope
from noise_core.recipes.layers import NoiseLayer

HEIGHT = 250.0
LOWER = Fractal(source=Perlin(frequency=3.0), octaves=4)
UPPER = Simplex(frequency=7.0)
GRIDS = [Grid(40, 50, size=900.0), Grid(32, 32, size=900.0, wrap=True)]
NOTHING = Blur(opacity=0.0)
"""Needs a grid, so that layers above it are laid over a finished field."""


def laid(layer, ground, grid):
    """Return ground with a layer on it, in a recipe of 20 m."""
    return lay_over(ground, layer, 0, Scope(0, 20.0), Sampling(grid))


@pytest.mark.parametrize("grid", GRIDS, ids=["tile", "seamless"])
@pytest.mark.parametrize("opacity", [1.0, 0.3, 0.0])
@pytest.mark.parametrize("mode", OPTIONS)
def test_a_layer_does_in_meters_what_the_noise_blend_does(mode, opacity, grid):
    layer = NoiseLayer(noise=UPPER, mode=mode, smoothness=0.4, opacity=opacity)
    both = Blend(
        first=LOWER, second=UPPER, mode=mode, factor=opacity, smoothness=0.4, seed_offset=0
    )
    on_grid = Recipe(layers=(LOWER, NOTHING, layer), seed=5, height=HEIGHT).evaluate(grid)
    blended = Recipe(layers=both, seed=5, height=HEIGHT).evaluate(grid)
    np.testing.assert_allclose(on_grid.height, blended.height, rtol=0.0, atol=2e-6 * HEIGHT)


@pytest.mark.parametrize("mode", OPTIONS)
def test_modes_differ(mode):
    field = Recipe(layers=LOWER, height=HEIGHT).evaluate(GRIDS[0]).height
    made = {one: laid(NoiseLayer(noise=UPPER, mode=one), field, GRIDS[0]) for one in OPTIONS}
    for other in set(OPTIONS) - {mode}:
        assert np.abs(made[mode] - made[other]).max() > 0.1, other


def test_heights_are_meters_on_any_ground():
    ground = np.linspace(-500.0, 800.0, 40, dtype=np.float32)[np.newaxis]

    def layered(**values):
        return laid(NoiseLayer(noise=Constant(value=0.5), **values), ground, Grid(1, 40))

    np.testing.assert_allclose(layered(mode="add", height=40.0), ground + 20.0, rtol=1e-6)
    np.testing.assert_allclose(layered(mode="add"), ground + 10.0, rtol=1e-6)
    np.testing.assert_allclose(layered(mode="subtract", height=40.0), ground - 20.0, rtol=1e-6)
    np.testing.assert_array_equal(layered(mode="mix", height=40.0), np.full_like(ground, 20.0))
    np.testing.assert_array_equal(layered(mode="max", height=40.0), np.maximum(ground, 20.0))
    np.testing.assert_array_equal(layered(mode="min", height=40.0), np.minimum(ground, 20.0))
    for height in (1e-6, 1.0, 1000.0):
        np.testing.assert_array_equal(layered(mode="multiply", height=height), 0.5 * ground)
        white = layered(mode="screen", height=height)
        # Ground and noise of `height` are white, and so is what either is screened with.
        np.testing.assert_allclose(white, height - (height - ground) * 0.25, rtol=1e-5)


@pytest.mark.parametrize("mode", ROUNDED)
def test_smoothness_is_a_share_of_the_height(mode):
    ground = np.linspace(-50.0, 50.0, 101, dtype=np.float32)[np.newaxis]
    layer = NoiseLayer(noise=Constant(value=0.0), mode=mode, height=80.0, smoothness=0.25)
    made = laid(layer, ground, Grid(1, 101))
    hard = np.maximum(ground, 0.0) if mode == "smooth_max" else np.minimum(ground, 0.0)
    # Rounded over 0.25 * 80 m to either side, by a quarter of that in the middle.
    is_near = np.abs(ground) < 20.0
    assert (made != hard)[is_near].all() and (made == hard)[~is_near].all()
    assert abs(made[0, 50]) == pytest.approx(5.0)


def test_the_seed_offset_tells_layers_apart():
    grid = GRIDS[0]
    fields = [
        Recipe(layers=NoiseLayer(noise=UPPER, seed_offset=offset), seed=3).evaluate(grid).height
        for offset in (0, 1, 2, 3)
    ]
    for place, field in enumerate(fields):
        for other in fields[:place]:
            assert abs(np.corrcoef(field.ravel(), other.ravel())[0, 1]) < 0.5
    np.testing.assert_array_equal(fields[0], UPPER.sample_grid(grid, 3))
    # No octave or modifier of the same recipe has a layer's seed.
    seeds = {NoiseLayer(seed_offset=offset).seed_in(3) for offset in range(1, 100)}
    assert len(seeds) == 99
    assert seeds.isdisjoint(child_seed(3, index) for index in range(0x100))
    assert seeds.isdisjoint(Blur(seed_offset=place).seed_in(3) for place in range(0xFF))


@pytest.mark.parametrize("between", [(), (NOTHING,)], ids=["folded", "on a grid"])
def test_layers_move_on_with_the_recipe(between):
    grid = GRIDS[1]
    layer = NoiseLayer(noise=Perlin(frequency=5.0), seed_offset=1)
    recipe = Recipe(layers=(LOWER, *between, layer))
    for evolution in ((0.25,), (0.25, -0.5)):
        moved = recipe.evaluate(grid, evolution=evolution).height
        expected = LOWER.sample_grid(grid, 0, evolution=evolution) + layer.noise.sample_grid(
            grid, layer.seed_in(0), evolution=evolution
        )
        np.testing.assert_allclose(moved, expected, rtol=0.0, atol=2e-6)
    assert np.abs(recipe.evaluate(grid).height - moved).max() > 0.1


@pytest.mark.parametrize("between", [(), (NOTHING,)], ids=["folded", "on a grid"])
def test_neighboring_tiles_meet(between):
    layer = NoiseLayer(noise=Transform(source=UPPER), mode="max", height=50.0)
    recipe = Recipe(layers=(LOWER, *between, layer), seed=3, height=40.0)
    left, right = (
        recipe.evaluate(Grid(17, 33, size=100.0, origin=(x, 0.0))).height for x in (0.0, 1.0)
    )
    np.testing.assert_allclose(right[:, 0], left[:, -1], rtol=0.0, atol=1e-3)
    assert np.abs(right - left).max() > 1.0
