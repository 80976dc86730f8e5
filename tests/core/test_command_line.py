# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: `python -m noise_core export`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from noise_core import Recipe
from noise_core.commands.command_line import run
from noise_core.noises import Perlin

ROOT = Path(__file__).resolve().parents[2]


def call(*arguments):
    """Return exit status, lines of the result, and lines about it."""
    said, noted = [], []
    return run(list(map(str, arguments)), said.append, noted.append), said, noted


def test_a_recipe_in_a_file_becomes_a_heightmap(tmp_path):
    recipe = Recipe(layers=(Perlin(frequency=2.0),), seed=3, height=20.0, size=500.0)
    (tmp_path / "hills.json").write_text(recipe.to_json(), encoding="utf-8")
    status, said, _ = call(
        "export", tmp_path / "hills.json", "--target", "npy", "--samples", "40x30",
        "--folder", tmp_path / "new", "--json",
    )  # fmt: skip
    (line,) = map(json.loads, said)
    assert status == 0 and line["seed"] == 3 and line["largest_difference"] == 0.0
    made = np.load(tmp_path / "new" / "hills.npy")
    np.testing.assert_array_equal(made, recipe.evaluate(recipe.grid((30, 40))).height)


def test_seeds_make_files_whose_names_sort(tmp_path):
    status, said, noted = call(
        "export", "none", "--target", "unity", "--samples", 33, "--folder", tmp_path, "--seed", "8:11",
        "--range=-500,500", "--option", "byte_order=mac", "--option", "flipped=on", "--maps", "slope",
    )  # fmt: skip
    names = [f"none_{seed}" for seed in ("08", "09", "10")]
    assert status == 0 and said == [str(tmp_path / f"{name}.json") for name in names]
    assert len(noted) == 3
    for name, seed in zip(names, (8, 9, 10)):
        says = json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))
        assert says["recipe"]["seed"] == seed and says["offset"] == -500.0
        assert says["options"] == {"byte_order": "mac", "flipped": True}
        assert (tmp_path / f"{name}_slope.png").is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "arguments are required: command"),
        (["fly"], "invalid choice: 'fly'"),
        (["export", "none", "--target", "npy"], "required: --samples"),
        (["export", "none", "--target", "quake", "--samples", "9"], "--target must be one of exr,"),
        (["export", "nowhere", "--target", "npy", "--samples", "9"], "preset must be one of alps"),
        (["export", "no.json", "--target", "npy", "--samples", "9"], "no.json: cannot be read: No such"),
        (["export", "none", "--target", "npy", "--samples", "9", "--seed", "9:3"], "--seed must be"),
        (["export", "none", "--target", "npy", "--samples", "9", "--range", "a,b"], "--range must"),
        (["export", "none", "--target", "npy", "--samples", "9", "--tiles", "ax2"], "--tiles must"),
        (["export", "none", "--target", "unity", "--samples", "9"], "the nearest is 33"),
        (["export", "none", "--target", "npy", "--samples", "9", "--option", "a=1"], "must be of none"),
        (["export", "none", "--target", "mujoco", "--samples", "9", "--option", "base=x"], "a number"),
        (["export", "none", "--target", "unity", "--samples", "33", "--option", "byte_order=x"], "byte_order"),
    ],
)  # fmt: skip
def test_bad_arguments_are_one_line_and_status_2(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    status, said, noted = call(*arguments)
    assert status == 2 and not said and len(noted) == 1
    assert message in noted[0] and "\n" not in noted[0]
    assert not list(tmp_path.iterdir())


def test_the_module_runs_and_what_is_there_stays(tmp_path):
    command = [sys.executable, "-m", "noise_core", "export", "none", "--target", "png16"]
    command += ["--samples", "17", "--folder", str(tmp_path)]
    first = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (first.returncode, first.stdout) == (0, f"{tmp_path / 'none.json'}\n")
    before = (tmp_path / "none.json").read_bytes()
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert again.returncode == 1 and again.stdout == ""
    assert "already there" in again.stderr and again.stderr.count("\n") == 1
    assert (tmp_path / "none.json").read_bytes() == before
