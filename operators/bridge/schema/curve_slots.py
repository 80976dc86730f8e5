# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves and placements in settings: a list of slots, each with an object and the points that it had last.

The points are those that count, as JSON: curves, or their names in a recipe, or placements. A slot whose object is gone
keeps them, and one of a recipe that came without objects has nothing else. `terrain/drawn_curves.py` reads curve
objects, `terrain/placed_stamps.py` the transforms of others.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import bpy

from ....noise_core.base.errors import ParameterError, RecipeError
from ....noise_core.base.json_texts import json_value
from ....noise_core.recipes.serial import value_from_plain
from ..datablocks.ref import Ref
from ..datablocks.switch import Switch

KINDS = ("curves", "placements")
"""Kinds of parameters that slots hold: a node has a list of the same name as the kind."""

Values = tuple[object, ...]
"""Curves, or names of curves of a recipe; or placements."""

SlotState = tuple[int, str, str]
"""Session number of a slot's object, 0 for none, the object's name, and the points."""


writing = Switch()
"""Whether the points of slots are being written, which then need no comparison with their objects."""


def read(slots: Iterable[Any], kind: str) -> Values:
    """Return the values of all slots of a kind; raise a RecipeError if points cannot be read."""
    return tuple(value for slot in slots for value in parse(slot.points, kind))


def _parse(text: str, kind: Any) -> Values:
    """Return the values in the text of a slot of a kind; raise a RecipeError if there are none."""
    try:
        plain = json_value(text) if text else []
    except ValueError as error:
        raise RecipeError("{}: {}", kind, error) from error
    values = value_from_plain(plain, kind, kind)
    if not isinstance(values, tuple):
        raise RecipeError("{} must be a list", kind, got=repr(text))
    return values


parse: Callable[[str, str], Values] = functools.lru_cache(maxsize=256)(_parse)


def text_of(values: Sequence[Any]) -> str:
    """Return values as the text of a slot."""
    return json.dumps([value if isinstance(value, str) else value.to_plain() for value in values])


def write(slots: Any, values: Sequence[object], kind: str) -> None:
    """Write values into slots, one for each; slots that hold these values already keep their objects."""
    if read_or_none(slots, kind) == tuple(values):
        return
    slots.clear()
    for value in values:
        slots.add().points = text_of((value,))


def read_or_none(slots: Iterable[Any], kind: str) -> Values | None:
    """Return the values of all slots of a kind, None if they cannot be read."""
    try:
        return read(slots, kind)
    except (RecipeError, ParameterError):
        return None


def kind_of(slot: Any) -> str:
    """Return the kind of the values in a slot of settings."""
    return str(slot.path_from_id()).rpartition(".")[2].partition("[")[0]


def states(slots: Iterable[Any]) -> tuple[SlotState, ...]:
    """Return what slots hold, for `restore`."""
    return tuple(
        (Ref.of(slot.object).uid if slot.object else 0, slot.known_name, slot.points)
        for slot in slots
    )


def restore(slots: Any, held: Sequence[SlotState], kind: str) -> None:
    """Give slots the objects of others that hold the same values; other slots stay as they are."""
    same = tuple(value for _, _, text in held for value in parse(text, kind))
    if read_or_none(slots, kind) != same or states(slots) == tuple(held):
        return
    slots.clear()
    for uid, name, text in held:
        slot = slots.add()
        slot.known_name, slot.points = name, text
        slot.object = Ref[bpy.types.Object]("OBJECT", uid, name).find() if uid else None
