# SPDX-License-Identifier: GPL-3.0-or-later
"""Planets: a cube sphere, the noise of a recipe on it, the level of the sea, climates and colors."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core import Recipe
from noise_core.base import blocks
from noise_core.base.errors import Cancelled, ParameterError
from noise_core.landscapes.planets.colors import climate, planet_colors, slopes
from noise_core.landscapes.planets.cube_sphere import CubeSphere
from noise_core.landscapes.planets.ground import PlanetGround, planet_landscape
from noise_core.landscapes.planets.planet import planet_heights, sea_level, standard_recipe
from noise_core.landscapes.scene import Planet
from noise_core.materials.colors import LANDSCAPES
from noise_core.noises.perlin import Perlin

pytestmark = pytest.mark.newest


def quad_areas(sphere: CubeSphere) -> np.ndarray:
    """Return the areas of the flat quads of a unit sphere."""
    corners = sphere.directions()[sphere.quad_vertices()].astype(np.float64)
    across = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    assert ((across * corners.mean(axis=1)).sum(axis=1) > 0.0).all()  # they face outwards
    return 0.5 * np.linalg.norm(across, axis=1)


@pytest.mark.parametrize("cells", [1, 2, 3, 8, 17])
def test_a_cube_sphere_is_closed(cells):
    """V - E + F = 2, every edge lies between two quads, and edges lead from corner to corner."""
    sphere = CubeSphere(cells)
    quads = sphere.quad_vertices()
    edges, sides = sphere.edges()
    assert len(sphere.directions()) == sphere.vertices == 6 * cells**2 + 2
    assert sphere.vertices - len(edges) + len(quads) == 2
    assert set(quads.reshape(-1).tolist()) == set(range(sphere.vertices))
    assert (np.bincount(sides.reshape(-1), minlength=len(edges)) == 2).all()
    along = np.stack((quads, np.roll(quads, -1, axis=1)), axis=-1)
    np.testing.assert_array_equal(np.sort(edges[sides], axis=-1), np.sort(along, axis=-1))


def test_cells_are_of_about_one_size():
    """The equal-angle cube's largest cell is sqrt 2 times the smallest; the sphere's area is 4 pi."""
    areas = quad_areas(CubeSphere(96))
    assert 1.35 < areas.max() / areas.min() < 1.4143
    assert areas.sum() == pytest.approx(4.0 * np.pi, rel=1e-3)
    shares = CubeSphere(96).areas()
    assert shares.sum(dtype=np.float64) == pytest.approx(1.0, abs=1e-5)


def test_shares_are_those_of_caps():
    """The share of the vertices above a latitude is that of a spherical cap: (1 - sin) / 2."""
    sphere = CubeSphere(64)
    z = sphere.directions()[:, 2]
    for sine in (0.2, 0.5, 0.9):
        share = float(sphere.areas()[z > sine].sum())
        assert share == pytest.approx(0.5 * (1.0 - sine), abs=0.006)


@pytest.mark.parametrize("cells", [1, 3, 16])
def test_twice_the_cells_have_the_same_directions(cells):
    coarse, fine = CubeSphere(cells), CubeSphere(2 * cells)
    here = coarse.directions()[coarse.index]
    np.testing.assert_array_equal(here, fine.directions()[fine.index[:, ::2, ::2]])
    np.testing.assert_allclose(np.linalg.norm(fine.directions(), axis=1), 1.0, atol=1e-6)


def test_tiles_of_the_uv_map_are_squares_that_do_not_overlap():
    tiles = CubeSphere(4).coordinates().reshape(6, -1, 2)
    low, high = tiles.min(axis=1), tiles.max(axis=1)
    np.testing.assert_allclose(high - low, 1.0 / 3.0, rtol=1e-6)
    assert len({tuple(np.round(one, 4)) for one in low}) == 6
    assert tiles.min() == 0.0 and tiles.max() == 1.0


def test_the_same_place_has_the_same_height():
    recipe = standard_recipe()
    coarse = planet_heights(recipe, Planet(resolution=12))
    fine = planet_heights(recipe, Planet(resolution=24))
    shared = fine.height[fine.sphere.index[:, ::2, ::2]]
    np.testing.assert_allclose(coarse.height[coarse.sphere.index], shared, atol=1e-6)


def test_heights_are_the_noise_in_space_and_join_across_faces():
    noise = Perlin(frequency=4.0)
    planet = Planet(radius=3.0, relief=0.1, resolution=48, scale=2.0)
    found = planet_heights(Recipe(layers=(noise,), seed=5), planet)
    expected = noise.sample(found.directions, seed=5) * np.float32(0.3)
    np.testing.assert_allclose(found.height, expected, atol=1e-6)
    edges, _ = found.sphere.edges()
    step = np.abs(np.diff(found.height[edges], axis=1))[:, 0]
    is_border = (edges >= 6 * 47**2).all(axis=1)
    assert is_border.sum() == 12 * 48 and step[is_border].max() <= 1.1 * step.max()


@pytest.mark.parametrize("cover", [0.05, 0.3, 0.6, 0.95])
def test_the_sea_covers_its_share(cover):
    planet = planet_heights(standard_recipe(), Planet(resolution=64, sea_cover=cover))
    wet = planet.height < planet.sea
    corners = planet.sphere.quad_vertices()
    areas = quad_areas(planet.sphere)
    flooded = (wet[corners].mean(axis=1) * areas).sum() / areas.sum()
    assert flooded == pytest.approx(cover, abs=0.005)
    assert ((planet.depth > 0.0) == wet).all()


def test_no_sea_and_nothing_but_sea():
    flat = np.zeros(8, np.float32)
    assert sea_level(flat, flat + 1.0, 0.0) is None
    assert sea_level(flat, flat + 1.0, 0.5) == 0.0
    planet = planet_heights(standard_recipe(), Planet(resolution=8, sea_cover=1.0))
    assert planet.height.max() <= planet.sea + 1e-5
    dry = planet_heights(standard_recipe(), Planet(resolution=8, sea_cover=0.0))
    assert dry.sea is None and (dry.depth < 0.0).all()


def test_a_recipe_that_needs_a_grid_is_refused_by_name():
    recipe = Recipe.from_preset("alps")
    name = recipe.layers_on_grid[0].name or recipe.layers_on_grid[0].label
    with pytest.raises(ParameterError, match=f"a planet is made of noise alone.*{name}"):
        planet_heights(recipe, Planet(resolution=4))


def test_noise_that_is_flat_is_refused_by_name():
    with pytest.raises(ParameterError, match="layer Craters: a planet needs noise in space"):
        planet_heights(Recipe.from_preset("moon"), Planet(resolution=4))


@pytest.mark.parametrize(
    "values",
    [
        {"radius": 0.0},
        {"radius": np.nan},
        {"resolution": 1},
        {"sea_cover": 1.1},
        {"ice_latitude": -1.0},
    ],
)
def test_bad_measures_are_refused(values):
    with pytest.raises(ParameterError, match=f"Planet.{next(iter(values))}"):
        Planet(**values)


def test_cancelling_leaves_nothing():
    with pytest.raises(Cancelled):
        planet_heights(standard_recipe(), Planet(resolution=8), cancel=lambda: True)


def test_progress_rises_to_the_end():
    told: list[float] = []
    with blocks.on_threads(
        1
    ):  # two threads may end the two strips at once, and tell of both as one
        planet_heights(standard_recipe(), Planet(resolution=160), progress=told.append)
    assert told == sorted(told) and told[-1] == 1.0 and len(told) > 1


def test_slopes_count_from_the_middle():
    """A ball has none; noise gives those of its gradient, at the poles as at the equator."""
    flat = planet_heights(standard_recipe(), Planet(resolution=24, relief=0.0))
    assert slopes(flat, 2.0).max() < 1.0
    rough = planet_heights(standard_recipe(), Planet(resolution=64, relief=0.1))
    found, polar = slopes(rough, 2.0), np.abs(rough.directions[:, 2]) > 0.9
    assert 5.0 < found.mean() < 30.0
    assert found[polar].mean() == pytest.approx(found[~polar].mean(), rel=0.5)


def test_it_is_cold_at_the_poles_and_dry_between():
    sphere = CubeSphere(48)
    outwards = sphere.directions()
    cold, dry = climate(PlanetGround(2.0, 0.0, 60.0), outwards, outwards * np.float32(0.5), 0.6)
    latitude = np.degrees(np.arcsin(np.abs(outwards[:, 2])))
    assert cold[latitude > 75.0].min() > 0.6 > cold[latitude < 45.0].max()
    assert cold[latitude < 1.0].max() < 0.05
    belt = (latitude > 20.0) & (latitude < 30.0)
    assert dry[belt].mean() > 0.7 > 0.4 > dry[latitude < 3.0].mean()
    assert dry[latitude > 70.0].max() < 0.3
    none, _ = climate(PlanetGround(2.0, 0.0, 90.0), outwards, outwards * np.float32(0.5), 0.6)
    assert none == 0.0


@pytest.mark.parametrize("ice", [50.0, 75.0, 90.0])
def test_caps_are_white_from_their_latitude_on(ice):
    heights = planet_heights(standard_recipe(), Planet(resolution=48))
    ground, sea = planet_colors(heights, PlanetGround(2.0, heights.sea, ice), "alpine")
    shown = np.where(heights.depth > 0.0, sea, ground)
    assert shown.min() >= 0.0 and shown.max() <= 1.0
    latitude = np.degrees(np.arcsin(np.abs(heights.directions[:, 2])))
    white = shown.min(axis=0) > 0.6
    if ice == 90.0:
        assert white[heights.depth > 0.0].sum() == 0
        return
    assert white[latitude > min(ice + 15.0, 86.0)].mean() > 0.9
    assert white[(latitude < ice - 15.0) & (heights.depth > 0.0)].mean() == 0.0


@pytest.mark.parametrize("name", LANDSCAPES)
def test_every_palette_suits_a_planet(name):
    landscape = planet_landscape(LANDSCAPES[name])
    assert not any(
        layer.is_shore for layer in landscape.layers.values()
    )  # beaches would be seven meters high
    if "snow" in landscape.layers:
        assert landscape.layers["snow"].can_lie(False)
    heights = planet_heights(standard_recipe(), Planet(resolution=16))
    for sea in (heights, dataclasses.replace(heights, sea=None)):
        ground, water = planet_colors(sea, PlanetGround(2.0, sea.sea, 66.0), name)
        assert np.isfinite(ground).all() and (water is None) == (sea.sea is None)
