# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of Blender: `blender --command terrane build|draw|export|figures|import|land|presets|render`."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from pathlib import Path

import addon_utils
import bpy
import numpy as np
import pytest

from tests.blender.extension import PACKAGE, module

ROOT = Path(__file__).resolve().parents[2]
EXPORT = ("export", "none", "--target", "png16", "--samples", "17", "--maps", "slope")

PLAIN = """
import runpy, sys
sys.path.insert(0, {root!r})
sys.argv[1:] = {arguments!r}
runpy.run_module("noise_core", run_name="__main__", alter_sys=True)
"""


@pytest.fixture
def call(terrane, capfd):
    """Return a function that calls the command as Blender does and returns its status and output."""
    run = module("operators.registration").run_command

    def call(*arguments):
        ctypes.CDLL(None).fflush(
            None
        )  # what an executable has printed before is still in C's buffer
        capfd.readouterr()
        status = run(list(map(str, arguments)))
        printed = capfd.readouterr()
        return status, printed.out.splitlines(), printed.err.splitlines()

    return call


def plain(*arguments):
    """Run `python -m noise_core` from the checkout, in the Python of this Blender."""
    program = PLAIN.format(root=str(ROOT), arguments=list(map(str, arguments)))
    if bpy.app.binary_path:
        command = [bpy.app.binary_path, "--background", "--factory-startup", "--python-expr"]
    else:
        command = [sys.executable, "-c"]
    return subprocess.run([*command, program], capture_output=True, text=True, check=True)


@pytest.mark.slow
def test_presets_are_those_of_plain_python(call):
    status, lines, notes = call("presets", "--json")
    assert status == 0 and not notes and len(lines) > 15
    names = [json.loads(line)["name"] for line in lines]
    assert names == list(module("noise_core.landscapes.preset_library").preset_names())
    printed = plain("presets").stdout.splitlines()  # beside what an executable says of itself
    assert set(call("presets")[1]) <= set(printed)


@pytest.mark.slow
def test_own_presets_count_too(call, tmp_path):
    presets, library = (
        module("operators.bridge.schema.presets"),
        module("noise_core.landscapes.preset_library"),
    )
    path = presets.folder(create=True) / "my_hills.json"
    path.write_text(library.preset("rolling_hills").to_json(), encoding="utf-8")
    try:
        presets.find()
        assert "my_hills" in {line.split()[0] for line in call("presets")[1]}
        arguments = ("--target", "npy", "--samples", 17, "--jobs", 2, "--seed", "1:3")
        status, _, notes = call("export", "my_hills", *arguments, "--folder", tmp_path)
        assert status == 0, notes
        made = {path.name for path in tmp_path.glob("*.npy")}
        assert made == {"my_hills_1.npy", "my_hills_2.npy"}
    finally:
        path.unlink()
        presets.find()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_exports_have_the_bits_of_plain_python(call, tmp_path, jobs):
    arguments = (*EXPORT, "--seed", "8:10", "--jobs", jobs)
    status, lines, notes = call(*arguments, "--folder", tmp_path / "blender")
    assert status == 0, notes
    assert lines == [str(tmp_path / "blender" / f"none_{seed}.png.json") for seed in (8, 9)]
    assert len(notes) == 2
    plain(*arguments, "--folder", tmp_path / "plain")
    made, expected = (sorted((tmp_path / name).iterdir()) for name in ("blender", "plain"))
    assert [path.name for path in made] == [path.name for path in expected] and len(made) == 6
    assert [path.read_bytes() for path in made] == [path.read_bytes() for path in expected]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "blender --command terrane: the following arguments are required: command"),
        (["fly"], "invalid choice: 'fly'"),
        (["export", "none", "--target", "npy"], "required: --samples"),
        (["import", "a.tif", "--samples", "1", "--blend", "a.blend"], "--samples must be from 2"),
        (["render", "nowhere", "--output", "a.png"], "preset must be one of alps"),
        (["render", "none"], "nothing to do: give --output, --blend or both"),
        (["render", "none", "--output", "a.jpg"], "--output must end in .png; got 'a.jpg'"),
        (["render", "none", "--blend", "a.png"], "--blend must end in .blend; got 'a.png'"),
        (["render", "none", "--output", "a.png", "--pixels", "wide"], "--pixels must be such as"),
        (["render", "none", "--output", "a.png", "--pixels", "2x900"], "columns must be in [4, 65536]; got 2"),
        (["render", "none", "--output", "a.png", "--samples", "0"], "samples must be in [1, 65536]; got 0"),
        (["render", "none", "--output", "a.png", "--resolution", "1"], "resolution must be in [2, 16384]; got 1"),
        (["render", "none", "--output", "a.png", "--engine", "pen"], "invalid choice: 'pen'"),
    ],
)  # fmt: skip
def test_bad_arguments_are_one_line_and_status_2(call, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    objects_before = set(bpy.data.objects)
    status, lines, notes = call(*arguments)
    assert status == 2 and not lines and len(notes) == 1 and message in notes[0]
    assert not list(tmp_path.iterdir()) and set(bpy.data.objects) == objects_before


def test_a_landscape_is_rendered_and_saved(call, tmp_path):
    recipe = module("noise_core").Recipe.from_preset("dunes")
    (tmp_path / "mine.json").write_text(recipe.to_json(), encoding="utf-8")
    picture, scene = tmp_path / "new" / "mine.png", tmp_path / "new" / "mine.blend"
    arguments = (
        "render", tmp_path / "mine.json", "--seed", 5, "--resolution", 17, "--pixels", "32x20",
        "--samples", 1, "--output", picture, "--blend", scene, "--json",
    )  # fmt: skip
    status, lines, notes = call(*arguments)
    assert status == 0, notes
    assert list(map(json.loads, lines)) == [{"blend": str(scene)}, {"picture": str(picture)}]
    image = bpy.data.images.load(str(picture))
    assert tuple(image.size) == (32, 20)
    values = list(image.pixels)
    assert max(values[0::4]) - min(values[0::4]) > 0.05
    bpy.ops.wm.open_mainfile(filepath=str(scene))
    (terrain,) = (obj for obj in bpy.data.objects if obj.name.startswith("Terrain"))
    assert terrain.terrane.seed == 5 and len(terrain.data.vertices) == 17 * 17
    assert bpy.context.scene.camera and bpy.context.scene.world
    before = {path: path.read_bytes() for path in (picture, scene)}
    status, lines, notes = call(*arguments)
    assert status == 1 and not lines and len(notes) == 1 and "already there" in notes[0]
    assert before == {path: path.read_bytes() for path in before}
    assert sorted(path.name for path in picture.parent.iterdir()) == ["mine.blend", "mine.png"]


def test_a_heightmap_is_imported(call, tmp_path):
    rows, columns = np.mgrid[0:33, 0:49]
    heights = (9.0 * columns - 5.0 * rows + 1000.0).astype(np.float32)
    np.save(tmp_path / "hill.npy", heights)
    scene, recipe = tmp_path / "new" / "hill.blend", tmp_path / "new" / "hill.json"
    arguments = (
        "import",
        tmp_path / "hill.npy",
        "--size",
        1440,
        "--blend",
        scene,
        "--recipe",
        recipe,
    )
    status, lines, notes = call(*arguments)
    assert status == 0, notes
    assert lines == [str(scene), str(recipe)]
    target = ("--target", "npy", "--samples", "49x33", "--folder", tmp_path, "--name", "again")
    status, _, notes = call("export", recipe, *target)
    assert status == 0, notes
    np.testing.assert_allclose(np.load(tmp_path / "again.npy"), heights, atol=0.01)
    bpy.ops.wm.open_mainfile(filepath=str(scene))
    (terrain,) = (obj for obj in bpy.data.objects if obj.type == "MESH")
    made = sorted(vertex.co.z for vertex in terrain.data.vertices)
    np.testing.assert_allclose(made, np.sort(heights.ravel()), atol=0.01)
    assert terrain.dimensions.x == pytest.approx(1440.0, rel=1e-3)
    bytes_before = scene.read_bytes()
    status, lines, notes = call(*arguments)
    assert status == 1 and not lines and len(notes) == 1 and "already there" in notes[0]
    assert scene.read_bytes() == bytes_before


def test_a_box_of_a_folder_is_imported_with_its_roads(call, tmp_path):
    tiles, recipe = tmp_path / "tiles", tmp_path / "place.json"
    tiles.mkdir()
    for west in (7, 8):
        heights = np.add.outer(np.arange(1201)[::-1], np.arange(1201)).astype(">i2")
        (tiles / f"N46E{west:03}.hgt").write_bytes(heights.tobytes())
    line = {"type": "LineString", "coordinates": [[7.97, 46.21], [8.03, 46.23]]}
    road = {"type": "Feature", "properties": {"highway": "track"}, "geometry": line}
    (tmp_path / "roads.geojson").write_text(json.dumps(road), encoding="utf-8")
    box = ("--box", 7.95, 46.2, 8.05, 46.25, "--lines", tmp_path / "roads.geojson")
    status, lines, notes = call("import", tiles, *box, "--recipe", recipe)
    assert status == 0 and lines == [str(recipe)], notes
    made = module("noise_core").Recipe.from_json(recipe.read_text(encoding="utf-8"))
    assert [layer.name for layer in made.layers] == ["Elevation", "Trails"]
    assert made.layers[0].noise.pixels.shape == (61, 121)
    assert made.georeference is not None and list(made.curves) == ["track"]
    status, lines, notes = call(
        "import", tiles, "--box", 9, 46, 10, 47, "--recipe", tmp_path / "b.json"
    )
    assert status == 1 and not lines
    assert "box must lie within 7, 46, 9, 47 degrees; got 9" in notes[-1]


def test_raw_numbers_are_imported_by_options(call, tmp_path):
    heights = (9 * np.arange(49) + 100 * np.arange(33)[:, np.newaxis]).astype("<u2")
    (tmp_path / "hill.r16").write_bytes(heights[::-1].tobytes())
    arguments = (
        "import",
        tmp_path / "hill.r16",
        "--high",
        65535,
        "--blend",
        tmp_path / "hill.blend",
    )
    status, _, notes = call(*arguments)
    assert status == 1 and "rows and columns must be given" in notes[-1]
    status, _, notes = call(*arguments, "--option", "column=49")
    assert status == 2 and notes == [
        "error: --option of raw must be of columns, rows, sample_type, byte_order, first_row; got 'column=49'"
    ]
    status, _, notes = call(*arguments, "--option", "columns=49", "--option", "rows=33")
    assert status == 0, notes
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "hill.blend"))
    (terrain,) = (obj for obj in bpy.data.objects if obj.type == "MESH")
    made = sorted(vertex.co.z for vertex in terrain.data.vertices)
    np.testing.assert_allclose(made, np.sort(heights.ravel()), atol=0.01)


def test_a_heightmap_that_is_not_there_is_one_line(call, tmp_path):
    status, lines, notes = call("import", tmp_path / "no.tif", "--blend", tmp_path / "no.blend")
    assert status == 1 and not lines and len(notes) == 1 and "there is no such file" in notes[0]
    (tmp_path / "no.tif").write_bytes(b"II*")
    status, lines, notes = call("import", tmp_path / "no.tif", "--blend", tmp_path / "no.blend")
    assert status == 1 and not lines and notes[-1].startswith("error: ")
    assert [path.name for path in tmp_path.iterdir()] == ["no.tif"]


@pytest.mark.slow
def test_a_preset_is_rendered_with_its_look(call, tmp_path):
    scene = tmp_path / "coast.blend"
    assert call("render", "coast", "--resolution", 17, "--blend", scene)[:2] == (0, [str(scene)])
    assert bpy.data.objects["Coast"].terrane.preset == "coast"


def test_the_command_goes_with_the_extension_and_comes_back(terrane):
    for _ in range(2):
        handle = module("operators.registration").COMMAND._handle
        addon_utils.disable(PACKAGE, default_set=True)
        try:
            with pytest.raises(ValueError):  # it is gone already
                bpy.utils.unregister_cli_command(handle)
        finally:
            addon_utils.enable(PACKAGE, default_set=True)
        assert module("operators.registration").COMMAND._handle is not handle


def test_the_executable_knows_it(terrane, tmp_path):
    if not bpy.app.binary_path:
        pytest.skip("Blender's Python module has no command line")

    def blender(*arguments):
        return subprocess.run(
            [bpy.app.binary_path, *map(str, arguments)], capture_output=True, text=True, check=False
        )

    again = f"import addon_utils as a; a.disable({PACKAGE!r}); a.enable({PACKAGE!r})"
    listed = blender("--python-expr", again, "--command", "terrane", "presets", "--json")
    assert listed.returncode == 0, listed.stderr
    printed = [json.loads(line) for line in listed.stdout.splitlines()]
    assert printed[0]["name"] == "alps" and len(printed) > 15
    made = blender("--command", "terrane", *EXPORT, "--folder", tmp_path / "blender")
    assert made.returncode == 0, made.stderr
    plain(*EXPORT, "--folder", tmp_path / "plain")
    for path in (tmp_path / "plain").iterdir():
        assert path.read_bytes() == (tmp_path / "blender" / path.name).read_bytes()
    assert blender("--command", "terrane", "fly").returncode == 2
    helped = blender("--command", "terrane", "render", "--help")
    assert helped.returncode == 0 and "--engine" in helped.stdout
