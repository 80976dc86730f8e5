# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh's attributes as arrays, and back: what has to survive when its geometry is made anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from .. import compat
from ..work import memory
from ..work.parts import Found, Part
from ..work.steps import Steps
from .resampling import Layer, resampled
from .topology import Topology

_FORMATS: Mapping[str, tuple[str, type, int]] = {
    "FLOAT": ("value", np.float32, 1),
    "INT": ("value", np.int32, 1),
    "INT8": ("value", np.int8, 1),
    "BOOLEAN": ("value", np.bool_, 1),
    "FLOAT2": ("vector", np.float32, 2),
    "FLOAT_VECTOR": ("vector", np.float32, 3),
    "FLOAT_COLOR": ("color", np.float32, 4),
    "BYTE_COLOR": ("color", np.float32, 4),
    "QUATERNION": ("value", np.float32, 4),
}
"""By data type: the property that holds it, its array type, and how many numbers it has."""

_GEOMETRY = ("position", ".edge_verts", ".corner_vert", ".corner_edge")


@dataclass(frozen=True)
class StoredLayer:
    """One attribute, outside Blender."""

    name: str
    data_type: str
    domain: str
    values: Layer


@dataclass(frozen=True)
class StoredLayers:
    """All attributes that can be carried over, and which are the active ones."""

    layers: tuple[StoredLayer, ...]
    lost: tuple[str, ...]
    """Names of the attributes that cannot be carried over."""
    active_uv: str | None
    render_uv: str | None
    active_color: str


def read_layers(found: Found, skipped: Iterable[str]) -> Steps[StoredLayers]:
    """Take the steps to a copy of a mesh's attributes, except its geometry and those in `skipped`.

    Parameters
    ----------
    found : callable
        Returns the mesh, not in Edit Mode; see `parts.Found`.
    skipped : iterable of str
        Names.
    """
    sizes, lost = _carried(found(), skipped)
    is_large = sum(sizes.values()) >= memory.WORTH
    blocks = (yield memory.touching(tuple(sizes.values()))) if is_large else ()
    layers = []
    for place, name in enumerate(sizes):
        yield from memory.warmed((sizes[name],))
        ask_for(found().attributes[name])
        yield None
        attribute: Any = found().attributes[name]
        with memory.ready(blocks[place : place + 1]):
            values = read(attribute)
        layers.append(StoredLayer(name, attribute.data_type, attribute.domain, values))
        yield None
    # Only now: to look at UV maps makes some versions copy all of them, if they are still shared.
    mesh = found()
    render_uv = next((layer.name for layer in mesh.uv_layers if layer.active_render), None)
    active_uv = mesh.uv_layers.active.name if mesh.uv_layers.active else None
    color = mesh.attributes.active_color_name or ""
    return StoredLayers(tuple(layers), lost, active_uv, render_uv, color)


def _carried(
    mesh: bpy.types.Mesh, skipped: Iterable[str]
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return the attributes that can be carried over with their sizes, and the names of the others.

    None is looked up by its name: that makes Blender 4.5 copy it.
    """
    left_out = {*_GEOMETRY, *skipped}
    sizes: dict[str, int] = {}
    lost = []
    for attribute in mesh.attributes:
        if attribute.name in left_out or compat.is_hidden(attribute):
            continue
        if attribute.data_type in _FORMATS:
            sizes[attribute.name] = _size_of(mesh, attribute)
        else:
            lost.append(attribute.name)
    return sizes, tuple(lost)


def layer_part(layer: StoredLayer, old: Topology, new: Topology) -> Part:
    """Return an attribute that one grid had as a part of a mesh that is another one."""
    name, dtype, width = _FORMATS[layer.data_type]
    counts = {"POINT": new.vertices, "EDGE": new.edges, "FACE": new.faces, "CORNER": 4 * new.faces}
    size = counts[layer.domain] * width * np.dtype(dtype).itemsize

    def make() -> Layer:
        values = resampled(layer.values, layer.domain, old, new)
        return np.ascontiguousarray(values, dtype).reshape(-1)

    def add(mesh: bpy.types.Mesh) -> bool:
        return has_attribute(mesh, layer.name, layer.data_type, layer.domain)

    def write(mesh: bpy.types.Mesh, values: Layer) -> None:
        attributes: Any = mesh.attributes
        attributes[layer.name].data.foreach_set(name, values)

    return Part(make, write, add, size)


def read_attribute(mesh: bpy.types.Mesh, name: str) -> npt.NDArray[np.float32] | None:
    """Return a float attribute of the vertices, None if there is none of that name."""
    attribute = mesh.attributes.get(name)
    if attribute is None or attribute.domain != "POINT" or attribute.data_type != "FLOAT":
        return None
    return read(attribute)[:, 0]


def add_attribute(mesh: bpy.types.Mesh, name: str, data_type: str, domain: str) -> bool:
    """Make an attribute of exactly this name; return whether Blender lets us.

    It does not while a vertex group has the name, nor if it is too long.
    """
    attributes: Any = mesh.attributes
    made = attributes.new(name, data_type, domain)
    if made is not None and made.name != name:
        attributes.remove(made)
        return False
    return made is not None


def has_attribute(mesh: bpy.types.Mesh, name: str, data_type: str, domain: str) -> bool:
    """Return whether a mesh has an attribute of just this kind, which is made if none has its name."""
    present = mesh.attributes.get(name)
    if present is None:
        return add_attribute(mesh, name, data_type, domain)
    return (present.data_type, present.domain) == (data_type, domain)


def _size_of(mesh: bpy.types.Mesh, attribute: Any) -> int:
    """Return how many bytes `read` copies; to ask the attribute for its length makes Blender copy it."""
    _, dtype, width = _FORMATS[attribute.data_type]
    counts: Mapping[str, Any] = {
        "POINT": mesh.vertices,
        "EDGE": mesh.edges,
        "FACE": mesh.polygons,
        "CORNER": mesh.loops,
    }
    return len(counts[attribute.domain]) * width * np.dtype(dtype).itemsize


def ask_for(attribute: Any) -> None:
    """Read one value of an attribute: it is no longer shared then; see `mesh_reading`."""
    if len(attribute.data):
        getattr(attribute.data[0], _FORMATS[attribute.data_type][0])


def read(attribute: Any) -> Layer:
    """Return a copy of an attribute's values: shape (elements, numbers each)."""
    name, dtype, width = _FORMATS[attribute.data_type]
    values = memory.empty(len(attribute.data) * width, dtype)
    attribute.data.foreach_get(name, values)
    return values.reshape(-1, width)


def activate(mesh: bpy.types.Mesh, stored: StoredLayers) -> None:
    """Make those attributes the active ones again that were."""
    if stored.active_uv and stored.active_uv in mesh.uv_layers:
        mesh.uv_layers.active = mesh.uv_layers[stored.active_uv]
    if stored.render_uv and stored.render_uv in mesh.uv_layers:
        mesh.uv_layers[stored.render_uv].active_render = True
    if stored.active_color and stored.active_color in mesh.attributes:
        mesh.attributes.active_color_name = stored.active_color
