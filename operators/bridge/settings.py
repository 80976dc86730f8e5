# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings in Blender become a recipe, and a recipe becomes settings: the only two ways.

A group of settings holds the recipe as text, and beside it properties for all that lies on the
recipe's spine. Where a property says what the text says, rounded as Blender rounds, the text is
right to the last bit; where somebody has changed the property, the property is right. So reading
what was written gives the identical recipe. The modifiers are a stack of entries that do the same
one by one (`stack.py`); while it has none, the text's modifiers count.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Mapping
from typing import Any

import bpy

from ...noise_core import spine
from ...noise_core.errors import RecipeError, TerraneError
from ...noise_core.modifier import Modifier
from ...noise_core.noise import Noise
from ...noise_core.noises.fractal import Fractal
from ...noise_core.noises.warp import Warp
from ...noise_core.params import Parameter
from ...noise_core.preset_library import Preset, preset
from ...noise_core.recipe import Recipe
from ...noise_core.spine import Spine
from . import preferences, stack
from .stack import Note
from .values import assign, number, read_values

FRACTAL_GROUP = "fractal_options"
WARP_GROUP = "warp_options"

DEFAULT_PRESET = "alps"
"""What a new scene's panel begins with."""


def leaf_group(key: str) -> str:
    """Return the name of the property that holds a leaf type's own parameters."""
    return f"noise_{key}"


def leaf_parameters(cls: type[Noise]) -> tuple[Parameter, ...]:
    """Return the parameters of a leaf type that have a property in its own group.

    The frequency is shared by all types, so that changing the type keeps it.
    """
    return tuple(one for one in cls.parameters() if one.name != "frequency")


def fractal_parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the fractal's own group."""
    return tuple(one for one in Fractal.parameters() if one.name not in ("source", "kind"))


def warp_parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the warp's own group."""
    return tuple(one for one in Warp.parameters() if one.name not in ("source", "strength"))


def read(group: Any) -> Recipe:
    """Return the recipe that a group of settings describes.

    Raises
    ------
    TerraneError
        If the stored recipe cannot be read, or a setting is not allowed.
    """
    base = stored_recipe(group)
    trunk = Spine.of(base.noise)
    frequency = None if trunk.frequency is None else number(group.frequency, trunk.frequency)
    noise = spine.with_parts(
        base.noise,
        leaf=_read_leaf(group, trunk),
        fractal=_read_fractal(group, trunk),
        warp=_read_warp(group, trunk),
        frequency=frequency,
    )
    return dataclasses.replace(
        base,
        noise=noise,
        modifiers=stack.read(getattr(group, stack.ENTRIES)) or base.modifiers,
        seed=group.seed,
        height=number(group.height, base.height),
    )


def write(
    group: Any,
    recipe: Recipe,
    pictures: Mapping[str, Any] | None = None,
    notes: Iterable[Note] = (),
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
    """
    pictures = pictures or {}
    bare = dataclasses.replace(without_pixels(recipe, pictures), modifiers=())
    group.tree = bare.to_json()
    assign(group, values(recipe))
    assign(
        getattr(group, leaf_group(Spine.of(recipe.noise).leaf.key)), _all_pictures(recipe, pictures)
    )
    stack.write(group, recipe.modifiers, notes)


def notes(source: Any) -> tuple[Note, ...]:
    """Return names and masks of the modifiers of a group of settings, or of a request."""
    if isinstance(source, bpy.types.PropertyGroup):
        return stack.notes(getattr(source, stack.ENTRIES))
    given: tuple[Note, ...] = source.notes
    return given


def folded_modifiers(group: Any) -> tuple[Modifier, ...]:
    """Return the modifiers that only the text holds: nobody has touched the stack yet.

    Properties have defaults, so that a new scene shows the default preset; collections have none.

    Raises
    ------
    TerraneError
        If the text cannot be read.
    """
    return () if getattr(group, stack.ENTRIES) else stored_recipe(group).modifiers


def has_modifiers(group: Any) -> bool:
    """Return whether settings have modifiers, unfolded or not, that can be read or not."""
    try:
        return bool(getattr(group, stack.ENTRIES) or folded_modifiers(group))
    except TerraneError:
        return False


def unfold_modifiers(group: Any) -> None:
    """Make entries of the modifiers that only the text holds, before somebody changes them."""
    if folded_modifiers(group):
        write(group, read(group), leaf_pictures(group))


def leaf_pictures(group: Any) -> dict[str, Any]:
    """Return the images that a group's leaf takes its pixels from, by parameter."""
    cls = spine.leaf_types().get(group.noise)
    if cls is None:
        return {}
    own = getattr(group, leaf_group(cls.key))
    named = {one.name: getattr(own, one.name) for one in cls.parameters() if one.kind == "pixels"}
    return {name: image for name, image in named.items() if image is not None}


def write_preset(group: Any, name: str) -> None:
    """Make a group of settings describe a shipped preset, its size included.

    Raises
    ------
    RecipeError
        If there is none of that name.
    """
    shipped = preset(name)
    write(group, shipped.recipe)
    group.preset = name
    group.size = preferences.terrain_size(shipped.size)
    if group.size != shipped.size:
        group.height = shipped.recipe.height * number(group.size) / shipped.size


def values(recipe: Recipe) -> dict[str, Any]:
    """Return what the properties have to be for a recipe; nested groups as dictionaries."""
    knobs, trunk = spine.knobs(recipe.noise), Spine.of(recipe.noise)
    plain: dict[str, Any] = {
        "seed": signed(recipe.seed),
        "height": recipe.height,
        "noise": knobs.noise,
        "fractal": knobs.fractal,
        "warp": knobs.warp,
        leaf_group(trunk.leaf.key): spine.parts(trunk.leaf, frozenset({"frequency"})),
    }
    if knobs.frequency is not None:
        plain["frequency"] = knobs.frequency
    if trunk.fractal is not None:
        plain[FRACTAL_GROUP] = spine.parts(trunk.fractal, frozenset({"kind"}))
    if trunk.warp is not None:
        plain[WARP_GROUP] = spine.parts(trunk.warp, frozenset({"strength"}))
    return plain


def default_preset() -> Preset:
    """Return what settings describe that nobody has touched."""
    return preset(DEFAULT_PRESET)


def stored_recipe(group: Any) -> Recipe:
    """Return the recipe whose text a group holds, without what its properties say."""
    return _parsed(group.tree) if group.tree else default_preset().recipe


def signed(seed: int) -> int:
    """Return a seed as Blender's integers have it."""
    return seed - 0x100000000 if seed > 0x7FFFFFFF else seed


def _all_pictures(recipe: Recipe, pictures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the image of each parameter of the leaf that holds pixels, None where there is none."""
    leaf = Spine.of(recipe.noise).leaf
    return {one.name: pictures.get(one.name) for one in leaf.parameters() if one.kind == "pixels"}


def without_pixels(recipe: Recipe, pictures: Mapping[str, Any]) -> Recipe:
    """Return the recipe with the smallest pixels in place of those that an image holds."""
    trunk = Spine.of(recipe.noise)
    held = {name for name, image in _all_pictures(recipe, pictures).items() if image is not None}
    if not held:
        return recipe
    leaf = type(trunk.leaf)(**spine.parts(trunk.leaf, frozenset(held)))
    noise = spine.with_leaf(recipe.noise, leaf)
    return dataclasses.replace(recipe, noise=noise)


@functools.lru_cache(maxsize=32)
def _parsed(text: str) -> Recipe:
    return Recipe.from_json(text)


def _read_leaf(group: Any, trunk: Spine) -> Noise:
    types = spine.leaf_types()
    if group.noise not in types:
        raise RecipeError("noise: this file's noise type is not known to this Terrane")
    cls = types[group.noise]
    if type(trunk.leaf) is cls:
        base = trunk.leaf
    else:
        turned = spine.with_knobs(trunk.root, spine.Knobs(noise=cls.key))
        base = Spine.of(turned).leaf
    own = read_values(getattr(group, leaf_group(cls.key)), leaf_parameters(cls), spine.parts(base))
    return cls(**{**spine.parts(base), **own})


def _read_fractal(group: Any, trunk: Spine) -> Mapping[str, object] | None:
    if group.fractal == spine.NONE:
        return None
    base = spine.parts(trunk.fractal or Fractal())
    own = read_values(getattr(group, FRACTAL_GROUP), fractal_parameters(), base)
    return {**base, **own, "kind": group.fractal}


def _read_warp(group: Any, trunk: Spine) -> Mapping[str, object] | None:
    base = spine.parts(trunk.warp or Warp(strength=0.0))
    strength = number(group.warp, float(str(base["strength"])))
    if strength == 0.0 and (trunk.warp is None or trunk.warp.strength != 0.0):
        return None
    own = read_values(getattr(group, WARP_GROUP), warp_parameters(), base)
    return {**base, **own, "strength": strength}
