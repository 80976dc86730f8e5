# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion between vertex groups and arrays.

Blender gives access to weights only vertex by vertex, about a second for a million of them. Geometry
nodes read a group as an attribute, so a temporary modifier on a temporary object copies it into one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import bpy
import numpy as np
import numpy.typing as npt

from ..nodetree.node_graph import NodeGraph
from .evaluated_geometry import GEOMETRY, evaluate
from .meshes import mesh_of, read_attribute

Weights = npt.NDArray[np.float32]
"""One number per vertex, from 0 to 1; 0 where the vertex is not in the group."""

_COPY = "terrane_weights"

LEVELS = 1024
"""Number of levels that weights are rounded to: Blender sets one weight for many vertices at once."""

MANY = 1 << 14
"""Number of vertices that are written at once, at half a microsecond each."""

Levels = list[tuple[float, npt.NDArray[np.int32]]]
"""Weights, and the vertices that have them."""


@dataclass(frozen=True)
class StoredGroup:
    """Copy of a vertex group outside Blender."""

    name: str
    is_locked: bool
    is_active: bool
    weights: Weights

    @classmethod
    def of(cls, obj: bpy.types.Object, name: str) -> StoredGroup:
        """Return a copy of an object's vertex group."""
        group = obj.vertex_groups[name]
        is_active = group.index == obj.vertex_groups.active_index
        weights = read_weights(mesh_of(obj), name)
        return cls(name, group.lock_weight, is_active, weights)

    def restore_state(self, obj: bpy.types.Object) -> None:
        """Restore the lock and the active state of an object's group of this name."""
        group = obj.vertex_groups[self.name]
        group.lock_weight = self.is_locked
        if self.is_active:
            obj.vertex_groups.active_index = group.index


def read_weights(mesh: bpy.types.Mesh, name: str) -> Weights:
    """Return the weights of one of a mesh's vertex groups: shape (vertices,)."""
    graph = NodeGraph()
    geometry = graph.input(GEOMETRY, GEOMETRY)
    named = graph.node("GeometryNodeInputNamedAttribute", {"Name": name}, data_type="FLOAT")
    inputs = {GEOMETRY: geometry, "Name": _COPY, "Value": named}
    store = graph.node("GeometryNodeStoreNamedAttribute", inputs, data_type="FLOAT", domain="POINT")
    graph.output(GEOMETRY, store, kind=GEOMETRY)
    copy = mesh.copy()  # shares all arrays
    try:
        with evaluate(copy, graph) as reader:
            weights = read_attribute(mesh_of(reader), _COPY)
    finally:
        bpy.data.meshes.remove(copy)
    return np.zeros(len(mesh.vertices), np.float32) if weights is None else weights


def write_weights(group: bpy.types.VertexGroup, weights: Weights) -> None:
    """Set a vertex group's weights; vertices with weight 0 are not added to it."""
    for _ in add_levels(lambda: group, weight_levels(weights)):
        pass


def add_levels(find: Callable[[], bpy.types.VertexGroup], levels: Levels) -> Iterator[None]:
    """Add vertices to the group that `find` returns, at most `MANY` between two steps."""
    for weight, members in levels:
        for start in range(0, len(members), MANY):
            find().add(members[start : start + MANY].tolist(), weight, "REPLACE")
            yield None


def weight_levels(weights: Weights) -> Levels:
    """Return the vertices by weight, for all weights above 0; any thread may call this."""
    steps = np.rint(weights * LEVELS).astype(np.int16)  # NumPy sorts 16 bits by radix
    order = np.argsort(steps, kind="stable").astype(np.int32)
    levels, starts = np.unique(steps[order], return_index=True)
    members = np.split(order, starts[1:])
    return [(float(level) / LEVELS, many) for level, many in zip(levels, members) if level > 0]
