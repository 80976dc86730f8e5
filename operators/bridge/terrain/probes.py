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
    copies = [copy]  # all that is removed again, also if an error comes in between
    try:
        with is_on.on():
            copy.hide_viewport = False
            scene.collection.objects.link(copy)
            _stand_in(copy, scene, copies)
            # Last: only a change of the frame evaluates animation. Handlers of others hear nothing of it.
            scene.frame_current, scene.frame_subframe = frame, subframe
            layer = scene.view_layers[0]
            layer.update()
            return reader(copy.evaluated_get(layer.depsgraph), layer.depsgraph)
    finally:
        for each in copies:
            bpy.data.objects.remove(each)
        bpy.data.scenes.remove(scene)


def _stand_in(
    terrain: bpy.types.Object, scene: bpy.types.Scene, copies: list[bpy.types.Object]
) -> None:
    """Let a scene evaluate what a temporary terrain in it follows; add the copies that are made for that to a list.

    Curves and empties count where they are hidden, other objects do not.
    """
    inside = scene.collection.objects
    for slot in slots_of(terrain):
        parts = parts_of(slot)
        if not is_solid(slot):
            parts = [source_of(slot).copy()]
            copies += parts
            parts[0].hide_viewport = False
            slot["object"] = parts[0]
        for part in set(parts).difference(inside):
            inside.link(part)
