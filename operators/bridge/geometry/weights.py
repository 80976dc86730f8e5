# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertex groups as arrays, and back.

Blender shows weights vertex by vertex only, about a second for a million of them. Geometry nodes
see a group as an attribute, so a throw-away modifier on a throw-away object copies it into one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np
import numpy.typing as npt

from ..meshes import mesh_of
from ..work.parts import making
from ..work.steps import Steps, at_once
from .layers import read_attribute
from .throwaway import GEOMETRY, evaluated_object, geometry_graph

Weights = npt.NDArray[np.float32]
"""One number per vertex, from 0 to 1; 0 where the vertex is not in the group."""

_COPY = "terrane_weights"

LEVELS = 1024
"""Weights are rounded to so many: Blender takes one number for many vertices at once."""

MANY = 1 << 14
"""Vertices that are written at once: half a microsecond each."""

Levels = list[tuple[float, npt.NDArray[np.int32]]]
"""Weights, and the vertices that have them."""


@dataclass(frozen=True)
class StoredGroup:
    """One vertex group, outside Blender."""

    name: str
    is_locked: bool
    is_active: bool
    weights: Weights


def read_groups(
    context: bpy.types.Context, found: Callable[[], bpy.types.Object]
) -> Steps[tuple[StoredGroup, ...]]:
    """Take the steps to a copy of an object's vertex groups; `found` returns it, in each step anew."""
    groups = []
    for name in [group.name for group in found().vertex_groups]:
        thing = found()
        group = thing.vertex_groups[name]
        is_active = group.index == thing.vertex_groups.active_index
        weights = read_weights(context, mesh_of(thing), name)
        groups.append(StoredGroup(name, group.lock_weight, is_active, weights))
        yield None
    return tuple(groups)


def group_written(
    found: Callable[[], bpy.types.Object], stored: StoredGroup, weights: Weights | None
) -> Steps[None]:
    """Take the steps to give an object a vertex group again, with other weights or with none."""
    groups = found().vertex_groups
    if stored.name not in groups:
        groups.new(name=stored.name)
    if weights is not None:
        yield from weights_written(lambda: found().vertex_groups[stored.name], weights)
    thing = found()
    group = thing.vertex_groups[stored.name]
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
    at_once(weights_written(lambda: group, weights))


def weights_written(found: Callable[[], bpy.types.VertexGroup], weights: Weights) -> Steps[None]:
    """Take the steps of `write_weights`, each for `MANY` vertices at most."""
    levels: Levels = yield making(lambda: _levels(weights))
    for weight, members in levels:
        for start in range(0, len(members), MANY):
            found().add(members[start : start + MANY].tolist(), weight, "REPLACE")
            yield None


def _levels(weights: Weights) -> Levels:
    """Return which vertices have which weight, for all weights above 0."""
    steps = np.rint(weights * LEVELS).astype(np.int32)
    order = np.argsort(steps, kind="stable").astype(np.int32)
    levels, starts = np.unique(steps[order], return_index=True)
    members = np.split(order, starts[1:])
    return [(float(one) / LEVELS, many) for one, many in zip(levels, members) if one > 0]


@contextmanager
def _reader(
    context: bpy.types.Context, mesh: bpy.types.Mesh, name: str
) -> Iterator[bpy.types.Mesh]:
    """Evaluate a mesh with a copy of its vertex group as an attribute, and clean up."""
    graph = geometry_graph()
    stored = {"data_type": "FLOAT", "domain": "POINT"}
    named = graph.node("GeometryNodeInputNamedAttribute", {"Name": name}, data_type="FLOAT")[
        "Attribute"
    ]
    inputs = {GEOMETRY: graph.inputs[GEOMETRY], "Name": _COPY, "Value": named}
    store = graph.node("GeometryNodeStoreNamedAttribute", dict(inputs), **stored)
    graph.finish({GEOMETRY: store[GEOMETRY]})
    # A copy shares all there is, and whatever else uses the mesh is not evaluated with it.
    copy = mesh.copy()
    try:
        with evaluated_object(context, copy, graph) as reader:
            yield mesh_of(reader.evaluated_get(context.evaluated_depsgraph_get()))
    finally:
        bpy.data.meshes.remove(copy)
