# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane's noise core: procedural noise and terrain on NumPy arrays, without Blender."""

from __future__ import annotations

from .errors import Cancelled, ParameterError, RecipeError, TerraneError
from .grid import Grid
from .noise import Noise, noise_types

__all__ = [
    "Cancelled",
    "Grid",
    "Noise",
    "ParameterError",
    "RecipeError",
    "TerraneError",
    "noise_types",
]
