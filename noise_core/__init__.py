# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane's noise core: procedural noise and terrain on NumPy arrays, without Blender.

Noise and grids are there at once; all other names are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .base.errors import Cancelled, ParameterError, RecipeError, TerraneError
from .base.grid import Grid
from .base.late_modules import late_modules
from .noises.bases.noise import Noise, noise_types

if TYPE_CHECKING:
    from .base.control import Control
    from .base.version import __version__ as __version__
    from .curves.land_curve import CurvePoint, LandCurve
    from .erosion.earthworks.placement import Placement
    from .io.elevation_reading.elevation import Elevation
    from .io.elevation_reading.reading import read_elevation
    from .io.heightmaps.export import ExportReport, export_heightmap
    from .io.heightmaps.options import ExportOptions
    from .maps.bases.map import Map, map_types, read_maps
    from .masks.bases.mask import Mask, mask_types
    from .materials.colorings.bases.coloring import Coloring, coloring_types
    from .modifiers.bases.layer import Layer
    from .modifiers.bases.modifier import Modifier, Relief, modifier_types
    from .recipes.layers import Group, NoiseLayer, layer_types
    from .recipes.recipe import Recipe

__all__ = [
    "Cancelled",
    "Coloring",
    "Control",
    "CurvePoint",
    "Elevation",
    "ExportOptions",
    "ExportReport",
    "Grid",
    "Group",
    "LandCurve",
    "Layer",
    "Map",
    "Mask",
    "Modifier",
    "Noise",
    "NoiseLayer",
    "ParameterError",
    "Placement",
    "Recipe",
    "RecipeError",
    "Relief",
    "TerraneError",
    "coloring_types",
    "export_heightmap",
    "layer_types",
    "map_types",
    "mask_types",
    "modifier_types",
    "noise_types",
    "read_elevation",
    "read_maps",
]

_HOMES = {
    "__version__": ".base.version",
    "Control": ".base.control",
    "CurvePoint": ".curves.land_curve",
    "LandCurve": ".curves.land_curve",
    "Coloring": ".materials.colorings.bases.coloring",
    "Elevation": ".io.elevation_reading.elevation",
    "ExportOptions": ".io.heightmaps.options",
    "ExportReport": ".io.heightmaps.export",
    "Group": ".recipes.layers",
    "Layer": ".modifiers.bases.layer",
    "Map": ".maps.bases.map",
    "Mask": ".masks.bases.mask",
    "Modifier": ".modifiers.bases.modifier",
    "NoiseLayer": ".recipes.layers",
    "Placement": ".erosion.earthworks.placement",
    "Recipe": ".recipes.recipe",
    "Relief": ".modifiers.bases.modifier",
    "coloring_types": ".materials.colorings.bases.coloring",
    "export_heightmap": ".io.heightmaps.export",
    "layer_types": ".recipes.layers",
    "map_types": ".maps.bases.map",
    "mask_types": ".masks.bases.mask",
    "modifier_types": ".modifiers.bases.modifier",
    "read_elevation": ".io.elevation_reading.reading",
    "read_maps": ".maps.bases.map",
}
"""Names that are imported on first use, and the modules that define them."""

if not TYPE_CHECKING:  # a checker sees the imports above
    __getattr__ = late_modules(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
