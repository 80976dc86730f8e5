# SPDX-License-Identifier: GPL-3.0-or-later
"""Events that terrains follow besides their settings: the end of painting, and the beginning of an edit."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import bpy

from ....noise_core.base.errors import TerraneError
from ..datablocks.ref import Ref
from ..interface.registering import Handlers
from ..schema import masks, painting, state
from ..tasks import live
from ..tasks.task import PRODUCTS, Key, Task
from . import terrains
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


def _forget(*_: Any) -> None:
    _painted.clear()
    terrains.made_requests.clear()


def _register() -> None:
    PRODUCTS.append(TERRAIN)


def _end() -> None:
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
    ("load_pre", _forget),
    begin=_register,
    end=_end,
)
register, unregister = _handlers.register, _handlers.unregister
