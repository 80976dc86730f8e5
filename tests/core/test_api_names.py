# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that scripts outside of the repository use: each is imported, and called as they call it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from noise_core import (
    Grid,
    Recipe,
    export_heightmap,
    modifier_types,
    noise_types,
    read_elevation,
)
from noise_core.noises import Blend, Cellular, Fractal, Perlin, Raster, Simplex, Value, Warp, White

NOISES = (White, Value, Perlin, Simplex, Cellular, Fractal, Warp, Blend, Raster)


@pytest.mark.parametrize("cls", NOISES, ids=lambda cls: cls.__name__)
def test_noises_are_sampled_at_points_and_on_grids(cls):
    assert noise_types()[cls.key] is cls
    values = cls().sample([[0.1, 0.2], [0.3, 0.4]], seed=7)
    assert values.shape == (2,) and values.dtype == np.float32
    field = cls().sample_grid(Grid(5, 9, origin=(0.0, 0.0), wrap=False), seed=7)
    assert field.shape == (5, 9) and field.dtype == np.float32


def test_parameters_have_the_names_that_scripts_write():
    for gradients in ("circle", "diagonal"):
        for lattice in ("hash", "permutation"):
            for fade in ("quintic", "cubic", "linear"):
                noise = Perlin(frequency=8.0, fade=fade, gradients=gradients, lattice=lattice)
                assert np.ptp(noise.sample([[0.1, 0.2], [0.3, 0.4]], seed=7)) > 0.0
    source = Perlin(frequency=4.0)
    fractal = Fractal(source=source, kind="fbm", octaves=8, persistence=0.5, lacunarity=2.0)
    assert np.ptp(fractal.sample_grid(Grid(9, 9), seed=7)) > 0.0


def test_a_recipe_is_evaluated_exported_and_read_back(tmp_path):
    recipe = Recipe(layers=(Perlin(),), seed=7, height=20.0, size=100.0)
    relief = recipe.evaluate(recipe.grid(65))
    assert relief.height.shape == (65, 65) and np.ptp(relief.height) > 1.0
    assert Recipe.from_json(recipe.to_json()) == recipe
    export_heightmap(recipe, tmp_path / "land.tif", target="geotiff", samples=65)
    read = read_elevation(tmp_path / "land.tif")
    assert np.abs(read.heights - relief.height).max() < 1e-3


def test_a_preset_has_maps_and_modifiers():
    alps = Recipe.from_preset("alps", seed=7)
    relief = alps.evaluate(alps.grid(33))
    assert relief.maps["flow"].shape == (33, 33)
    assert {"stream_erosion", "thermal_erosion"} <= set(modifier_types())


@pytest.mark.parametrize("command", ["build", "export", "presets", "figures", "texture", "robots"])
def test_commands_explain_themselves(command: str):
    line = [sys.executable, "-m", "noise_core", command, "--help"]
    done = subprocess.run(
        line, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("usage:") and command in done.stdout
