# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion between entries of the layer list and the layers of a recipe.

Values that no property can hold are kept as JSON text; see `values.write_object`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....noise_core.base.params import Declared
from ....noise_core.modifiers.bases.layer import Layer
from ....noise_core.noises.bases.noise import noise_types
from ....noise_core.recipes.layers import flatten, nest
from ..datablocks.ref import Ref
from . import elements
from .layers import LAYER_TYPES, NOISE, LayerState, depths, images_of, label, set_name
from .values import kept_values


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
    if entry.type == NOISE and not len(entry.chain):
        elements.NOISES.read_chain(entry.chain)  # refuses it
    layer: Layer = LAYER_TYPES.read_tree(entry, {"name": entry.name if entry.is_named else ""})
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
    LAYER_TYPES.write_tree(
        entry, layer, {**images_of(state), **dict(state.bypassed), **dict(state.curves)}
    )
    entry.painted_mask = state.mask
    entry.solo = state.is_solo
    entry.mask_image = Ref("IMAGE", state.mask_image, "").find()
    set_name(entry, layer.name or label(entry))
    entry.is_named = bool(layer.name)


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
