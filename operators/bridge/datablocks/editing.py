# SPDX-License-Identifier: GPL-3.0-or-later
"""Preconditions for changing a mesh, and a guard that detects changes during a task.

While Blender waits for a task, as for scripts, instead of handling events between its steps, nothing
else can change.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.errors import Message, TerraneError
from . import meshes, scene_sources
from .linked import require_writable, why_not_write
from .meshes import Positions, mesh_of
from .ref import Ref
from .switch import Switch

_SUMMED = 512
"""Number of coordinates whose bits are summed as integers; a change alters the sum."""


synchronous = Switch()
"""Whether Blender waits for all tasks."""


def why_not_object(obj: bpy.types.Object) -> str:
    """Return why an object's mode is against changing its mesh now, "" if it is not."""
    if obj.mode not in ("OBJECT", "EDIT"):
        return Message("Switch to Object Mode or Edit Mode first")
    return ""


def why_not_mode(obj: bpy.types.Object) -> str:
    """Return why Blender cannot change an object's mode, "" if it can."""
    if obj.hide_viewport:
        return Message("This object is disabled in viewports: enable it there first")
    return ""


@contextmanager
def object_mode(context: bpy.types.Context, obj: bpy.types.Object) -> Iterator[None]:
    """Leave Edit Mode within the block, and return to it afterwards.

    In Edit Mode a mesh's attributes are empty, and written values are lost.
    """
    if obj.mode != "EDIT":
        yield
        return
    with active_override(context, obj):
        bpy.ops.object.mode_set(mode="OBJECT")
    try:
        yield
    finally:
        with active_override(context, obj):
            bpy.ops.object.mode_set(mode="EDIT")


def active_override(context: bpy.types.Context, obj: bpy.types.Object) -> Any:
    """Return a context in which an object is the active one for operators."""
    return context.temp_override(object=obj, active_object=obj)


def editable_mesh(obj: bpy.types.Object, *, single_user: bool) -> bpy.types.Mesh:
    """Return the mesh to change: the object's own, or a copy that it no longer shares; raise an error if it is linked."""
    mesh = mesh_of(obj)
    require_writable(mesh)
    if single_user and other_users(mesh) > 0:
        obj.data = mesh = mesh.copy()
    return mesh


def other_users(mesh: bpy.types.Mesh) -> int:
    """Return the number of users of a mesh beyond the first."""
    return max(0, mesh.users - int(mesh.use_fake_user) - 1)


@dataclass(frozen=True)
class MeshGuard:
    """Mesh object of a task, with the state of its mesh when the task began."""

    owner: Ref[bpy.types.Object]
    mesh: Ref[bpy.types.Mesh]
    checksum: int
    """Changes when vertices are moved, added or removed; 0 if Blender waits for the task."""

    @classmethod
    def of(cls, obj: bpy.types.Object, present: Positions | None = None) -> MeshGuard:
        """Return the guard of a mesh object that is not in Edit Mode; `present` are its `present_positions` if known."""
        return cls(Ref.of(obj), Ref.of(mesh_of(obj)), _checksum(obj, present))

    def resolve(self) -> bpy.types.Object:
        """Return the object; raise an error if it is removed, has another mesh, or cannot be changed now."""
        obj, name = self.owner.resolve(), self.owner.name
        if obj.type != "MESH" or not scene_sources.is_shown(obj):
            raise TerraneError("{} was removed meanwhile: nothing was changed", name)
        if not self.mesh.refers_to(mesh_of(obj)):
            raise TerraneError("{} got another mesh meanwhile: nothing was changed", name)
        reason = why_not_write(mesh_of(obj)) or why_not_object(obj)
        if reason:
            raise TerraneError("{}: nothing was changed. {}", name, reason)
        return obj

    def check(self, obj: bpy.types.Object) -> None:
        """Raise an error if the vertices of the object, which is not in Edit Mode, have moved."""
        if _checksum(obj) != self.checksum:
            raise TerraneError("{} was changed meanwhile: do it once more", self.owner.name)


def _checksum(obj: bpy.types.Object, present: Positions | None = None) -> int:
    mesh = mesh_of(obj)
    if synchronous.is_on or len(mesh.vertices) == 0:
        return 0
    key = obj.active_shape_key
    if key is None:
        return _add(meshes.positions_of(mesh) if present is None else present, 0)
    checksum = _add(meshes.positions_of(mesh), 0)
    checksum = zlib.crc32(key.name.encode(), checksum)
    return _add(meshes.key_positions(key) if present is None else present, checksum)


def _add(positions: Positions, start: int) -> int:
    """Return a checksum of sums of groups of numbers: four times as fast as one of all bytes."""
    flat = positions.reshape(-1)
    whole = len(flat) // _SUMMED * _SUMMED
    # Two coordinates make one integer; overflow beyond its 64 bits may be lost.
    sums = flat[:whole].view(np.uint64).reshape(-1, _SUMMED // 2).sum(axis=1)
    return zlib.crc32(flat[whole:].tobytes(), zlib.crc32(sums.tobytes(), start))
