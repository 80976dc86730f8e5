# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated settings of terrains in a frame, and what they follow in it, in any dependency graph.

Blender evaluates only the data of an object that the image depends on, as far as it knows. Where a terrain is
drawn, that includes its animation. Where only a modifier or a node reads its mesh, it does not, as no relation says
that the mesh depends on the settings. This module then evaluates keyframes as Blender does; drivers and the tracks
of the NLA editor are evaluated by Blender itself, in a temporary scene. There it also evaluates what a terrain follows where that
is hidden, or elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

import bpy

from ..datablocks import compat, scene_sources
from ..schema import animation, state
from . import followed_slots, followed_sources, probes

Result = TypeVar("Result")

InMainThread = Callable[[Callable[[], Any]], Any]
"""Calls a function in Blender's main thread, and returns its result."""


def has_keys(terrain: bpy.types.Object) -> bool:
    """Return whether the settings of a terrain have keyframes or drivers."""
    return terrain.animation_data is not None and bool(animation.paths(terrain))


def is_animated(obj: bpy.types.Object) -> bool:
    """Return whether an object is a terrain whose settings, or what it follows, may change from frame to frame."""
    return (
        obj.type == "MESH"
        and state.is_terrain(obj)
        and (has_keys(obj) or followed_slots.may_move(obj))
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
) -> tuple[Result, tuple[str, ...]] | None:
    """Return the result of a function for the copy of a terrain in a frame, and the points of what it follows.

    None if the graph has no copy.
    """
    copy = terrain.evaluated_get(depsgraph)
    if not copy.is_evaluated:
        return None
    scene, data = depsgraph.scene_eval, terrain.animation_data
    drawn = scene_sources.SceneSources(depsgraph)
    is_hidden = data is not None and terrain not in drawn
    slots = followed_slots.slots_of(terrain)

    def read_copy(copy: Any, graph: Any) -> tuple[Result, tuple[str, ...]]:
        points = followed_sources.write_frame(copy, graph)
        return reader(copy), points

    if (is_hidden and _is_more_than_keyframes(data)) or not all(
        followed_slots.is_evaluated(slot, drawn) for slot in slots
    ):
        frame, part = scene.frame_current, scene.frame_subframe
        probed: tuple[Result, tuple[str, ...]] | None
        probed = in_main_thread(lambda: probes.probe(terrain, frame, part, read_copy))
        return probed
    if is_hidden:
        _set_keyframes(copy, data, scene.frame_current_final)
    return read_copy(copy, depsgraph)


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
