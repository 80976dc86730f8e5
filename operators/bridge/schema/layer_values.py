# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion between entries of the layer list and the layers of a recipe.

Values that no property can hold are kept as JSON text; see `values.write_object`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....noise_core.base.errors import RecipeError
from ....noise_core.base.params import Declared
from ....noise_core.modifiers.bases.layer import Layer
from ....noise_core.modifiers.bases.modifier import Modifier
from ....noise_core.noises.bases.noise import noise_types
from ....noise_core.recipes import chains
from ....noise_core.recipes.layers import Group, NoiseLayer, flatten, nest
from ..datablocks.ref import Ref
from . import elements, mask_settings
from .layers import (
    MODIFIERS,
    LayerState,
    depths,
    images_of,
    label,
    layer_class,
    set_name,
    shared_parameters,
)
from .values import Part, kept_values, make_object, read_object, write_object


def read(entries: Sequence[Any]) -> tuple[Layer, ...]:
    """Return the layers of a list.

    Raises a TerraneError if one is of an unknown type, cannot be read, or has a setting that is not
    allowed.
    """
    entry_list = list(entries)
    return nest(
        [(depth, read_entry(entry)) for depth, entry in zip(depths(entry_list), entry_list)]
    )


def read_entry(entry: Any) -> Layer:
    """Return the layer of one entry, a group without its layers; raises as `read` does."""
    cls = layer_class(entry)
    if cls is None:
        raise RecipeError(
            "Layer {!r}: update Terrane or remove the layer: the type {!r} is unknown",
            entry.name,
            entry.type,
        )
    values = read_object(cls, entry.text, *_parts(entry, cls))
    if cls is Group:
        values["chain"] = elements.read_filters(entry.chain)
    elif cls is NoiseLayer:
        values["noise"] = elements.read_chain(entry.chain)
    values["name"] = entry.name if entry.is_named else ""
    values["mask"] = mask_settings.read(entry.mask)
    layer: Layer = make_object(cls, values)
    return layer


def write(entries: Any, layers: Sequence[Layer], states: Sequence[LayerState] = ()) -> None:
    """Write layers into a list, with their states as far as given.

    A list of the same types keeps its entries, with the values in them that this version does not know.
    """
    rows = list(flatten(layers))
    if [entry.type for entry in entries] != [layer.key for _, layer in rows]:
        entries.clear()
    for place, (depth, layer) in enumerate(rows):
        entry = entries[place] if place < len(entries) else entries.add()
        entry.depth = depth
        write_entry(entry, layer, states[place] if place < len(states) else LayerState())


def write_entry(entry: Any, layer: Layer, state: LayerState) -> None:
    """Write a layer into one entry, a group without its layers."""
    cls, images = type(layer), images_of(state)
    entry.type = layer.key
    entry.painted_mask = state.mask
    entry.solo = state.is_solo
    entry.mask_image = Ref("IMAGE", state.mask_image, "").find()
    entry.text = write_object(layer, *_parts(entry, cls))
    if isinstance(layer, (NoiseLayer, Group)):
        is_noise = isinstance(layer, NoiseLayer)
        noises = chains.elements(layer.noise) if is_noise else layer.chain
        elements.write_chain(entry.chain, noises, images, bypassed=state.bypassed)
    set_name(entry, layer.name or label(entry))
    entry.is_named = bool(layer.name)
    mask_settings.write(entry.mask, layer.mask, images, dict(state.bypassed_in_masks))


def _parts(entry: Any, cls: type[Layer]) -> list[Part]:
    """Return the groups with the parameters of a layer, but for its chain and its mask."""
    parts: list[Part] = [(entry, shared_parameters(cls))]
    if issubclass(cls, Modifier):
        parts.append(MODIFIERS.part(entry, entry.type))
    return parts


# Values that no property can hold


def reset_value(holder: Any, name: str) -> bool:
    """Replace a value that is kept as text by a property; return whether there was one."""
    plain = json.loads(holder.text) if holder.text else {}
    if name not in plain:
        return False
    del plain[name]
    holder.text = json.dumps(plain) if plain else ""
    cls = noise_types().get(holder.type)
    if cls is not None and name == elements.inner_parameter(cls):
        elements.write_default_inner(holder)
    return True


def kept_objects(holder: Any, cls: type[Declared]) -> Mapping[str, object]:
    """Return the noises and pixels of an element or a layer that no property can hold, by parameter."""
    if not holder.text:
        return {}
    return {
        name: value
        for name, value in kept_values(cls, holder.text).items()
        if isinstance(value, (Declared, np.ndarray))
    }
