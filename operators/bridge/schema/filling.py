# SPDX-License-Identifier: GPL-3.0-or-later
"""Initialization of settings with layers, in new scenes and in old files.

A panel must not write while it is drawn. So settings are filled when Terrane is enabled, when a file
is opened, and after an update that adds a scene.
"""

from __future__ import annotations

from typing import Any

import bpy

from ....noise_core.base.errors import TerraneError
from ....noise_core.recipes.migrations import BEFORE
from ..datablocks import compat
from ..datablocks.editing import is_writable
from ..interface import timer
from ..interface.registering import Handlers
from . import changes, layers, old_settings, settings, state


def fill_all() -> None:
    """Fill the settings of all scenes, and convert those of old files."""
    if not hasattr(bpy.data, "scenes"):
        return  # while Blender starts there is no file yet
    for owner in (*bpy.data.scenes, *bpy.data.objects, *bpy.data.images):
        with changes.paused.on():
            if _is_old(owner):
                _convert(owner)
            _keep_land(owner)
    for scene in bpy.data.scenes:
        fill_scene(scene)


def _convert(owner: Any) -> None:
    try:
        old_settings.convert(owner, state.PROPERTY)
    except TerraneError as error:
        old_settings.keep_unreadable(owner, state.PROPERTY, str(error))


def _keep_land(owner: Any) -> None:
    """Give parameters that came after a file the values that they had in effect when it was saved.

    Terrane writes all parameters of a layer; one that is not set was not known then.
    """
    group = getattr(owner, state.PROPERTY)
    if not group.is_filled or not is_writable(owner):
        return
    for entry in getattr(group, layers.LAYERS):
        for name, value in BEFORE.get(entry.type, {}).items():
            own = getattr(entry, entry.type)
            if not own.is_property_set(name):
                setattr(own, name, value)


def _is_old(owner: Any) -> bool:
    """Return whether version 0.1.0 stored the settings of a datablock, and nothing has converted them."""
    is_filled = getattr(owner, state.PROPERTY).is_filled
    stored = None if is_filled else compat.stored_properties(owner, state.PROPERTY)
    return stored is not None and any(key in stored for key in ("tree", "modifiers", "noise"))


def fill_scene(scene: Any) -> None:
    """Fill the settings of a scene that are still empty."""
    group = getattr(scene, state.PROPERTY)
    if not group.is_filled and scene.is_editable:
        with changes.paused.on():
            settings.fill(group)


def _on_load(*_: object) -> None:
    fill_all()


def _on_update(scene: Any, *_: object) -> None:
    fill_scene(scene)


def _register() -> None:
    """Fill now or soon."""
    if hasattr(bpy.data, "scenes"):
        fill_all()
    else:
        timer.call(fill_all)  # Blender hides all data while it enables an extension


_handlers = Handlers(
    ("load_post", _on_load),
    ("depsgraph_update_post", _on_update),
    *((name, _on_load) for name in compat.import_handlers()),
    begin=_register,
    end=lambda: timer.cancel(fill_all),
)
register, unregister = _handlers.register, _handlers.unregister
