# SPDX-License-Identifier: GPL-3.0-or-later
"""Events that terrains follow besides their settings: the end of painting, the beginning of an edit, moved curves."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import bpy

from ....noise_core.base.errors import TerraneError
from ..datablocks import solids
from ..datablocks.ref import Ref, uid_of
from ..interface.registering import Handlers
from ..schema import changes as setting_changes
from ..schema import curve_slots, masks, painting, state
from ..tasks import live
from ..tasks.task import PRODUCTS, Key, Task
from . import followed_sources, probes, slot_readings, terrains
from .slot_readings import Changes
from .terrain_product import TERRAIN

_painted: dict[Key, Task] = {}
"""Terrains in a painting mode."""

_edited = 0
"""UID of the terrain in Edit Mode or Sculpt Mode, 0 for none."""

_changes = Changes(is_all=True)
"""Reported changes that no terrain has followed yet."""


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
    """Follow curves and terrains that have changed; a moving parent reports changes of its children.

    What changes while a terrain is written is followed with the next change.
    """
    global _changes
    _note_changes(_, depsgraph)
    if live.is_listening() and not probes.is_on.is_on:
        changes, _changes = _changes, Changes()
        _follow_changes(changes)


def _note_changes(_: Any, depsgraph: Any) -> None:
    """Note what has changed, also together with the frame, which Blender reports alone."""
    if live.is_main_thread() and not probes.is_on.is_on:
        for update in depsgraph.updates:
            _note_change(update)


def _note_change(update: Any) -> None:
    """Note the sources that an update may have changed."""
    changed, is_moved = update.id.original, update.is_updated_transform
    if isinstance(changed, bpy.types.Object):
        _changes.sources.add(uid_of(changed))
        # Blender's relations are built anew: objects have come or gone, or are evaluated or not.
        _changes.is_all |= not (is_moved or update.is_updated_geometry)
    elif isinstance(changed, bpy.types.Scene | bpy.types.Collection):
        _changes.is_all |= is_moved  # other objects stand for those in it, such as overrides
    if isinstance(changed, bpy.types.Object | bpy.types.Collection):
        _changes.sources |= solids.sources_of(changed)
    if isinstance(changed, bpy.types.Scene):
        _changes.sources |= solids.sources_hidden_or_shown()


def _follow_changes(changes: Changes) -> None:
    """Let terrains follow their sources if these are among changes, or the terrains themselves."""
    if changes.is_all:
        followed = list(filter(state.is_terrain, bpy.data.objects))
    else:
        followed = slot_readings.terrains_following(changes.sources)
    for terrain in followed:
        followed_sources.follow(terrain, changes)


def _follow_after_loading(*_: Any) -> None:
    bpy.context.view_layer.update()  # files do not store where children of moved parents are
    _follow_changes(Changes(is_all=True))


def _follow_settings(owner: Any) -> None:
    """Follow the curves of a terrain after a change of its settings: one was chosen, or the terrain has another size."""
    if not (isinstance(owner, bpy.types.Object) and state.is_terrain(owner)):
        return
    if followed_sources.following.is_on:
        return
    if curve_slots.writing.is_on:
        slot_readings.note_written(owner)
    else:
        followed_sources.follow(owner, None)


def _forget(*_: Any) -> None:
    _painted.clear()
    terrains.made_requests.clear()
    _forget_readings()


def _forget_readings(*_: Any) -> None:
    """Read everything after the next change: undo has restored objects and settings."""
    slot_readings.forget()
    _changes.is_all = True


def _register() -> None:
    PRODUCTS.append(TERRAIN)
    setting_changes.subscribe(_follow_settings, ignores_numbers=True, owners=bpy.types.Object)


def _end() -> None:
    setting_changes.unsubscribe(_follow_settings)
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
    ("frame_change_post", _note_changes),
    ("load_pre", _forget),
    ("load_post", _follow_after_loading),
    ("undo_post", _forget_readings),
    ("redo_post", _forget_readings),
    begin=_register,
    end=_end,
)
register, unregister = _handlers.register, _handlers.unregister
