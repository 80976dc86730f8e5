# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats of files with places of plants and stones: each with a writer, and a reader of its places.

References
----------
Khronos Group (2021). EXT_mesh_gpu_instancing; glTF 2.0 specification.
Pixar. Universal Scene Description: schema UsdGeomPointInstancer.
"""

from __future__ import annotations

import csv
import io
import json
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base import blocks
from .instances import AXES, MeshInstances, Numbers
from .looks.shader_graph import identifier
from .looks.usd_materials import HEAD
from .meshes import usd_chunks

_COLUMNS = ("mesh", "x", "y", "z", "qx", "qy", "qz", "qw", "sx", "sy", "sz")


def _write_csv(sets: Sequence[MeshInstances]) -> Iterator[bytes]:
    yield (",".join(_COLUMNS) + "\n").encode()
    for one in sets:
        blocks.checkpoint()
        name = '"' + one.name.replace('"', '""') + '"'
        rows = np.concatenate([one.positions, one.rotations, one.scales], axis=1)
        line = name.replace("%", "%%") + ",%.10g" * 10 + "\n"
        yield (line * len(rows) % tuple(rows.ravel().tolist())).encode()


def _read_csv(data: bytes) -> dict[str, Numbers]:
    found: dict[str, list[list[float]]] = {}
    rows = csv.reader(io.StringIO(data.decode(), newline=""))
    next(rows)
    for name, *numbers in rows:
        found.setdefault(name, []).append([float(number) for number in numbers[:3]])
    return {name: np.array(places) for name, places in found.items()}


def _write_json(sets: Sequence[MeshInstances]) -> Iterator[bytes]:
    meshes = [
        {
            "mesh": one.name,
            "positions": one.positions.tolist(),
            "rotations": np.round(one.rotations, 9).tolist(),
            "scales": np.round(one.scales, 9).tolist(),
        }
        for one in sets
    ]
    yield json.dumps({"places": 1, "axes": AXES, "meshes": meshes}).encode()


def _read_json(data: bytes) -> dict[str, Numbers]:
    meshes = json.loads(data)["meshes"]
    return {one["mesh"]: np.array(one["positions"]).reshape(-1, 3) for one in meshes}


def _write_glb(sets: Sequence[MeshInstances]) -> Iterator[bytes]:
    """Yield binary glTF: a node for each mesh, moved to the middle of its places, so that float32 suffices."""
    binary: list[bytes] = []
    views: list[dict[str, int]] = []
    accessors: list[dict[str, Any]] = []
    content: dict[str, Any] = {"nodes": [], "meshes": []}

    def add(array: npt.NDArray[Any], kind: int, shape: str, **more: object) -> int:
        start = sum(map(len, binary))
        plain = array.tobytes()
        binary.append(plain + b"\0" * (-len(plain) % 4))
        views.append({"buffer": 0, "byteOffset": start, "byteLength": len(plain)})
        count = array.size if shape == "SCALAR" else len(array)
        number = len(accessors)
        accessors.append({"bufferView": number, "componentType": kind, "count": count, "type": shape, **more})  # fmt: skip
        return number

    for one in sets:
        blocks.checkpoint()
        if not len(one.positions):
            continue
        points = _turned(one.points).astype("<f4")
        ends = {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
        middle = np.rint(one.positions.mean(axis=0))
        attributes = {
            "TRANSLATION": add(_turned(one.positions - middle).astype("<f4"), 5126, "VEC3"),
            "ROTATION": add(_turned(one.rotations).astype("<f4"), 5126, "VEC4"),
            "SCALE": add(np.abs(_turned(one.scales)).astype("<f4") * _signs(one), 5126, "VEC3"),
        }
        primitive = {
            "attributes": {"POSITION": add(points, 5126, "VEC3", **ends)},
            "indices": add(one.triangles.astype("<u4"), 5125, "SCALAR"),
        }
        content["meshes"].append({"name": one.name, "primitives": [primitive]})
        content["nodes"].append(
            {
                "name": one.name,
                "mesh": len(content["meshes"]) - 1,
                "translation": _turned(middle[np.newaxis])[0].tolist(),
                "extensions": {_INSTANCING: {"attributes": attributes}},
            }
        )
    size = sum(map(len, binary))
    content |= {
        "asset": {"version": "2.0", "generator": "Terrane"},
        "extensionsUsed": [_INSTANCING],
        "extensionsRequired": [_INSTANCING],
        "scene": 0,
        "scenes": [{"nodes": list(range(len(content["nodes"])))}],
        "buffers": [{"byteLength": size}],
        "bufferViews": views,
        "accessors": accessors,
    }
    text = json.dumps(content, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    yield struct.pack("<4sIII4s", b"glTF", 2, 28 + len(text) + size, len(text), b"JSON") + text
    yield struct.pack("<I4s", size, b"BIN\0")
    yield from binary


_INSTANCING = "EXT_mesh_gpu_instancing"


def _signs(one: MeshInstances) -> npt.NDArray[np.float32]:
    """Return the signs of scales with Y up."""
    signs = np.where(one.scales < 0.0, -1.0, 1.0).astype(np.float32)
    return signs[:, [0, 2, 1]]


def _turned(vectors: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return vectors, or the first three numbers of quaternions, with Y up."""
    turned = vectors[:, [0, 2, 1, *range(3, vectors.shape[1])]].copy()
    np.negative(turned[:, 2], out=turned[:, 2])
    return turned


def _read_glb(data: bytes) -> dict[str, Numbers]:
    (length,) = struct.unpack_from("<I", data, 12)
    content, start = json.loads(data[20 : 20 + length]), 28 + length
    found = {}
    for node in content["nodes"]:
        number = node["extensions"][_INSTANCING]["attributes"]["TRANSLATION"]
        accessor = content["accessors"][number]
        at = start + content["bufferViews"][accessor["bufferView"]]["byteOffset"]
        moved = np.frombuffer(data, "<f4", 3 * accessor["count"], at).reshape(-1, 3)
        x, up, south = (moved + np.array(node["translation"], np.float64)).T
        found[node["name"]] = np.stack((x, -south, up), axis=-1)
    return found


def _write_usd(sets: Sequence[MeshInstances]) -> Iterator[bytes]:
    """Yield USD as text: a PointInstancer, moved to the middle of its places."""
    kept = [one for one in sets if len(one.positions)]
    positions, rotations, scales = (
        np.concatenate([getattr(one, name) for one in kept])
        for name in ("positions", "rotations", "scales")
    )
    middle = np.rint(positions.mean(axis=0))
    numbers = np.repeat(np.arange(len(kept), dtype=np.int32), [len(one.positions) for one in kept])
    names = _prim_names(kept)
    yield HEAD.format(name="Plants").encode()
    moved = ", ".join(f"{number:.17g}" for number in middle)
    paths = ", ".join(f"</Plants/Meshes/{name}>" for name in names)
    yield (
        'def PointInstancer "Plants"\n{\n'
        f"    double3 xformOp:translate = ({moved})\n"
        '    uniform token[] xformOpOrder = ["xformOp:translate"]\n'
        f"    rel prototypes = [{paths}]\n"
    ).encode()
    turned = rotations[:, [3, 0, 1, 2]]
    turns = "({0}, {0}, {0}, {0})"
    for head, form, rows in (
        ("int[] protoIndices", "%d", numbers.reshape(-1, 1)),
        ("point3f[] positions", "(%.9g, %.9g, %.9g)", positions - middle),
        ("quath[] orientations", turns.format("%.4g"), turned),  # for readers before 23.11
        ("quatf[] orientationsf", turns.format("%.9g"), turned),
        ("float3[] scales", "(%.9g, %.9g, %.9g)", scales),
    ):
        yield from usd_chunks.text_list(head, form, rows)
    yield b'    def Scope "Meshes"\n    {\n'
    for name, one in zip(names, kept):
        yield f'    def Mesh "{name}"\n    {{\n    string mesh = {json.dumps(one.name)}\n'.encode()
        yield b'    uniform token subdivisionScheme = "none"\n'
        counts = np.full((len(one.triangles), 1), 3, np.int32)
        yield from usd_chunks.text_list("int[] faceVertexCounts", "%d", counts)
        corners = one.triangles.reshape(-1, 1)
        yield from usd_chunks.text_list("int[] faceVertexIndices", "%d", corners)
        yield from usd_chunks.text_list("point3f[] points", "(%.9g, %.9g, %.9g)", one.points)
        yield b"    }\n"
    yield b"    }\n}\n"


def _prim_names(sets: Sequence[MeshInstances]) -> list[str]:
    """Return names of prims, all different."""
    names = [identifier(one.name) for one in sets]
    return [
        f"{name}_{number}" if names.count(name) > 1 else name for number, name in enumerate(names)
    ]


def _read_usd(data: bytes) -> dict[str, Numbers]:
    file = io.BytesIO(data)
    lists: dict[bytes, Numbers] = {}
    names: list[str] = []
    middle = np.zeros(3, np.float64)
    for line in file:
        head, _, rest = line.strip().partition(b" = ")
        kind, _, name = head.partition(b" ")
        if name == b"xformOp:translate":
            middle = np.array(rest.strip(b"()").split(b", "), "S").astype(np.float64)
        elif rest == b"[" and name in (b"protoIndices", b"positions"):
            lists[name] = usd_chunks.read_list(file)
        elif (kind, name) == (b"string", b"mesh"):
            names.append(json.loads(rest))
    numbers = lists[b"protoIndices"].astype(np.int64)
    # As readers have them: float32 from the middle.
    places = lists[b"positions"].astype(np.float32).reshape(-1, 3) + middle
    return {name: places[numbers == at] for at, name in enumerate(names)}


Writer = Callable[[Sequence[MeshInstances]], Iterator[bytes]]
Reader = Callable[[bytes], Mapping[str, Numbers]]

FORMATS: Mapping[str, tuple[Writer, Reader]] = {
    ".csv": (_write_csv, _read_csv),
    ".json": (_write_json, _read_json),
    ".glb": (_write_glb, _read_glb),
    ".usda": (_write_usd, _read_usd),
}
