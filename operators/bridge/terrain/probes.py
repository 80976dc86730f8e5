# SPDX-License-Identifier: GPL-3.0-or-later
"""Temporary scene in which Blender evaluates a terrain, and what it follows, where these are hidden or elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import bpy

from ..datablocks.switch import Switch
from .followed_slots import is_solid, parts_of, slots_of, source_of

Result = TypeVar("Result")

is_on = Switch()
"""Whether a terrain is evaluated in a temporary scene."""

_NAME = "terrane_temporary"


def probe(
    terrain: bpy.types.Object,
    frame: int,
    subframe: float,
    reader: Callable[[Any, Any], Result],
) -> Result:
    """Let Blender evaluate visible copies of a terrain and of what it follows, and read them in their dependency graph."""
    scene, copy = bpy.data.scenes.new(_NAME), terrain.copy()
    copies = [copy]
    try:
        with is_on.on():
            copy.hide_viewport = False
            scene.collection.objects.link(copy)
            copies += _stand_in(copy, scene)
            # Last: only a change of the frame evaluates animation. Handlers of others hear nothing of it.
            scene.frame_current, scene.frame_subframe = frame, subframe
            layer = scene.view_layers[0]
            layer.update()
            return reader(copy.evaluated_get(layer.depsgraph), layer.depsgraph)
    finally:
        for each in copies:
            bpy.data.objects.remove(each)
        bpy.data.scenes.remove(scene)


def _stand_in(terrain: bpy.types.Object, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Let a scene evaluate what a temporary terrain in it follows; return the copies that were made for that.

    Curves and empties count where they are hidden, other objects do not.
    """
    copies, inside = [], scene.collection.objects
    for slot in slots_of(terrain):
        parts = parts_of(slot)
        if not is_solid(slot):
            parts = [source_of(slot).copy()]
            parts[0].hide_viewport = False
            slot["object"] = parts[0]
            copies += parts
        for part in set(parts).difference(inside):
            inside.link(part)
    return copies
