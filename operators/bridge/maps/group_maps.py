# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertex groups of maps, written step by step: Blender takes half a microsecond for each vertex."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.errors import ParameterError, TerraneError
from .. import meshes
from ..geometry import editing
from ..geometry.subjects import Thing
from ..geometry.weights import LEVELS, MANY, Weights, read_weights, weights_written, write_weights
from ..work.parts import making
from ..work.steps import Steps


def groups_written(
    context: bpy.types.Context, thing: bpy.types.Object, weights: Mapping[str, Weights]
) -> Steps[None]:
    """Take the steps that make vertex groups, or write those of their names anew.

    If they are not taken to the end, the groups are again what they were.

    Parameters
    ----------
    context : Context
        For reading what they were.
    thing : Object
        A mesh object, not in Edit Mode.
    weights : mapping of str to ndarray of shape (vertices,), float32
        From 0 to 1, by the groups' names.

    Raises
    ------
    ParameterError
        If a group is locked; nothing has changed then.
    TerraneError
        If the object is removed or changed meanwhile.
    """
    for name in weights:
        if name in thing.vertex_groups and thing.vertex_groups[name].lock_weight:
            raise ParameterError("{}: the vertex group {!r} is locked", thing.name, name)
    found, before, is_done = _Found(thing), {}, False
    try:
        for name, values in weights.items():
            before[name] = _weights_of(context, found(), name)
            yield None
            yield from _group_written(found, name, values)
        is_done = True
    finally:
        if not is_done:
            _bring_back(context, found, before)


class _Found:
    """The object of some groups, found anew in each step."""

    def __init__(self, thing: bpy.types.Object) -> None:
        self._thing, self._mode = Thing.of(thing), thing.mode
        self._count = len(meshes.mesh_of(thing).vertices)

    def __call__(self) -> bpy.types.Object:
        """Return it, as it was in mode and number of vertices; else raise a TerraneError."""
        thing = self._thing.found()
        if thing.mode != self._mode or len(meshes.mesh_of(thing).vertices) != self._count:
            raise TerraneError("{} was changed meanwhile: do it once more", thing.name)
        return thing

    def anyhow(self) -> bpy.types.Object | None:
        """Return the object in whatever mode, None if the groups are not to be had any more."""
        try:
            thing = self._thing.found()
        except TerraneError:
            return None
        return thing if thing.type == "MESH" else None


def _weights_of(context: bpy.types.Context, thing: bpy.types.Object, name: str) -> Weights | None:
    if name not in thing.vertex_groups:
        return None
    return read_weights(context, meshes.mesh_of(thing), name)


def _group_written(found: _Found, name: str, values: Weights) -> Steps[None]:
    groups = found().vertex_groups
    if name in groups:
        outside: npt.NDArray[np.int32] = yield making(_without_weight(values))
        for start in range(0, len(outside), MANY):
            _group(found, name).remove(outside[start : start + MANY].tolist())
            yield None
    else:
        groups.new(name=name)
    yield from weights_written(lambda: _group(found, name), values)


def _group(found: _Found, name: str) -> bpy.types.VertexGroup:
    group = found().vertex_groups.get(name)
    if group is None:
        raise TerraneError("the vertex group {!r} was removed meanwhile: do it once more", name)
    return group


def _without_weight(values: Weights) -> Callable[[], npt.NDArray[np.int32]]:
    return lambda: np.flatnonzero(np.rint(values * LEVELS) <= 0.0).astype(np.int32)


def _bring_back(
    context: bpy.types.Context, found: _Found, before: Mapping[str, Weights | None]
) -> None:
    """Let groups be what they were, at once."""
    thing = found.anyhow()
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
                write_weights(group, values)
