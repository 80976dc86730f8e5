# SPDX-License-Identifier: GPL-3.0-or-later
"""Places of many copies of meshes in files: read by others' rules, whole or not there."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from noise_core import ParameterError, TerraneError
from noise_core.io import instance_files
from noise_core.io.instance_files import write_instances
from noise_core.io.instances import MeshInstances

POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 2]], np.float32)
TRIANGLES = np.array([[0, 1, 2]], np.int32)
SUFFIXES = ["csv", "json", "glb", "usda"]


def turned(x, y, z, w):
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def drawn(count, *, mirrored=False):
    chance = np.random.default_rng(4)
    turns = chance.normal(size=(count, 4))
    turns[:4] = np.eye(4)[:count]  # half turns, where quaternions are hard to find
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    scales = chance.uniform(0.2, 3.0, (count, 3)) * ([-1, 1, 1] if mirrored else [1, 1, 1])
    matrices = np.tile(np.eye(4), (count, 1, 1))
    matrices[:, :3, 3] = chance.uniform(-4000.0, 4000.0, (count, 3))
    for matrix, turn, scale in zip(matrices, turns, scales):
        matrix[:3, :3] = turned(*turn) * scale
    return matrices


@pytest.mark.parametrize("mirrored", [False, True])
def test_matrices_come_apart_and_together(mirrored):
    matrices = drawn(60, mirrored=mirrored)
    found = MeshInstances.of_matrices("Pine", POINTS, TRIANGLES, matrices)
    for turn, scale, place, wanted in zip(found.rotations, found.scales, found.positions, matrices):
        np.testing.assert_allclose(turned(*turn) * scale, wanted[:3, :3], atol=1e-6)
        np.testing.assert_array_equal(place, wanted[:3, 3])


def sets():
    return [
        MeshInstances.of_matrices("Pine, old", POINTS, TRIANGLES, drawn(40)),
        MeshInstances.of_matrices('Stone "big" 100%', 2 * POINTS, TRIANGLES, drawn(7)),
    ]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_have_all_places_and_a_sidecar(suffix, tmp_path):
    file, beside = write_instances(sets(), tmp_path / f"plants.{suffix}")
    says = json.loads(beside.read_text())
    assert says["counts"] == {"Pine, old": 40, 'Stone "big" 100%': 7}
    assert says["read_back"]["largest_difference"] <= says["read_back"]["allowed"] == 1e-3
    assert {path.name for path in tmp_path.iterdir()} == {file.name, beside.name}
    with pytest.raises(TerraneError, match="already there"):
        write_instances(sets(), file)
    write_instances(sets()[:1], file, overwrite=True)


def test_csv_is_what_other_readers_take(tmp_path):
    file, _ = write_instances(sets(), tmp_path / "plants.csv")
    with open(file, newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["mesh"] for row in rows[39:41]] == ["Pine, old", 'Stone "big" 100%']
    for row, wanted in zip(rows, drawn(40)):
        place = [float(row[axis]) for axis in "xyz"]
        np.testing.assert_allclose(place, wanted[:3, 3], atol=1e-5)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_reads_back_otherwise_is_not_kept(suffix, tmp_path, monkeypatch):
    write, read = instance_files.FORMATS[f".{suffix}"]

    def wrong(data):
        return {name: places + 0.01 for name, places in read(data).items()}

    formats = {**instance_files.FORMATS, f".{suffix}": (write, wrong)}
    monkeypatch.setattr(instance_files, "FORMATS", formats)
    with pytest.raises(TerraneError, match=r"reads back 0\.01\d* off: not kept"):
        write_instances(sets(), tmp_path / f"plants.{suffix}")
    assert not list(tmp_path.iterdir())


def test_bad_input_is_refused(tmp_path):
    with pytest.raises(
        ParameterError, match=r"path must end in .csv, .json, .glb, .usda; got 'a.fbx'"
    ):
        write_instances(sets(), tmp_path / "a.fbx")
    with pytest.raises(ParameterError, match="places must be at least one; got none"):
        write_instances([], tmp_path / "a.csv")
