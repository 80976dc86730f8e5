# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion between settings in Blender and recipes.

A group of settings holds the layers themselves (`schema/layer_values.py`) and a recipe's measures. The
settings of a new scene are empty until `fill` writes the layers of the default preset; until then
they are read as that preset.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Sequence
from typing import Any

import bpy

from ....noise_core.base.errors import RecipeError
from ....noise_core.layers import flatten
from ....noise_core.preset_library import PLAIN, Preset, preset
from ....noise_core.recipe import Recipe
from ....noise_core.types.layer import Layer
from . import layer_list, layer_values, layers, preferences
from .keywords import keywords
from .layers import LayerState
from .values import assign, json_parameters, number

DEFAULT_PRESET = "alps"
"""Preset of the settings of a new scene."""

FILLED = "is_filled"
"""Name of the property that tells whether the layers were written, even if there are none."""

TEXT = "digits"
"""Name of the property with the measures that a 32-bit float cannot hold exactly."""

_MEASURES = ("height", "size")


def read(group: Any) -> Recipe:
    """Return the recipe of a group of settings.

    Raises
    ------
    TerraneError
        If a layer cannot be read, or a setting is not allowed.
    """
    if is_unconverted(group):
        raise RecipeError(UNCONVERTED)
    digits = json_parameters(group.digits) if group.digits else {}
    return Recipe(
        layers=layer_values.read(layer_list.entries(group))
        if group.is_filled
        else _default_layers(),
        seed=group.seed,
        height=number(group.height, digits.get("height")),
        size=number(group.size, digits.get("size")),
    )


UNCONVERTED = "These settings are of an older Terrane: save this file and open it again"


def is_unconverted(group: Any) -> bool:
    """Return whether settings are from an older file and not converted."""
    return not group.is_filled and (group.is_terrain or group.is_picture)


def write(group: Any, recipe: Recipe, states: Sequence[LayerState] = ()) -> None:
    """Write a recipe into a group of settings.

    Parameters
    ----------
    group : PropertyGroup
        The settings to write to.
    recipe : Recipe
        The recipe to write.
    states : sequence of LayerState, optional
        State of each layer in the order of the flat list.

    Raises
    ------
    ParameterError
        If the recipe is higher or wider than settings allow; then nothing is written.
    """
    check_measures(recipe)
    assign(group, measures(recipe))
    exact = {name: getattr(recipe, name) for name in _MEASURES}
    rest = {name: one for name, one in exact.items() if number(one) != one}
    group.digits = json.dumps(rest) if rest else ""
    group.is_filled = True
    entries = layer_list.entries(group)
    layer_values.write(entries, recipe.layers, states)
    if group.active_layer >= len(entries):
        layer_list.choose(group, len(entries) - 1)


def fill(group: Any) -> None:
    """Write the layers of the default preset into settings that are empty."""
    if not group.is_filled:
        group.is_filled = True
        layer_values.write(layer_list.entries(group), _default_layers())


def check_measures(recipe: Recipe) -> None:
    """Make sure that settings can hold a recipe's height and size, which Blender would clamp silently.

    Raises
    ------
    ParameterError
        If one exceeds its limits.
    """
    for name in _MEASURES:
        keywords()[name].check(getattr(recipe, name), "Recipe")


def states(source: Any) -> tuple[LayerState, ...]:
    """Return the states of the layers of a group of settings, or of a request."""
    if not isinstance(source, bpy.types.PropertyGroup):
        given: tuple[LayerState, ...] = source.states
        return given
    return layers.states(layer_list.entries(source))


def acting(group: Any) -> Recipe:
    """Return the recipe of settings in which layers that are not solo are muted while others are.

    Raises
    ------
    TerraneError
        If they cannot be read.
    """
    return layers.acting(read(group), states(group))


def write_preset(group: Any, name: str) -> None:
    """Write a preset into a group of settings, including its size.

    Raises
    ------
    RecipeError
        If there is none of that name.
    """
    write(group, scale_to_preferred_size(preset(name).recipe))
    group.preset = name
    layer_list.choose(group, 0)


def scale_to_preferred_size(recipe: Recipe) -> Recipe:
    """Scale a recipe to the terrain size of the preferences, with its height in proportion."""
    size = preferences.terrain_size(recipe.size)
    return dataclasses.replace(recipe, size=size, height=recipe.height * (size / recipe.size))


def write_foreign(group: Any, recipe: Recipe) -> None:
    """Write a recipe from outside into a group of settings; the resolution stays."""
    write(group, recipe)
    group.preset = PLAIN
    layer_list.choose(group, 0)


def default_preset() -> Preset:
    """Return the preset of new settings."""
    return preset(DEFAULT_PRESET)


@functools.cache
def _default_layers() -> tuple[Layer, ...]:
    found: tuple[Layer, ...] = default_preset().recipe.layers
    return found


def default_rows() -> list[tuple[int, Layer]]:
    """Return the layers of the default preset with their depths, from first to last."""
    return list(flatten(_default_layers()))


def to_int32(seed: int) -> int:
    """Return a seed as a signed 32-bit integer, as Blender's properties need it."""
    return seed - 0x100000000 if seed > 0x7FFFFFFF else seed


def measures(recipe: Recipe) -> dict[str, Any]:
    """Return the seed and the measures of a recipe as values of properties."""
    return {"seed": to_int32(recipe.seed), "height": recipe.height, "size": recipe.size}
