# SPDX-License-Identifier: GPL-3.0-or-later
"""Initialization of the settings of new scenes with layers.

A panel must not write while it is drawn. So settings are filled when Terrane is enabled, when a file
is opened, and after an update that adds a scene.
"""

from __future__ import annotations

from typing import Any

import bpy

from ..datablocks import compat, linked
from ..interface import timer
from ..interface.registering import Handlers
from . import changes, settings, state


def fill_all() -> None:
    """Fill the settings of all scenes that are still empty."""
    if not hasattr(bpy.data, "scenes"):
        return  # while Blender starts there is no file yet
    for scene in bpy.data.scenes:
        fill_scene(scene)


def fill_scene(scene: Any) -> None:
    """Fill the settings of a scene that are still empty."""
    group = getattr(scene, state.PROPERTY)
    if not group.is_filled and linked.is_writable(scene):
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
