# SPDX-License-Identifier: GPL-3.0-or-later
"""Land around a terrain: it meets the border in height and slope, and is the recipe's land farther out."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core.base.errors import Cancelled, ParameterError
from noise_core.base.grid import Grid
from noise_core.landscapes.far_land.border import FinishedTerrain
from noise_core.landscapes.far_land.land import BLEND, coarse_grid, far_land
from noise_core.landscapes.far_land.rings import REACH, FieldExtent, LandRings
from noise_core.modifiers.stream_erosion import StreamErosion
from noise_core.modifiers.wind_erosion import WindErosion
from noise_core.noises.fractal import Fractal
from noise_core.noises.perlin import Perlin
from noise_core.rasters.level import Level
from noise_core.recipes.layers import NoiseLayer
from noise_core.recipes.recipe import Recipe

pytestmark = pytest.mark.newest

HILLS = Recipe(
    layers=(NoiseLayer(noise=Fractal(source=Perlin(frequency=3.0), octaves=2)),),
    seed=3,
    height=400.0,
    size=4000.0,
)
ERODED = Recipe(layers=(*HILLS.layers, StreamErosion()), seed=3, height=400.0, size=4000.0)


def terrain_of(recipe, resolution=(97, 97), origin=(0.0, 0.0)):
    relief = recipe.evaluate(recipe.grid(resolution, origin=origin))
    return FinishedTerrain(relief.height, dict(relief.maps), recipe.size, origin)


def land_of(recipe, terrain, **more):
    return far_land(terrain, recipe, lambda made, height, grid: made, **more)


def test_a_wider_grid_has_the_samples_of_its_tiles():
    wide = Grid(65, 129, origin=(-1.0, 0.0), size=4000.0, per_tile=64)
    tile = Grid(65, 65, origin=(0.0, 0.0), size=4000.0)
    assert wide.spacing == tile.spacing
    np.testing.assert_array_equal(HILLS.ground(wide)[:, 64:], HILLS.ground(tile))
    with pytest.raises(ParameterError, match="per_tile"):
        Grid(65, 65, per_tile=0)
    with pytest.raises(ParameterError, match="per_tile"):
        Grid(64, 64, per_tile=64, wrap=True)


@pytest.mark.parametrize("shape", [(97, 97), (33, 129), (129, 33), (2, 5)])
def test_rings_go_round_outside_and_reach_as_far_on_all_sides(shape):
    rings = LandRings.around(*shape)
    points = rings.points()
    halves = np.array((0.5, 0.5 * rings.depth))
    away = np.abs(points / halves).max(axis=-1)
    np.testing.assert_allclose(away, np.broadcast_to(rings.scales[:, None], away.shape))
    assert rings.scales[0] > 1.0 and rings.scales[-1] == pytest.approx(1.0 + 2.0 * REACH)
    x, y = np.moveaxis(points, -1, 0)
    area = 0.5 * (x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(axis=1)
    np.testing.assert_allclose(area, rings.depth * rings.scales**2)


@pytest.mark.parametrize("is_smooth", [False, True])
def test_fields_are_sampled_where_the_places_are(is_smooth):
    rings = LandRings.around(65, 97)
    y, x = np.mgrid[-2.0:2.0:101j, -3.0:3.0:151j]
    plane = (2.0 * x - 3.0 * y + 1.0).astype(np.float32)
    values = rings.sample(plane, FieldExtent(3.0, 2.0), is_smooth=is_smooth)
    expected = rings.points() @ (2.0, -3.0) + 1.0
    np.testing.assert_allclose(values, expected, atol=1e-4)
    inside = np.hypot(x, y).astype(np.float32)
    mirrored = rings.sample(inside, FieldExtent(0.5, 0.5 * rings.depth, is_mirrored=True))
    assert mirrored.shape == rings.shape and float(mirrored.min()) >= float(inside.min())


@pytest.mark.parametrize("recipe", [HILLS, ERODED], ids=["noise", "eroded"])
@pytest.mark.parametrize("shape", [(97, 97), (65, 97)])
def test_heights_and_slopes_go_on_across_the_border(recipe, shape):
    terrain = terrain_of(recipe, shape)
    land = land_of(recipe, terrain)
    first = land.rings.inner(1)
    step = float(first.away[0])
    # Continued straight from the border, over as much as the first ring is away.
    rows, columns = shape
    count = land.rings.cells[0]
    steps = np.arange(count // 4, 3 * count // 4)
    places = (steps / count - 0.5) * first.scales[0] + 0.5
    height = terrain.height
    at = np.interp(places * (columns - 1), np.arange(columns), height[0])
    inner = step * (rows - 1)
    rest, low = inner % 1.0, int(inner)
    line = height[low] * (1.0 - rest) + height[low + 1] * rest
    inside = np.interp(places * (columns - 1), np.arange(columns), line)
    found = land.height[0, steps]
    bend = np.abs(found - (2.0 * at - inside))
    turned_back = np.abs(inside - at)
    # A mirror image would bend twice as much as it rises.
    assert bend.mean() < 0.85 * turned_back.mean()
    assert np.abs(found - at).max() < 3.0 * turned_back.max() + 1.0


def test_outside_noise_alone_is_the_very_same_land():
    terrain = terrain_of(HILLS, origin=(2.0, -1.0))
    land = land_of(HILLS, terrain)
    far = land.rings.away > BLEND
    points = land.rings.points()[far] + (2.5, -0.5)
    expected = HILLS.noise.sample(points, HILLS.seed) * np.float32(HILLS.height)
    np.testing.assert_allclose(land.height[far], expected, atol=0.05)


def test_land_is_no_mirror_image():
    terrain = terrain_of(ERODED)
    land = land_of(ERODED, terrain)
    mirrored = land.rings.sample(terrain.height, terrain.extent)
    far = land.rings.away > BLEND
    likeness = np.corrcoef(land.height[far].reshape(-1), mirrored[far].reshape(-1))[0, 1]
    assert abs(likeness) < 0.5
    spread = float(land.height[far].std())
    assert 0.4 < spread / float(terrain.height.std()) < 2.5


@pytest.mark.newest
def test_land_that_grows_stands_at_the_height_of_the_border():
    grown = Recipe(
        layers=(*HILLS.layers, StreamErosion(mode="grow")), seed=3, height=400.0, size=4000.0
    )
    terrain = terrain_of(grown)
    low = dataclasses.replace(terrain, height=terrain.height - np.float32(5000.0))
    results = [np.median(land_of(grown, one).height[-1]) for one in (terrain, low)]
    assert results[1] < results[0] - 3000.0


def test_maps_begin_as_those_of_the_terrain_and_end_as_those_of_the_land():
    terrain = terrain_of(ERODED)
    land = land_of(ERODED, terrain)
    assert set(land.maps) == set(terrain.maps)
    mirrored = land.rings.sample(terrain.maps["wear"], terrain.extent)
    np.testing.assert_allclose(land.maps["wear"][0], mirrored[0], atol=0.05 * mirrored.max())
    assert land.maps["wear"][-1].max() > 0.0
    assert land.maps["lake"][land.rings.away > 0.2 * BLEND].max() == 0.0
    assert 0.0 <= land.maps["flow"].min() and land.maps["flow"].max() <= 1.0


def test_a_painted_mask_goes_on_as_it_is_at_the_border():
    mask = np.zeros((97, 97), np.float32)
    mask[:, 48:] = 1.0
    terrain = terrain_of(ERODED)
    whole, masked = (land_of(ERODED, terrain, masks=one) for one in ({}, {1: mask}))
    grid = coarse_grid(terrain)
    height = ERODED.ground(grid) * np.float32(400.0)
    ratio = np.corrcoef(masked.coarse[:, :100].reshape(-1), height[:, :100].reshape(-1))[0, 1]
    assert ratio > 0.9999
    assert np.corrcoef(whole.coarse[:, :100].reshape(-1), height[:, :100].reshape(-1))[0, 1] < 0.999


@pytest.mark.parametrize("shape", [(2, 2), (3, 9), (40, 5)])
def test_terrains_of_few_samples_have_land_too(shape):
    terrain = terrain_of(ERODED, shape)
    land = land_of(ERODED, terrain)
    assert land.height.shape == land.rings.shape and np.isfinite(land.height).all()


def test_far_dunes_grow_on_coarser_samples_and_are_as_high():
    grid, dunes = Grid(129, 129, size=2000.0), WindErosion(spacing=230.0, sand=8.0)
    far = dunes.at_low_quality()
    level = Level.from_grid(grid)
    steps = [one.desert(level).levels(level)[-1].step_x for one in (dunes, far)]
    assert steps[1] == 2.0 * steps[0]
    flat = np.zeros(grid.shape, np.float32)
    for seed in (1, 2):
        near, distant = (one.apply(flat, grid, seed).height for one in (dunes, far))
        assert distant.mean() == pytest.approx(near.mean(), rel=1e-3)
        assert distant.std() == pytest.approx(near.std(), rel=0.25)
    assert ERODED.layers[-1].at_low_quality().quality == "preview"
    assert HILLS.layers[0].at_low_quality() is HILLS.layers[0]


def test_it_can_be_cancelled():
    with pytest.raises(Cancelled):
        land_of(ERODED, terrain_of(ERODED), cancel=lambda: True)
