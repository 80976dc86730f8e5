# SPDX-License-Identifier: GPL-3.0-or-later
"""Products that follow a terrain's finished heights: its water, its colors.

An operator that changes the heights makes them before it ends. Live update makes each when a gesture ends, as a
separate task that runs after the terrain's: the heights never wait. So it does after sculpting and editing, and
for products that were not finished when a file was saved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..datablocks import linked, meshes
from ..datablocks.record import products_of
from ..datablocks.ref import Ref
from ..interface.registering import Handlers, undo_on_failure
from ..schema import state
from ..tasks import live
from ..tasks.product import TERRAIN_KEY, Product
from ..tasks.steps import Steps
from ..tasks.task import Task
from . import map_layers

followers: list[Callable[[], Product]] = []
"""Functions that return products made of terrains, in the order in which they are made; their modules are imported late."""

part_listeners: list[Callable[[bpy.types.Scene], None]] = []
"""Functions that let parts of landscapes know of each other; their modules are imported late."""


def tell_parts(scene: bpy.types.Scene) -> None:
    """Call the listeners: a scene has another camera, or a part of a landscape was added or removed."""
    for listen in part_listeners:
        listen(scene)


def follow(changed: bpy.types.Object) -> Steps[None]:
    """Update the outdated products of a terrain, in the steps of an operator that has changed its heights.

    Other terrains that share its mesh have changed too.
    """
    owners = [Ref.of(owner) for owner in _sharing(changed)]
    for owner in owners:
        for follower in [find() for find in followers]:
            terrain = owner.find()
            # In another mode the heights are not stored yet: live update follows when it is left.
            if terrain is not None and terrain.mode == "OBJECT" and follower.is_due(terrain):
                yield from follower.run(terrain)


def follow_live(changed: bpy.types.Object) -> None:
    """Add tasks that update the outdated products of a terrain."""
    for terrain in _sharing(changed):
        for follower in [find() for find in followers]:
            if follower.request(terrain) is not None:
                live.add(Task(follower, terrain))


def has_any(terrain: bpy.types.Object) -> bool:
    """Return whether a terrain has products: parts, which are its children, or data in its mesh."""
    mesh: Any = meshes.mesh_of(terrain)
    return bool(terrain.children) or bool(products_of(mesh) - {map_layers.MAPS_KEY, TERRAIN_KEY})


def show_preview(changed: bpy.types.Object) -> None:
    """Tell the products of a terrain that its heights are a preview."""
    for follower in [find() for find in followers]:
        follower.preview(changed)


def _sharing(changed: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the writable terrains that share a terrain's mesh, itself included."""
    mesh = meshes.mesh_of(changed)
    users = [changed] if mesh.users == 1 else [obj for obj in bpy.data.objects if obj.data == mesh]
    return [obj for obj in users if state.is_terrain(obj) and linked.is_writable(obj)]


# --- events -------------------------------------------------------------------------------------


def _on_setting(owner: bpy.types.ID) -> None:
    """Follow the settings of a part of a terrain."""
    terrain = owner.parent if isinstance(owner, bpy.types.Object) else None
    if terrain is not None and state.is_terrain(terrain):
        follow_live(terrain)


@persistent
def _on_change(_: Any, depsgraph: Any) -> None:
    """Follow heights that the user has changed by sculpting or editing, or a script."""
    if not live.is_listening():
        return
    for update in depsgraph.updates:
        obj = update.id.original if update.is_updated_geometry else None
        if isinstance(obj, bpy.types.Object) and state.is_terrain(obj):
            follow_live(obj)


@persistent
def _on_load(*_: Any) -> None:
    """Update products that were not ready when a file was saved."""
    for obj in bpy.data.objects:
        if state.is_terrain(obj):
            follow_live(obj)


@persistent
def _on_save(*_: Any) -> None:
    """Show the products again that a preview hides, before a file is saved."""
    for terrain in [obj for obj in bpy.data.objects if state.is_terrain(obj)]:
        for follower in [find() for find in followers]:
            follower.before_saving(terrain)


_handlers = Handlers(
    ("depsgraph_update_post", _on_change), ("load_post", _on_load), ("save_pre", _on_save)
)


def register() -> None:
    """Listen to changes of meshes and settings, and to loaded files."""
    with undo_on_failure(unregister):
        live.unclaimed_listeners.append(_on_setting)
        _handlers.register()


def unregister() -> None:
    """Stop listening."""
    _handlers.unregister()
    if _on_setting in live.unclaimed_listeners:
        live.unclaimed_listeners.remove(_on_setting)
