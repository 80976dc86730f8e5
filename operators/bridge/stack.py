# SPDX-License-Identifier: GPL-3.0-or-later
"""The stack of modifiers in Blender: entries of a collection become modifiers, and back.

As with the rest of the settings, an entry holds its modifier as text, and beside it properties for
the parameters. Where a property says what the text says, rounded as Blender rounds, the text is
right to the last bit; where somebody has changed the property, the property is right. An entry of
a type that this Terrane does not know keeps its text.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...noise_core.errors import RecipeError, TerraneError
from ...noise_core.modifier import Modifier, modifier_types
from ...noise_core.noise import Noise
from ...noise_core.noises.constant import Constant
from ...noise_core.params import Parameter
from ...noise_core.recipe import Recipe
from .values import assign, read_values

ENTRIES = "modifiers"
"""Name of the collection in a group of settings."""

ACTIVE = "active_modifier"
"""Name of the property that holds the place of the entry that the panel shows."""


@dataclass(frozen=True)
class Note:
    """What is said of a modifier in Blender and not in the recipe.

    Attributes
    ----------
    name : str
        What the list shows; the type's label if empty.
    mask : str
        Name of a vertex group, a float attribute or an image; none if empty.
    is_muted : bool
        Whether the modifier is left out, so that nobody asks for its mask.
    """

    name: str = ""
    mask: str = ""
    is_muted: bool = False


def modifier_group(key: str) -> str:
    """Return the name of the property that holds a modifier type's own parameters."""
    return f"modifier_{key}"


def own_parameters(cls: type[Modifier]) -> tuple[Parameter, ...]:
    """Return the parameters that only this type has."""
    shared = {one.name for one in Modifier.parameters()}
    return tuple(one for one in cls.parameters() if one.name not in shared)


def modifier_class(entry: Any) -> type[Modifier] | None:
    """Return an entry's type, None if this Terrane does not know it."""
    return modifier_types().get(entry.type)


def read(entries: Iterable[Any]) -> tuple[Modifier, ...]:
    """Return the modifiers that a stack describes.

    Raises
    ------
    TerraneError
        If one is of an unknown type, cannot be read, or has a setting that is not allowed.
    """
    return tuple(read_entry(entry) for entry in entries)


def read_entry(entry: Any) -> Modifier:
    """Return the modifier that one entry describes; raises as `read` does."""
    cls = modifier_class(entry)
    if cls is None:
        raise RecipeError(
            f"Modifier {entry.name!r}: the type {entry.type!r} is not known to this Terrane; "
            "update Terrane, or remove the modifier"
        )
    base = _values(_stored(entry, cls))
    own = read_values(getattr(entry, modifier_group(cls.key)), own_parameters(cls), base)
    shared = read_values(entry, Modifier.parameters(), base)
    return cls(**{**base, **own, **shared})


def write(group: Any, modifiers: Iterable[Modifier], notes: Iterable[Note] = ()) -> None:
    """Make a group's stack describe modifiers, with their names and masks as far as given."""
    entries = getattr(group, ENTRIES)
    entries.clear()
    known = list(notes)
    for place, modifier in enumerate(modifiers):
        note = known[place] if place < len(known) else Note()
        write_entry(entries.add(), modifier, note)
    _choose(group, getattr(group, ACTIVE))


def write_entry(entry: Any, modifier: Modifier, note: Note) -> None:
    """Make one entry describe a modifier."""
    entry.type = modifier.key
    entry.name = note.name or modifier.label
    entry.mask = note.mask
    entry.text = Recipe(noise=Constant(), modifiers=(modifier,)).to_json()
    values = _values(modifier)
    assign(entry, {one.name: values[one.name] for one in Modifier.parameters()})
    own = {one.name: values[one.name] for one in own_parameters(type(modifier))}
    assign(getattr(entry, modifier_group(modifier.key)), own)


def notes(entries: Iterable[Any]) -> tuple[Note, ...]:
    """Return what a stack says besides its modifiers."""
    return tuple(note(entry) for entry in entries)


def note(entry: Any) -> Note:
    """Return what an entry says besides its modifier."""
    return Note(entry.name, entry.mask, entry.muted)


def new_modifier(key: str) -> Modifier:
    """Return a modifier of a type, with its default parameters."""
    return modifier_types()[key]()


def active_entry(group: Any) -> Any | None:
    """Return the entry that the panel shows."""
    entries, place = getattr(group, ENTRIES), getattr(group, ACTIVE)
    return entries[place] if 0 <= place < len(entries) else None


def add(group: Any, modifier: Modifier, note: Note | None = None) -> None:
    """Add a modifier behind the active one; it becomes the active one."""
    entries, place = getattr(group, ENTRIES), getattr(group, ACTIVE)
    write_entry(entries.add(), modifier, note or Note())
    last = len(entries) - 1
    target = max(0, min(place + 1, last))
    entries.move(last, target)
    _choose(group, target)


def remove(group: Any) -> None:
    """Remove the active entry, whatever its type; the one before it becomes active."""
    place = getattr(group, ACTIVE)
    getattr(group, ENTRIES).remove(place)
    _choose(group, place - 1)


def move(group: Any, by: int) -> bool:
    """Move the active entry by so many places; it stays the active one.

    Returns whether there was such a place.
    """
    entries, place = getattr(group, ENTRIES), getattr(group, ACTIVE)
    if not 0 <= place + by < len(entries):
        return False
    entries.move(place, place + by)
    _choose(group, place + by)
    return True


def select(group: Any, place: int) -> bool:
    """Make the entry at a place the active one; return whether there is one."""
    if not 0 <= place < len(getattr(group, ENTRIES)):
        return False
    _choose(group, place)
    return True


def noises(entry: Any) -> Mapping[str, Noise]:
    """Return the noises that stand where an entry's properties have numbers, by parameter."""
    cls = modifier_class(entry)
    if cls is None:
        return {}
    values = _values(_stored(entry, cls))
    return {
        one.name: value
        for one in cls.parameters()
        if one.kind == "number_or_noise" and isinstance(value := values[one.name], Noise)
    }


def forget_noise(entry: Any, name: str) -> None:
    """Put the property's number in the place of the noise that a parameter has."""
    modifier = read_entry(entry)
    parameter = next(one for one in modifier.parameters() if one.name == name)
    is_shared = name in {one.name for one in Modifier.parameters()}
    holder = entry if is_shared else getattr(entry, modifier_group(modifier.key))
    number = read_values(holder, (parameter,), {name: None})[name]
    changed = type(modifier)(**{**_values(modifier), name: number})
    write_entry(entry, changed, note(entry))


def problem(entry: Any) -> str:
    """Return why an entry cannot be read; nothing if it can."""
    try:
        read_entry(entry)
    except TerraneError as error:
        return str(error)
    return ""


def _choose(group: Any, place: int) -> None:
    setattr(group, ACTIVE, max(0, min(place, len(getattr(group, ENTRIES)) - 1)))


def _values(modifier: Modifier) -> dict[str, Any]:
    return {one.name: getattr(modifier, one.name) for one in modifier.parameters()}


def _stored(entry: Any, cls: type[Modifier]) -> Modifier:
    """Return the modifier whose text an entry holds, or the type's default."""
    if not entry.text:
        return cls()
    (modifier,) = _parsed(entry.text)
    return modifier


@functools.lru_cache(maxsize=128)
def _parsed(text: str) -> tuple[Modifier, ...]:
    return Recipe.from_json(text).modifiers
