# SPDX-License-Identifier: GPL-3.0-or-later
"""Binary glTF: a mesh with its material, Y up.

References
----------
Khronos Group (2021). glTF 2.0 specification; KHR_texture_transform.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.atomic_files import Piece
from ..targets.bases.chunk_mesh import ChunkMesh, Indices, MeshFormat

_HEADER = struct.Struct("<4sII")
_CHUNK = struct.Struct("<I4s")

_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}
_KINDS = {"f4": 5126, "u4": 5125, "u2": 5123, "u1": 5121}
"""Types of numbers, by which the format knows them."""

_VERTICES, _INDICES = 34962, 34963
"""What a view of the buffer is for."""

_CLAMP, _LINEAR, _MIPMAPS = 33071, 9729, 9987

_EAST = np.array([1.0, 0.0, 0.0, 1.0], np.float32)
"""Tangent of level ground; the last number says that the other one runs north."""

_MOST_SHORT = 65535
"""Vertices whose indices have 16 bits: the highest number is kept free."""

_GROUND_ROUGHNESS = 0.9


class GltfFile(MeshFormat):
    """Binary glTF 2.0."""

    suffix = ".glb"

    def write(self, mesh: ChunkMesh) -> Iterator[Piece]:
        """See `MeshFormat.write`."""
        attributes = _attributes(mesh)
        kind = np.uint16 if len(mesh.positions) <= _MOST_SHORT else np.uint32
        arrays: list[tuple[npt.NDArray[Any], int]] = [
            (mesh.triangles.reshape(-1).astype(kind), _INDICES)
        ]
        arrays += [(array, _VERTICES) for array in attributes.values()]
        views: list[dict[str, Any]] = []
        accessors: list[dict[str, Any]] = []
        start = 0
        for array, use in arrays:
            views.append(
                {"buffer": 0, "byteOffset": start, "byteLength": array.nbytes, "target": use}
            )
            accessors.append(_accessor(array, len(accessors)))
            start += array.nbytes + -array.nbytes % 4
        positions = attributes["POSITION"]
        accessors[1] |= {
            "min": [axis.min().item() for axis in positions.T],
            "max": [axis.max().item() for axis in positions.T],
        }
        primitive = {
            "attributes": {name: at for at, name in enumerate(attributes, 1)},
            "indices": 0,
            "mode": 4,
        }
        x, y, z = mesh.place
        content: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "Terrane"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{"name": mesh.name, "mesh": 0, "translation": [x, z, -y or 0.0]}],
            "meshes": [{"name": mesh.name, "primitives": [primitive]}],
            "buffers": [{"byteLength": start}],
            "bufferViews": views,
            "accessors": accessors,
        }
        if mesh.normals is not None:
            primitive["material"] = 0
            content |= _material(mesh)
        text = json.dumps(content, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        total = _HEADER.size + 2 * _CHUNK.size + len(text) + start
        yield _HEADER.pack(b"glTF", 2, total)
        yield _CHUNK.pack(len(text), b"JSON") + text
        yield _CHUNK.pack(start, b"BIN\0")
        for array, _ in arrays:
            yield array.data.cast("B") if array.flags.c_contiguous else array.tobytes()
            yield b"\0" * (-array.nbytes % 4)

    def read(self, file: BinaryIO, place: Sequence[float]) -> tuple[Field, Indices]:
        """See `MeshFormat.read`."""
        magic, version, total = _HEADER.unpack(file.read(_HEADER.size))
        if (magic, version) != (b"glTF", 2):
            raise ValueError("it does not begin as binary glTF 2.0 does")
        size, kind = _CHUNK.unpack(file.read(_CHUNK.size))
        content = json.loads(file.read(size))
        length, binary = _CHUNK.unpack(file.read(_CHUNK.size))
        data = file.read(length)
        end = _HEADER.size + 2 * _CHUNK.size + size + length
        if (kind, binary) != (b"JSON", b"BIN\0") or len(data) != length or end != total:
            raise ValueError("its parts are not as long as they say")
        if file.read(1):
            raise ValueError("it goes on after its last part")
        x, y, z = place
        if content["nodes"][0]["translation"] != [x, z, -y]:
            raise ValueError("its node is at another place")
        primitive = content["meshes"][0]["primitives"][0]
        turned = _numbers(content, data, primitive["attributes"]["POSITION"])
        triangles = _numbers(content, data, primitive["indices"]).reshape(-1, 3)
        positions = np.empty_like(turned)
        positions[:, 0], positions[:, 2] = turned[:, 0], turned[:, 1]
        np.negative(turned[:, 2], out=positions[:, 1])
        return positions, triangles.astype(np.int32, copy=False)


def _attributes(mesh: ChunkMesh) -> dict[str, npt.NDArray[Any]]:
    """Return the numbers of the vertices by the format's names, with Y up and V down."""
    attributes: dict[str, npt.NDArray[Any]] = {"POSITION": _turned(mesh.positions)}
    if mesh.normals is not None:
        attributes["NORMAL"] = _turned(mesh.normals)
    if "normal" in mesh.textures:
        attributes["TANGENT"] = np.tile(_EAST, (len(mesh.positions), 1))
    for number, coordinates in enumerate(mesh.coordinates):
        down = coordinates.copy()
        np.subtract(np.float32(1.0), down[:, 1], out=down[:, 1])
        attributes[f"TEXCOORD_{number}"] = down
    for number, weights in enumerate(mesh.weights):
        attributes[f"COLOR_{number}"] = np.ascontiguousarray(weights)
    return attributes


def _turned(vectors: Field) -> Field:
    """Return vectors with Y up: east, up, south."""
    turned = np.empty_like(vectors)
    turned[:, 0], turned[:, 1] = vectors[:, 0], vectors[:, 2]
    np.negative(vectors[:, 1], out=turned[:, 2])
    return turned


def _accessor(array: npt.NDArray[Any], view: int) -> dict[str, Any]:
    width = 1 if array.ndim == 1 else array.shape[1]
    accessor = {
        "bufferView": view,
        "componentType": _KINDS[array.dtype.str[1:]],
        "count": len(array),
        "type": _TYPES[width],
    }
    return accessor | ({"normalized": True} if array.dtype == np.uint8 else {})


def _numbers(content: Mapping[str, Any], data: bytes, number: int) -> npt.NDArray[Any]:
    """Return the numbers of an accessor."""
    accessor = content["accessors"][number]
    view = content["bufferViews"][accessor["bufferView"]]
    kinds = {code: f"<{name}" for name, code in _KINDS.items()}
    widths = {name: width for width, name in _TYPES.items()}
    width = widths[accessor["type"]]
    numbers = np.frombuffer(
        data, kinds[accessor["componentType"]], accessor["count"] * width, view["byteOffset"]
    )
    return numbers.reshape(-1, width)


def _material(mesh: ChunkMesh) -> dict[str, Any]:
    """Return the material of a mesh with the images that it uses."""
    samples = np.array(mesh.samples, np.float64)
    # The first and the last sample are the middles of pixels, not the borders of the image.
    transform = {"offset": (0.5 / samples).tolist(), "scale": ((samples - 1.0) / samples).tolist()}
    extension = "KHR_texture_transform"
    is_physical = "base_color" in mesh.textures
    wanted = (
        ("base_color", "normal", "orm") if is_physical else ("color", "normal", "ambient_occlusion")
    )
    used = [name for name in wanted if name in mesh.textures]
    names = {name: number for number, name in enumerate(used)}

    def texture(name: str) -> dict[str, Any]:
        return {"index": names[name], "extensions": {extension: transform}}

    surface: dict[str, Any] = {"metallicFactor": 0.0, "roughnessFactor": _GROUND_ROUGHNESS}
    material: dict[str, Any] = {"name": "Ground", "pbrMetallicRoughness": surface}
    if used and used[0] == wanted[0]:
        surface["baseColorTexture"] = texture(wanted[0])
    if "normal" in names:
        material["normalTexture"] = texture("normal")
    if wanted[2] in names:
        material["occlusionTexture"] = texture(wanted[2])
    if "orm" in names:
        surface |= {"metallicRoughnessTexture": texture("orm"), "roughnessFactor": 1.0}
    images: Sequence[dict[str, str]] = [{"uri": mesh.textures[name]} for name in used]
    if not images:
        return {"materials": [material]}
    sampler = {"magFilter": _LINEAR, "minFilter": _MIPMAPS, "wrapS": _CLAMP, "wrapT": _CLAMP}
    return {
        "extensionsUsed": [extension],
        "materials": [material],
        "textures": [{"sampler": 0, "source": number} for number in range(len(images))],
        "images": images,
        "samplers": [sampler],
    }
