# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a scene is updated live: its own switch, which begins as the preferences say."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty

from . import changes, preferences, state

PROPERTY = "terrane_live"
"""Name of the switch on a scene."""

_STORED = "terrane_is_live"
"""Name of the custom property that holds it once somebody has touched it."""


def register() -> None:
    """Hang the switch on scenes."""
    switch = BoolProperty(
        name="Live",
        description="The terrain and the images follow the settings while they are changed",
        options=set(),
        get=_get,
        set=_set,
    )
    setattr(bpy.types.Scene, PROPERTY, switch)


def unregister() -> None:
    """Take it away again."""
    delattr(bpy.types.Scene, PROPERTY)


def is_on(context: bpy.types.Context) -> bool:
    """Return whether the scene at hand is updated live."""
    return context.scene is not None and bool(getattr(context.scene, PROPERTY))


def _get(scene: Any) -> bool:
    return bool(scene.get(_STORED, preferences.is_live()))


def _set(scene: Any, value: bool) -> None:
    scene[_STORED] = value
    terrain = state.active_terrain(bpy.context)
    if value and terrain is not None:
        changes.changed(getattr(terrain, state.PROPERTY), bpy.context)
