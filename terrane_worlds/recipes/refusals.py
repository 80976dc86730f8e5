# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals of layers and maps that cannot be built in tiles, before a build begins."""

from __future__ import annotations

from collections.abc import Sequence

from noise_core.base.errors import ParameterError, format_value
from noise_core.base.grid import Grid
from noise_core.maps.bases.map import map_types
from noise_core.modifiers.bases.modifier import Modifier
from noise_core.recipes.recipe import Recipe

from .. import maps, modifiers
from ..base.tiling import Tiling
from ..tiles.cost import Cost
from .masks import ground_maps


def check_recipe(recipe: Recipe, grid: Grid, tiling: Tiling) -> list[Cost]:
    """Return the costs of a recipe's layers.

    Raises
    ------
    ParameterError
        If one cannot be done in tiles with the bits of the whole.
    """
    costs: list[Cost] = []
    for number, layer in enumerate(recipe.layers, 1):
        if layer.muted:
            continue
        who = f"Recipe.layers: number {number}"
        if isinstance(layer, Modifier):
            costs.append(modifiers.REGISTRY.check(layer, who, grid, tiling))
        for source in ground_maps(layer):
            costs.append(maps.REGISTRY.check(source, f"{who}: its mask", grid, tiling))
    return costs


def check_maps(names: Sequence[str], recipe: Recipe, grid: Grid, tiling: Tiling) -> list[Cost]:
    """Return the costs of maps that are asked for by name.

    Raises
    ------
    ParameterError
        If there is no such map, it is asked for twice, or cannot be done in tiles.
    """
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise ParameterError("maps must be a list of names", got=format_value(names))
    available_maps = _made_maps(recipe)
    available = sorted({*map_types(), *available_maps})
    costs: list[Cost] = []
    for name in names:
        if name not in available or list(names).count(name) > 1:
            raise ParameterError(
                "maps must be of {}, each once", ", ".join(available), got=format_value(name)
            )
        if name in available_maps:
            continue
        source = map_types()[name]()
        if source.channels != 1:
            raise ParameterError(
                "maps must have 1 number a sample; {} has {}", format_value(name), source.channels
            )
        costs.append(maps.REGISTRY.check(source, "maps", grid, tiling))
    return costs


def units_of(names: Sequence[str], recipe: Recipe) -> dict[str, str]:
    """Return the units of maps by name, as far as they are known; see `check_maps`."""
    available_maps = _made_maps(recipe)
    return {name: "" if name in available_maps else map_types()[name].unit for name in names}


def _made_maps(recipe: Recipe) -> set[str]:
    """Return the names of the maps that the modifiers of a recipe make."""
    return {name for modifier in recipe.modifiers if not modifier.muted for name in modifier.makes}
