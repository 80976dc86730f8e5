# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground for robots in rows and columns: where each piece lies, and what is written by one command."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from noise_core.base.errors import ParameterError
from noise_core.commands.command_line import run
from noise_core.io.robot_grounds import CurriculumLand, export_model
from noise_core.io.targets import MuJoCo
from noise_core.robots import NarrowBeams, Pit, RandomUniform, TiltedGrid, WavyField
from noise_core.robots.bases.curriculum import Curriculum
from noise_core.robots.bases.sub_terrain import sub_terrain_types

COURSE = Curriculum((Pit(), NarrowBeams(), WavyField(), TiltedGrid()), rows=3, seed=4, border=2.0)


def call(*arguments):
    """Run a command; return its status, and the lines that it said and noted."""
    said, noted = [], []
    status = run(["robots", *map(str, arguments)], said.append, noted.append)
    return status, said, noted


def test_columns_are_kinds_and_rows_are_difficulties():
    assert (COURSE.width, COURSE.depth) == (36.0, 28.0)
    first, last = COURSE.patches[0], COURSE.patches[-1]
    assert (first.kind, first.difficulty, first.x, first.y) == ("pit", 0.0, -12.0, -8.0)
    assert (last.kind, last.difficulty, last.x, last.y) == ("tilted_grid", 1.0, 12.0, 8.0)
    assert [patch.difficulty for patch in COURSE.patches[::4]] == [0.0, 0.5, 1.0]
    hardest = Curriculum((Pit(),), rows=1, easiest=0.2, hardest=0.7)
    assert [patch.difficulty for patch in hardest.patches] == [0.7]
    assert len({patch.name for patch in COURSE.patches}) == 12


def test_ground_depends_on_seed_kind_and_row_alone():
    axis = np.linspace(-3.9, 3.9, 31)

    def ground(kinds, row, **keywords):
        course = Curriculum(kinds, rows=2, **keywords)
        patch = next(
            one for one in course.patches if one.kind == "random_uniform" and one.row == row
        )
        return patch.ground.on_grid(axis, axis)

    rough = RandomUniform()
    alone = ground((rough,), 1, seed=4)
    np.testing.assert_array_equal(alone, ground((Pit(), rough), 1, seed=4, border=3.0))
    assert not np.array_equal(alone, ground((rough,), 0, seed=4))
    assert not np.array_equal(alone, ground((rough,), 1, seed=5))


def test_the_field_has_each_piece_at_its_place():
    rows, columns = 281, 361  # 10 cm between samples
    height = COURSE.heights(rows, columns)
    assert height.dtype == np.float32 and np.isfinite(height).all()
    for edge in (height[:20], height[-20:], height[:, :20], height[:, -20:]):
        assert not edge.any(), "the border is level"
    axis = np.linspace(-3.9, 3.9, 79)
    for patch in COURSE.patches:
        row, column = round((patch.y + 14.0) * 10.0), round((patch.x + 18.0) * 10.0)
        part = height[row - 39 : row + 40, column - 39 : column + 40]
        expected = patch.ground.on_grid(axis, axis)
        off = np.abs(part - expected) > 1e-4
        # Rounding may put a sample at the other side of an upright wall.
        assert off.mean() < 0.03, patch.name


def test_boxes_are_boxes_in_the_model(tmp_path):
    report = export_model(COURSE, tmp_path / "course", MuJoCo(friction=0.7, spawns=5))
    root = ElementTree.parse(tmp_path / "course.xml").getroot()
    bodies = {body.get("name"): body for body in root.iter("body")}
    geoms = [geom.get("type") for geom in root.iter("geom")][1:]
    assert (report.boxes, report.tilted, report.fields) == tuple(
        geoms.count(kind) for kind in ("box", "mesh", "hfield")
    )
    assert report.fields == 2, "waves of difficulty 0 are level: a box"
    assert root.find("default/geom").get("friction").split()[0] == "0.7"
    for patch in COURSE.patches:
        body = bodies[patch.name]
        assert [float(number) for number in body.get("pos").split()] == [patch.x, patch.y, 0.0]
        boxes = [geom for geom in body.findall("geom") if geom.get("type") == "box"]
        if patch.ground.boxes and all(box.is_level for box in patch.ground.boxes):
            for geom, box in zip(boxes, patch.ground.boxes, strict=True):
                x, y, z = map(float, geom.get("pos").split())
                half_x, half_y, half_z = map(float, geom.get("size").split())
                turn = float(geom.get("euler", "0 0 0").split()[2])
                np.testing.assert_allclose(
                    (x, y, z + half_z, z - half_z, half_x, half_y, turn),
                    (box.x, box.y, box.top, box.bottom, box.half_x, box.half_y, box.turn),
                    atol=1e-7,
                )
    names = {site.get("name") for site in root.iter("site")}
    assert {f"spawn_{number}" for number in range(5)} < names and len(names) == 12 + 5


def test_fields_of_the_model_have_the_heights(tmp_path):
    export_model(COURSE, tmp_path / "course")
    root = ElementTree.parse(tmp_path / "course.xml").getroot()
    patch = next(one for one in COURSE.patches if one.name == "waves_r2_c2")
    field = next(one for one in root.iter("hfield") if one.get("name") == patch.name)
    shape = int(field.get("nrow")), int(field.get("ncol"))
    share = np.array(field.get("elevation").split(), float).reshape(shape)[::-1]
    rise = float(field.get("size").split()[2])
    height = (share - share.min()) / np.ptp(share) * rise + patch.ground.samples.height.min()
    np.testing.assert_allclose(height, patch.ground.samples.height, atol=1e-5)


def test_the_command_writes_the_ground_and_says_where_robots_begin(tmp_path):
    status, said, noted = call(
        *(tmp_path / "deep" / "course", "--kinds", "pit,narrow_beams", "--rows", 3),
        *("--parameter", "pit.double=on", "--option", "spawns=4", "--json"),
    )
    assert status == 0 and noted == ["81 boxes, 0 tilted, 0 height fields"]
    facts = json.loads(said[0])
    assert facts["patches"] == 6 and facts["spawn_points"] == 4
    side = json.loads((tmp_path / "deep" / "course.xml.json").read_text(encoding="utf-8"))
    assert side["rows"] == 3 and side["columns"] == 2 and len(side["spawn_points"]) == 4
    hard_pit = side["sub_terrains"][4]
    assert (hard_pit["kind"], hard_pit["difficulty"]) == ("pit", 1.0)
    assert hard_pit["start"] == pytest.approx([-4.0, 8.0, -2.2])
    status, said, noted = call(tmp_path / "deep" / "course")
    assert status != 0 and "already there" in noted[0] and not said


@pytest.mark.parametrize(
    ("target", "suffix"), [("npy", ".npy"), ("pybullet", ".npy"), ("usd", ".usda")]
)
def test_other_targets_have_one_field_with_the_same_facts(tmp_path, target, suffix):
    kinds = ("--kinds", "pit,waves", "--rows", 3, "--size", 4)
    status, said, noted = call(tmp_path / "course", "--target", target, *kinds)
    assert (status, noted) == (0, [])
    side = json.loads((tmp_path / f"course{suffix}.json").read_text(encoding="utf-8"))
    assert (side["width"], side["depth"], side["samples"]) == (8.0, 12.0, [81, 121])
    assert [one["kind"] for one in side["sub_terrains"][:2]] == ["pit", "waves"]
    if target == "npy":
        stored = np.load(tmp_path / "course.npy")
        course = Curriculum((Pit(size=4.0), WavyField(size=4.0)), rows=3)
        height = CurriculumLand(course).evaluate((121, 81), 1, lambda _: None, None).relief.height
        assert np.array_equal(stored, height) or np.array_equal(stored[::-1], height)


@pytest.mark.parametrize("source", ["mjlab", "isaac_lab", "rudin_2021"])
def test_a_source_names_its_kinds(source):
    status, said, _ = call("--list", "--kinds", source)
    keys = [key for key, cls in sub_terrain_types().items() if source in cls.published]
    assert status == 0 and [line.partition(":")[0] for line in said] == keys
    stairs = next(line for line in said if line.startswith("pyramid_stairs:"))
    assert f"hard_step_height={0.2 if source == 'mjlab' else 0.23}" in stairs


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--kinds", "nope"], "--kinds must be of mjlab, .* got 'nope'"),
        (["--kinds", "pit", "--parameter", "gap.depth=1"], "must be such as pit.size=8, .* got 'gap"),
        (["--kinds", "pit", "--parameter", "pit.x=1"], "--option of pit must be of size, .* got 'x=1'"),
        (["--kinds", "pit", "--parameter", "pit.platform_width=9"], "Pit: platform_width must be below 8 m"),
        (["--difficulty", "1,0"], "difficulties must rise from 0 to 1; got 1 to 0"),
        (["--difficulty", "easy"], "--difficulty must be such as 0,1; got 'easy'"),
        (["--rows", "0"], "rows must be from 1 to 1000; got 0"),
        (["--seed", "-1"], r"seed must be from 0 to 2\^32 - 1; got -1"),
        (["--border", "-1"], "border must be from 0 to 1000 m; got -1.0"),
        (["--samples", "99"], "--samples must be left out"),
        (["--size", "nan"], "size must be in"),
        (["--option", "friction_by_material=on"], "friction_by_material must be off for boxes"),
        (["--kinds", "narrow_beams", "--rows", "1", "--option", "spawns=4000"], "has room for"),
        (["--target", "gazebo", "--kinds", "pit", "--rows", "1"], "Gazebo takes 65, .* got 81"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_is_refused_in_a_line_and_nothing_is_written(
    tmp_path, arguments, message
):
    status, said, noted = call(tmp_path / "course", *arguments)
    assert status != 0 and not said and len(noted) == 1
    assert re.search(message, noted[0]) and "\n" not in noted[0]
    assert not list(tmp_path.iterdir())


def test_a_curriculum_needs_kinds_of_one_size():
    for kinds in ((), (Pit(), Pit(size=4.0))):
        with pytest.raises(ParameterError, match="kinds of ground of one size"):
            Curriculum(kinds, rows=2)
