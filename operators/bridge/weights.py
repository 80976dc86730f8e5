# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertex groups as arrays, and back.

Blender shows weights vertex by vertex only, about a second for a million of them. Geometry nodes
see a group as an attribute, so a throw-away modifier on a throw-away object copies it into one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from .layers import read_attribute
from .meshes import mesh_of

Weights = npt.NDArray[np.float32]
"""One number per vertex, from 0 to 1; 0 where the vertex is not in the group."""

_COPY = "terrane_weights"

LEVELS = 1024
"""Weights are written in so many steps: Blender takes one number for many vertices at once."""


@dataclass(frozen=True)
class StoredGroup:
    """One vertex group, outside Blender."""

    name: str
    is_locked: bool
    is_active: bool
    weights: Weights


def read_groups(context: bpy.types.Context, thing: bpy.types.Object) -> tuple[StoredGroup, ...]:
    """Return a copy of an object's vertex groups."""
    return tuple(
        StoredGroup(
            group.name,
            group.lock_weight,
            group.index == thing.vertex_groups.active_index,
            read_weights(context, mesh_of(thing), group.name),
        )
        for group in thing.vertex_groups
    )


def write_group(thing: bpy.types.Object, stored: StoredGroup, weights: Weights | None) -> None:
    """Give an object a vertex group again, with other weights or with none."""
    group = thing.vertex_groups.get(stored.name) or thing.vertex_groups.new(name=stored.name)
    if weights is not None:
        write_weights(group, weights)
    group.lock_weight = stored.is_locked
    if stored.is_active:
        thing.vertex_groups.active_index = group.index


def read_weights(context: bpy.types.Context, mesh: bpy.types.Mesh, name: str) -> Weights:
    """Return the weights of one of a mesh's vertex groups: shape (vertices,)."""
    with _reader(context, mesh, name) as evaluated:
        weights = read_attribute(evaluated, _COPY)
    if weights is None:
        return np.zeros(len(mesh.vertices), np.float32)
    return weights


def write_weights(group: bpy.types.VertexGroup, weights: Weights) -> None:
    """Set a vertex group's weights; vertices with weight 0 do not come into it."""
    steps = np.rint(weights * LEVELS).astype(np.int32)
    order = np.argsort(steps, kind="stable").astype(np.int32)
    sorted_steps = steps[order]
    levels, starts = np.unique(sorted_steps, return_index=True)
    for level, members in zip(levels, np.split(order, starts[1:])):
        if level > 0:
            group.add(members.tolist(), float(level) / LEVELS, "REPLACE")


@contextmanager
def _reader(
    context: bpy.types.Context, mesh: bpy.types.Mesh, name: str
) -> Iterator[bpy.types.Mesh]:
    """Evaluate a mesh with a copy of its vertex group as an attribute, and clean up."""
    tree = _copying_tree(name)
    reader = bpy.data.objects.new(_COPY, mesh)
    try:
        modifier: Any = reader.modifiers.new(_COPY, "NODES")
        modifier.node_group = tree
        context.scene.collection.objects.link(reader)
        yield mesh_of(reader.evaluated_get(context.evaluated_depsgraph_get()))
    finally:
        bpy.data.objects.remove(reader)
        bpy.data.node_groups.remove(tree)


def _copying_tree(name: str) -> Any:
    groups: Any = bpy.data.node_groups
    tree = groups.new(_COPY, "GeometryNodeTree")
    for in_out in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=in_out, socket_type="NodeSocketGeometry")
    entry, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    named = tree.nodes.new("GeometryNodeInputNamedAttribute")
    named.data_type = "FLOAT"
    named.inputs["Name"].default_value = name
    store = tree.nodes.new("GeometryNodeStoreNamedAttribute")
    store.data_type, store.domain = "FLOAT", "POINT"
    store.inputs["Name"].default_value = _COPY
    value = next(one for one in store.inputs if one.name == "Value" and one.enabled)
    tree.links.new(named.outputs["Attribute"], value)
    tree.links.new(entry.outputs[0], store.inputs["Geometry"])
    tree.links.new(store.outputs["Geometry"], end.inputs[0])
    return tree
