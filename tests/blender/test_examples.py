# SPDX-License-Identifier: GPL-3.0-or-later
"""The example scripts run headless as their docstrings say, and refuse bad arguments in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import bpy
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def run(terrane, tmp_path):
    """Return a function that runs an example in a Blender whose profile does not know Terrane."""
    profile = tmp_path / "profile"
    profile.mkdir()
    own = {"BLENDER_USER_RESOURCES": str(profile)}

    def run(script, *arguments):
        python = [] if bpy.app.binary_path else [sys.executable]
        return subprocess.run(
            [*python, *command_line(script, arguments)],
            env={**os.environ, **own}, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    return run


def command_line(script, arguments):
    """Return the ``sys.argv`` of an example."""
    path, binary = str(EXAMPLES / script), bpy.app.binary_path
    options = ["--background", "--factory-startup", "--python"]
    return [*([binary, *options] if binary else []), path, "--", *map(str, arguments)]


@pytest.fixture
def run_here(example, monkeypatch, capfd):
    """Return a function that does the same in this Blender, which has Terrane installed.

    It takes a hundredth of the time: the start and end of a process are tested once for each script.
    """

    def leave(status):
        raise SystemExit(status)

    def run_here(script, *arguments):
        monkeypatch.setattr(example("_terrane"), "leave", leave)
        monkeypatch.setattr(sys, "argv", command_line(script, arguments))
        capfd.readouterr()
        status = 0
        try:
            example(Path(script).stem).main()
        except SystemExit as left:
            status = left.code
        return subprocess.CompletedProcess(sys.argv, status, *capfd.readouterr())

    return run_here


@pytest.mark.slow
def test_terrain(run, tmp_path):
    path, picture = tmp_path / "alps.blend", tmp_path / "alps.png"
    result = run(
        "terrain.py", "--preset", "alps", "--seed", 7, "--resolution", 65, "--output", path,
        "--render", picture, "--samples", 1, "--pixels", 64,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert_is_picture(picture)
    bpy.ops.wm.open_mainfile(filepath=str(path))
    terrain = bpy.data.objects["Alps"]
    assert len(terrain.data.vertices) == 65 * 65
    assert (terrain.terrane.preset, terrain.terrane.seed) == ("alps", 7)


@pytest.mark.slow
def test_a_picture_from_near_the_ground(run_here, tmp_path):
    path = tmp_path / "near.png"
    view = ("--eye", 0.4, 0.4, "--target", 0.5, 0.5, "--lift", 0.01, "--detail-patch")
    result = run_here(
        "terrain.py", "--preset", "alps", "--size", 4000, "--resolution", 33, *view,
        "--render", path, "--samples", 1, "--pixels", 64,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert_is_picture(path)
    eye = bpy.context.scene.camera.location
    assert tuple(eye)[:2] == pytest.approx((-400.0, -400.0), abs=1.0)
    assert any(obj.name.startswith("Terrane Detail") for obj in bpy.data.objects)


def assert_is_picture(path):
    assert path.read_bytes().startswith(MAGIC[".png"]) and path.stat().st_size > 500


def test_a_terrain_alone(run_here, tmp_path):
    path = tmp_path / "alps.blend"
    result = run_here("terrain.py", "--preset", "alps", "--resolution", 33, "--output", path)
    assert result.returncode == 0, result.stderr
    bpy.ops.wm.open_mainfile(filepath=str(path))
    (terrain,) = bpy.data.objects
    assert len(terrain.data.vertices) == 33 * 33


def test_a_terrain_of_a_size_in_another_tile(run_here, tmp_path):
    path = tmp_path / "alps.blend"
    arguments = ("--preset", "alps", "--size", 6000, "--tile", 1, -2, "--no-seamless")
    result = run_here("terrain.py", *arguments, "--resolution", 17, "--output", path)
    assert result.returncode == 0, result.stderr
    bpy.ops.wm.open_mainfile(filepath=str(path))
    settings = bpy.data.objects["Alps"].terrane
    assert settings.size == 6000.0 and tuple(settings.tile) == (1.0, -2.0)
    assert not settings.seamless


MAGIC = {".png": b"\x89PNG", ".exr": b"v/1\x01"}
"""How such files begin, whatever they are called."""


@pytest.mark.slow
def test_texture(run, tmp_path):
    path = tmp_path / "marble.png"
    result = run(
        "texture.py", "--noise", "simplex", "--width", 64, "--height", 32, "--output", path
    )
    assert result.returncode == 0, result.stderr
    assert path.read_bytes().startswith(MAGIC[".png"])
    assert tuple(bpy.data.images.load(str(path)).size) == (64, 32)


@pytest.mark.parametrize("suffix", [".exr", ".blend"])
def test_other_files_of_textures(run_here, tmp_path, suffix):
    path = tmp_path / f"marble{suffix}"
    result = run_here(
        "texture.py", "--noise", "simplex", "--width", 64, "--height", 32, "--output", path
    )
    assert result.returncode == 0, result.stderr
    if suffix == ".blend":
        bpy.ops.wm.open_mainfile(filepath=str(path))
        (image,) = [image for image in bpy.data.images if image.source != "VIEWER"]
    else:
        assert path.read_bytes().startswith(MAGIC[suffix])
        image = bpy.data.images.load(str(path))
    assert tuple(image.size) == (64, 32)


def test_a_texture_is_square_by_its_width_alone(run_here, tmp_path):
    path = tmp_path / "bumps.png"
    result = run_here("texture.py", "--noise", "simplex", "--width", 48, "--output", path)
    assert result.returncode == 0, result.stderr
    assert tuple(bpy.data.images.load(str(path)).size) == (48, 48)


def test_a_sequence(run_here, tmp_path):
    result = run_here(
        "texture.py", "--coloring", "clouds", "--frames", 3, "--width", 32, "--height", 16,
        "--output", tmp_path / "clouds.png",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    names = [f"clouds_{frame:04}.png" for frame in (1, 2, 3)]
    assert sorted(path.name for path in tmp_path.glob("*.png")) == names
    contents = {(tmp_path / name).read_bytes() for name in names}
    assert len(contents) == 3


@pytest.mark.slow
def test_planet(run, tmp_path):
    path = tmp_path / "planet.blend"
    result = run("planet.py", "--resolution", 16, "--seed", 3, "--output", path)
    assert result.returncode == 0, result.stderr
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert len(bpy.data.objects["Planet"].data.vertices) == 6 * 16**2 + 2


@pytest.mark.slow
def test_a_picture_of_a_planet(run_here, tmp_path):
    path = tmp_path / "planet.png"
    arguments = ("--resolution", 8, "--samples", 1, "--pixels", 64, "--render", path)
    result = run_here("planet.py", *arguments)
    assert result.returncode == 0, result.stderr
    assert_is_picture(path)
    assert bpy.data.objects["Planet"].active_material is not None


@pytest.mark.slow
def test_a_picture_of_a_landscape(run_here, tmp_path):
    path = tmp_path / "rolling_hills.png"
    result = run_here(
        "terrain.py", "--preset", "rolling_hills", "--resolution", 65, "--samples", 1,
        "--pixels", 64, "--render", path,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert_is_picture(path)


BAD_ARGUMENTS = [
    ("terrain.py", ["--preset", "alp", "--output", "x.blend"], "argument --preset: invalid choice"),
    ("terrain.py", ["--octaves", "99", "--output", "x.blend"], "octaves must be in [1, 24]; got 99.0"),
    ("terrain.py", ["--octaves", "many", "--output", "x.blend"], "must be a number; got 'many'"),
    ("terrain.py", ["--seed", "1.5", "--output", "x.blend"], "argument --seed: must be a"),
    ("terrain.py", ["--output", "/no/such/folder/x.blend"], "there is no folder /no/such/folder"),
    ("terrain.py", ["--output", "x.txt"], "must end in .blend; got 'x.txt'"),
    ("terrain.py", ["--preset", "alps"], "nothing to do"),
    ("terrain.py", ["--nonsense"], "unrecognized arguments: --nonsense"),
    ("texture.py", [], "the following arguments are required: --output"),
    ("texture.py", ["--width", "0", "--output", "x.png"], "width must be in [1, 65536]; got 0"),
    ("texture.py", ["--frames", "0", "--output", "x.png"], "frames must be in [1, 100000]; got 0"),
    ("texture.py", ["--frames", "2", "--output", "x.blend"], "must end in .png or .exr"),
    ("texture.py", ["--output", f"{'n' * 300}.png"], "n.png: File name too long"),
    ("planet.py", ["--resolution", "1", "--output", "x.blend"], "resolution must be in [2, 4096]; got 1"),
]  # fmt: skip


# Plain Python reads them: the oldest Blender tries all, the others one.
@pytest.mark.parametrize(
    ("script", "arguments", "message"),
    BAD_ARGUMENTS if bpy.app.version < (4, 3) else BAD_ARGUMENTS[8:9],
)
def test_bad_arguments_are_one_line_and_status_2(run_here, script, arguments, message):
    assert_one_line_and_status_2(run_here(script, *arguments), script, message)


@pytest.mark.slow
def test_bad_arguments_of_a_process(run):
    script, arguments, message = BAD_ARGUMENTS[7]
    assert_one_line_and_status_2(run(script, *arguments), script, message)


def assert_one_line_and_status_2(result, script, message):
    assert result.returncode == 2, (result.returncode, result.stderr)
    assert message in result.stderr
    own = [line for line in result.stderr.splitlines() if line.startswith(f"{script}: ")]
    assert len(own) == 1 and "Traceback" not in result.stderr
