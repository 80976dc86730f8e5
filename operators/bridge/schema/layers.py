# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries of the layer list: their types, their depth, and state that only Blender knows.

An entry has a type (noise, group, or that of a modifier), the parameters that all layers share, and
those of the type. `depth` makes the list a tree: a group holds the deeper entries that follow it.
The list is the only copy of the recipe.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ....noise_core.base.params import Declared, Parameter
from ....noise_core.modifiers.bases.layer import Layer
from ....noise_core.modifiers.bases.modifier import Modifier, modifier_types
from ....noise_core.recipes.layers import Group, NoiseLayer, flatten, layer_types, nest
from ....noise_core.recipes.recipe import Recipe
from ....noise_core.recipes.serial import to_plain
from ..datablocks.ref import Ref
from . import curve_slots, elements, mask_settings
from .type_choice import Bypassed, TreeChoice

if TYPE_CHECKING:
    from .curve_slots import SlotState

LAYERS = "layers"
"""Name of the collection in a group of settings."""

ACTIVE = "active_layer"
"""Name of the property with the place of the layer that the panel shows."""

NOISE = NoiseLayer.key
GROUP = Group.key

OWN = ""
"""Path of an entry's own chain; see `chain_holders`."""

_NOT_PLAIN = frozenset({"text", "chain", "filters", "layers", "mask"})
"""Kinds of parameters that an entry stores separately."""


@dataclass(frozen=True)
class LayerState:
    """State of a layer that Blender knows and the recipe does not."""

    name: str = ""  # for messages: its own, which the recipe has too, or that of its type
    mask: str = ""  # name of a vertex group, a float attribute or an image; empty for none
    is_muted: bool = False
    """Whether the layer is left out: it or its group is muted, another one is solo, or it is beyond."""
    is_solo: bool = False  # whether layers that are not solo are left out
    is_beyond: bool = (
        False  # whether Build to Here leaves it out, as it acts later than the selected layer
    )
    pictures: tuple[tuple[str, int], ...] = ()
    """The images that its chains take their pixels from, by path (see `type_choice.Extras`), as Blender's
    session numbers."""
    bypassed: tuple[tuple[str, Bypassed], ...] = ()
    """The muted elements of its chains, by their path in `chain_holders`."""
    curves: tuple[tuple[str, tuple[SlotState, ...]], ...] = field(
        default=(), repr=False, compare=False
    )
    """What the lists of drawn curves that it follows hold, by path; the recipe has their points."""
    mask_image: int = field(default=0, repr=False)
    """Blender's session number of the image that is the mask, 0 if the mask has only a name. It changes from
    session to session, so it does not identify a terrain."""


def own_parameters(cls: type[Layer]) -> tuple[Parameter, ...]:
    """Return the parameters that belong to this modifier type alone."""
    shared = {parameter.name for parameter in Modifier.parameters()}
    return tuple(parameter for parameter in cls.parameters() if parameter.name not in shared)


def shared_parameters(cls: type[Layer]) -> tuple[Parameter, ...]:
    """Return the parameters of a kind of layer that are properties of the entry itself."""
    kind = Modifier if issubclass(cls, Modifier) else cls
    return tuple(parameter for parameter in kind.parameters() if parameter.kind not in _NOT_PLAIN)


LAYER_TYPES = TreeChoice(
    "modifier",
    lambda: {key: (cls.label, own_parameters(cls)) for key, cls in modifier_types().items()},
    layer_types,
    (
        "Layer {!r}: update Terrane or remove the layer: the type {!r} is unknown",
        "name",
        "type",
    ),
    shared=shared_parameters,
    held=("curves", "placements", "pixels"),
    nested={
        "chain": elements.NOISES,
        "filters": elements.NOISES,
        "mask": mask_settings.MASKS,
    },
)
"""Entries, with groups of the parameters that modifiers have beside those of all layers."""


def has_chain(entry: Any) -> bool:
    """Return whether an entry has a chain: it is a layer of noise or a group."""
    return entry.type in (NOISE, GROUP)


def chain_holders(entry: Any) -> dict[str, Any]:
    """Return the holders of chains by path: the entry itself, `OWN`, and masks made of a noise."""
    holders = {OWN: entry} if has_chain(entry) else {}
    masks = mask_settings.masks_in(entry.mask)
    return {
        **holders,
        **{path: mask for path, mask in masks.items() if mask_settings.has_chain(mask)},
    }


def is_modifier(entry: Any) -> bool:
    """Return whether an entry is a modifier of a known type."""
    return entry.type in modifier_types()


def label(entry: Any) -> str:
    """Return the name of an entry that is named after its type."""
    if entry.type == NOISE and len(entry.chain):
        cls = elements.NOISES.find_class(entry.chain[0])
        return entry.chain[0].type if cls is None else cls.label
    cls = LAYER_TYPES.find_class(entry)
    return entry.type if cls is None else cls.label


def curve_slots_of(group: Any) -> Iterator[Any]:
    """Yield the slots of the drawn curves that the layers and masks of some settings follow."""
    for entry in getattr(group, LAYERS):
        for _, slots in LAYER_TYPES.slots(entry):
            yield from slots


def settings_of(entry: Any) -> Any:
    """Return the group of settings that an entry is part of."""
    owner, path = entry.id_data, entry.path_from_id()
    return owner.path_resolve(path.partition(f".{LAYERS}[")[0])


def set_name(entry: Any, name: str) -> None:
    """Set the name in the list without updating references to the old one.

    `is_named` tells whether it is the layer's own name or that of its type.
    """
    entry.known_name = name
    entry.name = name


# Depth


def depths(entries: Iterable[Any]) -> list[int]:
    """Return the depth of each entry: at most one more than that of a group before it."""
    levels: list[int] = []
    most = 0
    for entry in entries:
        depth = min(max(int(entry.depth), 0), most)
        levels.append(depth)
        most = depth + (entry.type == GROUP)
    return levels


def end_of(entries: Sequence[Any], place: int) -> int:
    """Return the place after an entry and its contents."""
    levels = depths(entries)
    stop = place + 1
    while stop < len(levels) and levels[stop] > levels[place]:
        stop += 1
    return stop


def parents(entries: Iterable[Any]) -> list[int]:
    """Return the place of each entry's group, -1 for none."""
    places: list[int] = []
    path: list[int] = []
    for place, depth in enumerate(depths(entries)):
        del path[depth:]
        places.append(path[-1] if path else -1)
        path.append(place)
    return places


# State that only Blender knows


def states(entries: Iterable[Any], end: int | None = None) -> tuple[LayerState, ...]:
    """Return the states of the layers of a list, of which those from a place on are beyond; see `LayerState`."""
    entry_list = list(entries)
    end = len(entry_list) if end is None else end
    groups = parents(entry_list)
    kept = set(range(len(entry_list)))
    if any(entry.solo for entry in entry_list):
        kept = _solo(entry_list, groups)
    layer_states: list[LayerState] = []
    for place, (entry, group) in enumerate(zip(entry_list, groups)):
        is_out = entry.muted or place not in kept or (group >= 0 and layer_states[group].is_muted)
        layer_state = state_of(entry)
        layer_states.append(
            dataclasses.replace(
                layer_state, is_muted=is_out or place >= end, is_beyond=place >= end
            )
        )
    return tuple(layer_states)


def _solo(entries: Sequence[Any], groups: Sequence[int]) -> set[int]:
    """Return the places that act while some are solo: those, their contents and their groups.

    The first layer acts too if it is the ground of the others.
    """
    has_ground = not is_modifier(entries[0])
    kept: set[int] = set()
    for place in range(len(entries)):
        path = [place]
        while (group := groups[path[-1]]) >= 0:
            path.append(group)
        if (has_ground and path[-1] == 0) or any(entries[index].solo for index in path):
            kept.update(path)
    return kept


def state_of(entry: Any) -> LayerState:
    """Return the state of one entry, without regard to others."""
    image = entry.mask_image
    muted = (
        (path, elements.bypassed_filters(holder)) for path, holder in chain_holders(entry).items()
    )
    return LayerState(
        name=entry.name,
        mask=entry.painted_mask,
        is_solo=entry.solo,
        pictures=tuple((path, Ref.of(picture).uid) for path, picture in LAYER_TYPES.images(entry)),
        bypassed=tuple((path, filters) for path, filters in muted if filters),
        curves=tuple(
            (path, curve_slots.states(slots)) for path, slots in LAYER_TYPES.slots(entry) if slots
        ),
        mask_image=0 if image is None else Ref.of(image).uid,
    )


def images_of(state: LayerState) -> dict[str, Any]:
    """Return the images that a layer takes its pixels from, by path, as far as they exist."""
    blocks = {path: Ref[Any]("IMAGE", uid, "").find() for path, uid in state.pictures}
    return {path: image for path, image in blocks.items() if image is not None}


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


def text_of(recipe: Recipe, states: Sequence[LayerState]) -> str:
    """Return a text that identifies a recipe, without the pixels of images."""

    def change(place: int, layer: Any) -> Layer:
        paths = [path for path, _ in states[place].pictures] if place < len(states) else []
        in_mask = {path.startswith(mask_settings.MASK) for path in paths}
        values = {
            parameter.name: _without_pixels(getattr(layer, parameter.name))
            for parameter in layer.parameters()
            if parameter.kind in ("chain", "filters", "mask")
            and (parameter.kind == "mask") in in_mask
        }
        plain = {
            path: getattr(type(layer)(), path) for path in paths if layer.name_of("pixels") == path
        }
        changed: Layer = layer.with_values(**values, **plain) if paths else layer
        return changed

    texts = (json.dumps(to_plain(layer)) for layer in change_layers(recipe, change).layers)
    return "\n".join((f"{recipe.seed} {recipe.height!r} {recipe.size!r}", *texts))


def _without_pixels(value: Any) -> Any:
    """Return noises, a noise or a mask with the smallest pixels everywhere."""
    if isinstance(value, tuple):
        return tuple(_without_pixels(part) for part in value)
    if not isinstance(value, Declared):
        return value
    values: dict[str, Any] = {}
    for parameter in value.parameters():
        content = getattr(value, parameter.name)
        if parameter.kind == "pixels":
            values[parameter.name] = getattr(type(value)(), parameter.name)
        elif isinstance(content, Declared):
            values[parameter.name] = _without_pixels(content)
    return value.with_values(**values)


def modifiers_of(recipe: Recipe) -> tuple[Modifier, ...]:
    """Return the modifiers of a recipe that are not muted."""
    return tuple(
        layer for layer in recipe.layers if isinstance(layer, Modifier) and not layer.muted
    )


def change_layers(recipe: Recipe, change: Callable[[int, Any], Layer]) -> Recipe:
    """Apply a function of the place and the layer to all layers of a recipe; return the result.

    The function's result for a group gets the changed layers. An unchanged recipe is returned itself.
    """
    old = list(flatten(recipe.layers))
    new = [(depth, change(place, layer)) for place, (depth, layer) in enumerate(old)]
    if all(changed is original for (_, changed), (_, original) in zip(new, old)):
        return recipe
    return dataclasses.replace(recipe, layers=nest(new))
