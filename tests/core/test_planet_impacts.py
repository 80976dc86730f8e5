# SPDX-License-Identifier: GPL-3.0-or-later
"""Craters, cities, bands and kinds of planets."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noise_core.landscapes import planet_kinds as kinds
from noise_core.landscapes.planets.bands import GASES, band_colors
from noise_core.landscapes.planets.cities import settlements
from noise_core.landscapes.planets.cube_sphere import CubeSphere
from noise_core.landscapes.planets.ground import PlanetGround
from noise_core.landscapes.planets.impacts import (
    COUNT,
    EXPONENT,
    LARGEST,
    MOON,
    TRUE_RELIEF,
    PlanetImpacts,
    impacts,
    strike,
)
from noise_core.landscapes.planets.planet import RECIPES, planet_heights
from noise_core.landscapes.scene import Planet
from noise_core.materials.colors import LANDSCAPES
from noise_core.recipes.recipe import Recipe
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest


@pytest.mark.parametrize("density", [0.2, 1.0])
def test_numbers_by_size_are_hartmann_s(density):
    found = impacts(density, 60.0, 3)
    area = 4.0 * math.pi * MOON**2
    for size in (60.0, 120.0, 240.0, 480.0):
        law = density * COUNT * area * (size**-EXPONENT - LARGEST**-EXPONENT)
        assert (found.diameter >= size).sum() == pytest.approx(law, abs=1.5)


def test_places_are_even_and_a_finer_sphere_has_the_same_craters():
    coarse, fine = impacts(0.5, 120.0, 9), impacts(0.5, 40.0, 9)
    np.testing.assert_allclose(np.linalg.norm(fine.center, axis=1), 1.0, atol=1e-12)
    assert np.abs(fine.center.mean(axis=0)).max() < 0.05
    assert (np.diff(fine.age) <= 0.0).all()
    large = fine.diameter >= coarse.diameter.min()
    np.testing.assert_array_equal(fine.center[large], coarse.center)
    assert not np.allclose(impacts(0.5, 120.0, 8).center, coarse.center)


def one_crater(center, diameter, age=0.0):
    return PlanetImpacts(np.array([center], np.float64), np.array([diameter]), np.array([age]))


@pytest.mark.parametrize("case", range(count_of(40)))
def test_a_fresh_crater_has_pike_s_depth_wherever_it_is(case):
    """Also on edges and corners of the cube, whose faces have windows of their own."""
    random = generator(f"fresh craters {case}")
    center = np.array([random.gauss(0.0, 1.0) for _ in range(3)])
    corners = np.sign(center)  # every second one lies on a corner of the cube
    center = corners if case % 2 else center
    center /= np.linalg.norm(center)
    diameter = random.uniform(200.0, 800.0)
    sphere = CubeSphere(64)
    directions = sphere.directions()
    flat = np.zeros(sphere.vertices, np.float32)
    height, rays = strike(flat, sphere, directions, TRUE_RELIEF, one_crater(center, diameter))
    away = np.linalg.norm(directions - center, axis=1) / (0.5 * diameter / MOON)
    depth, rim = 1.044 * diameter**0.301 / MOON, 0.236 * diameter**0.399 / MOON
    assert height.min() == pytest.approx(rim - depth, rel=0.03)
    assert height.max() <= rim * 1.001 and height[(away > 1.0) & (away < 1.1)].max() > 0.6 * rim
    assert (height[away > 2.21] == 0.0).all() and (height[away < 0.3] < 0.0).all()
    assert rays.max() == 0.0  # too large a basin for rays


def test_young_craters_have_rays_and_later_ones_cover_them():
    sphere = CubeSphere(128)
    directions, flat = sphere.directions(), np.zeros(sphere.vertices, np.float32)
    young = one_crater((0.0, 0.0, 1.0), 110.0)
    _, rays = strike(flat, sphere, directions, TRUE_RELIEF, young)
    away = np.linalg.norm(directions - np.array([0.0, 0.0, 1.0]), axis=1) / (55.0 / MOON)
    assert rays[away < 1.2].min() > 0.5 and rays[away > 9.1].max() == 0.0
    ring = rays[(away > 3.0) & (away < 5.0)]
    assert 0.02 < (ring > 0.1).mean() < 0.9  # streaks, no disc
    _, old = strike(flat, sphere, directions, TRUE_RELIEF, one_crater((0.0, 0.0, 1.0), 110.0, 0.5))
    assert old.max() == 0.0


def test_craters_wear_and_scale_with_relief():
    sphere = CubeSphere(48)
    directions, flat = sphere.directions(), np.zeros(sphere.vertices, np.float32)
    deep = {
        (age, relief): strike(
            flat, sphere, directions, relief, one_crater((1.0, 0.0, 0.0), 600.0, age)
        )[0].min()
        for age in (0.0, 1.0)
        for relief in (0.01, 0.02)
    }
    assert deep[0.0, 0.02] == pytest.approx(2.0 * deep[0.0, 0.01], rel=1e-5)
    assert deep[1.0, 0.01] > 0.5 * deep[0.0, 0.01]


def test_people_live_on_low_ground_that_is_neither_cold_nor_dry():
    kind = kinds.KINDS["terrestrial"]
    heights = planet_heights(RECIPES[kind.recipe](), Planet(resolution=48))
    settled = settlements(heights, PlanetGround(2.0, heights.sea, 66.0))
    land = heights.depth < 0.0
    assert settled[~land].max() == 0.0 and 0.0 <= settled.min() and 0.3 < settled.max() <= 1.0
    latitude = np.degrees(np.arcsin(np.abs(heights.directions[:, 2])))
    high = heights.height > np.quantile(heights.height[land], 0.9)
    assert settled[high & land].mean() < 0.3 * settled[land].mean()
    assert settled[land & (latitude > 75.0)].max() < 0.05


@pytest.mark.parametrize("gas", GASES)
def test_bands_go_around_along_latitudes(gas):
    directions = CubeSphere(24).directions()
    colors = band_colors(directions, gas)
    assert np.isfinite(colors).all() and colors.min() >= 0.0 and colors.max() <= 1.5
    turned = directions[:, [1, 0, 2]]
    np.testing.assert_array_equal(band_colors(turned, gas), colors)
    assert set(GASES) | {"none"} == set(Planet.parameters()[-1].options)


@pytest.mark.parametrize("key", kinds.KINDS)
def test_every_kind_can_be_made(key):
    kind = kinds.KINDS[key]
    measures = Planet(**{**kind.values, "resolution": 12})
    assert kind.planet.palette in LANDSCAPES
    heights = planet_heights(RECIPES[kind.recipe](), measures)
    assert np.isfinite(heights.height).all()
    assert (heights.rays is None) == (measures.craters == 0.0)
    assert isinstance(RECIPES[kind.recipe](), Recipe) and not RECIPES[kind.recipe]().needs_grid
