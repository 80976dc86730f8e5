# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers in Blender: conversion between entries of a flat collection and the layers of a recipe.

An entry has a type (noise, group, or that of a modifier), the parameters that all layers share, and
those of the type. `depth` makes the list a tree: a group holds the deeper entries that follow it.
The list is the only copy of the recipe; values that no property can hold are kept as JSON text (see
`values.assign_or_keep`).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ....noise_core import chains
from ....noise_core.base.errors import RecipeError, TerraneError
from ....noise_core.base.params import Declared, Parameter
from ....noise_core.layers import Group, NoiseLayer, flatten, layer_types, nest
from ....noise_core.recipe import Recipe
from ....noise_core.types.layer import Layer
from ....noise_core.types.modifier import Modifier, modifier_types
from ....noise_core.types.noise import Noise
from ..datablocks.ref import Ref
from . import elements, layer_cache, mask_images, mask_settings
from .values import assign_or_keep, join_texts, read_parameters

LAYERS = "layers"
"""Name of the collection in a group of settings."""

ACTIVE = "active_layer"
"""Name of the property with the place of the layer that the panel shows."""

NOISE = NoiseLayer.key
GROUP = Group.key

MASK = "mask"
CHAIN = "chain"
PAINTED = "painted_mask"

_NOT_PLAIN = frozenset({"text", "chain", "filters", "layers", "mask"})
"""Kinds of parameters that an entry stores separately."""


@dataclass(frozen=True)
class LayerState:
    """State of a layer that Blender knows and the recipe does not.

    Attributes
    ----------
    name : str
        For messages: its own name, or that of its type. The recipe has the name itself.
    mask : str
        Name of a vertex group, a float attribute or an image; empty for none.
    is_muted : bool
        Whether the layer is left out: it or its group is muted, or another one is solo.
    is_solo : bool
        Whether layers that are not solo are left out.
    pictures : tuple of pairs of str and int
        The images that its chain takes its pixels from, by path (`elements.image_paths`), as
        Blender's session numbers.
    bypassed : tuple of pairs of int and Noise
        The muted elements of its chain, by their place.
    mask_image : int
        Blender's session number of the image that is the mask, 0 if the mask has only a name. It
        changes from session to session, so it does not identify a terrain.
    """

    name: str = ""
    mask: str = ""
    is_muted: bool = False
    is_solo: bool = False
    pictures: tuple[tuple[str, int], ...] = ()
    bypassed: tuple[tuple[int, Noise], ...] = ()
    mask_image: int = field(default=0, repr=False)


def own_parameters(cls: type[Layer]) -> tuple[Parameter, ...]:
    """Return the parameters that belong to this modifier type alone."""
    return _own_parameters(cls.key)


@functools.cache
def _own_parameters(key: str) -> tuple[Parameter, ...]:
    shared = {one.name for one in Modifier.parameters()}
    return tuple(one for one in layer_types()[key].parameters() if one.name not in shared)


def shared_parameters(cls: type[Layer]) -> tuple[Parameter, ...]:
    """Return the parameters of a kind of layer that are properties of the entry itself."""
    return _shared_parameters(cls.key)


@functools.cache
def _shared_parameters(key: str) -> tuple[Parameter, ...]:
    cls = layer_types()[key]
    kind = Modifier if issubclass(cls, Modifier) else cls
    return tuple(one for one in kind.parameters() if one.kind not in _NOT_PLAIN)


def layer_class(entry: Any) -> type[Any] | None:
    """Return the class of an entry's layer, None if its type is not known."""
    return layer_types().get(entry.type)


def has_chain(entry: Any) -> bool:
    """Return whether an entry has a chain: it is a layer of noise or a group."""
    return entry.type in (NOISE, GROUP)


def is_modifier(entry: Any) -> bool:
    """Return whether an entry is a modifier of a known type."""
    return entry.type in modifier_types()


def label(entry: Any) -> str:
    """Return the name of an entry that is named after its type."""
    if entry.type == NOISE and len(entry.chain):
        cls = elements.element_class(entry.chain[0])
        return entry.chain[0].type if cls is None else cls.label
    cls = layer_class(entry)
    return entry.type if cls is None else cls.label


def settings_of(entry: Any) -> Any:
    """Return the group of settings that an entry is part of."""
    owner, path = entry.id_data, entry.path_from_id()
    return owner.path_resolve(path.partition(f".{LAYERS}[")[0])


# Depth


def depths(entries: Iterable[Any]) -> list[int]:
    """Return the depth of each entry: at most one more than that of a group before it."""
    found: list[int] = []
    most = 0
    for entry in entries:
        depth = min(max(int(entry.depth), 0), most)
        found.append(depth)
        most = depth + (entry.type == GROUP)
    return found


def end_of(entries: Sequence[Any], place: int) -> int:
    """Return the place after an entry and its contents."""
    found = depths(entries)
    stop = place + 1
    while stop < len(found) and found[stop] > found[place]:
        stop += 1
    return stop


def parents(entries: Iterable[Any]) -> list[int]:
    """Return the place of each entry's group, -1 for none."""
    found: list[int] = []
    path: list[int] = []
    for place, depth in enumerate(depths(entries)):
        del path[depth:]
        found.append(path[-1] if path else -1)
        path.append(place)
    return found


# Reading


def read(entries: Sequence[Any]) -> tuple[Layer, ...]:
    """Return the layers of a list.

    Raises
    ------
    TerraneError
        If one is of an unknown type, cannot be read, or has a setting that is not allowed.
    """
    known = list(entries)
    return nest([(depth, read_entry(one)) for depth, one in zip(depths(known), known)])


def read_entry(entry: Any) -> Layer:
    """Return the layer of one entry, a group without its layers; raises as `read` does."""
    cls = layer_class(entry)
    if cls is None:
        raise RecipeError(
            "Layer {!r}: the type {!r} is not known to this Terrane; update Terrane, or remove the layer",
            entry.name,
            entry.type,
        )
    values = read_parameters(entry, cls, entry.text, shared_parameters(cls))
    if issubclass(cls, Modifier):
        own = getattr(entry, entry.type)
        values.update(read_parameters(own, cls, entry.text, own_parameters(cls)))
    elif cls is Group:
        values["chain"] = elements.read_filters(entry.chain)
    else:
        values["noise"] = elements.read_chain(entry.chain)
    values["name"] = entry.name if entry.is_named else ""
    values[MASK] = mask_settings.read(entry.mask)
    return layer_cache.make_layer(cls, values)


# Writing


def write(entries: Any, layers: Sequence[Layer], states: Sequence[LayerState] = ()) -> None:
    """Write layers into a list, with their states as far as given."""
    entries.clear()
    for place, (depth, layer) in enumerate(flatten(layers)):
        entry = entries.add()
        entry.depth = depth
        write_entry(entry, layer, states[place] if place < len(states) else LayerState())


def write_entry(entry: Any, layer: Layer, state: LayerState | None = None) -> None:
    """Write a layer into one entry, a group without its layers."""
    state = state or LayerState()
    cls = type(layer)
    entry.type = layer.key
    setattr(entry, PAINTED, state.mask)
    entry.solo = state.is_solo
    setattr(entry, mask_images.IMAGE, Ref("IMAGE", state.mask_image, "").find())
    names = [one.name for one in shared_parameters(cls)]
    texts = [assign_or_keep(entry, layer, names)]
    if isinstance(layer, Modifier):
        own = [one.name for one in own_parameters(cls)]
        texts.append(assign_or_keep(getattr(entry, entry.type), layer, own))
    elif isinstance(layer, (NoiseLayer, Group)):
        _write_chain(entry, layer, state)
    entry.text = join_texts(texts)
    set_name(entry, layer.name or label(entry))
    entry.is_named = bool(layer.name)
    mask_settings.write(entry.mask, layer.mask)


def _write_chain(entry: Any, layer: NoiseLayer | Group, state: LayerState) -> None:
    if isinstance(layer, NoiseLayer):
        noises = list(chains.elements(layer.noise))
    else:
        noises = list(layer.chain)
    for place, noise in state.bypassed:
        noises.insert(place, noise)
    elements.write_chain(entry.chain, noises, images_of(state))
    for place, _ in state.bypassed:
        if place < len(entry.chain):
            entry.chain[place].muted = True


def set_name(entry: Any, name: str) -> None:
    """Set the name in the list without updating references to the old one.

    `is_named` tells whether it is the layer's own name or that of its type.
    """
    entry.known_name = name
    entry.name = name


# State that only Blender knows


def states(entries: Iterable[Any]) -> tuple[LayerState, ...]:
    """Return the states of the layers of a list."""
    known = list(entries)
    given = [state_of(entry) for entry in known]
    around = parents(known)
    kept = set(range(len(given)))
    if any(one.is_solo for one in given):
        kept = _solo(given, around, has_ground=not is_modifier(known[0]))
    left_out: list[bool] = []
    for place, (entry, group) in enumerate(zip(known, around)):
        left_out.append(entry.muted or place not in kept or (group >= 0 and left_out[group]))
    return tuple(
        dataclasses.replace(one, is_muted=out) if out else one for one, out in zip(given, left_out)
    )


def _solo(given: Sequence[LayerState], around: Sequence[int], *, has_ground: bool) -> set[int]:
    """Return the places that act while some are solo: those, their contents and their groups.

    The first layer acts too if it is the ground of the others.
    """
    kept: set[int] = set()
    for place in range(len(given)):
        path = [place, *_groups_of(place, around)]
        if (has_ground and path[-1] == 0) or any(given[one].is_solo for one in path):
            kept.update(path)
    return kept


def _groups_of(place: int, around: Sequence[int]) -> Iterator[int]:
    """Yield the groups around an entry, the innermost first."""
    while (place := around[place]) >= 0:
        yield place


def state_of(entry: Any) -> LayerState:
    """Return the state of one entry, without regard to others."""
    pictures: tuple[tuple[str, int], ...] = ()
    bypassed: tuple[tuple[int, Noise], ...] = ()
    if has_chain(entry):
        found = elements.image_paths(entry.chain)
        pictures = tuple((path, Ref.of(image).uid) for path, image in found)
        bypassed = tuple(_bypassed_filters(entry))
    return LayerState(
        name=entry.name,
        mask=getattr(entry, PAINTED),
        is_solo=entry.solo,
        pictures=pictures,
        bypassed=bypassed,
        mask_image=mask_images.number(entry),
    )


def _bypassed_filters(entry: Any) -> Iterator[tuple[int, Noise]]:
    first = entry.type == NOISE  # its basis cannot be muted
    for place, element in enumerate(entry.chain):
        if element.muted and place >= first and elements.element_class(element) is not None:
            yield place, elements.read_filters([element], is_muted=True)[0]


def images_of(state: LayerState) -> Mapping[str, Any]:
    """Return the images that a layer takes its pixels from, by path, as far as they exist."""
    if not state.pictures:
        return {}
    found = ((path, Ref[Any]("IMAGE", uid, "").find()) for path, uid in state.pictures)
    return {path: image for path, image in found if image is not None}


def picture_names(state: LayerState) -> list[tuple[str, str]]:
    """Return the names of the images that a layer takes its pixels from, by path."""
    return sorted((path, image.name_full) for path, image in images_of(state).items())


# Recipes changed by the state of their layers


def acting(recipe: Recipe, states: Sequence[LayerState]) -> Recipe:
    """Return a recipe in which layers that are not solo are muted while others are."""

    def change(place: int, layer: Layer) -> Layer:
        is_out = place < len(states) and states[place].is_muted
        return dataclasses.replace(layer, muted=True) if is_out and not layer.muted else layer

    return change_layers(recipe, change)


def without_pictures(recipe: Recipe, states: Sequence[LayerState]) -> Recipe:
    """Return a recipe with the smallest pixels in place of those of images."""

    def change(place: int, layer: Layer) -> Layer:
        if place >= len(states) or not states[place].pictures:
            return layer
        return _without_pixels(layer)

    return change_layers(recipe, change)


def first_noise_layer(recipe: Recipe) -> tuple[int, NoiseLayer]:
    """Return the first noise layer, which painted heights replace, and its place.

    Raises
    ------
    RecipeError
        If there is none.
    """
    for place, (_, layer) in enumerate(flatten(recipe.layers)):
        if isinstance(layer, NoiseLayer):
            return place, layer
    raise RecipeError("Add a layer of noise first")


def modifiers_of(recipe: Recipe) -> tuple[Modifier, ...]:
    """Return the modifiers of a recipe that are not muted."""
    return tuple(one for one in recipe.layers if isinstance(one, Modifier) and not one.muted)


def change_layers(recipe: Recipe, change: Any) -> Recipe:
    """Apply a function of the place and the layer to all layers of a recipe; return the result.

    A group is changed after the layers in it. An unchanged recipe is returned itself.
    """
    place = -1

    def each(layers: Sequence[Layer]) -> tuple[Layer, ...]:
        nonlocal place
        made = []
        for layer in layers:
            place += 1
            own, changed = place, layer
            if isinstance(layer, Group):
                inside = each(layer.layers)
                if any(new is not old for new, old in zip(inside, layer.layers)):
                    changed = cast(Layer, layer.with_values(layers=inside))
            made.append(change(own, changed))
        return tuple(made)

    layers = each(recipe.layers)
    if all(new is old for new, old in zip(layers, recipe.layers)):
        return recipe
    return dataclasses.replace(recipe, layers=layers)


def _without_pixels(layer: Layer) -> Layer:
    if isinstance(layer, NoiseLayer):
        return dataclasses.replace(layer, noise=_smallest(layer.noise))
    if isinstance(layer, Group):
        return dataclasses.replace(layer, chain=tuple(_smallest(one) for one in layer.chain))
    return layer


def _smallest(noise: Noise) -> Noise:
    """Return a tree of noises with the smallest pixels everywhere."""
    values: dict[str, Any] = {}
    for one in noise.parameters():
        value = getattr(noise, one.name)
        if one.kind == "pixels":
            values[one.name] = getattr(type(noise)(), one.name)
        elif isinstance(value, Noise):
            values[one.name] = _smallest(value)
    return type(noise)(**{**_values(noise), **values}) if values else noise


def _values(declared: Declared) -> dict[str, Any]:
    return {one.name: getattr(declared, one.name) for one in declared.parameters()}


def problem(entry: Any) -> str:
    """Return why an entry cannot be read, "" if it can."""
    try:
        read_entry(entry)
    except TerraneError as error:
        return str(error)
    return ""
