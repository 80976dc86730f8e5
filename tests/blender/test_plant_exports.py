# SPDX-License-Identifier: GPL-3.0-or-later
"""Places of plants in files: those that Blender renders, to a millimeter."""

from __future__ import annotations

import csv
import json
import struct

import bpy
import numpy as np
import pytest

TERRAIN = {"preset": "rolling_hills", "resolution": 33}


@pytest.fixture
def plants(terrain):
    """Let some thousand plants grow on a terrain."""
    nothing = {
        f"{kind}_density": 0.0 for kind in ("bush", "grass", "flower", "fern", "reed") if True
    }
    properties = bpy.ops.terrane.scatter_add.get_rna_type().properties
    bpy.ops.terrane.scatter_add(
        viewport_share=1.0, **{name: value for name, value in nothing.items() if name in properties}
    )
    return next(obj for obj in bpy.data.objects if obj.name.startswith("Terrane Plants"))


def rendered(obj):
    """Return the matrices of all copies by the names of their meshes' objects."""
    found: dict[str, list] = {}
    for instance in bpy.context.evaluated_depsgraph_get().object_instances:
        if instance.is_instance and instance.parent.original == obj:
            name = instance.object.original.name
            found.setdefault(name, []).append(np.array(instance.matrix_world))
    return {name: np.array(matrices) for name, matrices in found.items()}


def without_shear(matrices):
    """Return matrices whose feet do not follow the slope, which no file can say."""
    result = matrices.copy()
    up = result[:, :3, 2]
    assert np.abs(up[:, :2]).max() < 1e-6 * np.abs(up).max()  # plants stand upright
    result[:, 2, :2] = 0.0
    return result


def matrix(place, turn, scale):
    x, y, z, w = turn
    rotation = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    result = np.eye(4)
    result[:3, :3], result[:3, 3] = rotation * np.array(scale), place
    return result


@pytest.mark.skipif(not bpy.app.build_options.usd, reason="this Blender was built without USD")
def test_blender_reads_the_copies_of_usd(plants, tmp_path):
    known = np.concatenate(list(rendered(plants).values()))[:, :3, 3]
    assert bpy.ops.terrane.scatter_export(filepath=str(tmp_path / "a.usda")) == {"FINISHED"}
    before = set(bpy.data.objects)
    bpy.ops.wm.usd_import(filepath=str(tmp_path / "a.usda"))
    added = set(bpy.data.objects) - before
    found = [
        instance.matrix_world.translation.copy()
        for instance in bpy.context.evaluated_depsgraph_get().object_instances
        if instance.is_instance and instance.parent.original in added
    ]
    assert len(found) == len(known)
    order, wanted = (np.lexsort(np.round(places, 2).T) for places in (np.array(found), known))
    np.testing.assert_allclose(np.array(found)[order], known[wanted], atol=2e-2)


def test_csv_and_json_have_the_places_of_blender(plants, tmp_path):
    known = rendered(plants)
    assert sum(map(len, known.values())) > 50
    assert bpy.ops.terrane.scatter_export(filepath=str(tmp_path / "a.csv")) == {"FINISHED"}
    assert bpy.ops.terrane.scatter_export(filepath=str(tmp_path / "a.json")) == {"FINISHED"}
    found: dict[str, list] = {}
    with open(tmp_path / "a.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            numbers = [
                float(row[key]) for key in ("x", "y", "z", "qx", "qy", "qz", "qw", "sx", "sy", "sz")
            ]
            found.setdefault(row["mesh"], []).append(matrix(numbers[:3], numbers[3:7], numbers[7:]))
    assert found.keys() == known.keys()
    for name, matrices in known.items():
        np.testing.assert_allclose(np.array(found[name]), without_shear(matrices), atol=1e-3)
    for entry in json.loads((tmp_path / "a.json").read_text())["meshes"]:
        places = np.array(entry["positions"])
        np.testing.assert_allclose(places, known[entry["mesh"]][:, :3, 3], atol=1e-3)
    says = json.loads((tmp_path / "a.csv.places.json").read_text())
    assert says["counts"] == {name: len(matrices) for name, matrices in known.items()}


def test_gltf_has_copies_of_each_mesh(plants, tmp_path):
    known = rendered(plants)
    bpy.ops.terrane.scatter_export(filepath=str(tmp_path / "a.glb"))
    data = (tmp_path / "a.glb").read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    content, start = json.loads(data[20 : 20 + length]), 28 + length
    assert content["extensionsRequired"] == ["EXT_mesh_gpu_instancing"]
    for node in content["nodes"]:
        attributes = node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]
        numbers = []
        for name, width in (("TRANSLATION", 3), ("ROTATION", 4), ("SCALE", 3)):
            accessor = content["accessors"][attributes[name]]
            at = start + content["bufferViews"][accessor["bufferView"]]["byteOffset"]
            numbers.append(
                np.frombuffer(data, "<f4", width * accessor["count"], at).reshape(-1, width)
            )
        # Y up: glTF's matrix, between the turn of its axes.
        turn = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1.0]])
        matrices = without_shear(known[node["name"]])
        assert len(matrices) == len(numbers[0])
        for place, rotation, scale, wanted in zip(*numbers, matrices):
            in_file = matrix(place + np.array(node["translation"]), rotation, scale)
            np.testing.assert_allclose(turn.T @ in_file @ turn, wanted, atol=1e-3)


def test_bad_input_leaves_nothing(terrain, tmp_path):
    with pytest.raises(RuntimeError, match="has no plants: add some first"):
        bpy.ops.terrane.scatter_export(filepath=str(tmp_path / "a.csv"))
    bpy.ops.terrane.scatter_add()
    with pytest.raises(
        RuntimeError, match="path must end in .csv, .json, .glb, .usda; got 'a.txt'"
    ):
        bpy.ops.terrane.scatter_export(filepath=str(tmp_path / "a.txt"))
    assert not list(tmp_path.iterdir())
