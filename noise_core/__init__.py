# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane's noise core: procedural noise and terrain on NumPy arrays, without Blender.

Noise and grids are there at once; what else has a name here is imported when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import Cancelled, ParameterError, RecipeError, TerraneError
from .grid import Grid
from .noise import Noise, noise_types

if TYPE_CHECKING:
    from .coloring import Coloring, coloring_types
    from .layer import Layer
    from .layers import Group, NoiseLayer, layer_types
    from .map import Map, map_types, read_maps
    from .mask import Mask, mask_types
    from .modifier import Modifier, Relief, modifier_types
    from .recipe import Recipe

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
    "coloring": ("Coloring", "coloring_types"),
    "layer": ("Layer",),
    "layers": ("Group", "NoiseLayer", "layer_types"),
    "map": ("Map", "map_types", "read_maps"),
    "mask": ("Mask", "mask_types"),
    "modifier": ("Modifier", "Relief", "modifier_types"),
    "recipe": ("Recipe",),
}
"""Modules that are imported on first use, and the names that each one defines."""


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(f".{home}", __name__), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
