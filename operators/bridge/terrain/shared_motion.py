# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains that share a mesh and move differently.

A mesh holds the heights of one state, so that terrains with one mesh move only as long as their settings agree. Where
they do not, the mesh stands still. The panel says so, and so do renders and exports as they begin or come to such a frame.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

import bpy

from ....noise_core.base.errors import Message, TerraneError
from ..datablocks import compat, editing, linked, meshes, scene_sources
from ..datablocks.ref import Ref
from ..interface.messages import translate
from ..schema import animation
from . import animated_values, frames

_told: set[int] = set()
"""UIDs of the meshes that were told of since the last render began, or the file was loaded."""


def sharing(terrain: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the animated terrains with the mesh of a terrain, itself first if it is one of them."""
    if not animated_values.is_animated(terrain):
        return []
    if not editing.other_users(meshes.mesh_of(terrain)):
        return [terrain]
    others = (
        obj
        for obj in animated_values.animated_objects()
        if obj.data == terrain.data and obj != terrain
    )
    return [terrain, *others]


def group_by_motion(
    terrains: Iterable[bpy.types.Object], depsgraph: Any, *, is_drawing: bool = False
) -> list[list[bpy.types.Object]]:
    """Return groups of terrains that move alike; those that a dependency graph does not show are left out.

    While a panel is drawn, settings that only a temporary scene could evaluate are taken to agree.
    """
    groups: dict[object, list[bpy.types.Object]] = defaultdict(list)
    for terrain, _ in scene_sources.evaluated(terrains, depsgraph):
        digest = ""
        with suppress(TerraneError):  # settings that cannot be read; the panel says why
            options = {"in_main_thread": lambda make: None} if is_drawing else {}
            frame = frames.Frame.of(terrain, depsgraph, **options)
            digest = "" if frame is None else frame.digest
        groups[_motion_of(terrain), digest].append(terrain)
    return list(groups.values())


def why_still(terrain: bpy.types.Object, depsgraph: Any) -> str:
    """Return why an animated terrain stands still in renders, for a panel; empty if it moves."""
    terrains = sharing(terrain)
    if len(terrains) < 2:
        return ""
    groups = group_by_motion(terrains, depsgraph, is_drawing=True)
    twin = next((group[0] for group in groups if terrain not in group), None)
    if twin is None:
        return ""
    return Message(
        "{} has the same mesh, but other keyframes: both stand still in renders",
        twin.name,
    )


def make_single_user(terrain: bpy.types.Object, depsgraph: Any) -> int:
    """Give terrains that share a mesh and move differently a mesh for each motion; return the number of new meshes.

    The mesh stays with those of other files, or else with the terrain itself.
    """
    groups = group_by_motion(sharing(terrain), depsgraph)
    groups.sort(key=lambda group: all(map(linked.is_writable, group)))
    for group in groups[1:]:
        mesh = meshes.mesh_of(group[0]).copy()
        for obj in filter(linked.is_writable, group):
            obj.data = mesh
    return max(len(groups) - 1, 0)


# --- messages of renders and exports --------------------------------------------------------------


def forget_told() -> None:
    """Let the next render or export tell again."""
    _told.clear()


def tell(terrains: Sequence[bpy.types.Object]) -> None:
    """Tell once that terrains with one mesh stand still; in the main thread.

    Handlers have no operator that could report: an operator is called for that, in a window a modal one.
    """
    mesh = Ref.of(meshes.mesh_of(terrains[0])).uid
    if mesh in _told:
        return
    _told.add(mesh)
    text = Message(
        "{} and {} stand still: they share a mesh. Press Make Single User",
        *(terrain.name for terrain in terrains[:2]),
    )
    operators: Any = bpy.ops
    operators.terrane.message_show("INVOKE_DEFAULT", text=translate(text))


def apart_in(scene: bpy.types.Scene) -> Iterator[list[bpy.types.Object]]:
    """Yield terrains with one mesh and different keyframes or drivers, on which the picture of a scene may depend."""
    by_mesh: dict[bpy.types.ID, dict[object, bpy.types.Object]] = defaultdict(dict)
    for terrain in animated_values.animated_objects():
        if editing.other_users(meshes.mesh_of(terrain)) and scene in scene_sources.showing(terrain):
            by_mesh[meshes.mesh_of(terrain)].setdefault(_motion_of(terrain), terrain)
    for terrains in by_mesh.values():
        if len(terrains) > 1:
            yield list(terrains.values())


# --- what moves a terrain -------------------------------------------------------------------------


def _motion_of(terrain: bpy.types.Object) -> object:
    """Return the keyframes, drivers and strips of a terrain's settings, which can be compared with another's."""
    data: Any = terrain.animation_data
    if data is None:
        return ()
    strips = (strip for track in data.nla_tracks if not track.mute for strip in track.strips)
    return (
        _curves_of(data),
        tuple(_strip(strip) for strip in strips if strip.action is not None and not strip.mute),
        tuple(sorted(_driver(curve) for curve in data.drivers if animation.is_setting(curve.data_path))),
    )  # fmt: skip


def _curves_of(holder: Any) -> tuple[object, ...]:
    curves = chain.from_iterable(compat.action_curves(holder))
    return tuple(sorted(_keys(curve) for curve in curves if animation.is_setting(curve.data_path)))


def _keys(curve: Any) -> tuple[object, ...]:
    keys = (
        (key.interpolation, *key.co, *key.handle_left, *key.handle_right)
        for key in curve.keyframe_points
    )
    return curve.data_path, curve.array_index, curve.mute, curve.extrapolation, tuple(keys)


def _strip(strip: Any) -> tuple[object, ...]:
    place = (strip.frame_start, strip.frame_end, strip.action_frame_start, strip.scale)
    return (*place, strip.repeat, strip.blend_type, strip.influence, _curves_of(strip))


def _driver(curve: Any) -> tuple[object, ...]:
    variables = (
        (variable.name, variable.type, *((str(target.id), target.data_path) for target in variable.targets))
        for variable in curve.driver.variables
    )  # fmt: skip
    driver = curve.driver
    return curve.data_path, curve.array_index, driver.type, driver.expression, tuple(variables)
