# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves and placements in settings: a list of slots, each with an object and the points that it had last.

The points are those that count, as JSON: curves, or their names in a recipe, or placements. A slot whose object is gone
keeps them, and one of a recipe that came without objects has nothing else. `terrain/followed_sources.py` reads the objects.
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

CurveValues = tuple[object, ...]
"""Curves, or names of curves of a recipe; or placements."""

SlotState = tuple[Ref[bpy.types.ID] | None, str, str]
"""Reference to a slot's object or collection, its name, and the points."""


writing = Switch()
"""Whether the points of slots are being written, which then need no comparison with their objects."""


def source(slot: Any) -> Any:
    """Return the object or collection that a slot follows; None if there is none."""
    return slot.object or getattr(slot, "collection", None)


def is_place(slot: Any) -> bool:
    """Return whether a slot follows the transform of an object, not curves or outlines."""
    return not hasattr(slot, "collection")


def choose(slot: Any, chosen: Any) -> None:
    """Let a slot follow an object or a collection, or nothing."""
    is_collection = isinstance(chosen, bpy.types.Collection)
    slot.object = None if is_collection else chosen
    if not is_place(slot):
        slot.collection = chosen if is_collection else None


def read(slots: Iterable[Any]) -> CurveValues:
    """Return the curves of all slots; raise a RecipeError if points cannot be read."""
    return tuple(curve for slot in slots for curve in parse(slot.points))


def _parse(text: str) -> CurveValues:
    """Return the curves in the text of a slot; raise a RecipeError if there are none."""
    try:
        plain = json_value(text) if text else []
    except ValueError as error:
        raise RecipeError("curves: {}", error) from error
    is_curves = not isinstance(plain, list) or not all(map(_is_placement, plain)) or not plain
    curves = value_from_plain(plain, "curves" if is_curves else "placements", "curves")
    if not isinstance(curves, tuple):
        raise RecipeError("curves must be a list", got=repr(text))
    return curves


def _is_placement(plain: object) -> bool:
    """Return whether an entry of a text is a placement: a curve has its places in its points."""
    return isinstance(plain, dict) and "at" in plain


parse: Callable[[str], CurveValues] = functools.lru_cache(maxsize=256)(_parse)


def text_of(values: Sequence[Any]) -> str:
    """Return curves, names of curves or placements as the text of a slot."""
    return json.dumps([value if isinstance(value, str) else value.to_plain() for value in values])


def write(slots: Any, curves: Sequence[object]) -> None:
    """Write curves into slots, one for each; slots that hold these curves already keep their objects."""
    if read_or_none(slots) == tuple(curves):
        return
    slots.clear()
    for curve in curves:
        slots.add().points = text_of((curve,))


def read_or_none(slots: Iterable[Any]) -> CurveValues | None:
    """Return the curves of all slots, None if they cannot be read."""
    try:
        return read(slots)
    except (RecipeError, ParameterError):
        return None


def states(slots: Iterable[Any]) -> tuple[SlotState, ...]:
    """Return what slots hold, for `restore`."""
    return tuple(
        (Ref.of(source(slot)) if source(slot) else None, slot.known_name, slot.points)
        for slot in slots
    )


def restore(slots: Any, held: Sequence[SlotState]) -> None:
    """Give slots the objects of others that hold the same curves; other slots stay as they are."""
    same = tuple(curve for _, _, text in held for curve in parse(text))
    if read_or_none(slots) != same or states(slots) == tuple(held):
        return
    slots.clear()
    for reference, name, text in held:
        slot = slots.add()
        slot.known_name, slot.points = name, text
        choose(slot, reference.find() if reference else None)
