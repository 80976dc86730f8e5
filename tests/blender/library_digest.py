# SPDX-License-Identifier: GPL-3.0-or-later
"""Digests of datablocks, to find out whether anything writes into them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import bpy
import numpy as np

_SKIPPED = frozenset(
    ("use_nodes", "rna_type", "original", "users", "is_evaluated", "session_uid", "id_data", "preview", "library_weak_reference",
     "tag", "is_updated", "is_updated_data", "is_library_indirect", "bound_box", "asset_data", "texspace_location", "texspace_size", "is_runtime_data", "animation_visualization", "dimensions")
)  # fmt: skip
_ARRAYS = frozenset(("vertices", "edges", "loops", "polygons", "loop_triangles", "loop_triangle_polygons", "corner_normals",
    "vertex_normals", "polygon_normals", "pixels", "packed_files", "uv_layers", "color_attributes", "vertex_colors"))  # fmt: skip
_DEEPEST = 5


def linked_data() -> Iterator[Any]:
    for name in sorted(dir(bpy.data)):
        found = getattr(bpy.data, name)
        if isinstance(found, bpy.types.bpy_prop_collection) and name != "libraries":
            yield from (each for each in found if each.library is not None)


def digests(data: Iterable[Any] | None = None) -> dict[tuple[str, str], str]:
    """Return a text of all that each of some datablocks holds, the linked ones if not told."""
    data = linked_data() if data is None else data
    return {(type(each).__name__, each.name): _text(each) for each in data}


def _text(owner: Any) -> str:
    lines: list[str] = []
    _collect(owner, "", lines, 0)
    if isinstance(owner, bpy.types.Mesh):
        lines += _layers(owner)
    if isinstance(owner, bpy.types.Image) and owner.has_data:
        pixels = np.empty(len(owner.pixels), np.float32)
        owner.pixels.foreach_get(pixels)
        lines.append(f"pixels {zlib.crc32(pixels.tobytes())}")
    return "\n".join(lines)


def _layers(mesh: bpy.types.Mesh) -> Iterator[str]:
    positions = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", positions)
    yield f"positions {zlib.crc32(positions.tobytes())}"
    names = {"FLOAT": "value", "INT": "value", "BOOLEAN": "value", "FLOAT_COLOR": "color", "BYTE_COLOR": "color", "FLOAT_VECTOR": "vector", "FLOAT2": "vector"}  # fmt: skip
    for layer in mesh.attributes:
        if not layer.name.startswith("."):
            values = [getattr(item, names[layer.data_type]) for item in layer.data] if layer.data_type in names else []  # fmt: skip
            flat = np.ravel([tuple(v) if hasattr(v, "__len__") else v for v in values])
            yield f"{layer.name} {layer.data_type} {zlib.crc32(np.ascontiguousarray(flat).tobytes())}"


def _collect(owner: Any, path: str, lines: list[str], depth: int) -> None:
    if depth > _DEEPEST:
        return
    if isinstance(owner, bpy.types.ID):
        lines += _custom(owner, path)
    for declared in owner.bl_rna.properties:
        name = declared.identifier
        is_deprecated = getattr(declared, "is_deprecated", False)  # since 5.0; to read one warns
        if is_deprecated or name in _SKIPPED or (depth == 0 and name in _ARRAYS):
            continue
        value = getattr(owner, name, None)
        where = f"{path}.{name}"
        if declared.type == "COLLECTION":
            lines.append(f"{where} {len(value)}")
            if name not in ("attributes", "points", "data", "all_objects", "objects", "children"):
                for number, item in enumerate(value):
                    _follow(item, f"{where}[{number}]", lines, depth)
        elif declared.type == "POINTER":
            _follow(value, where, lines, depth)
        else:
            is_array = getattr(declared, "is_array", False)
            lines.append(f"{where} {tuple(np.ravel(value)) if is_array else value}")


def _custom(owner: Any, path: str) -> Iterator[str]:
    """Yield custom properties and stored settings, which are many times fewer than declared ones."""
    holders = [owner]
    if hasattr(owner, "bl_system_properties_get"):  # since 5.0
        holders.append(owner.bl_system_properties_get())
    for holder in holders:
        for key in () if holder is None else holder.keys():
            value = holder[key]
            value = value.to_dict() if hasattr(value, "to_dict") else value
            value = value.name if isinstance(value, bpy.types.ID) else value
            if value != {}:  # up to 4.5 to look at settings makes them
                yield f"{path}[{key}] {value}"


def _follow(item: Any, where: str, lines: list[str], depth: int) -> None:
    is_embedded = isinstance(item, bpy.types.NodeTree) and item.is_embedded_data
    if item is None or (isinstance(item, bpy.types.ID) and not is_embedded):
        lines.append(f"{where} {item and item.name}")
    elif depth < _DEEPEST and not isinstance(item, bpy.types.PropertyGroup):
        _collect(item, where, lines, depth + 1)
