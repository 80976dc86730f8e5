# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves and placements in settings: a list of slots, each with an object and the points that it had last.

The points are those that count, as JSON: curves, or their names in a recipe, or placements. A slot whose object is gone
keeps them, and one of a recipe that came without objects has nothing else. `terrain/followed_sources.py` reads the objects.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any

import bpy

from ....noise_core.base.checks import LONGEST_TEXT, MOST_CURVES, is_line
from ....noise_core.base.errors import ParameterError, RecipeError
from ....noise_core.base.json_texts import json_value
from ....noise_core.curves.land_curve import LandCurve
from ....noise_core.recipes.serial import value_from_plain
from ..datablocks.ref import Ref
from ..datablocks.switch import Switch

CurveValues = tuple[object, ...]
"""Curves, or names of curves of a recipe; or placements."""

SlotState = tuple[Ref[bpy.types.ID] | None, str, str, str]
"""Reference to a slot's object or collection, its name, the name of the curve in a recipe, and the points."""


writing = Switch()
"""Whether slots are being written with their points: these are compared with their objects after the next change, not now."""


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


def give_names(slots: Iterable[Any], named: Mapping[str, LandCurve]) -> None:
    """Give slots the names that their curves have in a recipe."""
    names: dict[object, str] = {curve: name for name, curve in named.items()}
    for slot in slots:
        if names:
            (curve, *_) = read_or_none([slot]) or (None,)
            slot.curve_name = names.get(curve, slot.curve_name)


def named_curves(slots: Iterable[Any]) -> dict[str, LandCurve]:
    """Return the curves of slots that have a name, in a recipe or of their object; further ones of a name are numbered."""
    named: dict[str, LandCurve] = {}
    known: set[LandCurve] = set()
    counts: dict[str, int] = {}
    for slot in slots:
        title = slot.curve_name or slot.known_name
        curves = [each for each in read_or_none([slot]) or () if isinstance(each, LandCurve)]
        for curve in curves if title and is_line(title[:LONGEST_TEXT]) else ():
            if curve not in known and len(named) < MOST_CURVES:
                known.add(curve)
                named[_free_name(title, named, counts)] = curve
    return named


def _free_name(title: str, taken: Container[str], counts: dict[str, int]) -> str:
    """Return a name that is not taken; `counts` are the last numbers of titles, which spare a search from 1."""
    name = title[:LONGEST_TEXT]
    while name in taken:
        counts[title] = counts.get(title, 1) + 1
        end = f" {counts[title]}"
        name = f"{title[: LONGEST_TEXT - len(end)]}{end}"
    return name


def read_or_none(slots: Iterable[Any]) -> CurveValues | None:
    """Return the curves of all slots, None if they cannot be read."""
    try:
        return read(slots)
    except (RecipeError, ParameterError):
        return None


def states(slots: Iterable[Any]) -> tuple[SlotState, ...]:
    """Return what slots hold, for `restore`."""
    return tuple(
        (
            Ref.of(source(slot)) if source(slot) else None,
            slot.known_name,
            slot.curve_name,
            slot.points,
        )
        for slot in slots
    )


def restore(slots: Any, held: Sequence[SlotState]) -> None:
    """Give slots the objects of others that hold the same curves; other slots stay as they are."""
    same = tuple(curve for *_, text in held for curve in parse(text))
    if read_or_none(slots) != same or states(slots) == tuple(held):
        return
    slots.clear()
    for reference, name, curve_name, text in held:
        slot = slots.add()
        slot.known_name, slot.curve_name, slot.points = name, curve_name, text
        choose(slot, reference.find() if reference else None)
