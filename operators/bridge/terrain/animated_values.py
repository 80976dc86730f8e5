# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated settings of terrains in a frame, in any dependency graph.

Blender evaluates only the data of an object that the image depends on, as far as it knows. Where a terrain is
drawn, that includes its animation. Where only a modifier or a node reads its mesh, it does not, as no relation says
that the mesh depends on the settings. This module then evaluates keyframes as Blender does; drivers and the tracks
of the NLA editor are evaluated by Blender itself, in a temporary scene.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

import bpy

from ..datablocks import compat
from ..datablocks.switch import Switch
from ..schema import animation, state

Result = TypeVar("Result")

InMainThread = Callable[[Callable[[], Any]], Any]
"""Calls a function in Blender's main thread, and returns its result."""

probing = Switch()
"""Whether a terrain is evaluated in a temporary scene."""

_NAME = "terrane_temporary"


def is_animated(obj: bpy.types.Object) -> bool:
    """Return whether an object is a terrain whose settings have keyframes or drivers."""
    return (
        obj.type == "MESH"
        and obj.animation_data is not None
        and state.is_terrain(obj)
        and bool(animation.paths(obj))
    )


def animated_objects() -> Iterator[bpy.types.Object]:
    """Yield all animated terrains of the file."""
    objects: Any = bpy.data.objects
    return filter(is_animated, objects)


def read(
    terrain: bpy.types.Object,
    depsgraph: Any,
    reader: Callable[[Any], Result],
    in_main_thread: InMainThread,
) -> Result | None:
    """Return the result of a function for the animated copy of a terrain; None if the graph has no copy."""
    copy = terrain.evaluated_get(depsgraph)
    if not copy.is_evaluated:
        return None
    data, scene = terrain.animation_data, depsgraph.scene_eval
    if data is not None and not _is_drawn(terrain, depsgraph):
        if _is_more_than_keyframes(data):
            frame, part = scene.frame_current, scene.frame_subframe
            probed: Result = in_main_thread(lambda: _probe(terrain, frame, part, reader))
            return probed
        _set_keyframes(copy, data, scene.frame_current_final)
    return reader(copy)


def _is_drawn(terrain: bpy.types.Object, depsgraph: Any) -> bool:
    """Return whether a graph draws an object itself; it evaluates all of those that it draws."""
    is_visible = terrain.visible_get(view_layer=depsgraph.view_layer)
    if depsgraph.mode == "VIEWPORT" and is_visible:
        return True  # the usual case; a search takes longer
    return any(drawn.original == terrain for drawn in depsgraph.objects)


def _is_more_than_keyframes(data: Any) -> bool:
    has_drivers = any(animation.is_setting(driver.data_path) for driver in data.drivers)
    return has_drivers or len(data.nla_tracks) > 0


def _set_keyframes(copy: Any, data: Any, time: float) -> None:
    """Give an evaluated copy the values of its keyframes."""
    for curves in compat.action_curves(data):
        for curve in curves:
            is_muted = curve.mute or (curve.group is not None and curve.group.mute)
            if animation.is_setting(curve.data_path) and not is_muted and not curve.is_empty:
                with suppress(ValueError):  # of a layer that is gone
                    _set_value(copy, curve, curve.evaluate(time))


def _set_value(copy: Any, curve: Any, value: float) -> None:
    """Set a value as Blender's animation does: within its limits, and without update callbacks."""
    start, _, name = curve.data_path.rpartition(".")
    group = copy.path_resolve(start)
    declared = group.bl_rna.properties.get(name)
    if declared is None or declared.type != "FLOAT":
        return
    value = min(max(value, declared.hard_min), declared.hard_max)
    if declared.is_array:
        values = list(getattr(group, name))
        values[curve.array_index] = value
        group[name] = values
    else:
        group[name] = value


def _probe(
    terrain: bpy.types.Object, frame: int, subframe: float, reader: Callable[[Any], Result]
) -> Result:
    """Let Blender evaluate a visible copy of a terrain in a temporary scene, and read it."""
    scene, copy = bpy.data.scenes.new(_NAME), terrain.copy()
    try:
        with probing.on():
            copy.hide_viewport = False
            scene.collection.objects.link(copy)
            # Last: only a change of the frame evaluates animation. Handlers of others hear nothing of it.
            scene.frame_current, scene.frame_subframe = frame, subframe
            layer = scene.view_layers[0]
            layer.update()
            return reader(copy.evaluated_get(layer.depsgraph))
    finally:
        bpy.data.objects.remove(copy)
        bpy.data.scenes.remove(scene)
