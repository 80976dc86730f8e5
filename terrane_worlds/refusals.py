# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be built in tiles is refused before a build begins."""

from __future__ import annotations

from collections.abc import Sequence

from noise_core.base.errors import ParameterError, format_value
from noise_core.base.grid import Grid
from noise_core.maps.bases.map import map_types
from noise_core.modifiers.bases.modifier import Modifier
from noise_core.recipes.recipe import Recipe

from . import maps, modifiers
from .cost import Cost
from .masks import ground_maps
from .tiling import Tiling


def check_recipe(recipe: Recipe, grid: Grid, tiling: Tiling) -> list[Cost]:
    """Return what the layers of a recipe need.

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
        for one in ground_maps(layer):
            costs.append(maps.REGISTRY.check(one, f"{who}: its mask", grid, tiling))
    return costs


def check_maps(names: Sequence[str], recipe: Recipe, grid: Grid, tiling: Tiling) -> list[Cost]:
    """Return what maps need that are asked for by name.

    Raises
    ------
    ParameterError
        If there is no such map, it is asked for twice, or cannot be done in tiles.
    """
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise ParameterError("maps must be a list of names; got {}", format_value(names))
    made = _made_maps(recipe)
    known = sorted({*map_types(), *made})
    costs: list[Cost] = []
    for name in names:
        if name not in known or list(names).count(name) > 1:
            raise ParameterError(
                "maps must be of {}, each once; got {}", ", ".join(known), format_value(name)
            )
        if name in made:
            continue
        one = map_types()[name]()
        if one.channels != 1:
            raise ParameterError(
                "maps must have 1 number a sample; {} has {}", format_value(name), one.channels
            )
        costs.append(maps.REGISTRY.check(one, "maps", grid, tiling))
    return costs


def units_of(names: Sequence[str], recipe: Recipe) -> dict[str, str]:
    """Return the units of maps by name, as far as they are known; see `check_maps`."""
    made = _made_maps(recipe)
    return {name: "" if name in made else map_types()[name].unit for name in names}


def _made_maps(recipe: Recipe) -> set[str]:
    """Return the names of the maps that the modifiers of a recipe make."""
    return {name for one in recipe.modifiers if not one.muted for name in one.makes}
