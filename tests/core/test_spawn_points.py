# SPDX-License-Identifier: GPL-3.0-or-later
"""Friction and places for robots: on flat ground, apart, the same in every file, and the mesh around them."""

from __future__ import annotations

import json
import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from noise_core import ParameterError, Recipe, TerraneError
from noise_core.io.heightmaps import codecs, export_heightmap, spawn_points
from noise_core.io.targets import Gazebo, MuJoCo, Npy, PyBullet, Usd
from noise_core.io.targets.bases.robot_target import RobotTarget
from noise_core.io.targets.bases.target import SpawnPoint, target_types
from noise_core.noises import Fractal, Perlin
from tests.export_keywords import sort_keywords

HILLS = Recipe(
    layers=Fractal(source=Perlin(frequency=3.0), octaves=4), seed=3, size=64.0, height=2.5
)
RULES = {"spawns": 12, "spawn_radius": 2.0, "spawn_slope": 14.0}
ROBOTS = [cls for cls in target_types().values() if issubclass(cls, RobotTarget)]


def test_the_simulators_share_one_declaration():
    assert {cls.key for cls in ROBOTS} == {"gazebo", "mujoco", "pybullet", "usd"}
    shared = RobotTarget.parameters()
    assert [one.name for one in shared][:3] == ["friction", "friction_by_material", "spawns"]
    for cls in ROBOTS:
        assert cls.parameters()[: len(shared)] == shared
    assert Npy().spawn_rules is None


def export(target, path, land=HILLS, **keywords):
    arguments = sort_keywords(**{"target": target, "samples": 129, **keywords})
    report = export_heightmap(land, path, **arguments)
    return report, json.loads(report.sidecar.read_text(encoding="utf-8"))


def steepest_around(height, spacing, x, y, radius):
    """Return the slope in degrees of the steepest triangle near a place, by both ways to cut cells."""
    rows, columns = height.shape
    row, column = y / spacing + 0.5 * (rows - 1), x / spacing + 0.5 * (columns - 1)
    steepest = 0.0
    for i in range(rows - 1):
        for j in range(columns - 1):
            near_row, near_column = min(max(row, i), i + 1), min(max(column, j), j + 1)
            if math.hypot(near_row - row, near_column - column) * spacing > radius:
                continue
            a, b, c, d = (float(height[i + k, j + m]) for k in (0, 1) for m in (0, 1))
            for east, north in ((b - a, d - b), (d - c, c - a), (b - a, c - a), (d - c, d - b)):
                steepest = max(steepest, math.hypot(east, north) / spacing)
    return math.degrees(math.atan(steepest))


def test_places_are_flat_on_the_land_and_apart(tmp_path):
    report, says = export(MuJoCo(**RULES), tmp_path / "land")
    height, spacing = HILLS.evaluate(HILLS.grid(129)).height, 0.5
    points = report.spawn_points
    assert [vars(point) for point in points] == says["spawn_points"]
    assert [point.name for point in points] == [f"spawn_{number}" for number in range(12)]
    for one in points:
        assert max(abs(one.x), abs(one.y)) <= 32.0 - 2.0
        row, column = round(one.y / spacing + 64), round(one.x / spacing + 64)
        assert one.z == height[row, column]
        assert steepest_around(height, spacing, one.x, one.y, 2.0) < 14.0
    away = [math.hypot(a.x - b.x, a.y - b.y) for a in points for b in points if a is not b]
    assert min(away) >= 4.0
    # By chance alone some of twelve places lie much closer.
    assert min(away) >= 0.5 * 64.0 / math.sqrt(12)


def test_places_hang_on_their_seed_alone(tmp_path):
    first, _ = export(MuJoCo(**RULES), tmp_path / "a")
    again, _ = export(Usd(**RULES), tmp_path / "b")
    other, _ = export(MuJoCo(**RULES, spawn_seed=1), tmp_path / "c")
    assert first.spawn_points == again.spawn_points != other.spawn_points
    fewer, _ = export(MuJoCo(**{**RULES, "spawns": 5}), tmp_path / "d")
    assert fewer.spawn_points == first.spawn_points[:5]


def test_few_candidates_are_enough(tmp_path, monkeypatch):
    monkeypatch.setattr(spawn_points, "MOST_CANDIDATES", 300)
    report, _ = export(MuJoCo(**RULES), tmp_path / "land")
    assert len(report.spawn_points) == 12


@pytest.mark.parametrize("cls", ROBOTS)
def test_tiles_have_the_places_that_lie_in_them(tmp_path, cls):
    report, says = export(cls(**RULES), tmp_path / "land", samples=65, tiles=(2, 2))
    results = {}
    for file in says["files"]:
        for beside in file.get("beside", []) or [file["name"]]:
            text = (tmp_path / beside).read_bytes().decode("latin-1")
            for name in re.findall(r'"(spawn_\d+)"', text):
                assert name not in results
                results[name] = file["tile"]
    if cls is PyBullet:  # its file holds numbers alone: the sidecar has the places
        assert not results
        return
    assert set(results) == {point.name for point in report.spawn_points}
    north = cls().counts_tiles_from_north
    for one in report.spawn_points:
        column, row = results[one.name]
        assert column == (one.x >= 0.0) and row == ((one.y >= 0.0) != north)


def test_a_place_on_the_border_of_two_tiles_belongs_to_one():
    points = tuple(SpawnPoint(f"spawn_{k}", 0.0, 0.0, 0.0) for k in range(4))
    places = ((0, 0), (4, 4), (4, 8), (8, 8))
    parts = (slice(0, 5), slice(4, 9))
    joined = spawn_points.SpawnPlaces(places, points, (9, 9), True)
    results = [joined.within(rows, columns) for rows in parts for columns in parts]
    assert results == [points[:1], (), (), points[1:]]
    parts = (slice(0, 4), slice(4, 8))
    apart = spawn_points.SpawnPlaces(places[:2], points[:2], (8, 8), False)
    results = [apart.within(rows, columns) for rows in parts for columns in parts]
    assert results == [points[:1], (), (), points[1:2]]


def test_a_land_without_flat_ground_is_one_line(tmp_path):
    slope = np.add.outer(np.arange(33), np.arange(33)).astype(np.float32)
    with pytest.raises(
        ParameterError,
        match=r"^MuJoCo needs ground below 10 degrees within 0.5 m for 3 spawn points; the terrain has none$",
    ):
        export_heightmap(slope, tmp_path / "a", target=MuJoCo(spawns=3), size=32.0)
    with pytest.raises(
        ParameterError,
        match=r"^USD needs 40 spawn points with 9 m of flat ground each; the terrain has room for [2-9]$",
    ):
        target = Usd(spawns=40, spawn_radius=9.0)
        export_heightmap(np.zeros((65, 65), np.float32), tmp_path / "a", target=target, size=64.0)
    assert not list(tmp_path.iterdir())


def test_a_spike_between_samples_of_flat_ground_is_seen(tmp_path):
    field = np.zeros((9, 9), np.float32)
    field[4, 4] = 5.0  # differences over two samples are 0 here
    report = export_heightmap(
        field, tmp_path / "a", target=MuJoCo(spawns=1, spawn_radius=0.0), size=8.0
    )
    (point,) = report.spawn_points
    assert max(abs(point.x), abs(point.y)) >= 2.0


def test_friction_stands_where_each_program_looks(tmp_path):
    export(MuJoCo(friction=0.4), tmp_path / "m")
    (geom,) = ElementTree.parse(tmp_path / "m.xml").iter("geom")
    assert geom.get("friction") == "0.4 0.005 0.0001"
    export(Gazebo(friction=0.4, spawns=2), tmp_path / "g")
    model = ElementTree.parse(tmp_path / "g.sdf").getroot()
    assert [one.text for one in model.findall(".//collision/surface/friction/ode/*")] == ["0.4"] * 2
    assert [one.get("name") for one in model.findall("./model/frame")] == ["spawn_0", "spawn_1"]
    _, says = export(PyBullet(friction=0.4), tmp_path / "p")
    assert says["fields"]["lateralFriction"] == 0.4
    _, says = export(Usd(friction=0.4, dynamic_friction=0.3, restitution=0.2), tmp_path / "u")
    assert (says["fields"]["staticFriction"], says["fields"]["dynamicFriction"]) == (0.4, 0.3)
    text = (tmp_path / "u.usda").read_text(encoding="utf-8")
    assert "physics:restitution = 0.2\n" in text and 'upAxis = "Z"' in text


# --- the mesh ------------------------------------------------------------------------------------


def test_usd_takes_no_more_samples_than_text_can_hold(tmp_path):
    message = (
        "USD takes at most 1025 samples along a side; got 1026: cut the terrain into several files"
    )
    with pytest.raises(ParameterError, match=message):
        export_heightmap(HILLS, tmp_path / "a", target="usd", samples=1026)
    assert not list(tmp_path.iterdir())


def test_cells_are_cut_from_the_south_west(tmp_path):
    field = np.arange(6, dtype=np.float32).reshape(2, 3)
    export_heightmap(field, tmp_path / "a", target="usd", size=4.0)
    text = (tmp_path / "a.usda").read_text(encoding="utf-8")
    assert "\n0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4,\n" in text
    assert "\n(-2, -1, 0), (0, -1, 1), (2, -1, 2),\n(-2, 1, 3), (0, 1, 4), (2, 1, 5),\n" in text


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (b"0, 1, 4, 0,", b"0, 4, 1, 0,", "triangles do not cover the cells of row 0"),
        (b"3, 3, 3, 3,", b"3, 3, 4, 3,", "other faces than two triangles"),
        (b"(0, -1, 1)", b"(9, -1, 1)", "no grid that rises to the east"),
        (b"(2, 1, 5)", b"(3, 1, 5)", "no grid that rises to the east"),
        (b"(-2, 1, 3), (0, 1, 4), (2, 1,", b"(-2, -1, 3), (0, -1, 4), (2, -1,", "no grid"),
        (b"#usda 1.0", b"#usda 2.0", "does not begin"),
        (b"points = [", b"dots = [", "has no points"),
        (b"(2, 1, 5),\n", b"(2, 1, 5),\n(2, 2, 5),\n", "do not end where they should"),
        (b"}\n}\n", b"}\n}\n\n", "goes on after the last point"),
        (b"(0, 1, 4)", b"(0, 1, 4.5)", "reads back with 2 of 2 rows, and 0.5 off"),
    ],
)
def test_a_damaged_mesh_is_not_kept(tmp_path, monkeypatch, before, after, message):
    codec = codecs.CODECS["usda"]

    def damage(field, more):
        whole = b"".join(codec.write(field, more))
        assert before in whole
        yield whole.replace(before, after)

    changed = {**codecs.CODECS, "usda": codecs.Codec(damage, codec.read)}
    monkeypatch.setattr("noise_core.io.heightmaps.job.CODECS", changed)
    field = np.arange(6, dtype=np.float32).reshape(2, 3)
    with pytest.raises(TerraneError, match=message):
        export_heightmap(field, tmp_path / "a", target="usd", size=4.0)
    assert not list(tmp_path.iterdir())


def test_every_float_survives_as_text(tmp_path):
    chance = np.random.default_rng(1)
    bits = chance.integers(0, 2**32, (60, 60), np.uint64).astype(np.uint32)
    field = bits.view(np.float32)
    field = np.where(np.abs(field) < 1e12, field, np.float32(0.1))
    report = export_heightmap(field, tmp_path / "a", target="usd", size=59.0)
    assert report.largest_difference == 0.0
