# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects around terrains that Terrane has made, and the collection that they lie in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from ..datablocks.linked import is_writable
from ..datablocks.ownership import is_own, remove_unused
from ..schema import state
from ..terrain import followers

MARK = state.PART

COLLECTION = "Landscape"

BASE = "base"
"""The block under a terrain."""

PLANET_SEA, PLANET_CLOUDS = "planet_sea", "planet_clouds"
PLANET_AIR, PLANET_RINGS = "planet_air", "planet_rings"
"""Parts of a planet."""

OF_TERRAIN = frozenset(
    {"water", "open_sea", "land", "surroundings", "base", "plants", "detail_patch", "cliffs"}
)
"""Parts that each terrain has, as its children; camera, sun and models of plants belong to the scene."""

TERRAIN = "terrane_terrain"
"""Custom property of a camera and of a world: the terrain that it was placed over."""

MODELS = "terrane_models"
"""Custom property of plants: the collection of their models."""


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


def has_lost_terrain(owner: Any) -> bool:
    """Return whether a camera or a world was placed over a terrain that was deleted."""
    return owner is not None and TERRAIN in owner.keys() and not _is_alive(owner.get(TERRAIN))


def _is_alive(terrain: bpy.types.Object | None) -> bool:
    """Return whether a terrain is in some collection, such as an instanced one: users of a deleted one keep it in the file."""
    return terrain is not None and bool(terrain.users_collection)


def terrains_with_parts(scene: bpy.types.Scene) -> set[bpy.types.Object]:
    """Return the terrains of parts in a scene, without deleted ones."""
    owners = {obj.parent for obj in scene.objects if obj.get(MARK) in OF_TERRAIN}
    return {owner for owner in owners if _is_alive(owner)}


def lost(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return the objects of landscapes in a scene whose terrain was deleted, those that may be changed.

    Camera and models go with their own terrain, the sun with the one under the sky.
    """
    present = [obj for obj in scene.objects if obj.get(MARK) and is_writable(obj)]
    alive = terrains_with_parts(scene) if present else set()
    homes: list[Any] = [obj.get(MODELS) for obj in present if obj.parent in alive]
    models = {model for home in homes if home is not None for model in home.all_objects}
    is_lost: dict[str, Callable[[bpy.types.Object], bool]] = {
        **dict.fromkeys(OF_TERRAIN, lambda obj: obj.parent not in alive),
        "plant_model": lambda obj: obj not in models,
        "camera": has_lost_terrain,
        "sun": lambda obj: not alive and has_lost_terrain(scene.world),
    }
    return [obj for obj in present if obj[MARK] in is_lost and is_lost[obj[MARK]](obj)]


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
