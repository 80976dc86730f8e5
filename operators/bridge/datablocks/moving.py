# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether datablocks may change from frame to frame: by keyframes, drivers and physics, their own or others'.

An object moves with its parents, the targets of its constraints and modifiers, the points of its curve, the nodes of its
modifiers, and all that these depend on. The answer may be that it moves where it stands still, never the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import bpy

from . import compat

_PHYSICS = frozenset(
    {"BUILD", "CLOTH", "DYNAMIC_PAINT", "EXPLODE", "FLUID", "MESH_CACHE", "MESH_SEQUENCE_CACHE"}
    | {"OCEAN", "PARTICLE_INSTANCE", "PARTICLE_SYSTEM", "SOFT_BODY", "WAVE"}
)
"""Modifiers whose result depends on the frame without any keyframe."""

_TIMES = frozenset({"GeometryNodeInputSceneTime", "GeometryNodeSimulationOutput"})
"""Nodes of the same kind."""


def may_move(sources: Iterable[bpy.types.ID], space: bpy.types.Object) -> bool:
    """Return whether datablocks may change from frame to frame in the space of an object."""
    waiting: list[Any] = list(sources)
    known: set[bpy.types.ID] = {space}
    while waiting:
        source = waiting.pop()
        if source not in known:
            known.add(source)
            if _has_keys(source) or _has_time(source):
                return True
            waiting.extend(_dependencies(source))
    return False


def _has_keys(source: Any) -> bool:
    """Return whether a datablock has keyframes, drivers or tracks of the NLA editor."""
    data = getattr(source, "animation_data", None)
    return data is not None and bool(data.action or data.drivers or data.nla_tracks)


def _has_time(source: Any) -> bool:
    """Return whether a datablock depends on the frame by physics, or by a node."""
    if isinstance(source, bpy.types.Object):
        has_body = source.rigid_body is not None or source.rigid_body_constraint is not None
        return has_body or any(modifier.type in _PHYSICS for modifier in source.modifiers)
    if isinstance(source, bpy.types.NodeTree):
        return any(node.bl_idname in _TIMES for node in source.nodes)
    return False


def _dependencies(source: Any) -> Iterator[bpy.types.ID]:
    """Yield the datablocks that a datablock depends on; too many rather than too few."""
    if isinstance(source, bpy.types.Object):
        yield from _object_dependencies(source)
    elif isinstance(source, bpy.types.Collection):
        yield from source.all_objects
    elif isinstance(source, bpy.types.NodeTree):
        for node in source.nodes:
            yield from _pointers(node)
            for socket in node.inputs:
                yield from _pointers(socket)
    elif getattr(source, "shape_keys", None) is not None:
        yield source.shape_keys


def carriers(obj: Any) -> Iterator[bpy.types.ID]:
    """Yield the datablocks on which the place of an object depends."""
    if obj.parent is not None:
        yield obj.parent
    bones = obj.pose.bones if obj.pose is not None else ()
    constraints = [each for owner in (obj, *bones) for each in owner.constraints]
    for constraint in constraints:
        yield from _pointers(constraint)
        for target in getattr(constraint, "targets", ()):
            yield from _pointers(target)


def _object_dependencies(obj: Any) -> Iterator[bpy.types.ID]:
    yield from carriers(obj)
    yield from filter(None, (obj.data, obj.instance_collection))
    for modifier in obj.modifiers:
        yield from _pointers(modifier)
        if modifier.type == "NODES":
            yield from compat.modifier_objects(modifier)


def _pointers(holder: Any) -> Iterator[bpy.types.ID]:
    """Yield the datablocks that a modifier, a constraint, a node or a socket points to."""
    for declared in holder.bl_rna.properties:
        if declared.type == "POINTER":
            value = getattr(holder, declared.identifier)
            if isinstance(value, bpy.types.ID):
                yield value
