# SPDX-License-Identifier: GPL-3.0-or-later
"""Live-update switch of each scene, with its default in the preferences.

Windows may show several scenes, and a timer belongs to none of them. So the scenes of a datablock
decide whether it is updated live.
"""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty

from . import changes, preferences, state

PROPERTY = "terrane_live"
"""Name of the switch on a scene."""

_STORED = "terrane_is_live"
"""Name of the custom property that stores it once it is set."""


def register() -> None:
    """Add the switch to scenes."""
    switch = BoolProperty(
        name="Live",
        description="The terrain and the images follow the settings while they are changed",
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
    """Return whether a datablock follows its settings: whether one of its scenes is live.

    A datablock in no scene, such as an image, follows the active scene.
    """
    switches = {bool(getattr(scene, PROPERTY)) for scene in bpy.data.scenes}
    if len(switches) == 1:  # the usual case; searching for objects takes longer
        return switches.pop()
    own = [scene for scene in bpy.data.scenes if _holds(scene, owner)]
    if not own:
        return is_on(bpy.context)
    return any(bool(getattr(scene, PROPERTY)) for scene in own)


def shows(scene: bpy.types.Scene, owner: bpy.types.ID) -> bool:
    """Return whether a scene may render a datablock; images and instanced objects may be anywhere."""
    drawn = set()
    while scene is not None and scene.name not in drawn:
        if _holds(scene, owner):
            return True
        drawn.add(scene.name)
        scene = scene.background_set
    return not any(_holds(one, owner) for one in bpy.data.scenes)


def _holds(scene: bpy.types.Scene, owner: bpy.types.ID) -> bool:
    if not isinstance(owner, bpy.types.Object):
        return False
    objects: Any = scene.objects
    named = objects.get(owner.name)
    # One from a library may have the same name.
    return bool(named == owner or (named is not None and owner in objects[:]))


def _get(scene: Any) -> bool:
    return bool(scene.get(_STORED, preferences.value("live")))


def _set(scene: Any, value: bool) -> None:
    scene[_STORED] = value
    terrain = state.active_terrain(bpy.context)
    if value and terrain is not None:
        changes.on_change(getattr(terrain, state.PROPERTY), bpy.context)
