# SPDX-License-Identifier: GPL-3.0-or-later
"""Curve objects, outlines of other objects, and empties that layers and masks of terrains follow.

Whenever Blender reports a change of them (`terrain_events.py`), the points of the objects are compared, in the terrain's own
space, with those in the settings (`schema/curve_slots.py`). Different ones are written there, which live update
follows like any setting. So undo, files and copies of the terrain have the points, and a terrain keeps those of a curve
that is removed. When the frame changes (`animated_values.py`), the points of evaluated objects count, as keyed settings do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.curves.land_curve import LandCurve
from ..datablocks import curve_objects, linked, scene_sources
from ..datablocks.curve_objects import Table
from ..datablocks.ref import uid_of
from ..datablocks.switch import Switch
from ..schema import curve_slots, state
from . import placed_stamps, slot_readings, tile_frame
from .followed_slots import is_evaluated, slot_may_move, slots_of, source_of
from .land_curves import land_curves
from .probes import probe
from .slot_readings import Changes

REMOVED = Message("{} was removed: the terrain keeps its last points")
NO_OBJECT = Message("No curve object is chosen: the layer has points of its own")

EVERYTHING = Changes(is_all=True)
"""Changes of which nothing is known."""

following = Switch()
"""Whether points that were just read are being written: they need no other reading."""

_POINTS = "points"
"""Name of the points in a slot."""


# --- edits ----------------------------------------------------------------------------------------


def read_source(terrain: bpy.types.Object, slot: Any, depsgraph: Any = None) -> tuple[Any, ...]:
    """Return the curves of a slot's object or collection on a terrain, or the placement of its empty.

    With a dependency graph, the terrain is its copy of it. Raises a TerraneError if the source is not fit for that.
    """
    source = source_of(slot)
    if not curve_slots.is_place(slot):
        return land_curves(terrain, source, depsgraph)
    obj = source if depsgraph is None else source.evaluated_get(depsgraph)
    placed = np.array(terrain.matrix_world.inverted_safe() @ obj.matrix_world, np.float64)
    return (placed_stamps.placement(placed, tile_frame.TileFrame.of(terrain), source.name),)


def follow(terrain: bpy.types.Object, changes: Changes | None = EVERYTHING) -> None:
    """Write the points of objects into a terrain's settings where they may have changed; None is a change of settings.

    Of what the view layer does not evaluate, only changed or newly chosen objects are read: their place is not known.
    """
    if not linked.is_writable(terrain):
        return
    due = slot_readings.due_slots(terrain, changes)
    in_use = [slot for slot in due.values() if curve_objects.is_in_use(source_of(slot))]
    drawn = scene_sources.SceneSources(bpy.context.view_layer.depsgraph)
    hidden = [slot for slot in in_use if not is_evaluated(slot, drawn)]
    sources = changes.sources if changes else ()
    probed: dict[Any, str] = {}
    if any(uid_of(source_of(slot)) in sources or _is_new(slot) for slot in hidden):
        probed = _probe(terrain)
    with following.on():
        for slot in in_use:
            if slot not in hidden:
                _write(slot, _present_points(terrain, slot))
            elif probed:
                _write(slot, probed[slot])
    slot_readings.remember(terrain, due, changes)


def _probe(terrain: bpy.types.Object) -> dict[Any, str]:
    """Return the points of all slots of a terrain, also of those whose sources the view layer does not evaluate."""
    scene = bpy.context.scene
    points = probe(terrain, scene.frame_current, scene.frame_subframe, write_frame)
    return dict(zip(slots_of(terrain), points))


def _is_new(slot: Any) -> bool:
    return bool(slot.known_name != source_of(slot).name)


def _write(slot: Any, points: str) -> None:
    """Write points into a slot, with the name of the object that they are of."""
    if _is_new(slot):
        slot.known_name, slot.curve_name = source_of(slot).name, ""
    if slot.points != points:
        slot.points = points


def _present_points(terrain: bpy.types.Object, slot: Any, depsgraph: Any = None) -> str:
    """Return the points of a slot's object as text; the last ones if it is no curve on land, as its note says.

    Points of what stands still, and differs only as Blender rounds it, stay as they are.
    """
    last: str = slot.points
    try:
        found = read_source(terrain, slot, depsgraph)
    except TerraneError:
        return last
    text = curve_slots.text_of(found)
    if text == last or not _are_close(curve_slots.parse(last), found):
        return text
    return text if slot_may_move(terrain, slot) else last


_PLACES, _HEIGHTS = 1e-7, 2e-7
"""Tiles, and share of heights and widths, by which Blender's numbers of fewer digits differ from those of a recipe."""


def _are_close(old: Sequence[object], new: Sequence[object]) -> bool:
    """Return whether curves differ only as Blender rounds them: the land of a recipe is not made again for that."""
    if len(old) != len(new):
        return False
    for first, second in zip(old, new):
        if not (isinstance(first, LandCurve) and isinstance(second, LandCurve)):
            return False
        if first.closed != second.closed:
            return False
        before, after = _numbers(first), _numbers(second)
        if before.shape != after.shape:
            return False
        if not np.allclose(before, after, rtol=_HEIGHTS, atol=_PLACES):
            return False
    return True


def _numbers(curve: LandCurve) -> Table:
    """Return all numbers of a curve in one row; of curves without the same handles they are not equally many."""
    rows = [
        (*point.at, point.z, point.width, point.tilt, *(point.left or ()), *(point.right or ()))
        for point in curve.points
    ]
    return np.array([value for row in rows for value in row])


def note(terrain: bpy.types.Object | None, slot: Any) -> str:
    """Return why the points of a slot are not those of its object, "" if they are."""
    if not curve_objects.is_in_use(source_of(slot)):
        is_place = curve_slots.is_place(slot)
        if not slot.known_name:
            return placed_stamps.NO_OBJECT if is_place else NO_OBJECT
        return Message(placed_stamps.REMOVED if is_place else REMOVED, slot.known_name)
    if terrain is None or not state.is_terrain(terrain):
        return ""
    try:
        read_source(terrain, slot)
    except TerraneError as error:
        return error.message
    return ""


# --- frames ---------------------------------------------------------------------------------------


def write_frame(copy: Any, depsgraph: Any) -> tuple[str, ...]:
    """Give an evaluated copy of a terrain the points of its frame, and return them, slot by slot."""
    points = []
    for slot in slots_of(copy):
        text = _present_points(copy, slot, depsgraph)
        _assign(slot, text)
        points.append(text)
    return tuple(points)


def store(terrain: bpy.types.Object, points: Sequence[str]) -> None:
    """Give the settings of a terrain the points of a frame, as Blender does with values of keyframes: it is no edit."""
    for slot, text in zip(slots_of(terrain), points):
        _assign(slot, text)


def _assign(slot: Any, text: str) -> None:
    """Set the points of a slot without update callbacks."""
    if slot.points != text:
        slot[_POINTS] = text
