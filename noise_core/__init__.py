# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane's noise core: procedural noise and terrain on NumPy arrays, without Blender."""

from __future__ import annotations

from .errors import Cancelled, ParameterError, RecipeError, TerraneError
from .grid import Grid
from .modifier import Modifier, Relief, modifier_types
from .noise import Noise, noise_types
from .recipe import Recipe

__all__ = [
    "Cancelled",
    "Grid",
    "Modifier",
    "Noise",
    "ParameterError",
    "Recipe",
    "RecipeError",
    "Relief",
    "TerraneError",
    "modifier_types",
    "noise_types",
]
