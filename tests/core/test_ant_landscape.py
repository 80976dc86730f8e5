# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes from the settings of A.N.T. Landscape."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from noise_core import Recipe
from noise_core.base.errors import ParameterError
from noise_core.landscapes.planets.ant_planet import planet_from_ant
from noise_core.landscapes.planets.planet import planet_heights
from noise_core.landscapes.preset_library import ant_names, preset, shipped_names
from noise_core.recipes.ant_landscape.recipe import recipe_from_ant
from noise_core.recipes.ant_landscape.settings import BASES, EFFECTS, NOISES

TOOLS = Path(__file__).parents[2] / "tools"
SETTINGS, SEEDS, LOOKS = (
    json.loads((TOOLS / f"ant_{which}.json").read_text()) for which in ("presets", "seeds", "looks")
)

MEASURED = {
    "ant_another_noise": (0.183, 0.092, 0.445),
    "ant_billow": (0.140, 0.051, 0.404),
    "ant_canyon": (0.112, 0.064, 0.785),
    "ant_canyons": (0.081, 0.090, 0.921),
    "ant_cauliflower_hills": (0.058, 0.049, 0.429),
    "ant_cliff": (0.578, 0.500, 1.186),
    "ant_default": (0.155, 0.155, 0.824),
    "ant_default_large": (1.550, 1.550, 0.824),
    "ant_dunes": (0.058, 0.062, 0.295),
    "ant_flatstones": (0.027, 0.015, 0.726),
    "ant_gully": (0.445, 0.271, 2.074),
    "ant_lakes_1": (-0.037, 0.068, 0.478),
    "ant_lakes_2": (-0.008, 0.049, 0.536),
    "ant_large_terrain": (0.313, 0.159, 0.320),
    "ant_mesa": (0.076, 0.092, 0.673),
    "ant_mounds": (0.043, 0.023, 0.374),
    "ant_mountain_1": (0.102, 0.121, 0.616),
    "ant_mountain_2": (0.045, 0.048, 0.271),
    "ant_planet_noise": (0.153, 0.102, 0.794),
    "ant_ridged": (0.114, 0.042, 0.537),
    "ant_river": (0.104, 0.057, 0.369),
    "ant_slick_rock": (0.079, 0.080, 0.386),
    "ant_tech_effect": (0.058, 0.066, 2.048),
    "ant_techno_cell": (0.001, 0.100, 3.875),
    "ant_vlnoise_turbulence": (0.065, 0.065, 0.558),
    "ant_volcano": (0.154, 0.187, 0.971),
    "ant_voronoi_hills": (0.046, 0.042, 0.261),
    "ant_yin_yang": (0.045, 0.054, 0.440),
}
"""Mean and standard deviation of heights, and root mean square of slopes, of A.N.T. Landscape 0.1.8 in Blender 4.2, at
257 x 257 vertices: `tools/ant_pictures.py record`."""


def heights(given, samples=65):
    recipe = recipe_from_ant(given).recipe
    return recipe.evaluate(recipe.grid(samples)).height


@pytest.mark.parametrize("name", MEASURED)
def test_presets_are_as_high_and_as_steep_as_those_of_ant_landscape(name):
    recipe = preset(name).recipe
    field = recipe.evaluate(recipe.grid(257)).height / 1000.0
    mean, deviation, steepness = MEASURED[name]
    assert abs(field.mean() - mean) < 0.35 * deviation
    assert 0.8 < field.std() / deviation < 1.2
    down, along = np.gradient(field, recipe.size / 1000.0 / 256)
    assert 0.85 < np.sqrt((down**2 + along**2).mean()) / steepness < 1.26


FLAT = {"edge_falloff": 0, "maximum": 100.0, "minimum": -100.0}


@pytest.mark.parametrize("kind", NOISES)
def test_every_noise_makes_land(kind):
    field = heights({**FLAT, "noise_type": kind})
    assert np.isfinite(field).all()
    assert (field.std() > 0.005) == (kind != "blender_texture")


@pytest.mark.parametrize("basis", BASES)
def test_every_basis_makes_land(basis):
    keywords = {**FLAT, "basis_type": basis, "vl_basis_type": basis}
    for kind in ("turbulence_vector", "slick_rock"):
        assert heights({**keywords, "noise_type": kind}).std() > 0.01


@pytest.mark.parametrize("effect", range(1, len(EFFECTS)))
def test_every_effect_shows(effect):
    keywords = {
        **FLAT,
        "noise_type": "fractal",
        "noise_depth": 0,
        "fx_type": str(effect),
        "fx_mix_mode": "1",
    }
    field = heights(
        {**keywords, "fx_depth": 2, "fx_turb": 0.1, "mesh_size_x": 4.0, "mesh_size_y": 4.0}
    )
    assert field.std() > 0.005 and field.min() >= -1e-4  # what is below 0 is cut off


@pytest.mark.parametrize("strata", range(6))
def test_strata_of_five_have_five_levels_to_the_height(strata):
    field = heights({**FLAT, "height": 1.0, "strata_type": strata}, 129)
    levels = field / 0.2
    if strata == 4:
        assert (np.abs(levels - np.rint(levels)) < 2e-2).mean() > 0.98  # but for some on risers
    plain = heights({**FLAT, "height": 1.0}, 129)
    assert np.abs(field - plain).max() <= 0.21
    assert (strata == 0) == bool(np.array_equal(field, plain))


def test_the_edge_lies_at_its_level_and_heights_within_their_limits():
    field = heights({"edge_level": 0.1, "maximum": 0.3, "height": 1.0})
    border = np.concatenate([field[0], field[-1], field[:, 0], field[:, -1]])
    assert np.abs(border - 0.1).max() < 1e-3 and field.max() <= 0.3 + 1e-6


def test_a_size_and_a_seed_are_taken_over():
    conversion = recipe_from_ant(
        {"mesh_size_x": 20.0, "mesh_size_y": 10.0, "random_seed": 7, "height": 3.0}
    )
    assert (conversion.recipe.size, conversion.recipe.height, conversion.recipe.seed) == (
        20.0,
        3.0,
        7,
    ) and not conversion.messages


def test_what_has_no_counterpart_is_said():
    said = recipe_from_ant({"sphere_mesh": True, "vert_group": "Group", "lacunarity": 0.5}).messages
    assert [str(one).split(":")[0] for one in said] == ["Sphere", "Vertex Group", "Lacunarity"]


@pytest.mark.parametrize("wrong", [{"noise_type": 99}, {"height": float("nan")}, {"fx_type": "40"}])
def test_wrong_settings_are_refused_by_name(wrong):
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        recipe_from_ant(wrong)


def test_a_sphere_is_half_as_high_above_a_globe():
    keywords = {
        "sphere_mesh": True,
        "mesh_size": 3.0,
        "noise_type": "marble_noise",
        "marble_shape": 2,
    }
    for height, relief in ((0.6, 0.2), (3.6, 0.9)):
        (recipe, losses), planet = planet_from_ant(
            {**keywords, "height": height, "edge_falloff": 0}
        )
        assert not losses and (planet.radius, planet.relief) == (1.5, pytest.approx(relief))
        found = planet_heights(recipe, replace(planet, resolution=16))
        flat = recipe.noise.sample(found.directions * np.float32(0.5), recipe.seed)
        np.testing.assert_allclose(found.height, flat * relief * 1.5, atol=1e-5)
        # What is cut off lies at half the limits, which are -1 and 1.
        assert -0.5001 < found.height.min() < found.height.max() < 0.5001


def test_presets_are_what_the_tool_writes_and_can_be_read():
    assert set(ant_names()) == set(SETTINGS) and len(ant_names()) == 32
    assert not set(ant_names()) & set(shipped_names())
    for name, given in SETTINGS.items():
        recipe = recipe_from_ant(given, unit=1000.0).recipe
        assert preset(name).recipe == replace(recipe, seed=SEEDS.get(name, recipe.seed))
        assert preset(name).look.palette == LOOKS[name]["palette"]
        assert Recipe.from_preset(name).size == preset(name).size
