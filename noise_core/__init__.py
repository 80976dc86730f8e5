# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane's noise core: procedural noise and terrain on NumPy arrays, without Blender."""

from __future__ import annotations

from .colouring import Colouring, colouring_types
from .errors import Cancelled, ParameterError, RecipeError, TerraneError
from .grid import Grid
from .map import Map, map_types, read_maps
from .mask import Mask, mask_types
from .modifier import Modifier, Relief, modifier_types
from .noise import Noise, noise_types
from .recipe import Recipe

__all__ = [
    "Cancelled",
    "Colouring",
    "Grid",
    "Map",
    "Mask",
    "Modifier",
    "Noise",
    "ParameterError",
    "Recipe",
    "RecipeError",
    "Relief",
    "TerraneError",
    "colouring_types",
    "map_types",
    "mask_types",
    "modifier_types",
    "noise_types",
    "read_maps",
]
