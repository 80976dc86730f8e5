# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains as glTF meshes by Blender's own exporter, as docs/engines.md says it: meters, y up."""

from __future__ import annotations

import json
import struct

import bpy
import numpy as np
import pytest


def accessor(path, name):
    """Return the numbers of an attribute of the only mesh in a binary glTF file, or its indices."""
    data = path.read_bytes()
    magic, version, _ = struct.unpack_from("<4sII", data)
    assert (magic, version) == (b"glTF", 2)
    (size,) = struct.unpack_from("<I", data, 12)
    says, buffer = json.loads(data[20 : 20 + size]), data[20 + size + 8 :]
    ((primitive,),) = (one["primitives"] for one in says["meshes"])
    assert len(says["nodes"]) == 1 and not {"scale", "rotation"} & set(says["nodes"][0])
    entry = says["accessors"][
        primitive["indices"] if name == "indices" else primitive["attributes"][name]
    ]
    view = says["bufferViews"][entry["bufferView"]]
    start = view.get("byteOffset", 0) + entry.get("byteOffset", 0)
    number = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}[entry["componentType"]]
    width = {"SCALAR": 1, "VEC3": 3}[entry["type"]]
    return np.frombuffer(buffer, number, entry["count"] * width, start).reshape(-1, width)


def triangles(positions, corners):
    """Return triangles as sets of the bits of their corners."""
    return {frozenset(positions[one].tobytes() for one in each) for each in corners.reshape(-1, 3)}


@pytest.mark.slow
def test_a_terrain_becomes_a_gltf_mesh(exporter, tmp_path):
    bpy.ops.terrane.terrain_add(preset="dunes", resolution=17)
    mesh = bpy.context.active_object.data
    path = tmp_path / "dunes.glb"
    assert bpy.ops.export_scene.gltf(filepath=str(path), use_selection=True) == {"FINISHED"}
    own = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.attributes["position"].data.foreach_get("vector", own)
    x, y, z = own.reshape(-1, 3).T
    expected = np.stack([x, z, np.float32(0.0) - y], axis=-1)
    mesh.calc_loop_triangles()
    corners = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", corners)
    made = accessor(path, "POSITION") + np.float32(0.0)  # without a sign of zero
    found = triangles(made, accessor(path, "indices"))
    assert len(found) == 2 * 16 * 16 and found == triangles(expected, corners)
    assert np.ptp(made[:, 1]) == np.ptp(z) > 1.0
