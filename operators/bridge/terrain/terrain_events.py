# SPDX-License-Identifier: GPL-3.0-or-later
"""Events that terrains follow besides their settings: the end of painting, the beginning of an edit, moved curves."""

from __future__ import annotations

from collections.abc import Container
from contextlib import suppress
from typing import Any

import bpy

from ....noise_core.base.errors import TerraneError
from ..datablocks import solids
from ..datablocks.ref import Ref
from ..interface.registering import Handlers
from ..schema import changes, curve_slots, layers, masks, painting, state
from ..tasks import live
from ..tasks.task import PRODUCTS, Key, Task
from . import followed_sources, probes, terrains
from .terrain_product import TERRAIN

_painted: dict[Key, Task] = {}
"""Terrains in a painting mode."""

_edited = 0
"""UID of the terrain in Edit Mode or Sculpt Mode, 0 for none."""


def _on_change(_: Any, depsgraph: Any) -> None:
    """Update terrains that have left a painting mode: painted values are no settings.

    Blender has many ways to leave its painting modes, so the modes are compared after every change.
    """
    if not live.is_listening():
        return
    modes = painting.MODES.values()
    active = depsgraph.view_layer.objects.active  # no other is painted
    if active is not None and active.mode in modes and state.is_terrain(active):
        task = Task(TERRAIN, active)
        _painted[task.key] = task
    _note_before_edits(active)
    for key, task in list(_painted.items()):
        owner = task.find()
        if owner is None or owner.mode not in modes:
            del _painted[key]
            if owner is not None and _has_painted_masks(owner):
                live.add(task)


def _note_before_edits(active: bpy.types.Object | None) -> None:
    """Remember the settings behind the heights of a terrain when the user begins to edit them.

    So the edit can be separated from the heights when the settings have changed later.
    """
    global _edited
    is_edited = active is not None and active.mode in ("EDIT", "SCULPT")
    uid = Ref.of(active).uid if is_edited and state.is_terrain(active) else 0
    if uid and uid != _edited:
        with suppress(TerraneError):  # unreadable settings
            terrains.made_request(active)
    _edited = uid


def _on_curve(_: Any, depsgraph: Any) -> None:
    """Follow curves and terrains that have changed; a moving parent reports changes of its children."""
    if probes.is_on.is_on or not live.is_listening():
        return
    moved = {update.id.original for update in depsgraph.updates if _may_move_curves(update.id)}
    if moved:
        _follow_all_curves(moved)


def _may_move_curves(changed: Any) -> bool:
    """Return whether curves may lie otherwise on terrains after a change of a datablock."""
    if isinstance(changed, bpy.types.Object):
        is_followed = changed.type in ("CURVE", "EMPTY") or state.is_terrain(changed.original)
        return is_followed or solids.may_change(changed)
    return isinstance(changed, bpy.types.Curve) or solids.may_change(changed)


def _follow_after_loading(*_: Any) -> None:
    bpy.context.view_layer.update()  # files do not store where children of moved parents are
    _follow_all_curves()


def _follow_all_curves(moved: Container[bpy.types.Object] = ()) -> None:
    for obj in bpy.data.objects:
        _follow_curves(obj, moved)


def _follow_curves(owner: Any, moved: Container[bpy.types.Object] = ()) -> None:
    """Follow the curves of a terrain: they have moved, one was chosen, or the terrain has another size."""
    is_terrain = isinstance(owner, bpy.types.Object) and state.is_terrain(owner)
    if curve_slots.writing.is_on or not is_terrain:
        return
    if any(
        curve_slots.source(slot) for slot in layers.curve_slots_of(getattr(owner, state.PROPERTY))
    ):
        followed_sources.follow(owner, moved)


def _forget(*_: Any) -> None:
    _painted.clear()
    terrains.made_requests.clear()


def _register() -> None:
    PRODUCTS.append(TERRAIN)
    changes.subscribe(_follow_curves, ignores_numbers=True, owners=bpy.types.Object)


def _end() -> None:
    changes.unsubscribe(_follow_curves)
    if TERRAIN in PRODUCTS:
        PRODUCTS.remove(TERRAIN)
    _forget()


def _has_painted_masks(terrain: bpy.types.Object) -> bool:
    try:
        return masks.has_painted_masks(terrain, getattr(terrain, state.PROPERTY))
    except TerraneError:  # unreadable settings have no masks
        return False


_handlers = Handlers(
    ("depsgraph_update_post", _on_change),
    ("depsgraph_update_post", _on_curve),
    ("load_pre", _forget),
    ("load_post", _follow_after_loading),
    begin=_register,
    end=_end,
)
register, unregister = _handlers.register, _handlers.unregister
