# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane's noise core: procedural noise and terrain on NumPy arrays, without Blender.

Noise and grids are there at once; what else has a name here is imported when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .base.errors import Cancelled, ParameterError, RecipeError, TerraneError
from .base.grid import Grid
from .base.late_modules import late_modules
from .types.noise import Noise, noise_types

if TYPE_CHECKING:
    from .base.version import __version__ as __version__
    from .recipes.layers import Group, NoiseLayer, layer_types
    from .recipes.recipe import Recipe
    from .types.coloring import Coloring, coloring_types
    from .types.layer import Layer
    from .types.map import Map, map_types, read_maps
    from .types.mask import Mask, mask_types
    from .types.modifier import Modifier, Relief, modifier_types

__all__ = [
    "Cancelled",
    "Coloring",
    "Grid",
    "Group",
    "Layer",
    "Map",
    "Mask",
    "Modifier",
    "Noise",
    "NoiseLayer",
    "ParameterError",
    "Recipe",
    "RecipeError",
    "Relief",
    "TerraneError",
    "coloring_types",
    "layer_types",
    "map_types",
    "mask_types",
    "modifier_types",
    "noise_types",
    "read_maps",
]

_HOMES = {
    "base.version": ("__version__",),
    "types.coloring": ("Coloring", "coloring_types"),
    "types.layer": ("Layer",),
    "recipes.layers": ("Group", "NoiseLayer", "layer_types"),
    "types.map": ("Map", "map_types", "read_maps"),
    "types.mask": ("Mask", "mask_types"),
    "types.modifier": ("Modifier", "Relief", "modifier_types"),
    "recipes.recipe": ("Recipe",),
}
"""Modules that are imported on first use, and the names that each one defines."""


_find_module = late_modules(__name__)


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(f".{home}", __name__), name)
            return value
    return _find_module(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
