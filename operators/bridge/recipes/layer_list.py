# SPDX-License-Identifier: GPL-3.0-or-later
"""What is done with the list of layers as a whole, and what it shows: places, names, who is alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from bpy.app.translations import pgettext_iface

from ....noise_core.modifier import Modifier
from . import mask_settings, stack
from .stack import Note


def active_knobs(group: Any) -> Any | None:
    """Return the group with the knobs of the noise that the panel shows; None if it shows none."""
    entry = stack.active_entry(group)
    return group if entry is None else stack.knobs_of(entry)


def mode_label(entry: Any) -> str:
    """Return how a layer of noise is put together with the ground, as the user's language has it.

    Nothing for other entries.
    """
    cls = stack.modifier_class(entry)
    if cls is None or stack.knobs_of(entry) is None:
        return ""
    own = getattr(entry, stack.modifier_group(cls.key))
    item = own.bl_rna.properties["mode"].enum_items.get(own.mode)
    return "" if item is None else str(pgettext_iface(item.name))


def is_masked(entry: Any) -> bool:
    """Return whether an entry acts only somewhere."""
    return bool(entry.mask) or getattr(entry, stack.WHERE).source != mask_settings.EVERYWHERE


def has_solo(group: Any) -> bool:
    """Return whether some entries are alone, so that the others are left out."""
    return group.noise_solo or any(entry.solo for entry in getattr(group, stack.ENTRIES))


def layers(group: Any) -> list[Any]:
    """Return those entries that bring a noise of their own, which masks can stand for."""
    found = []
    for entry in getattr(group, stack.ENTRIES):
        cls = stack.modifier_class(entry)
        if cls is not None and stack.noise_parameters(cls):
            found.append(entry)
    return found


def free_name(group: Any, wanted: str) -> str:
    """Return a name that no entry has, as Blender finds them: Hills, Hills.001 and so on."""
    taken = set(stack.names(group))
    if wanted not in taken:
        return wanted
    head, dot, digits = wanted.rpartition(".")
    stem = head if dot and digits.isdigit() else wanted
    counted = (f"{stem}.{count:03d}" for count in itertools.count(1))
    return next(name for name in counted if name not in taken)


def named(modifier: Modifier, name: str) -> Modifier:
    """Return a modifier with another name."""
    return type(modifier)(**{**stack.values_of(modifier), "name": name})


def referable(group: Any, name: str) -> str:
    """Return the name by which a recipe can call a layer: one that it has itself, and no other.

    A layer without a name of its own shows that of its type, and gets it by this.
    """
    for entry in layers(group):
        if entry.name == name:
            modifier = stack.read_entry(entry)
            if not modifier.name:
                wanted = (
                    name
                    if sum(one == name for one in stack.names(group)) == 1
                    else free_name(group, name)
                )
                stack.write_entry(entry, named(modifier, wanted), stack.note(entry))
            return str(entry.name)
    return name


def follow_name(entry: Any, entries: Iterable[Any]) -> None:
    """Let masks that stand for a layer go on doing so after somebody has renamed it.

    Parameters
    ----------
    entry : PropertyGroup
        The renamed one.
    entries : iterable of PropertyGroup
        The whole list.
    """
    old, new = entry.known_name, entry.name
    entry.known_name = new
    others = [one for one in entries if one != entry]
    if not old or old == new or any(one.name == old for one in others):
        return
    for one in others:
        mask_settings.rename_layer(getattr(one, stack.WHERE), old, new)


def add(group: Any, modifier: Modifier, note: Note | None = None) -> None:
    """Add a modifier behind the active one; it becomes the active one."""
    entries, place = getattr(group, stack.ENTRIES), getattr(group, stack.ACTIVE)
    stack.write_entry(entries.add(), modifier, note or Note())
    last = len(entries) - 1
    target = max(0, min(place + 1, last))
    entries.move(last, target)
    stack.choose(group, target)


def remove(group: Any) -> None:
    """Remove the active entry, whatever its type; the one before it becomes active."""
    place = getattr(group, stack.ACTIVE)
    getattr(group, stack.ENTRIES).remove(place)
    stack.choose(group, place - 1)


def move(group: Any, by: int) -> bool:
    """Move the active entry by so many places; it stays the active one.

    Returns whether there was such a place.
    """
    entries, place = getattr(group, stack.ENTRIES), getattr(group, stack.ACTIVE)
    if not 0 <= place + by < len(entries):
        return False
    entries.move(place, place + by)
    stack.choose(group, place + by)
    return True


def select(group: Any, place: int) -> bool:
    """Make the entry at a place, or `stack.BASE`, the active one; return whether there is one."""
    if not stack.BASE <= place < len(getattr(group, stack.ENTRIES)):
        return False
    setattr(group, stack.ACTIVE, place)
    return True


def mute(group: Any, place: int) -> None:
    """Leave the entry at a place out, or `stack.BASE`; or take it in again."""
    name = _switch(place, "muted")
    holder = _holder(group, place)
    setattr(holder, name, not getattr(holder, name))


def active_place(group: Any) -> int:
    """Return the place whose parameters the panel shows."""
    return stack.BASE if stack.active_entry(group) is None else int(getattr(group, stack.ACTIVE))


def alone(group: Any, place: int) -> bool:
    """Let the entry at a place act alone, or all again if it did; return whether it is now alone.

    At `stack.BASE` that is the noise that the recipe begins with: nothing is laid over it then.
    """
    places = range(stack.BASE, len(getattr(group, stack.ENTRIES)))
    alone_now = [one for one in places if _is_alone(group, one)]
    is_alone = alone_now != [place]
    for one in places:
        wanted = is_alone and one == place
        if _is_alone(group, one) != wanted:
            setattr(_holder(group, one), _switch(one, "solo"), wanted)
    return is_alone


def _is_alone(group: Any, place: int) -> bool:
    return bool(getattr(_holder(group, place), _switch(place, "solo")))


def _holder(group: Any, place: int) -> Any:
    """Return what has the switches of an entry: for the base noise, the settings themselves."""
    return group if place == stack.BASE else getattr(group, stack.ENTRIES)[place]


def _switch(place: int, name: str) -> str:
    """Return the name of such a switch."""
    return f"noise_{name}" if place == stack.BASE else name
