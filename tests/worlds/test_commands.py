# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of worlds, and exports of files; test_exports.py has more of these."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import noise_core.io.heightmaps.lazy_heights as lazy_heights  # a late module cannot be patched
from noise_core.base.errors import ParameterError
from noise_core.codecs.image_files import read_image
from noise_core.io.heightmaps import ExportOptions
from noise_core.io.heightmaps.export import export_heightmap
from terrane_worlds import World, WorldError
from terrane_worlds.builds.exporting import WorldControl, export_world
from terrane_worlds.commands.build import format_seconds
from terrane_worlds.store.attributes import attributes_of
from tests.worlds.lands import run_command
from tests.worlds.noise_recipes import RECIPES

WORLD = World(RECIPES["blended"], 513, 1025, 128)


def test_from_a_recipe_to_files(tmp_path, height):
    recipe, store = tmp_path / "recipe.json", tmp_path / "a.zarr"
    recipe.write_text(WORLD.recipe.to_json())
    status, said, noted = run_command("build", recipe, store, "--samples", "1025x513", "--tile", 128, "--json")  # fmt: skip
    assert status == 0
    assert noted[0].startswith("height/samples: 1 of 15")
    assert json.loads(said[0])["digest"] == attributes_of(store)["digest"]
    assert run_command("build", recipe, store, "--samples", "1025x513", "--tile", 128) == (
        0,
        [f"{store}: digest {attributes_of(store)['digest']}"],
        [],
    )
    status, said, _ = run_command("region", store, tmp_path / "part.npy", "--row", 100, "--column", 300, "--samples", "120x40")  # fmt: skip
    assert (status, json.loads(said[0])) == (0, [str(tmp_path / "part.npy"), str(tmp_path / "part.npy.json")])  # fmt: skip
    assert (np.load(tmp_path / "part.npy") == height[100:140, 300:420]).all()
    status, said, _ = run_command("export", store, tmp_path / "all.npy", "--target", "npy")
    assert (status, said) == (0, [str(tmp_path / "all.npy.json")])
    assert np.load(tmp_path / "all.npy").tobytes() == height.tobytes()


def test_other_seeds(tmp_path):
    status, _, _ = run_command("build", "none", tmp_path / "a.zarr", "--samples", 33, "--tile", 32, "--seed", 9, "--wrap")  # fmt: skip
    assert status == 0
    found = World.from_store(tmp_path / "a.zarr")
    assert (found.recipe.seed, found.rows, found.wrap) == (9, 33, True)


def test_info(store):
    status, said, _ = run_command("info", store)
    assert status == 0
    facts = attributes_of(store)
    assert said[0] == f"{store}: digest {facts['digest']}"
    assert said[1] == "513 x 1025 samples in tiles of 128"
    assert said[2].startswith("7000 x 3500 m, 6.8359")
    assert said[3].startswith("height: -")
    plain = json.loads(run_command("info", store, "--json")[1][0])
    assert plain["arrays"]["height"]["units"] == "m"
    assert plain["bytes"] > 4 * 513 * 1025


def test_info_of_what_is_not_finished(tmp_path):
    def stop(status):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        WORLD.build(tmp_path / "a.zarr", progress=stop)
    status, said, _ = run_command("info", tmp_path / "a.zarr")
    assert (status, said[0], said[3]) == (0, f"{tmp_path / 'a.zarr'}: not finished", "height: unknown")  # fmt: skip
    with pytest.raises(WorldError, match="a.zarr: is not finished: go on with its build$"):
        export_world(tmp_path / "a.zarr", tmp_path / "b.npy", target="npy")


def test_pictures(tmp_path, store):
    path = tmp_path / "a.png"
    assert run_command("picture", store, path, "--side", 300, "--look", "alps") == (
        0,
        [str(path)],
        [],
    )
    pixels = read_image(path)
    assert pixels.shape[:2] == (129, 257)
    assert pixels.std() > 0.01
    assert run_command("picture", store, path)[0] == 1
    assert run_command("picture", store, path, "--overwrite", "--side", 1025)[0] == 0
    assert read_image(path).shape[:2] == (513, 1025)
    status, _, noted = run_command("picture", store, tmp_path / "b.png", "--side", 9)
    assert (status, noted) == (2, ["error: --side must be from 256 to 8192; got 9"])


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("build", "nowhere", "a.zarr", "--samples", 65), 2, "preset must be one of "),
        (("build", "none", "a.zarr", "--samples", "many"), 2, "--samples must be such as 513 or 4x2"),
        (("build", "none", "a.zarr"), 2, "terrane_worlds build: the following arguments are required"),
        (("build", "none", "a.zarr", "--samples", 65, "--tile", 33), 2, "World.tile must be even"),
        (("info", "nothing.zarr"), 1, "nothing.zarr: there is no such store"),
        (("region", "nothing.zarr", "a.npy", "--row", 0, "--column", 0, "--samples", 5), 1, "nothing.zarr: there is no"),
        (("export", "nothing.zarr", "a.npy", "--target", "vhs"), 2, "--target must be one of "),
        (("fly",), 2, "terrane_worlds: argument command: invalid choice: 'fly'"),
    ],
)  # fmt: skip
def test_errors_are_one_line(tmp_path, monkeypatch, arguments, status, message):
    monkeypatch.chdir(tmp_path)
    code, said, noted = run_command(*arguments)
    assert (code, said, len(noted)) == (status, [], 1)
    assert noted[0].startswith(f"error: {message}")
    assert "\n" not in noted[0]


def test_the_program(store):
    done = subprocess.run(
        [sys.executable, "-m", "terrane_worlds", "info", str(store)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{store}: digest ")
    done = subprocess.run(
        [sys.executable, "-m", "terrane_worlds", "info"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: terrane_worlds info: ")


def test_times_that_are_left():
    texts = {None: "", 0.0: "", 7.4: ", 7 s left", 150.0: ", 2 min left", 9000.0: ", 2.5 h left"}
    assert {seconds: format_seconds(seconds) for seconds in texts} == texts


# --- exports -------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["npy", "png16", "geotiff", "exr"])
def test_exports_are_those_of_an_array(tmp_path, store, height, target, monkeypatch):
    monkeypatch.setattr(lazy_heights, "HELD", 1)  # a chunk's rows at a time
    suffix = {"npy": ".npy", "png16": ".png", "geotiff": ".tif", "exr": ".exr"}[target]
    own = export_world(store, tmp_path / f"own{suffix}", target=target)
    other = export_heightmap(height, tmp_path / f"other{suffix}", target=target, size=7000.0)
    assert own.files[0].read_bytes() == other.files[0].read_bytes()
    assert own.largest_difference == other.largest_difference
    assert json.loads(own.sidecar.read_text())["recipe"]["seed"] == WORLD.recipe.seed


@pytest.mark.parametrize(("target", "suffix"), [("npy", ".npy"), ("png16", ".png")])
def test_exports_in_several_files(tmp_path, store, height, target, suffix):
    keywords = {"target": target, "samples": 257, "options": ExportOptions(tiles=(4, 2))}
    own = export_world(store, tmp_path / f"own{suffix}", **keywords)
    other = export_heightmap(height, tmp_path / f"other{suffix}", size=7000.0, **keywords)
    assert len(own.files) == len(other.files) == 9
    for one, two in zip(own.files[:-1], other.files[:-1]):
        assert one.read_bytes() == two.read_bytes()


def test_exports_at_other_samples(tmp_path, store):
    with pytest.raises(ParameterError, match="^the world has 513 x 1025 samples; got files for "):
        export_world(
            store,
            tmp_path / "a.npy",
            target="npy",
            samples=505,
            options=ExportOptions(tiles=(2, 1)),
        )


def test_exports_of_overviews(tmp_path, store):
    report = export_world(store, tmp_path / "a.npy", target="npy", overview=4)
    with World.open(store, 4) as opened:
        assert (np.load(tmp_path / "a.npy") == opened.height.values).all()
    facts = json.loads(report.sidecar.read_text())
    assert facts["meters_per_sample"] == pytest.approx(4 * WORLD.grid.spacing)


def test_exports_for_robots(tmp_path, store, height):
    own = export_world(store, tmp_path / "own.xml", target="mujoco", range_=(-2000.0, 2000.0))
    other = export_heightmap(
        height, tmp_path / "other.xml", target="mujoco", size=7000.0, range_=(-2000.0, 2000.0)
    )
    assert own.spawn_points == other.spawn_points


def test_exports_that_need_more_memory(tmp_path, store):
    for target, memory in (("npy", "151MB"), ("geotiff", "156MB")):
        with pytest.raises(ParameterError, match="^memory must be at least .* for this export; "):
            export_world(store, tmp_path / "a", target=target, control=WorldControl(memory=memory))
    with pytest.raises(ParameterError, match="^target must be one of .*; got 'vhs'$"):
        export_world(store, tmp_path / "a", target="vhs")
