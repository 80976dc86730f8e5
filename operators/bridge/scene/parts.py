# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects around terrains that Terrane has made, and the collection that they lie in."""

from __future__ import annotations

from typing import Any

import bpy

from ..datablocks.linked import is_writable
from ..datablocks.ownership import is_own, remove_unused
from ..schema import state
from ..terrain import followers

MARK = state.PART

COLLECTION = "Landscape"


def find(
    scene: bpy.types.Scene, part: str, terrain: bpy.types.Object | None = None
) -> bpy.types.Object | None:
    """Return the object of a scene that is a part of a landscape; None if there is none.

    Parameters
    ----------
    scene : Scene
    part : str
    terrain : Object, optional
        The parent, for parts that each terrain has.
    """
    return next(
        (
            one
            for one in scene.objects
            if one.get(MARK) == part and is_writable(one) and terrain in (None, one.parent)
        ),
        None,
    )


def of_terrain(terrain: bpy.types.Object, part: str) -> bpy.types.Object | None:
    """Return the part of a terrain that may be changed, in any scene; None if it has none."""
    return next(
        (one for one in terrain.children if one.get(MARK) == part and is_writable(one)), None
    )


def add(
    context: bpy.types.Context,
    part: str,
    name: str,
    terrain: bpy.types.Object | None = None,
    data: bpy.types.ID | None = None,
) -> bpy.types.Object:
    """Add an object that is a part of a landscape; the selection stays as it is.

    Parameters
    ----------
    context : Context
    part, name : str
    terrain : Object, optional
        The parent, for parts that each terrain has.
    data : ID, optional
        A new mesh if not given.
    """
    made = bpy.data.objects.new(name, bpy.data.meshes.new(name) if data is None else data)
    made[MARK] = part
    made.parent = terrain
    collection(context.scene).objects.link(made)
    followers.tell_parts(context.scene)
    return made


def remove(obj: bpy.types.Object) -> None:
    """Remove a part with its data, its nodes and its own material, and its collection if that is empty.

    Its terrain is active in its place.
    """
    shown = bpy.context.view_layer
    terrain = state.active_terrain(bpy.context) if shown.objects.active == obj else None
    modifiers: Any = obj.modifiers
    used: list[Any] = [obj.data]
    used += [one.node_group for one in modifiers if one.type == "NODES"]
    used += [one.material for one in obj.material_slots if is_own(one.material)]
    homes, scenes = obj.users_collection, obj.users_scene
    bpy.data.objects.remove(obj)
    remove_unused(*used)
    for one in homes:
        if one.get(MARK) and not one.all_objects:
            bpy.data.collections.remove(one)
    for scene in scenes:
        followers.tell_parts(scene)
    if terrain is not None:
        shown.objects.active = terrain
        terrain.select_set(True)


def remove_from(scene: bpy.types.Scene, part: str, terrain: bpy.types.Object | None = None) -> None:
    """Remove a part if it is there; see `find`."""
    if (obj := find(scene, part, terrain)) is not None:
        remove(obj)


def collection(scene: bpy.types.Scene) -> bpy.types.Collection:
    """Return the scene's collection for parts of landscapes, made if it is not there."""
    for one in scene.collection.children_recursive:
        if one.get(MARK) and is_writable(one):
            return one
    made = bpy.data.collections.new(COLLECTION)
    made[MARK] = "landscape"
    scene.collection.children.link(made)
    return made
