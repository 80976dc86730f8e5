# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh's attributes as arrays, and back: what has to survive when its geometry is made anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

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


def read_layers(mesh: bpy.types.Mesh, skipped: Iterable[str]) -> StoredLayers:
    """Return a copy of a mesh's attributes, except its geometry and those in `skipped`."""
    left_out = {*_GEOMETRY, *skipped}
    layers, lost = [], []
    for attribute in mesh.attributes:
        if attribute.name in left_out or attribute.name.startswith(".") or attribute.is_internal:
            continue
        if attribute.domain == "EDGE" or attribute.data_type not in _FORMATS:
            lost.append(attribute.name)
            continue
        values = read(attribute)
        layers.append(StoredLayer(attribute.name, attribute.data_type, attribute.domain, values))
    render_uv = next((layer.name for layer in mesh.uv_layers if layer.active_render), None)
    active_uv = mesh.uv_layers.active.name if mesh.uv_layers.active else None
    color = mesh.attributes.active_color_name or ""
    return StoredLayers(tuple(layers), tuple(lost), active_uv, render_uv, color)


def write_layers(
    mesh: bpy.types.Mesh, stored: StoredLayers, old: Topology | None, new: Topology
) -> tuple[str, ...]:
    """Give a mesh with a new grid the attributes that its old one had.

    Parameters
    ----------
    mesh : Mesh
        With the new geometry.
    stored : StoredLayers
        What the old geometry had.
    old, new : Topology
        The grids; `old` is None if the old geometry was no grid.

    Returns
    -------
    tuple of str
        Names of the attributes that were lost.
    """
    lost = list(stored.lost)
    attributes: Any = mesh.attributes
    for layer in stored.layers:
        if old is None:
            lost.append(layer.name)
            continue
        if attributes.get(layer.name) is None and not add_attribute(
            mesh, layer.name, layer.data_type, layer.domain
        ):
            lost.append(layer.name)
            continue
        values = resampled(layer.values, layer.domain, old, new)
        name, dtype, _ = _FORMATS[layer.data_type]
        flat = np.ascontiguousarray(values, dtype).reshape(-1)
        attributes[layer.name].data.foreach_set(name, flat)
    _activate(mesh, stored)
    return tuple(lost)


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


def read(attribute: Any) -> Layer:
    """Return a copy of an attribute's values: shape (elements, numbers each)."""
    name, dtype, width = _FORMATS[attribute.data_type]
    values = np.empty(len(attribute.data) * width, dtype)
    attribute.data.foreach_get(name, values)
    return values.reshape(-1, width)


def _activate(mesh: bpy.types.Mesh, stored: StoredLayers) -> None:
    if stored.active_uv in mesh.uv_layers:
        mesh.uv_layers.active = mesh.uv_layers[stored.active_uv]
    if stored.render_uv in mesh.uv_layers:
        mesh.uv_layers[stored.render_uv].active_render = True
    if stored.active_color and stored.active_color in mesh.attributes:
        mesh.attributes.active_color_name = stored.active_color
