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


def write_groups(
    context: bpy.types.Context, thing: bpy.types.Object, weights: Mapping[str, Weights]
) -> Steps[None]:
    """Take the steps that make vertex groups, or overwrite existing ones.

    If the steps are not completed, the groups are restored.

    Parameters
    ----------
    context : Context
        For reading the existing groups.
    thing : Object
        A mesh object, not in Edit Mode.
    weights : mapping of str to ndarray of shape (vertices,), float32
        From 0 to 1, by name of the group.

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
    find, before, is_done = _ObjectFinder(thing), {}, False
    try:
        for name, values in weights.items():
            before[name] = _weights_of(find(), name)
            yield None
            yield from _write_group(find, name, values)
        is_done = True
    finally:
        if not is_done:
            _restore(context, find, before)


class _ObjectFinder:
    """Finder of an object with vertex groups, called in each step."""

    def __init__(self, thing: bpy.types.Object) -> None:
        self._object, self._mode = Ref.of(thing), thing.mode
        self._count = len(meshes.mesh_of(thing).vertices)

    def __call__(self) -> bpy.types.Object:
        """Return the object; raise a TerraneError if its mode or number of vertices has changed."""
        thing = self._object.resolve()
        if thing.mode != self._mode or len(meshes.mesh_of(thing).vertices) != self._count:
            raise TerraneError("{} was changed meanwhile: do it once more", thing.name)
        return thing

    def in_any_mode(self) -> bpy.types.Object | None:
        """Return the object in any mode, None if it is gone or no longer a mesh."""
        thing = self._object.find()
        return thing if thing is not None and thing.type == "MESH" else None


def _weights_of(thing: bpy.types.Object, name: str) -> Weights | None:
    if name not in thing.vertex_groups:
        return None
    return vertex_groups.read_weights(meshes.mesh_of(thing), name)


def _write_group(find: _ObjectFinder, name: str, values: Weights) -> Steps[None]:
    groups = find().vertex_groups
    if name in groups:
        outside: npt.NDArray[np.int32] = yield as_work(_without_weight(values))
        for start in range(0, len(outside), MANY):
            _group(find, name).remove(outside[start : start + MANY].tolist())
            yield None
    else:
        groups.new(name=name)
    yield from write_weights(lambda: _group(find, name), values)


def _group(find: _ObjectFinder, name: str) -> bpy.types.VertexGroup:
    group = find().vertex_groups.get(name)
    if group is None:
        raise TerraneError("the vertex group {!r} was removed meanwhile: do it once more", name)
    return group


def write_weights(find: Callable[[], bpy.types.VertexGroup], weights: Weights) -> Steps[None]:
    """Take the steps of `vertex_groups.write_weights`, each for `MANY` vertices at most."""
    levels: Levels = yield as_work(lambda: vertex_groups.weight_levels(weights))
    yield from vertex_groups.add_levels(find, levels)


def _without_weight(values: Weights) -> Callable[[], npt.NDArray[np.int32]]:
    return lambda: np.flatnonzero(np.rint(values * LEVELS) <= 0.0).astype(np.int32)


def _restore(
    context: bpy.types.Context, find: _ObjectFinder, before: Mapping[str, Weights | None]
) -> None:
    """Restore groups in one step."""
    thing = find.in_any_mode()
    if thing is None:
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
