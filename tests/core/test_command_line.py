# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: `python -m noise_core build|draw|export|figures|land|presets|robots|schema|texture`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from noise_core import Recipe, __version__, recipe_schema
from noise_core.codecs.image_files import read_image
from noise_core.commands.command_line import COMMANDS, run
from noise_core.io.targets.bases.target import target_types
from noise_core.landscapes.preset_library import preset_names
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
    content = np.load(tmp_path / "new" / "hills.npy")
    np.testing.assert_array_equal(content, recipe.evaluate(recipe.grid((30, 40))).height)


def test_seeds_make_files_whose_names_sort(tmp_path):
    status, said, noted = call(
        "export", "none", "--target", "unity", "--samples", 33, "--folder", tmp_path, "--seed", "8:11",
        "--range=-500,500", "--option", "byte_order=mac", "--option", "flipped=on", "--maps", "slope",
    )  # fmt: skip
    names = [f"none_{seed}" for seed in ("08", "09", "10")]
    assert status == 0 and said == [str(tmp_path / f"{name}.raw.json") for name in names]
    assert len(noted) == 3
    for name, seed in zip(names, (8, 9, 10)):
        says = json.loads((tmp_path / f"{name}.raw.json").read_text(encoding="utf-8"))
        assert says["recipe"]["seed"] == seed and says["offset"] == -500.0
        assert says["options"] == {"byte_order": "mac", "flipped": True}
        assert (tmp_path / f"{name}_slope.png").is_file()


def test_seeds_are_built_with_pictures_and_a_contact_sheet(tmp_path):
    status, said, noted = call(
        "build", "none", "--folder", tmp_path / "new", "--seed", "8:11", "--side", 16, "--json"
    )
    *lands, last = map(json.loads, said)
    assert status == 0 and len(noted) == 3 and [land["seed"] for land in lands] == [8, 9, 10]
    sheet = read_image(last["sheet"])
    assert sheet.shape == (44, 44)  # two rows of two, with gaps of 4
    places = [(24, 4), (24, 24), (4, 4)]  # of the lower left corners: row 0 is at the bottom
    pictures = [read_image(land["picture"]) for land in lands]
    for picture, (row, column) in zip(pictures, places):
        np.testing.assert_array_equal(sheet[row : row + 16, column : column + 16], picture)
    assert not np.array_equal(pictures[0], pictures[1])
    for one in lands:
        recipe = Recipe.from_json(Path(one["recipe"]).read_text(encoding="utf-8"))
        assert recipe.seed == one["seed"] and Path(one["recipe"]).stem == f"none_{recipe.seed:02}"
    bytes_before = Path(last["sheet"]).read_bytes()
    status, said, noted = call("build", "none", "--folder", tmp_path / "new", "--seed", "8:11")
    assert status == 1 and not said and "already there" in noted[0]
    assert Path(last["sheet"]).read_bytes() == bytes_before


def test_values_vary_by_the_seed(tmp_path):
    for folder in ("one", "two"):
        where = tmp_path / folder
        assert call("build", "none", "--vary", 3, "--folder", where, "--side", 16)[0] == 0
    texts = [path.read_text(encoding="utf-8") for path in sorted((tmp_path / "one").glob("*.json"))]
    again = [path.read_text(encoding="utf-8") for path in sorted((tmp_path / "two").glob("*.json"))]
    assert texts == again and len(set(texts)) == 3


def test_maps_and_colors_go_with_the_heights(tmp_path):
    for name, colors in (("own", "own"), ("named", "desert")):
        status, _, noted = call(
            "export", "coast", "--target", "png16", "--samples", 17, "--folder", tmp_path, "--name", name,
            "--maps", "slope,all", "--splat", "slope", "--normal", 8, "--sea-level", 2, "--colors", colors,
        )  # fmt: skip
        assert status == 0, noted
    own, named = ((tmp_path / f"{name}_color.png").read_bytes() for name in ("own", "named"))
    assert own != named
    says = json.loads((tmp_path / "own.png.json").read_text(encoding="utf-8"))
    coast = Recipe.from_preset("coast")
    made = sorted(coast.evaluate(coast.grid(17)).maps)
    assert list(says["maps"]) == ["slope", *made, "splat", "normal", "color"] and made
    assert says["sea_level"]["meters"] == 2.0


@pytest.mark.parametrize("target", sorted(target_types()))
def test_a_range_that_does_not_hold_the_land_is_refused(tmp_path, target):
    sizes = target_types()[target].sizes
    status, said, noted = call(
        "export", "none", "--target", target, "--samples", sizes[0] if sizes else 17, "--range=-1,1",
        "--folder", tmp_path / "new", "--maps", "slope",
    )  # fmt: skip
    assert status == 2 and not said and len(noted) == 1
    assert "the terrain reaches from" in noted[0] and "from -1 to 1 m does not hold" in noted[0]
    assert not (tmp_path / "new").exists()


def test_what_is_there_is_replaced_only_if_told(tmp_path):
    for command, file in (
        (("export", "none", "--target", "npy", "--samples", 9), "none.npy"),
        (("build", "none", "--side", 16), "none.png"),
    ):
        path = tmp_path / command[0] / file
        assert call(*command, "--folder", path.parent)[0] == 0
        path.write_bytes(b"mine")
        status, said, noted = call(*command, "--folder", path.parent)
        assert status == 1 and not said and len(noted) == 1 and "already there" in noted[0]
        assert path.read_bytes() == b"mine"
        assert call(*command, "--folder", path.parent, "--overwrite")[0] == 0
        assert path.read_bytes() != b"mine"


def test_a_folder_that_cannot_be_is_one_line_and_status_1(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    for command in (("export", "none", "--target", "npy", "--samples", 9), ("build", "none")):
        status, said, noted = call(*command, "--folder", tmp_path / "file" / "new")
        assert status == 1 and not said and len(noted) == 1 and "cannot be written" in noted[0]


def test_each_line_of_json_stands_alone(tmp_path):
    status, said, noted = call(
        "export", "none", "--target", "unity", "--samples", 33, "--seed", "1:3", "--json",
        "--folder", tmp_path,
    )  # fmt: skip
    lines = [json.loads(line) for line in said]
    assert status == 0 and [line["seed"] for line in lines] == [1, 2]
    assert noted == ["1 of 2: none_1", "2 of 2: none_2"]
    for one in lines:
        assert all(Path(file).is_file() for file in one["files"])
        assert one["fields"]["Resolution"] == 33 and one["scale"] > 0.0
        assert one["largest_difference"] <= 0.51 * one["scale"]


def test_other_commands_join_those_of_the_core(capsys):
    asked = []

    class Dig:
        @staticmethod
        def add_arguments(parser):
            parser.add_argument("--deep", type=int)

        @staticmethod
        def run(arguments, say, note):
            asked.append(arguments.deep)
            say("done")

    said, noted = [], []
    both = {**COMMANDS, "dig": (Dig, "dig a hole")}
    assert run(["dig", "--deep", "3"], said.append, noted.append, "spade", both) == 0
    assert (asked, said) == ([3], ["done"])
    assert run(["dig", "--deep", "x"], said.append, noted.append, "spade", both) == 2
    assert noted == ["error: spade dig: argument --deep: invalid int value: 'x'"]
    with pytest.raises(SystemExit) as end:
        run(["--help"], said.append, noted.append, "spade", both)
    assert end.value.code == 0 and "dig a hole" in capsys.readouterr().out


@pytest.mark.newest
def test_jobs_write_the_same_files(tmp_path):
    for jobs in (1, 2):
        status, said, _ = call(
            "export", "none", "--target", "npy", "--samples", 9, "--seed", "0:3", "--jobs", jobs,
            "--folder", tmp_path / str(jobs),
        )  # fmt: skip
        assert status == 0 and len(said) == 3
    one, two = (sorted((tmp_path / jobs).iterdir()) for jobs in "12")
    assert [path.name for path in one] == [path.name for path in two] and len(one) == 6
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


def test_an_error_of_a_job_is_the_one_of_the_land(tmp_path):
    status, _, noted = call(
        "export", "none", "--target", "png16", "--samples", 9, "--seed", "0:3", "--jobs", 2,
        "--range=0,0.001", "--folder", tmp_path,
    )  # fmt: skip
    assert status == 2 and len(noted) == 1 and "does not hold" in noted[0]
    assert not list(tmp_path.iterdir())


def test_presets_are_listed():
    _, lines, _ = call("presets")
    assert [line.split()[0] for line in lines] == list(preset_names())
    _, lines, _ = call("presets", "--json")
    alps = next(one for one in map(json.loads, lines) if one["name"] == "alps")
    assert alps["group"] == "landforms" and not alps["is_texture"]
    assert alps["size"] == Recipe.from_preset("alps").size and Path(alps["picture"]).is_file()


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
        (["export", "none", "--target", "npy", "--samples", "9", "--jobs", "0"], "--jobs must be from 1"),
        (["export", "none", "--target", "npy", "--samples", "9", "--jobs", "62"], "--jobs must be from 1 to 61; got 62"),
        (["export", "none", "--target", "npy", "--samples", "9", "--colors", "pink"], "--colors must be one of own, alpine,"),
        (["export", "none", "--target", "npy", "--samples", "9", "--maps", "lava"], "got 'lava'"),
        (["export", "none", "--target", "npy", "--samples", "9", "--normal", "12"], "must be 0, 8 or 16; got 12"),
        (["build", "nowhere"], "preset must be one of alps"),
        (["build", "none", "--side", "9"], "--side must be from 16"),
        (["build", "none", "--seed", "0:5000"], "up to 4096 terrains; got 5000"),
        (["build", "none", "--seed", "0:5", "--vary", "3"], "--vary must be"),
        (["build", "none", "--name", "a/b"], "--name must be"),
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
    assert (first.returncode, first.stdout) == (0, f"{tmp_path / 'none.png.json'}\n")
    bytes_before = (tmp_path / "none.png.json").read_bytes()
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert again.returncode == 1 and again.stdout == ""
    assert "already there" in again.stderr and again.stderr.count("\n") == 1
    assert (tmp_path / "none.png.json").read_bytes() == bytes_before


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_prints_json(command, capsys):
    with pytest.raises(SystemExit):
        call(command, "--help")
    assert "--json" in capsys.readouterr().out


def test_the_version_is_told(capsys):
    with pytest.raises(SystemExit) as ended:
        call("--version")
    assert ended.value.code == 0 and capsys.readouterr().out == f"Terrane {__version__}\n"


def test_the_schema_of_recipes_is_printed():
    for arguments in (["schema"], ["schema", "--json"]):
        status, said, _ = call(*arguments)
        assert status == 0 and json.loads(said[0]) == recipe_schema()
    assert "\n" not in said[0]
