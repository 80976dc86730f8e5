# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of layers in Blender: entries of a collection become modifiers, and back.

As with the rest of the settings, an entry holds its modifier as text, and beside it properties for
the parameters. Where a property says what the text says, rounded as Blender rounds, the text is
right to the last bit; where somebody has changed the property, the property is right. A noise that
a modifier has has the same knobs as that of the recipe (`noise_knobs.py`), its mask a group of its
own (`mask_settings.py`). An entry of a type that this Terrane does not know keeps its text.

The noise that the recipe begins with stands above the first entry: `BASE` is its place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import bpy

from ....noise_core.errors import RecipeError, TerraneError
from ....noise_core.modifier import Modifier, modifier_types
from ....noise_core.noise import Noise
from ....noise_core.noises.constant import Constant
from ....noise_core.params import Parameter
from ....noise_core.recipe import Recipe
from ..datablocks.ref import Ref
from ..values import assign, read_values
from . import mask_images, mask_settings, noise_knobs
from .stored_recipes import recipe_of

ENTRIES = "modifiers"
"""Name of the collection in a group of settings."""

ACTIVE = "active_modifier"
"""Name of the property that holds the place of the entry that the panel shows."""


BASE = -1
"""Place of the noise that the recipe begins with."""

WHERE = "where"
"""Name of the property of an entry that holds the mask of its recipe."""


@dataclass(frozen=True)
class Note:
    """What is said of a modifier in Blender and not in the recipe.

    Attributes
    ----------
    name : str
        What messages call it: its own name, or that of its type. The recipe has the name itself.
    mask : str
        Name of a vertex group, a float attribute or an image; none if empty.
    is_muted : bool
        Whether the modifier is left out, so that nobody asks for its mask: it is muted, or
        another one is alone.
    is_solo : bool
        Whether it is one of those that are alone.
    pictures : tuple of pairs of str and int
        The images that its noise takes its pixels from, by parameter, as Blender numbers them.
    mask_image : int
        Blender's number of the image that is the mask, 0 if the mask has only a name. It is another
        one in the next session, so it is no part of what tells terrains apart.
    """

    name: str = ""
    mask: str = ""
    is_muted: bool = False
    is_solo: bool = False
    pictures: tuple[tuple[str, int], ...] = ()
    mask_image: int = field(default=0, repr=False)


def modifier_group(key: str) -> str:
    """Return the name of the property that holds a modifier type's own parameters."""
    return f"modifier_{key}"


def own_parameters(cls: type[Modifier]) -> tuple[Parameter, ...]:
    """Return the parameters that only this type has."""
    shared = {one.name for one in Modifier.parameters()}
    return tuple(one for one in cls.parameters() if one.name not in shared)


def noise_parameters(cls: type[Modifier]) -> tuple[Parameter, ...]:
    """Return the noises that are parts of a modifier type, not masks of it."""
    return tuple(one for one in own_parameters(cls) if one.kind == "noise")


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
            "Modifier {!r}: the type {!r} is not known to this Terrane; update Terrane, "
            "or remove the modifier",
            entry.name,
            entry.type,
        )
    base = values_of(_stored(entry, cls))
    group = getattr(entry, modifier_group(cls.key))
    own = read_values(group, own_parameters(cls), base)
    for one in noise_parameters(cls):
        own[one.name] = noise_knobs.read(getattr(group, one.name), base[one.name])
    shared = read_values(entry, Modifier.parameters(), base)
    shared["name"] = _read_name(entry, cls, base["name"])
    shared[WHERE] = mask_settings.read(getattr(entry, WHERE), base[WHERE])
    return cls(**{**base, **own, **shared})


def write(group: Any, modifiers: Iterable[Modifier], notes: Iterable[Note] = ()) -> None:
    """Make a group's stack describe modifiers, with what else is said of them as far as given."""
    entries = getattr(group, ENTRIES)
    entries.clear()
    known = list(notes)
    for place, modifier in enumerate(modifiers):
        note = known[place] if place < len(known) else Note()
        write_entry(entries.add(), modifier, note)
    if getattr(group, ACTIVE) != BASE:
        choose(group, getattr(group, ACTIVE))


def write_entry(entry: Any, modifier: Modifier, note: Note) -> None:
    """Make one entry describe a modifier."""
    pictures = _found(note.pictures)
    bare = _without_pixels(modifier, pictures)
    entry.type = modifier.key
    entry.text = Recipe(noise=Constant(), modifiers=(bare,)).to_json()
    entry.mask, entry.solo = note.mask, note.is_solo
    setattr(entry, mask_images.IMAGE, Ref("IMAGE", note.mask_image, "").find())
    values = values_of(modifier)
    set_name(entry, modifier.name or modifier.label)
    shared = {one.name for one in Modifier.parameters()} - {"name", WHERE}
    assign(entry, {name: values[name] for name in shared})
    mask_settings.write(getattr(entry, WHERE), modifier.where)
    own = {one.name: values[one.name] for one in own_parameters(type(modifier))}
    group = getattr(entry, modifier_group(modifier.key))
    assign(group, own)
    for one in noise_parameters(type(modifier)):
        noise_knobs.write(getattr(group, one.name), values[one.name], pictures)


def set_name(entry: Any, name: str) -> None:
    """Give an entry a name, and leave alone what refers to its old one."""
    entry.known_name = name
    entry.name = name


def notes(entries: Iterable[Any], *, noise_solo: bool = False) -> tuple[Note, ...]:
    """Return what a stack says besides its modifiers.

    Parameters
    ----------
    entries : iterable of PropertyGroup
        The stack.
    noise_solo : bool
        Whether the noise that the recipe begins with is alone. It acts anyway, but then all
        entries are left out that are not alone as well.
    """
    given = [note(entry) for entry in entries]
    if noise_solo or any(one.is_solo for one in given):
        given = [
            dataclasses.replace(one, is_muted=one.is_muted or not one.is_solo) for one in given
        ]
    return tuple(given)


def note(entry: Any) -> Note:
    """Return what an entry says besides its modifier, as if there were no other."""
    numbered = tuple((name, image.session_uid) for name, image in _pictures(entry).items())
    image = mask_images.number(entry)
    return Note(entry.name, entry.mask, entry.muted, entry.solo, numbered, image)


def acting(recipe: Recipe, notes: Iterable[Note]) -> Recipe:
    """Return a recipe with all those modifiers muted that are left out because others are alone."""
    muted = [one.is_muted for one in notes]
    if not any(one and not old.muted for one, old in zip(muted, recipe.modifiers)):
        return recipe
    modifiers: list[Any] = list(recipe.modifiers)
    for place, is_muted in enumerate(muted[: len(modifiers)]):
        if is_muted:
            modifiers[place] = modifiers[place].with_values(muted=True)
    return dataclasses.replace(recipe, modifiers=tuple(modifiers))


def without_pictures(recipe: Recipe, notes: Iterable[Note]) -> Recipe:
    """Return a recipe whose layers have the smallest pixels in place of those that images hold."""
    found = {place: _found(note.pictures) for place, note in enumerate(notes) if note.pictures}
    if not found:
        return recipe
    modifiers = [
        _without_pixels(one, found.get(place, {})) for place, one in enumerate(recipe.modifiers)
    ]
    return dataclasses.replace(recipe, modifiers=tuple(modifiers))


def picture_names(note: Note) -> list[tuple[str, str]]:
    """Return the names of the images that a layer takes its pixels from, by parameter."""
    return sorted((name, image.name_full) for name, image in _found(note.pictures).items())


def new_modifier(key: str) -> Modifier:
    """Return a modifier of a type, with its default parameters."""
    return modifier_types()[key]()


def active_entry(group: Any) -> Any | None:
    """Return the entry that the panel shows; None if that is the noise that the recipe begins with."""
    entries, place = getattr(group, ENTRIES), getattr(group, ACTIVE)
    return entries[place] if 0 <= place < len(entries) else None


def knobs_of(entry: Any) -> Any | None:
    """Return the group with the knobs of an entry's noise; None if it is no layer of noise."""
    cls = modifier_class(entry)
    parameters = () if cls is None else noise_parameters(cls)
    if cls is None or not parameters:
        return None
    return getattr(getattr(entry, modifier_group(cls.key)), parameters[0].name)


def names(group: Any) -> list[str]:
    """Return the names of all entries."""
    return [entry.name for entry in getattr(group, ENTRIES)]


def noises(entry: Any) -> Mapping[str, Noise]:
    """Return the noises that stand where an entry's properties have numbers, by parameter."""
    cls = modifier_class(entry)
    if cls is None:
        return {}
    values = values_of(_stored(entry, cls))
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
    changed = type(modifier)(**{**values_of(modifier), name: number})
    write_entry(entry, changed, note(entry))


def problem(entry: Any) -> str:
    """Return why an entry cannot be read; nothing if it can."""
    try:
        read_entry(entry)
    except TerraneError as error:
        return error.message
    return ""


def choose(group: Any, place: int) -> None:
    """Make an entry the active one: that at a place, or the nearest one."""
    setattr(group, ACTIVE, max(0, min(place, len(getattr(group, ENTRIES)) - 1)))


def _read_name(entry: Any, cls: type[Modifier], base: str) -> str:
    """Return an entry's own name; it shows that of its type as long as it has none."""
    return base if entry.name == (base or cls.label) else str(entry.name)


def _pictures(entry: Any) -> dict[str, Any]:
    """Return the images that an entry's noise takes its pixels from."""
    cls = modifier_class(entry)
    if cls is None:
        return {}
    group, found = getattr(entry, modifier_group(cls.key)), {}
    for one in noise_parameters(cls):
        found |= noise_knobs.pictures(getattr(group, one.name))
    return found


def _found(pictures: Iterable[tuple[str, int]]) -> dict[str, Any]:
    """Return those images that are still there."""
    wanted = dict(pictures)
    if not wanted:
        return {}
    there = {image.session_uid: image for image in bpy.data.images}
    return {name: there[number] for name, number in wanted.items() if number in there}


def _without_pixels(modifier: Modifier, pictures: Mapping[str, Any]) -> Modifier:
    """Return a modifier with the smallest pixels in place of those that an image holds."""
    values: dict[str, Any] = {
        one.name: noise_knobs.without_pixels(getattr(modifier, one.name), pictures)
        for one in noise_parameters(type(modifier))
    }
    if not pictures or not values:
        return modifier
    return type(modifier)(**{**values_of(modifier), **values})


def values_of(modifier: Modifier) -> dict[str, Any]:
    """Return all parameters of a modifier."""
    return {one.name: getattr(modifier, one.name) for one in modifier.parameters()}


def _stored(entry: Any, cls: type[Modifier]) -> Modifier:
    """Return the modifier whose text an entry holds, or the type's default."""
    if not entry.text:
        return cls()
    (modifier,) = recipe_of(entry.text).modifiers
    return modifier
