# SPDX-License-Identifier: GPL-3.0-or-later
"""Which slots of terrains must be read again: those whose source, terrain or own values have changed since they were read.

A source is the object or collection of a slot. Where it lies in the space of the terrain depends on both of them alone, and
Blender reports changes of both. So a dragged point costs the same on a terrain with one path as on one with a village.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import bpy

from ....noise_core.base.errors import TerraneError
from ..datablocks.ref import Ref, uid_of
from ..schema import curve_slots, layers, state
from .tile_frame import TileFrame


@dataclass
class Changes:
    """Changes that Blender has reported.

    Attributes
    ----------
    sources : set of int
        UIDs of the objects and collections that may lie or look otherwise.
    is_all : bool
        Whether anything may have changed, as after loading and undo, and when objects come, go and are hidden.
    """

    sources: set[int] = field(default_factory=set)
    is_all: bool = False


class SlotPlace(NamedTuple):
    """Place of a slot in the settings of a terrain: that of its layer, of its list in the layer, and in the list."""

    layer: int
    slots: int
    slot: int


class SlotKey(NamedTuple):
    """UID and name of the source of a slot, and the points that were read from it."""

    source: int
    name: str
    points: str


@dataclass(frozen=True)
class Reading:
    """State in which the slots of a terrain were read last.

    Attributes
    ----------
    terrain : Ref
    frame : object
        Place and tiles of the terrain; None if slots were written since, so that none of this counts.
    keys : dict of SlotPlace to SlotKey
    places : dict of int to list of SlotPlace
        Slots by the UIDs of their sources.
    """

    terrain: Ref[bpy.types.Object]
    frame: object
    keys: dict[SlotPlace, SlotKey]
    places: dict[int, list[SlotPlace]]


_readings: dict[int, Reading] = {}
"""The last reading of each terrain that follows anything, by UID."""


def forget(terrain: bpy.types.Object | None = None) -> None:
    """Forget the last reading of a terrain, or of all."""
    if terrain is None:
        _readings.clear()
    else:
        _readings.pop(uid_of(terrain), None)


def note_written(terrain: bpy.types.Object) -> None:
    """Note that slots of a terrain were written elsewhere: it reads all of them after the next change of anything."""
    _readings[uid_of(terrain)] = Reading(Ref.of(terrain), None, {}, {})


def terrains_following(sources: Collection[int]) -> list[bpy.types.Object]:
    """Return the terrains that follow any of some sources, or are among them, or whose slots were written."""
    found = []
    for uid, reading in tuple(_readings.items()):
        is_same = uid not in sources and reading.places.keys().isdisjoint(sources)
        if is_same and reading.frame is not None:
            continue
        terrain = reading.terrain.find()
        if terrain is None:
            del _readings[uid]
        else:
            found.append(terrain)
    return found


def due_slots(terrain: bpy.types.Object, changes: Changes | None) -> dict[SlotPlace, Any]:
    """Return the slots with a source that must be read again after changes, None after a change of settings."""
    reading = _readings.get(uid_of(terrain))
    if reading is None or reading.frame != _frame_of(terrain) or (changes and changes.is_all):
        return dict(_slots_with_source(terrain))
    if changes is not None:
        return _slots_of(terrain, reading, changes.sources)
    known = set(reading.keys.values())
    slots = dict(_slots_with_source(terrain))
    return {place: slot for place, slot in slots.items() if _key_of(slot) not in known}


def remember(
    terrain: bpy.types.Object, slots: dict[SlotPlace, Any], changes: Changes | None
) -> None:
    """Remember that slots were read which were due after changes, and that all others need no reading."""
    reading = _readings.get(uid_of(terrain))
    frame = _frame_of(terrain)
    if (
        reading is not None
        and changes is not None
        and reading.frame == frame
        and not changes.is_all
    ):
        reading.keys.update((place, _key_of(slot)) for place, slot in slots.items())
        return
    keys = {place: _key_of(slot) for place, slot in _slots_with_source(terrain)}
    places: dict[int, list[SlotPlace]] = {}
    for place, key in keys.items():
        places.setdefault(key.source, []).append(place)
    forget(terrain)
    if keys:
        _readings[uid_of(terrain)] = Reading(Ref.of(terrain), frame, keys, places)


def _slots_of(
    terrain: bpy.types.Object, reading: Reading, sources: Collection[int]
) -> dict[SlotPlace, Any]:
    """Return the slots with some sources; all slots if they stand elsewhere than when they were read."""
    places = [place for uid in reading.places.keys() & sources for place in reading.places[uid]]
    entries = getattr(getattr(terrain, state.PROPERTY), layers.LAYERS)
    slots: dict[SlotPlace, Any] = {}
    with suppress(IndexError):
        for place in places:
            lists = [each for _, each in layers.LAYER_TYPES.slots(entries[place.layer])]
            slots[place] = lists[place.slots][place.slot]
    is_same = len(slots) == len(places) and all(
        curve_slots.source(slot) is not None and _key_of(slot) == reading.keys[place]
        for place, slot in slots.items()
    )
    return slots if is_same else dict(_slots_with_source(terrain))


def _slots_with_source(terrain: bpy.types.Object) -> Iterator[tuple[SlotPlace, Any]]:
    for layer, entry in enumerate(getattr(getattr(terrain, state.PROPERTY), layers.LAYERS)):
        for number, (_, slots) in enumerate(layers.LAYER_TYPES.slots(entry)):
            for place, slot in enumerate(slots):
                if curve_slots.source(slot) is not None:
                    yield SlotPlace(layer, number, place), slot


def _key_of(slot: Any) -> SlotKey:
    source = curve_slots.source(slot)
    return SlotKey(uid_of(source), source.name, slot.points)


def _frame_of(terrain: bpy.types.Object) -> object:
    """Return the place of a terrain and its tiles, on which the places of all its slots depend."""
    world: Any = terrain.matrix_world
    matrix = tuple(tuple(row) for row in world)
    try:
        return matrix, TileFrame.of(terrain)
    except TerraneError as error:  # a user's mesh follows nothing
        return matrix, error.message
