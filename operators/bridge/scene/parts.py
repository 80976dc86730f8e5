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
            obj
            for obj in scene.objects
            if obj.get(MARK) == part and is_writable(obj) and terrain in (None, obj.parent)
        ),
        None,
    )


def of_terrain(terrain: bpy.types.Object, part: str) -> bpy.types.Object | None:
    """Return the part of a terrain that may be changed, in any scene; None if it has none."""
    return next(
        (obj for obj in terrain.children if obj.get(MARK) == part and is_writable(obj)), None
    )


def add(
    scene: bpy.types.Scene,
    part: str,
    name: str,
    terrain: bpy.types.Object | None = None,
    data: bpy.types.ID | None = None,
) -> bpy.types.Object:
    """Add an object that is a part of a landscape; the selection stays as it is.

    Parameters
    ----------
    scene : Scene
    part, name : str
    terrain : Object, optional
        The parent, for parts that each terrain has.
    data : ID, optional
        A new mesh if not given.
    """
    obj = bpy.data.objects.new(name, bpy.data.meshes.new(name) if data is None else data)
    obj[MARK] = part
    obj.parent = terrain
    collection(scene).objects.link(obj)
    followers.tell_parts(scene)
    return obj


def remove(obj: bpy.types.Object) -> None:
    """Remove a part with its data, its nodes and its own material, and its collection if that is empty.

    Its terrain is active in its place.
    """
    view_layer = bpy.context.view_layer
    terrain = state.active_terrain(bpy.context) if view_layer.objects.active == obj else None
    modifiers: Any = obj.modifiers
    datablocks: list[Any] = [obj.data]
    datablocks += [modifier.node_group for modifier in modifiers if modifier.type == "NODES"]
    datablocks += [slot.material for slot in obj.material_slots if is_own(slot.material)]
    homes, scenes = obj.users_collection, obj.users_scene
    bpy.data.objects.remove(obj)
    remove_unused(*datablocks)
    for home in homes:
        if home.get(MARK) and not home.all_objects:
            bpy.data.collections.remove(home)
    for scene in scenes:
        followers.tell_parts(scene)
    if terrain is not None:
        view_layer.objects.active = terrain
        terrain.select_set(True)


def remove_from(scene: bpy.types.Scene, part: str, terrain: bpy.types.Object | None = None) -> None:
    """Remove a part if it is there; see `find`."""
    if (obj := find(scene, part, terrain)) is not None:
        remove(obj)


def collection(scene: bpy.types.Scene) -> bpy.types.Collection:
    """Return the scene's collection for parts of landscapes, made if it is not there."""
    for child in scene.collection.children_recursive:
        if child.get(MARK) and is_writable(child):
            return child
    added = bpy.data.collections.new(COLLECTION)
    added[MARK] = "landscape"
    scene.collection.children.link(added)
    return added
