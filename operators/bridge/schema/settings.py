# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion between settings in Blender and recipes.

A group of settings holds the layers themselves (`schema/layer_values.py`) and a recipe's measures. The
settings of a new scene are empty until `fill` writes the layers of the default preset; until then
they are read as that preset.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import bpy

from ....noise_core.base.errors import Message
from ....noise_core.landscapes.preset_library import PLAIN, Preset, preset
from ....noise_core.modifiers.bases.layer import Layer
from ....noise_core.recipes.layers import flatten
from ....noise_core.recipes.recipe import Recipe
from . import animation, curve_slots, elements, layer_list, layer_values, layers, preferences
from .exact_numbers import signed
from .keywords import keywords
from .layers import LayerState
from .values import json_parameters, read_values, write_values

DEFAULT_PRESET = "alps"
"""Preset of the settings of a new scene."""

_MEASURES = {"height": "height", "size": "size", "depth": "depth_ratio"}
"""Properties of settings, and the attributes of a recipe that they hold."""


def read(group: Any) -> Recipe:
    """Return the recipe of a group of settings; raise a TerraneError if a value is not allowed."""
    digits = json_parameters(group.digits) if group.digits else {}
    values = read_values(group, (keywords()[name] for name in ("seed", *_MEASURES)), digits)
    entries = layer_list.entries(group)
    return Recipe(
        layers=layer_values.read(entries) if group.is_filled else default_preset().recipe.layers,
        **{**values, "depth": values["size"] * values["depth"]},
    )


def read_named(group: Any) -> Recipe:
    """Return the recipe of a group of settings with names for its curves, to be written; raises as `read` does."""
    return read(group).with_curve_names(curve_slots.named_curves(layers.curve_slots_of(group)))


def why_unreadable(group: Any) -> str:
    """Return a message about types in some settings that this Terrane does not know, "" if there are none.

    Files of later versions, or with custom types, may have some: Blender keeps their stored values, and no
    result is rebuilt without them. Panels and polls call this often, so it reads no parameters.
    """
    for entry in layer_list.entries(group):
        if layers.LAYER_TYPES.find_class(entry) is None:
            title = entry.name or entry.type
            return Message(
                "Update Terrane or remove {} from the list: its type is unknown",
                title,
            )
        if any(
            choice is elements.NOISES and choice.find_class(node) is None
            for _, choice, node in layers.LAYER_TYPES.walk(entry)
        ):
            return Message(
                "Update Terrane or remove {}: the type of its noise is unknown",
                entry.name,
            )
    return ""


def write(group: Any, recipe: Recipe, states: Sequence[LayerState] = ()) -> None:
    """Write a recipe into a group of settings, with the states of its layers as far as given.

    Layers hold the curves that they name in the recipe, and the names. Raises a ParameterError if the recipe is higher or wider than
    settings allow; then nothing is written.
    """
    check_measures(recipe)
    exact = measures(recipe)
    inexact = write_values(group, exact)
    group.digits = json.dumps({name: exact[name] for name in inexact}) if inexact else ""
    group.is_filled = True
    entries = layer_list.entries(group)
    old_entries = [(entry.type, entry.depth) for entry in entries]
    layer_values.write(entries, recipe.bound_layers, states)
    curve_slots.give_names(layers.curve_slots_of(group), recipe.curves)
    if old_entries != [(entry.type, entry.depth) for entry in entries]:
        animation.forget_layers(group, layers.LAYERS)
    if group.active_layer >= len(entries):
        layer_list.choose(group, len(entries) - 1)


def fill(group: Any) -> None:
    """Write the layers of the default preset into settings that are empty."""
    if not group.is_filled:
        group.is_filled = True
        layer_values.write(layer_list.entries(group), default_preset().recipe.layers)


def check_measures(recipe: Recipe) -> None:
    """Raise a ParameterError if settings cannot hold a height, size or depth: Blender would clamp silently."""
    for name, attribute in _MEASURES.items():
        keywords()[name].check(getattr(recipe, attribute), "Recipe")


def states(source: Any) -> tuple[LayerState, ...]:
    """Return the states of the layers of a group of settings, or of a request."""
    if isinstance(source, bpy.types.PropertyGroup):
        return layers.states(layer_list.entries(source), layer_list.built_end(source))
    return tuple(source.states)


def whole_states(group: Any) -> tuple[LayerState, ...]:
    """Return the states of the layers of a group of settings, as if Build to Here were off."""
    return layers.states(layer_list.entries(group))


def acting(group: Any) -> Recipe:
    """Return the recipe of settings in which layers that are not solo are muted while others are."""
    return layers.acting(read(group), states(group))


def write_preset(group: Any, name: str) -> None:
    """Write a preset into a group of settings, in the size that the user prefers.

    Settings of new terrains get the preset's resolution too, or the preferred one; those of a terrain keep theirs.
    """
    chosen = preset(name)
    write_foreign(group, scale_to_preferred_size(chosen.recipe), name)
    if isinstance(group.id_data, bpy.types.Scene):
        group.resolution = preferences.terrain_resolution(chosen.look.resolution)


def scale_to_preferred_size(recipe: Recipe) -> Recipe:
    """Scale a recipe to the terrain size of the preferences, with all heights in proportion."""
    size = preferences.terrain_size(recipe.size)
    factor = size / recipe.size

    def scale(place: int, layer: Layer) -> Layer:
        """Scale the lengths of a layer in meters: its height, the thickness of strata, a radius."""
        lengths = [parameter.name for parameter in layer.parameters() if parameter.unit == "length"]
        return dataclasses.replace(
            layer, **{name: getattr(layer, name) * factor for name in lengths}
        )

    scaled = layers.change_layers(recipe, scale) if factor != 1.0 else recipe
    return dataclasses.replace(scaled.with_size(size), height=recipe.height * factor)


def write_foreign(group: Any, recipe: Recipe, name: str = PLAIN) -> None:
    """Write a recipe from outside, or of a preset, into a group of settings; the resolution stays."""
    write(group, recipe)
    group.preset = name
    layer_list.choose(group, 0)


def default_preset() -> Preset:
    """Return the preset of new settings."""
    return preset(DEFAULT_PRESET)


def default_rows() -> list[tuple[int, Layer]]:
    """Return the layers of the default preset with their depths, from first to last."""
    return list(flatten(default_preset().recipe.layers))


def measures(recipe: Recipe) -> dict[str, Any]:
    """Return the seed and the measures of a recipe as values of properties, which are signed."""
    exact = {name: getattr(recipe, attribute) for name, attribute in _MEASURES.items()}
    return {"seed": signed(recipe.seed), **exact}
