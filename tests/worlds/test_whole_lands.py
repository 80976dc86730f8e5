# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds are the whole land of a recipe, or refused; arguments of wrong types are one line."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from noise_core import ExportOptions, ParameterError, Recipe, TerraneError
from noise_core.commands.command_line import run
from noise_core.io.elevation_reading import LoadedHeights, elevation_from_samples, measured_land
from noise_core.noises import Perlin
from terrane_worlds import World
from terrane_worlds.builds.exporting import WorldControl, export_world
from terrane_worlds.commands.all_commands import COMMANDS
from tests.core.wrong_types import REPLACING, WRONG, export_with, parameters_of
from tests.drawing import count_of, generator

RECIPE = Recipe(layers=Perlin(frequency=3.0), height=5.0, size=600.0)


def command(*arguments):
    said, noted = [], []
    status = run(
        [str(argument) for argument in arguments],
        said.append,
        noted.append,
        "terrane_worlds",
        COMMANDS,
    )
    return status, said, noted


def test_a_world_of_measured_land_has_all_of_it(tmp_path):
    draw = generator("worlds")
    for number in range(count_of(40)):
        rows, columns = draw.randint(17, 60), draw.randint(17, 60)
        heights = np.random.default_rng(number).uniform(0.0, 90.0, (rows, columns))
        elevation = elevation_from_samples(
            LoadedHeights(heights.astype(np.float32), "a.npy", "NumPy")
        )
        file, store = tmp_path / f"land{number}.json", tmp_path / f"land{number}.zarr"
        file.write_text(measured_land(elevation).recipe.to_json())
        status, _, noted = command(
            "build", file, store, "--samples", max(rows, columns), "--tile", 16
        )
        assert status == 0, noted
        world = World.from_store(store)
        assert (world.rows, world.columns) == (rows, columns)
        np.testing.assert_allclose(world.region(store, 0, 0, rows, columns), heights, atol=1e-3)
        assert (
            command("export", store, tmp_path / "a.npy", "--target", "npy", "--overwrite")[0] == 0
        )
        assert np.load(tmp_path / "a.npy").shape == (rows, columns)


@pytest.mark.parametrize("wrap", [False, True])
def test_other_proportions_are_refused(wrap, tmp_path):
    recipe = Recipe(layers=Perlin(), size=500.0, depth=1000.0)
    for rows, columns in ((64, 64), (32, 64), (70, 30)):
        with pytest.raises(
            ParameterError, match="rows and columns of a terrain 500 m wide and 1000 m deep"
        ):
            World(recipe, rows, columns, 16, wrap)
    assert World(recipe, *recipe.grid(64, wrap=wrap).shape, 16, wrap).grid.size == 500.0
    file = tmp_path / "land.json"
    file.write_text(recipe.to_json())
    status, _, noted = command("build", file, tmp_path / "a.zarr", "--samples", "64x64")
    assert status == 2 and "1000 m deep" in noted[-1] and not (tmp_path / "a.zarr").exists()


def test_arguments_of_wrong_types_are_taken_or_refused_in_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where files that wrong values name may lie
    world, store = World(RECIPE, 20, 24, 16), tmp_path / "store.zarr"
    world.build(store)
    export = functools.partial(export_world, store, tmp_path / "a", target="npy")
    calls = {
        "World": (World, {"recipe": RECIPE, "rows": 20, "columns": 24, "tile": 16}),
        "from_store": (World.from_store, {"store": store}),
        "region": (world.region, {"store": store, "row": 1, "column": 1, "rows": 3, "columns": 3}),
        "build": (world.build, {"store": store}),
        "export": (export_world, {"store": store, "path": tmp_path / "a", "target": "npy", "options": REPLACING}),
        "options": (export_with(ExportOptions, "options", export), {"overwrite": True}),
        "control": (export_with(WorldControl, "control", export), {}),
    }  # fmt: skip
    cases = [
        (name, parameter, number)
        for name, (function, _) in calls.items()
        for parameter in parameters_of(function)
        for number, value in enumerate(WRONG)
        if not (parameter in ("progress", "cancel") and callable(value))
    ]
    for name, parameter, number in generator("worlds").sample(cases, count_of(len(cases))):
        function, arguments = calls[name]
        try:
            function(**{**arguments, parameter: WRONG[number]})
        except TerraneError as error:
            assert len(str(error).splitlines()) == 1
        except Exception as error:
            raise AssertionError(f"{name}: {parameter}={WRONG[number]!r}") from error
