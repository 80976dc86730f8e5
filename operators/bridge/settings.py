# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings in Blender become a recipe, and a recipe becomes settings: the only two ways.

A group of settings holds the recipe as text, and beside it the knobs of its noise
(`noise_knobs.py`). So reading what was written gives the identical recipe. The modifiers are a stack
of entries that do the same one by one (`stack.py`); while it has none, the text's modifiers count.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

import bpy

from ...noise_core.errors import TerraneError
from ...noise_core.modifier import Modifier
from ...noise_core.preset_library import PLAIN, Preset, preset
from ...noise_core.recipe import Recipe
from . import preferences
from .keywords import keywords
from .recipes import layer_list, noise_knobs, stack
from .recipes.stack import Note
from .recipes.stored_recipes import recipe_of
from .values import assign, number

DEFAULT_PRESET = "alps"
"""What a new scene's panel begins with."""


def read(group: Any) -> Recipe:
    """Return the recipe that a group of settings describes.

    Raises
    ------
    TerraneError
        If the stored recipe cannot be read, or a setting is not allowed.
    """
    base = stored_recipe(group)
    return dataclasses.replace(
        base,
        noise=noise_knobs.read(group, base.noise),
        modifiers=stack.read(getattr(group, stack.ENTRIES)) or base.modifiers,
        seed=group.seed,
        height=number(group.height, base.height),
        size=number(group.size, base.size),
        noise_muted=group.noise_muted,
    )


def write(
    group: Any,
    recipe: Recipe,
    pictures: Mapping[str, Any] | None = None,
    notes: Iterable[Note] = (),
    *,
    noise_solo: bool = False,
) -> None:
    """Make a group of settings describe a recipe.

    Parameters
    ----------
    group : PropertyGroup
        Written to.
    recipe : Recipe
        What it is to describe.
    pictures : mapping of str to Image, optional
        Where the leaf's pixels came from, by parameter: the settings then point to the image
        instead of holding all its pixels as text.
    notes : iterable of Note, optional
        Names and masks of the modifiers.
    noise_solo : bool
        Whether the noise that the recipe begins with is alone.

    Raises
    ------
    ParameterError
        If the recipe is higher or wider than settings can say; nothing is written then.
    """
    check_measures(recipe)
    pictures = pictures or {}
    bare = dataclasses.replace(without_pixels(recipe, pictures), modifiers=())
    group.tree = bare.to_json()
    assign(group, _measures(recipe))
    noise_knobs.write(group, recipe.noise, pictures)
    group.noise_solo = noise_solo
    stack.write(group, recipe.modifiers, notes)


def check_measures(recipe: Recipe) -> None:
    """Make sure that settings can hold a recipe's height and size, which Blender would cut off silently.

    Raises
    ------
    ParameterError
        If they cannot.
    """
    for name in ("height", "size"):
        keywords()[name].checked(getattr(recipe, name), "Recipe")


def notes(source: Any) -> tuple[Note, ...]:
    """Return names and masks of the modifiers of a group of settings, or of a request."""
    if not isinstance(source, bpy.types.PropertyGroup):
        given: tuple[Note, ...] = source.notes
        return given
    group: Any = source  # whose properties are ours
    entries = getattr(group, stack.ENTRIES)
    if group.noise_solo and not entries and (folded := folded_modifiers(group)):
        return tuple(Note(one.name or one.label, is_muted=True) for one in folded)
    return stack.notes(entries, noise_solo=group.noise_solo)


def folded_modifiers(group: Any) -> tuple[Modifier, ...]:
    """Return the modifiers that only the text holds: nobody has touched the stack yet.

    Properties have defaults, so that a new scene shows the default preset; collections have none.

    Raises
    ------
    TerraneError
        If the text cannot be read.
    """
    return () if getattr(group, stack.ENTRIES) else stored_recipe(group).modifiers


def names(group: Any) -> list[str]:
    """Return what the list calls its entries, unfolded or not."""
    return stack.names(group) or [one.name or one.label for one in folded_modifiers(group)]


def has_modifiers(group: Any) -> bool:
    """Return whether settings have modifiers, unfolded or not, that can be read or not."""
    try:
        return bool(getattr(group, stack.ENTRIES) or folded_modifiers(group))
    except TerraneError:
        return False


def unfold_modifiers(group: Any) -> None:
    """Make entries of the modifiers that only the text holds, before somebody changes them."""
    if folded_modifiers(group):
        write(group, read(group), leaf_pictures(group), noise_solo=group.noise_solo)


def leaf_pictures(group: Any) -> dict[str, Any]:
    """Return the images that a group's leaf takes its pixels from, by parameter."""
    return noise_knobs.pictures(group)


def write_preset(group: Any, name: str) -> None:
    """Make a group of settings describe a preset, its size included.

    Raises
    ------
    RecipeError
        If there is none of that name.
    """
    write(group, as_wide_as_wished(preset(name).recipe))
    group.preset = name


def as_wide_as_wished(recipe: Recipe) -> Recipe:
    """Return a recipe as wide as the preferences want terrains, with its height in proportion."""
    size = preferences.terrain_size(recipe.size)
    return dataclasses.replace(recipe, size=size, height=recipe.height * (size / recipe.size))


def write_foreign(group: Any, recipe: Recipe) -> None:
    """Make a group of settings describe a recipe that came from elsewhere; the resolution stays."""
    write(group, recipe)
    group.preset = PLAIN
    layer_list.select(group, stack.BASE)


def values(recipe: Recipe) -> dict[str, Any]:
    """Return what the properties have to be for a recipe; nested groups as dictionaries."""
    return {**_measures(recipe), **noise_knobs.values(recipe.noise)}


def default_preset() -> Preset:
    """Return what settings describe that nobody has touched."""
    return preset(DEFAULT_PRESET)


def stored_recipe(group: Any) -> Recipe:
    """Return the recipe whose text a group holds, without what its properties say."""
    return recipe_of(group.tree) if group.tree else default_preset().recipe


def signed(seed: int) -> int:
    """Return a seed as Blender's integers have it."""
    return seed - 0x100000000 if seed > 0x7FFFFFFF else seed


def without_pixels(recipe: Recipe, pictures: Mapping[str, Any]) -> Recipe:
    """Return the recipe with the smallest pixels in place of those that an image holds."""
    noise = noise_knobs.without_pixels(recipe.noise, pictures)
    return dataclasses.replace(recipe, noise=noise)


def _measures(recipe: Recipe) -> dict[str, Any]:
    return {
        "seed": signed(recipe.seed),
        "height": recipe.height,
        "size": recipe.size,
        "noise_muted": recipe.noise_muted,
    }
