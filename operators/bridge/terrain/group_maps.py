# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertex groups of maps, written in steps because Blender needs half a microsecond per vertex."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.errors import ParameterError, TerraneError
from ..datablocks import editing, meshes, vertex_groups
from ..datablocks.ref import Ref
from ..datablocks.vertex_groups import LEVELS, MANY, Levels, Weights
from ..tasks.jobs import as_work
from ..tasks.steps import Steps

FindObject = Callable[[], bpy.types.Object]
"""Function that finds the object being read or written, called in each step."""


def write_groups(
    context: bpy.types.Context, thing: bpy.types.Object, weights: Mapping[str, Weights]
) -> Steps[None]:
    """Take the steps that make vertex groups of an object not in Edit Mode, or overwrite existing ones.

    If the steps are not completed, the groups are restored.

    Raises
    ------
    ParameterError
        If a group is locked; nothing is changed.
    TerraneError
        If the object is removed or changed between two steps.
    """
    for name in weights:
        if name in thing.vertex_groups and thing.vertex_groups[name].lock_weight:
            raise ParameterError("{}: the vertex group {!r} is locked", thing.name, name)
    ref, mode, count = Ref.of(thing), thing.mode, len(meshes.mesh_of(thing).vertices)

    def find() -> bpy.types.Object:
        found = ref.resolve()
        if found.mode != mode or len(meshes.mesh_of(found).vertices) != count:
            raise TerraneError("{} was changed meanwhile: do it once more", found.name)
        return found

    before: dict[str, Weights | None] = {}
    is_done = False
    try:
        for name, values in weights.items():
            is_there, mesh = name in find().vertex_groups, meshes.mesh_of(find())
            before[name] = vertex_groups.read_weights(context, mesh, name) if is_there else None
            yield None
            yield from _write_group(find, name, values)
        is_done = True
    finally:
        if not is_done:
            _restore(context, ref, before)


def _write_group(find: FindObject, name: str, values: Weights) -> Steps[None]:
    groups = find().vertex_groups
    if name in groups:
        outside: npt.NDArray[np.int32] = yield as_work(
            lambda: np.flatnonzero(np.rint(values * LEVELS) <= 0.0).astype(np.int32)
        )
        for start in range(0, len(outside), MANY):
            _group(find, name).remove(outside[start : start + MANY].tolist())
            yield None
    else:
        groups.new(name=name)
    yield from write_weights(lambda: _group(find, name), values)


def _group(find: FindObject, name: str) -> bpy.types.VertexGroup:
    group = find().vertex_groups.get(name)
    if group is None:
        raise TerraneError("the vertex group {!r} was removed meanwhile: do it once more", name)
    return group


def write_weights(find: Callable[[], bpy.types.VertexGroup], weights: Weights) -> Steps[None]:
    """Take the steps of `vertex_groups.write_weights`, each for `MANY` vertices at most."""
    levels: Levels = yield as_work(lambda: vertex_groups.weight_levels(weights))
    yield from vertex_groups.add_levels(find, levels)


def _restore(
    context: bpy.types.Context,
    ref: Ref[bpy.types.Object],
    before: Mapping[str, Weights | None],
) -> None:
    """Restore groups in one step, in any mode, unless the object is gone or no longer a mesh."""
    thing = ref.find()
    if thing is None or thing.type != "MESH":
        return
    with editing.object_mode(context, thing):
        for name, values in before.items():
            group = thing.vertex_groups.get(name)
            if group is None:
                continue
            if values is None:
                thing.vertex_groups.remove(group)
            elif len(values) == len(meshes.mesh_of(thing).vertices):
                group.remove(range(len(values)))
                vertex_groups.write_weights(group, values)
