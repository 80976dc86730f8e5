# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe knows how deep its land is: grids, JSON, files and command lines give the whole of it, or refuse."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from noise_core import Grid, ParameterError, Recipe, RecipeError
from noise_core.codecs.image_files import read_pixels
from noise_core.commands.command_line import run
from noise_core.io.elevation_reading import LoadedHeights, elevation_from_samples, measured_land
from noise_core.io.heightmaps import ExportOptions, export_heightmap
from noise_core.io.targets.npy import Npy
from noise_core.noises import Perlin
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest


def measured(draw, longest=60):
    """Return measured land of random rows and columns, with its heights."""
    rows, columns = draw.randint(2, longest), draw.randint(2, longest)
    numbers = np.random.default_rng(draw.getrandbits(32))
    heights = numbers.uniform(-50.0, 900.0, (rows, columns)).astype(np.float32)
    elevation = elevation_from_samples(LoadedHeights(heights, "land.npy", "NumPy"))
    elevation = dataclasses.replace(elevation, spacing=(30.0, 30.0))
    return measured_land(elevation), elevation.heights


def command(*arguments):
    """Return the exit status of a command, its output, and its errors."""
    said, noted = [], []
    status = run([str(one) for one in arguments], said.append, noted.append)
    return status, said, noted


def test_json_and_grids_keep_the_depth_of_measured_land():
    draw = generator("measured")
    for _ in range(count_of(200)):
        land, heights = measured(draw)
        recipe = Recipe.from_json(land.recipe.to_json())
        assert recipe == land.recipe
        grid = recipe.grid(max(heights.shape))
        assert grid.shape == heights.shape == land.grid().shape
        assert grid.spacing == pytest.approx(30.0)
        np.testing.assert_allclose(recipe.evaluate(grid).height, heights, atol=1e-3)


def test_exports_give_the_whole_land_or_refuse(tmp_path):
    draw = generator("export")
    for number in range(count_of(60)):
        land, heights = measured(draw)
        file = tmp_path / f"land{number}.json"
        file.write_text(land.recipe.to_json())
        rows, columns = heights.shape
        keywords = ("--target", "npy", "--folder", tmp_path / str(number))
        status, _, noted = command("export", file, *keywords, "--samples", max(rows, columns))
        assert status == 0, noted
        written = np.load(tmp_path / str(number) / f"land{number}.npy")
        np.testing.assert_allclose(written, heights, atol=1e-3)
        ratio = (rows - 1) / (columns - 1)
        wrong = f"{columns + 3}x{rows}" if ratio > 1.0 else f"{columns}x{rows + 3}"
        if ratio != 1.0:
            status, _, noted = command("export", file, *keywords, "--samples", wrong, "--overwrite")
            assert status == 2 and "times as deep as wide" in noted[-1], (wrong, ratio)


@pytest.mark.parametrize("tiles", [(1, 1), (1, 2), (2, 1), (3, 5)])
@pytest.mark.parametrize("ratio", [0.5, 1.0, 2.0, 3.7])
def test_tiles_together_are_the_whole_land(tiles, ratio, tmp_path):
    recipe = Recipe(layers=Perlin(), size=1000.0, depth=1000.0 * ratio, height=10.0)
    report = export_heightmap(
        recipe, tmp_path / "a", target=Npy(), samples=33, options=ExportOptions(tiles=tiles)
    )
    sidecar = json.loads(report.sidecar.read_text())
    if ratio != 1.0:  # a square goes on, and its tiles are squares
        off = (1 + max(tiles)) * max(1.0, ratio) * sidecar["meters_per_sample"]
        assert sidecar["depth"] == pytest.approx(ratio * sidecar["width"], abs=off)
    assert sidecar["recipe"].get("depth") == (None if ratio == 1.0 else 1000.0 * ratio)


def test_squares_alone_are_refused_for_other_land(tmp_path):
    recipe = Recipe(layers=Perlin(), size=1000.0, depth=2000.0)
    for samples in (513, (513, 513)):
        with pytest.raises(ParameterError):
            export_heightmap(recipe, tmp_path / "a", target="unity", samples=samples)
    assert not list(tmp_path.iterdir())


def test_pictures_and_sheets_show_the_whole_land(tmp_path):
    file = tmp_path / "land.json"
    file.write_text(Recipe(layers=Perlin(), size=900.0, depth=1800.0, height=90.0).to_json())
    status, _, noted = command("build", file, "--seed", "0:2", "--side", 32, "--folder", tmp_path)
    assert status == 0, noted
    assert read_pixels(tmp_path / "land_0.png").shape[:2] == (32, 16)
    again = Recipe.from_json((tmp_path / "land_1.json").read_text())
    assert again.depth == 1800.0 and again.seed == 1
    assert read_pixels(tmp_path / "land_sheet.png").shape[:2] == (40, 76)


def test_figures_are_those_of_the_whole_land():
    recipe = Recipe.from_preset("alps")
    deep = dataclasses.replace(recipe, depth=2.0 * recipe.size)
    assert deep.grid(129).shape == (129, 65)
    assert deep.evaluate(deep.grid(129)).height.shape == (129, 65)


@pytest.mark.parametrize("wrap", [False, True])
def test_grids_have_the_proportion_of_the_recipe(wrap):
    draw = generator("grids")
    for _ in range(count_of(400)):
        ratio, samples = 10.0 ** draw.uniform(-1.5, 1.5), draw.randint(2, 3000)
        recipe = Recipe(layers=Perlin(), size=500.0, depth=500.0 * ratio)
        grid = recipe.grid(samples, wrap=wrap)
        assert max(grid.shape) in (samples, samples + 1) and min(grid.shape) >= 1
        steps = [side if wrap else side - 1 for side in grid.shape]
        assert abs(steps[0] - steps[1] * ratio) <= 0.51 * max(1.0, ratio) or 1 in steps
        assert grid.size == 500.0


def test_a_square_has_no_depth_of_its_own():
    recipe = Recipe(layers=Perlin(), size=500.0, depth=500.0)
    assert recipe.depth is None and recipe == Recipe(layers=Perlin(), size=500.0)
    assert recipe.depth_ratio == 1.0 and '"depth"' not in recipe.to_json()
    assert recipe.grid(9).shape == (9, 9) and recipe.grid((3, 9)).shape == (3, 9)
    assert dataclasses.replace(recipe, size=700.0).depth_ratio == 1.0


def test_another_width_keeps_the_proportion():
    recipe = Recipe(layers=Perlin(), size=500.0, depth=1500.0)
    assert recipe.with_size(1000.0).depth == 3000.0 and recipe.depth_ratio == 3.0
    assert Recipe(size=500.0).with_size(7.0) == Recipe(size=7.0)


@pytest.mark.parametrize(
    "depth", [0.0, -5.0, 1e-9, 1e9, float("nan"), float("inf"), "deep", True, []]
)
def test_depths_that_no_land_has_are_refused(depth):
    with pytest.raises(
        ParameterError, match=r"^Recipe\.depth must be a number in \[0\.01, 1e\+06\]"
    ):
        Recipe(size=100.0, depth=depth)
    if not isinstance(depth, float) or np.isfinite(depth):
        text = json.dumps({"format": 1, "size": 100.0, "depth": depth, "layers": []})
        with pytest.raises(RecipeError, match=r"^Recipe\.depth must be a number in "):
            Recipe.from_json(text)


def test_a_grid_by_hand_is_what_it_says():
    recipe = Recipe(layers=Perlin(), size=500.0, depth=1000.0)
    assert recipe.evaluate(recipe.grid((5, 9))).height.shape == (5, 9)
    assert recipe.evaluate(Grid(5, 9)).height.shape == (5, 9)
