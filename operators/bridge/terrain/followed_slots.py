# SPDX-License-Identifier: GPL-3.0-or-later
"""Slots of a terrain's settings, the objects in them that it follows, and whether these move or are hidden."""

from __future__ import annotations

from typing import Any

import bpy

from ..datablocks import curve_objects, moving, solids
from ..datablocks.scene_sources import SceneSources
from ..schema import animation, curve_slots, layers, state


def slots_of(terrain: bpy.types.Object) -> list[Any]:
    """Return the slots of a terrain's settings whose object or collection is there."""
    slots = layers.curve_slots_of(getattr(terrain, state.PROPERTY))
    return [slot for slot in slots if curve_objects.is_in_use(source_of(slot))]


def source_of(slot: Any) -> Any:
    """Return the object or collection of a slot, also of an evaluated one; None if there is none."""
    source = curve_slots.source(slot)
    return None if source is None else source.original


def is_solid(slot: Any) -> bool:
    """Return whether the outline of an object or collection counts, with all that belongs to it."""
    source = source_of(slot)
    is_curve = isinstance(source, bpy.types.Object) and source.type == "CURVE"
    return not (is_curve or curve_slots.is_place(slot))


def parts_of(slot: Any) -> list[bpy.types.Object]:
    """Return the objects that shape the land through a slot."""
    return solids.members(source_of(slot)) if is_solid(slot) else [source_of(slot)]


def may_move(terrain: bpy.types.Object) -> bool:
    """Return whether what a terrain follows may move from frame to frame, or the terrain may move below it."""
    return any(slot_may_move(terrain, slot) for slot in slots_of(terrain))


def slot_may_move(terrain: bpy.types.Object, slot: Any) -> bool:
    """Return whether the objects of a slot may move in the space of a terrain."""
    space = terrain.original
    is_carried = animation.has_others(space) or moving.may_move(moving.carriers(space), space)
    return is_carried or moving.may_move(parts_of(slot), space)


def is_evaluated(slot: Any, drawn: SceneSources) -> bool:
    """Return whether a dependency graph evaluates all that shapes the land through a slot: hidden solids do not."""
    parts = parts_of(slot)
    if is_solid(slot):
        parts = [part for part in parts if not drawn.has_hidden(part)]
    return all(part in drawn for part in parts)
