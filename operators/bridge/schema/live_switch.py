# SPDX-License-Identifier: GPL-3.0-or-later
"""Live-update switch of each scene, with its default in the preferences.

Windows may show several scenes, and a timer belongs to none of them. So the scenes of a datablock
decide whether it is updated live.
"""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty

from ..datablocks import scene_sources
from . import changes, preferences, state

PROPERTY = "terrane_live"
"""Name of the switch on a scene."""

_STORED = "terrane_is_live"
"""Name of the custom property that stores it once it is set."""


def register() -> None:
    """Add the switch to scenes."""
    switch = BoolProperty(
        name="Live",
        description="Update terrain and images while their settings change",
        options=set(),
        get=_get,
        set=_set,
    )
    setattr(bpy.types.Scene, PROPERTY, switch)


def unregister() -> None:
    """Undo `register`."""
    delattr(bpy.types.Scene, PROPERTY)


def is_on(context: bpy.types.Context) -> bool:
    """Return whether the active scene is updated live."""
    return context.scene is not None and bool(getattr(context.scene, PROPERTY))


def is_live(owner: bpy.types.ID) -> bool:
    """Return whether a datablock follows its settings: whether one of the scenes that show it is live.

    A datablock in no scene, such as an image, follows the active scene.
    """
    switches = {bool(getattr(scene, PROPERTY)) for scene in bpy.data.scenes}
    if len(switches) == 1:  # the usual case; following all pointers takes longer
        return switches.pop()
    scenes = _scenes(owner)
    if not scenes:
        return is_on(bpy.context)
    return any(bool(getattr(scene, PROPERTY)) for scene in scenes)


def shows(scene: bpy.types.Scene, owner: bpy.types.ID) -> bool:
    """Return whether a scene may render a datablock; an image may be anywhere."""
    scenes = _scenes(owner)
    return not scenes or scene in scenes


def _scenes(owner: bpy.types.ID) -> list[bpy.types.Scene]:
    """Return the scenes that show an object; none for other datablocks."""
    return scene_sources.showing(owner) if isinstance(owner, bpy.types.Object) else []


def _get(scene: Any) -> bool:
    return bool(scene.get(_STORED, preferences.value("live")))


def _set(scene: Any, value: bool) -> None:
    scene[_STORED] = value
    terrain = state.active_terrain(bpy.context)
    if value and terrain is not None:
        changes.on_change(getattr(terrain, state.PROPERTY), bpy.context)
