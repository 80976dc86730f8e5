# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings in Blender become a recipe, and a recipe becomes settings: the only two ways.

A group of settings holds the layers themselves (`schema/layers.py`) and a recipe's measures. A new
scene's settings hold no layers before `fill` has put those of the default preset there; until then
they are read as if it had.
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
from . import layer_list, layers, preferences
from .keywords import keywords
from .layers import LayerState
from .values import assign, json_parameters, number

DEFAULT_PRESET = "alps"
"""Preset that a new scene's panel begins with."""

FILLED = "is_filled"
"""Name of the property that says whether settings hold layers, be it none."""

TEXT = "digits"
"""Name of the property that holds those digits of the measures that a 32-bit float cannot."""

_MEASURES = ("height", "size")


def read(group: Any) -> Recipe:
    """Return the recipe that a group of settings describes.

    Raises
    ------
    TerraneError
        If a layer cannot be read, or a setting is not allowed.
    """
    if is_unconverted(group):
        raise RecipeError(UNCONVERTED)
    digits = json_parameters(group.digits) if group.digits else {}
    return Recipe(
        layers=layers.read(layer_list.entries(group)) if group.is_filled else _default_layers(),
        seed=group.seed,
        height=number(group.height, digits.get("height")),
        size=number(group.size, digits.get("size")),
    )


UNCONVERTED = "These settings are of an older Terrane: save this file and open it again"


def is_unconverted(group: Any) -> bool:
    """Return whether settings came from an older file, and were not converted."""
    return not group.is_filled and (group.is_terrain or group.is_picture)


def write(group: Any, recipe: Recipe, states: Sequence[LayerState] = ()) -> None:
    """Make a group of settings describe a recipe.

    Parameters
    ----------
    group : PropertyGroup
        Written to.
    recipe : Recipe
        What it is to describe.
    states : sequence of LayerState, optional
        What Blender says of each layer besides, in the order of the flat list.

    Raises
    ------
    ParameterError
        If the recipe is higher or wider than settings can say; nothing is written then.
    """
    check_measures(recipe)
    assign(group, measures(recipe))
    exact = {name: getattr(recipe, name) for name in _MEASURES}
    rest = {name: one for name, one in exact.items() if number(one) != one}
    group.digits = json.dumps(rest) if rest else ""
    group.is_filled = True
    entries = layer_list.entries(group)
    layers.write(entries, recipe.layers, states)
    if group.active_layer >= len(entries):
        layer_list.choose(group, len(entries) - 1)


def fill(group: Any) -> None:
    """Put the layers of the default preset into settings that were never written."""
    if not group.is_filled:
        group.is_filled = True
        layers.write(layer_list.entries(group), _default_layers())


def check_measures(recipe: Recipe) -> None:
    """Make sure that settings can hold a recipe's height and size, which Blender would cut off silently.

    Raises
    ------
    ParameterError
        If they cannot.
    """
    for name in _MEASURES:
        keywords()[name].check(getattr(recipe, name), "Recipe")


def states(source: Any) -> tuple[LayerState, ...]:
    """Return what Blender says of the layers of a group of settings, or of a request."""
    if not isinstance(source, bpy.types.PropertyGroup):
        given: tuple[LayerState, ...] = source.states
        return given
    return layers.states(layer_list.entries(source))


def acting(group: Any) -> Recipe:
    """Return the recipe of settings without those layers that are left out because others are solo.

    Raises
    ------
    TerraneError
        If they cannot be read.
    """
    return layers.acting(read(group), states(group))


def write_preset(group: Any, name: str) -> None:
    """Make a group of settings describe a preset, its size included.

    Raises
    ------
    RecipeError
        If there is none of that name.
    """
    write(group, as_wide_as_wished(preset(name).recipe))
    group.preset = name
    layer_list.choose(group, 0)


def as_wide_as_wished(recipe: Recipe) -> Recipe:
    """Return a recipe as wide as the preferences want terrains, with its height in proportion."""
    size = preferences.terrain_size(recipe.size)
    return dataclasses.replace(recipe, size=size, height=recipe.height * (size / recipe.size))


def write_foreign(group: Any, recipe: Recipe) -> None:
    """Make a group of settings describe a recipe that came from elsewhere; the resolution stays."""
    write(group, recipe)
    group.preset = PLAIN
    layer_list.choose(group, 0)


def default_preset() -> Preset:
    """Return the preset that settings describe before they are changed."""
    return preset(DEFAULT_PRESET)


@functools.cache
def _default_layers() -> tuple[Layer, ...]:
    found: tuple[Layer, ...] = default_preset().recipe.layers
    return found


def default_rows() -> list[tuple[int, Layer]]:
    """Return the layers of the default preset with their depths, from first to last."""
    return list(flatten(_default_layers()))


def signed(seed: int) -> int:
    """Return a seed as Blender's integers have it."""
    return seed - 0x100000000 if seed > 0x7FFFFFFF else seed


def measures(recipe: Recipe) -> dict[str, Any]:
    """Return what a recipe says besides its layers, as properties have it."""
    return {"seed": signed(recipe.seed), "height": recipe.height, "size": recipe.size}
