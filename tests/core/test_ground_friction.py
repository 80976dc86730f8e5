# SPDX-License-Identifier: GPL-3.0-or-later
"""Friction by material: the layer on top, its friction in every file, and each triangle in one subset."""

from __future__ import annotations

import dataclasses
import json
import re
import struct
import zlib

import numpy as np
import pytest

from noise_core import Cancelled, Grid, ParameterError, Recipe, TerraneError
from noise_core.base import blocks
from noise_core.commands.command_line import run
from noise_core.io.heightmaps import ExportOptions, codecs, export_heightmap
from noise_core.io.targets import Gazebo, MuJoCo, PyBullet, Usd
from noise_core.landscapes.look import Look
from noise_core.materials.colors import LANDSCAPES, RockBands
from noise_core.materials.ground.colors import ground_colors, top_layers
from noise_core.materials.ground.ground_cover import GroundCover, GroundMaterial
from noise_core.materials.ground.plan import GroundPlan
from noise_core.noises import Fractal, Perlin
from noise_core.pictures.thumbnail import plan_of
from tests.export_keywords import sort_keywords

HILLS = Recipe(
    layers=Fractal(source=Perlin(frequency=3.0), octaves=4), seed=3, size=6000.0, height=900.0
)
SIDE = 65
LOOK = Look(palette="alpine", has_lakes=False)
ROBOTS = (Gazebo, MuJoCo, PyBullet, Usd)


def land(side=SIDE, columns=None):
    grid = HILLS.grid((side, columns or side))
    return grid, HILLS.evaluate(grid)


def cover(plan=None, side=SIDE, columns=None):
    grid, made = land(side, columns)
    return top_layers(made.height, grid, plan or plan_of(LOOK), made.maps)


def export(target, folder, **keywords):
    arguments = sort_keywords(**{"samples": SIDE, "ground": LOOK, **keywords})
    report = export_heightmap(HILLS, folder / "land", target=target, **arguments)
    return report, json.loads(report.sidecar.read_text(encoding="utf-8"))


# --- the layer on top ----------------------------------------------------------------------------


def test_the_layer_on_top_is_the_one_that_is_seen_most():
    # Layers in red, green and blue: their shares are the channels of what is seen.
    pure = {"soil": (1.0, 0.0, 0.0), "rock": (0.0, 1.0, 0.0), "snow": (0.0, 0.0, 1.0)}
    # Both upper layers lie everywhere, in soft patches.
    limits = {
        "soil": {},
        "rock": {"amount": 0.4, "softness": 1.0, "flattest": -90.0},
        "snow": {"amount": 0.35, "softness": 1.0, "lowest": -9.0, "steepest": 99.0},
    }
    alpine = LANDSCAPES["alpine"]
    layers = {
        name: dataclasses.replace(alpine.layers[name], color=color, second=color, **limits[name])
        for name, color in pure.items()
    }
    bare = RockBands(color=(0.0, 0.0, 0.0))
    shown = dataclasses.replace(alpine, layers=layers, strata=bare, crevices=0.0)
    plan = GroundPlan(shown, tuple(layers))
    grid, made = land(97, 129)
    shares, _ = ground_colors(made.height, grid, plan, made.maps)
    # Wet ground is darker.
    total = shares.sum(axis=0)
    is_dry = np.abs(total - 1.0) < 1e-5
    assert is_dry.mean() > 0.8 and total[~is_dry].max() < 1.0
    first, second = np.sort(shares, axis=0)[:0:-1]
    is_clear = (first - second > 1e-4) & is_dry
    top = top_layers(made.height, grid, plan, made.maps)
    assert top.dtype == np.uint8 and top.shape == grid.shape
    np.testing.assert_array_equal(top[is_clear], shares.argmax(axis=0)[is_clear])
    assert (shares.max(axis=0) < 0.5).any(), "none has most of what is seen"
    assert is_clear[is_dry].mean() > 0.99 and (np.bincount(top.ravel()) > 100).all()


def test_only_layers_of_the_plan_are_on_top():
    plan = dataclasses.replace(plan_of(LOOK), layers=("soil", "snow"))
    assert set(np.unique(cover(plan))) == {0, 1}
    assert not cover(dataclasses.replace(plan, layers=("soil",))).any()


def test_finding_the_top_can_be_cancelled():
    grid, made = land()
    with pytest.raises(Cancelled):
        top_layers(made.height, grid, plan_of(LOOK), made.maps, cancel=lambda: True)


def test_wrapping_land_has_layers_too():
    grid = Grid(48, 64, size=6000.0, wrap=True)
    height = HILLS.evaluate(HILLS.grid((48, 64), wrap=True)).height
    top = top_layers(height, grid, plan_of(LOOK), {})
    assert len(np.unique(top)) >= 3


# --- triangles -----------------------------------------------------------------------------------


def test_a_triangle_has_the_material_of_two_corners_or_the_middle_one():
    materials = [GroundMaterial(str(place), 0.1 * place, 0.0) for place in range(5)]
    top = np.array([[0, 4, 4], [1, 2, 2]], np.uint8)
    found = GroundCover.of(materials, top)
    # South-east: 0, 4, 2; north-west: 0, 1, 2; then 4, 4, 2 and 4, 2, 2.
    assert found.triangles(0).tolist() == [2, 1, 4, 2]
    assert [material.share for material in found.materials] == [1 / 6, 1 / 6, 2 / 6, 0.0, 2 / 6]
    assert found.window(slice(0, 1), slice(1, 3)).materials == found.materials
    assert found.mean.friction == pytest.approx((0.1 + 0.2 * 2 + 0.4 * 2) / 6)


def faces_of(text):
    """Return the triangles of each subset in a text of USD."""
    pattern = r'def GeomSubset "(\w+)".*?int\[\] indices = \[(.*?)\]\n        }\n'
    return {
        name: [int(one) for one in re.findall(r"\d+", numbers)]
        for name, numbers in re.findall(pattern, text, re.DOTALL)
    }


def frictions_of(text):
    pattern = r'Material "(\w+)".*?staticFriction = (\S+)\n.*?dynamicFriction = (\S+)\n'
    return {
        name: (float(at_rest), float(sliding))
        for name, at_rest, sliding in re.findall(pattern, text, re.DOTALL)
    }


def expected_layers(top):
    """Return the layer of each triangle, found one by one."""
    rows, columns = top.shape
    found = []
    for row in range(rows - 1):
        for column in range(columns - 1):
            a, b = top[row, column : column + 2].tolist()
            c, d = top[row + 1, column : column + 2].tolist()
            found += [sorted((a, b, d))[1], sorted((a, d, c))[1]]
    return found


def test_each_triangle_of_usd_is_in_the_subset_of_its_layer(tmp_path):
    export(Usd(friction_by_material=True), tmp_path, samples=(33, SIDE))
    text = (tmp_path / "land.usda").read_text(encoding="utf-8")
    faces, names = faces_of(text), list(plan_of(LOOK).layers)
    every = sorted(number for numbers in faces.values() for number in numbers)
    assert every == list(range(2 * 32 * (SIDE - 1)))
    expected = expected_layers(cover(side=33, columns=SIDE))
    for name, numbers in faces.items():
        assert {names[expected[number]] for number in numbers} == {name}
    assert len(faces) >= 4
    assert (
        text.count('familyName = "materialBind"')
        == text.count('elementType = "face"')
        == len(faces)
    )
    assert text.count('uniform token subsetFamily:materialBind:familyType = "partition"\n') == 1
    for name in faces:
        assert f"physics = </Land/GroundMaterials/{name}>\n" in text
        layer = LANDSCAPES["alpine"].layers[name]
        assert frictions_of(text)[name] == (layer.friction, layer.sliding_friction)


def test_tiles_have_the_triangles_of_the_whole(tmp_path):
    export(Usd(friction_by_material=True), tmp_path, samples=33, tiles=(2, 1))
    whole, names = cover(side=33, columns=SIDE), list(plan_of(LOOK).layers)
    for tile, columns in ((0, slice(0, 33)), (1, slice(32, 65))):
        expected = expected_layers(whole[:, columns])
        faces = faces_of((tmp_path / f"land_x{tile}_y0.usda").read_text(encoding="utf-8"))
        assert sum(map(len, faces.values())) == len(expected)
        for name, numbers in faces.items():
            assert {names[expected[number]] for number in numbers} == {name}


def test_tiles_have_the_mean_friction_of_the_whole(tmp_path):
    """Or robots would slip otherwise beyond a border."""
    report, _ = export(MuJoCo(friction_by_material=True), tmp_path, samples=33, tiles=(2, 1))
    mean = sum(material.share * material.friction for material in report.materials)
    for tile in range(2):
        text = (tmp_path / f"land_x{tile}_y0.xml").read_text(encoding="utf-8")
        (numbers,) = re.findall(r'type="hfield".* friction="(\S+) ', text)
        assert float(numbers) == pytest.approx(mean)


def test_the_ground_is_found_on_as_many_threads_as_are_given(tmp_path, monkeypatch):
    counts = []

    def found(*given, **more):
        counts.append(blocks.thread_count())
        return top_layers(*given, **more)

    monkeypatch.setattr("noise_core.io.heightmaps.extras.top_layers", found)
    export(MuJoCo(friction_by_material=True), tmp_path, threads=3)
    assert counts == [3]


def test_land_of_one_material_has_one_subset(tmp_path):
    plan = dataclasses.replace(plan_of(LOOK), layers=("soil",))
    _, says = export(Usd(friction_by_material=True, friction=0.5), tmp_path, ground=plan)
    assert list(faces_of((tmp_path / "land.usda").read_text(encoding="utf-8"))) == ["soil"]
    assert says["fields"]["staticFriction"] == pytest.approx(0.34)
    assert says["fields"]["dynamicFriction"] == pytest.approx(0.65)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (b"[\n0, 2, 4,", b"[\n0, 2,", "1 triangles are in no subset"),
        (b"[\n0, 2, 4,", b"[\n0, 2, 2, 4,", "a triangle is in two subsets"),
        (b"[\n0, 2, 4,", b"[\n0, 2, 9,", "a subset has triangles that the mesh does not have"),
        (b"[\n0, 2, 4,", b"[\n-0, -2, 4,", "a subset has triangles that the mesh does not have"),
        (b"[\n1, 3, 5,", b"[\n1, 3, 4,", "a triangle is in two subsets"),
        (
            b"            ]\n        }\n",
            b"            ]\n        }}\n",
            "goes on after its triangles",
        ),
        (b"int[] indices", b"int[] numbers", "has no indices"),
        (b"            ]\n        }\n    }\n}\n", b"", "indices do not end"),
    ],
)
def test_damaged_subsets_are_not_kept(tmp_path, monkeypatch, before, after, message):
    codec = codecs.CODECS["usda"]
    # Three cells in a row, whose corners in the south are of one material and in the north of another.
    top = np.array([[0, 0, 0, 0], [1, 1, 1, 1]], np.uint8)

    def damage(field, more):
        own = GroundCover.of(more.cover.materials, top)
        whole = b"".join(codec.write(field, dataclasses.replace(more, cover=own)))
        assert before in whole
        yield whole.replace(before, after)

    changed = {**codecs.CODECS, "usda": codecs.Codec(damage, codec.read)}
    monkeypatch.setattr("noise_core.io.heightmaps.job.CODECS", changed)
    with pytest.raises(TerraneError, match=message):
        export_heightmap(
            np.arange(8, dtype=np.float32).reshape(2, 4),
            tmp_path / "a",
            target=Usd(friction_by_material=True),
            size=6.0,
            options=ExportOptions(
                ground=dataclasses.replace(plan_of(LOOK), layers=("soil", "grass"))
            ),
        )
    assert not list(tmp_path.iterdir())


# --- the map, and the one number -----------------------------------------------------------------


def gray(path, shape):
    """Return the numbers of a gray PNG image of 8 bits that this project writes, row 0 at the top."""
    data, idat, at = path.read_bytes(), b"", 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        idat += data[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    assert data[24:26] == b"\x08\x00"
    lines = np.frombuffer(zlib.decompress(idat), np.uint8).reshape(shape[0], -1)
    assert (lines[:, 0] == 2).all()
    return np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8)


@pytest.mark.parametrize("cls", ROBOTS)
def test_a_map_has_the_friction_of_the_layer_on_top(tmp_path, cls):
    report, says = export(cls(friction_by_material=True), tmp_path)
    entry = says["maps"]["friction"]
    assert (entry["offset"], entry["bits"], entry["files"]) == (0.0, 8, ["land_friction.png"])
    assert entry["scale"] == pytest.approx(0.01)
    numbers = gray(tmp_path / "land_friction.png", (SIDE, SIDE))
    south_first = numbers[::-1] if says["orientation"]["first_row"] == "north" else numbers
    layers = [LANDSCAPES["alpine"].layers[name] for name in plan_of(LOOK).layers]
    expected = np.array([layer.friction for layer in layers])[cover()]
    np.testing.assert_allclose(south_first * entry["scale"] + entry["offset"], expected, atol=1e-6)
    assert len(np.unique(numbers)) >= 4
    assert tmp_path / "land_friction.png" in report.files
    one = {"usd": "staticFriction", "gazebo": "mu", "pybullet": "lateralFriction"}.get(cls.key)
    number = says["fields"][one] if one else says["fields"]["geom friction"][0]
    assert number == pytest.approx(expected.mean(), rel=1e-6)
    texts = (path for path in report.files if path.suffix in (".xml", ".sdf", ".usda", ".json"))
    assert all(repr(number) in path.read_text(encoding="utf-8") for path in texts)


def test_the_sidecar_and_the_report_name_the_materials(tmp_path):
    report, says = export(MuJoCo(friction_by_material=True), tmp_path)
    assert says["materials"] == [dataclasses.asdict(material) for material in report.materials]
    assert [material.name for material in report.materials] == list(plan_of(LOOK).layers)
    shares = np.bincount(cover().ravel(), minlength=len(report.materials)) / SIDE**2
    assert [material.share for material in report.materials] == shares.tolist()


def test_friction_is_a_factor_by_material(tmp_path):
    target = Usd(friction_by_material=True, friction=4.0, dynamic_friction=0.5)
    report, says = export(target, tmp_path)
    for material in report.materials:
        layer = LANDSCAPES["alpine"].layers[material.name]
        assert material.friction == 4.0 * layer.friction
        assert material.sliding_friction == 0.5 * layer.sliding_friction
    entry = says["maps"]["friction"]
    assert 255 * entry["scale"] == pytest.approx(4.0 * 0.85)  # more than the usual 2.55


def test_a_layer_can_be_given_another_friction(tmp_path):
    plan = plan_of(LOOK)
    ice = plan.landscape.with_layers(snow={"friction": 0.05, "sliding_friction": 0.03})
    report, _ = export(
        MuJoCo(friction_by_material=True), tmp_path, ground=dataclasses.replace(plan, landscape=ice)
    )
    assert (report.materials[-1].name, report.materials[-1].friction) == ("snow", 0.05)


def test_without_it_nothing_is_different(tmp_path):
    report, says = export(Usd(friction=0.7), tmp_path)
    assert [path.name for path in report.files] == ["land.usda", "land.usda.json"]
    assert says["materials"] == [] and report.materials == ()
    text = (tmp_path / "land.usda").read_text(encoding="utf-8")
    assert not faces_of(text) and "GroundMaterials" not in text and "subsetFamily" not in text
    assert frictions_of(text) == {"PhysicsMaterial": (0.7, 1.0)}


def test_every_kind_of_ground_has_a_friction_that_fits_it():
    for landscape in LANDSCAPES.values():
        known = {name: layer.friction for name, layer in landscape.layers.items()}
        assert all(layer.sliding_friction <= layer.friction for layer in landscape.layers.values())
        assert max(known, key=known.__getitem__) == "rock" or "rock" not in known
        assert min(known, key=known.__getitem__) == "snow" or "snow" not in known


# --- who asks ------------------------------------------------------------------------------------


def test_colors_tell_the_ground_if_nothing_else_does(tmp_path):
    report, _ = export(MuJoCo(friction_by_material=True), tmp_path, ground=None, colors="moon")
    assert [material.name for material in report.materials] == ["soil", "rock", "scree"]
    assert [path.name for path in report.files][-3:] == [
        "land_color.png",
        "land_friction.png",
        "land.hf.json",
    ]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"ground": None}, "ground must be one of alpine, .* for friction by material; got none"),
        ({"ground": "pink"}, "ground must be one of .*alpine.*; got 'pink'"),
        (
            {"ground": dataclasses.replace(plan_of(LOOK), layers=())},
            "ground must have layers for friction by material; got none",
        ),
        ({"maps": {"friction": "slope"}}, "maps must not be called 'friction' beside that file"),
    ],
)
def test_what_cannot_be_is_one_line(tmp_path, keywords, message):
    with pytest.raises(ParameterError, match=message):
        export(Usd(friction_by_material=True), tmp_path, **keywords)
    assert not list(tmp_path.iterdir())


def test_a_map_may_be_called_friction_without_it(tmp_path):
    _, says = export(Usd(), tmp_path, maps={"friction": "slope"})
    assert says["maps"]["friction"]["unit"] == "degrees"


@pytest.mark.parametrize(
    ("more", "names"),
    [
        ([], ["soil", "grass", "sand", "rock", "scree", "river"]),
        (["--colors", "moon"], ["soil", "rock", "scree"]),
    ],
)
def test_the_command_line_takes_the_palette_of_the_preset_or_of_the_colors(tmp_path, more, names):
    said, noted = [], []
    words = [
        *("export", "mesa", "--target", "mujoco", "--samples", "33", "--folder", str(tmp_path)),
        *("--option", "friction_by_material=on", *more),
    ]
    assert run(words, said.append, noted.append) == 0, noted
    says = json.loads((tmp_path / "mesa.hf.json").read_text(encoding="utf-8"))
    assert [one["name"] for one in says["materials"]] == names
    assert (tmp_path / "mesa_color.png").exists() is bool(more)


def test_the_command_line_takes_no_palette_for_a_file(tmp_path):
    """Its recipe says nothing of the ground."""
    path, said, noted = tmp_path / "own.json", [], []
    path.write_text(Recipe.from_preset("mesa").to_json(), encoding="utf-8")
    words = ["export", str(path), "--target", "mujoco", "--samples", "33"]
    words += ["--folder", str(tmp_path / "out"), "--option", "friction_by_material=on"]
    assert run(words, said.append, noted.append) == 2
    assert "ground must be one of" in noted[-1]
    assert run([*words, "--colors", "desert"], said.append, noted.append) == 0, noted
