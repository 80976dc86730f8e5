# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose mesh may be changed, and in which mode."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ....noise_core.errors import Message, TerraneError
from ..meshes import mesh_of


def why_not(context: bpy.types.Context) -> str:
    """Return why the active object's mesh cannot be changed now; nothing if it can."""
    active = context.active_object
    if active is None or active.type != "MESH":
        return Message("Select a mesh first")
    return why_not_object(active)


def why_not_object(thing: bpy.types.Object) -> str:
    """Return why an object's mesh cannot be changed now; nothing if it can."""
    if not is_writable(mesh_of(thing)):
        return Message("This mesh is linked from another file: make it local first")
    if thing.mode not in ("OBJECT", "EDIT"):
        return Message("Switch to Object Mode or Edit Mode first")
    return ""


def is_writable(owner: bpy.types.ID) -> bool:
    """Return whether a datablock keeps what is written: none that is linked, or overrides a linked one.

    Blender calls overrides editable, but leaves their numbers as they are, without a word.
    """
    return owner.is_editable and owner.override_library is None


@contextmanager
def object_mode(context: bpy.types.Context, thing: bpy.types.Object) -> Iterator[None]:
    """Leave Edit Mode while a mesh is changed, and come back to it afterwards.

    In Edit Mode a mesh's attributes are empty, and what is written is lost.
    """
    if thing.mode != "EDIT":
        yield
        return
    with active_override(context, thing):
        bpy.ops.object.mode_set(mode="OBJECT")
    try:
        yield
    finally:
        with active_override(context, thing):
            bpy.ops.object.mode_set(mode="EDIT")


def active_override(context: bpy.types.Context, thing: bpy.types.Object) -> Any:
    """Return a context in which operators take an object for the active one."""
    return context.temp_override(object=thing, active_object=thing)


def editable_mesh(thing: bpy.types.Object, *, single_user: bool) -> bpy.types.Mesh:
    """Return the mesh to change: the object's own, or a copy that it no longer shares.

    Raises
    ------
    TerraneError
        If it is linked from another file, or overrides one that is.
    """
    mesh = mesh_of(thing)
    if not is_writable(mesh):
        raise TerraneError("{} is linked from another file: make it local first", mesh.name)
    if single_user and other_users(mesh) > 0:
        thing.data = mesh = mesh.copy()
    return mesh


def other_users(mesh: bpy.types.Mesh) -> int:
    """Return how many more objects than one have this mesh."""
    return max(0, mesh.users - int(mesh.use_fake_user) - 1)
