# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane's noise core: procedural noise and terrain on NumPy arrays, without Blender.

Noise and grids are there at once; all other names are imported on first use. These names, those of the
types in `noises`, `modifiers`, `maps`, `masks`, `materials.colorings` and `io.targets`, and the declarations
in `base.params` are what programs import: docs/api lists them. All else may change at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .base.errors import Cancelled, ParameterError, RecipeError, TerraneError
from .base.grid import Grid
from .base.late_modules import late_modules
from .noises.bases.noise import Noise, noise_type, noise_types

if TYPE_CHECKING:
    from .base.control import Control
    from .base.version import __version__ as __version__
    from .codecs.image_files import read_image, read_pixels
    from .codecs.image_writing import image_bytes
    from .curves.land_curve import CurvePoint, LandCurve
    from .curves.outlines import Outline, outlines_of
    from .erosion.brushes.brush import Brush
    from .erosion.brushes.strokes import StrokePoint, apply_stroke
    from .erosion.earthworks.placement import Placement
    from .io.curve_files import ReadCurves, read_curves
    from .io.elevation_reading import (
        LoadedHeights,
        elevation_from_samples,
        join_elevations,
        probe_elevation,
    )
    from .io.elevation_reading.elevation import Elevation, ElevationInfo
    from .io.elevation_reading.land import MeasuredLand, measured_land
    from .io.elevation_reading.reading import read_elevation
    from .io.heightmaps.export import ExportReport, export_heightmap
    from .io.heightmaps.options import ExportOptions
    from .io.saved_images import save_image
    from .landscapes.preset_library import Preset, preset, preset_names
    from .maps.bases.map import Map, map_type, map_types, read_maps
    from .masks.bases.mask import Mask, mask_type, mask_types
    from .materials.colorings.bases.coloring import Coloring, coloring_type, coloring_types
    from .materials.surfaces import Surface, TextureSet, surface, surface_names
    from .modifiers.bases.layer import Layer
    from .modifiers.bases.modifier import Modifier, Relief, modifier_type, modifier_types
    from .pictures.relief_figures.measuring import Figures, figures
    from .pictures.thumbnail import plan_of
    from .recipes.layers import Group, NoiseLayer, layer_types
    from .recipes.recipe import Recipe
    from .recipes.recipe_files import load_recipe, save_recipe
    from .recipes.recipe_schema import recipe_schema

__all__ = [
    "Brush",
    "Cancelled",
    "Coloring",
    "Control",
    "CurvePoint",
    "Elevation",
    "ElevationInfo",
    "ExportOptions",
    "ExportReport",
    "Figures",
    "Grid",
    "Group",
    "LandCurve",
    "Layer",
    "LoadedHeights",
    "Map",
    "Mask",
    "MeasuredLand",
    "Modifier",
    "Noise",
    "NoiseLayer",
    "Outline",
    "ParameterError",
    "Placement",
    "Preset",
    "ReadCurves",
    "Recipe",
    "RecipeError",
    "Relief",
    "StrokePoint",
    "Surface",
    "TerraneError",
    "TextureSet",
    "apply_stroke",
    "coloring_type",
    "coloring_types",
    "elevation_from_samples",
    "export_heightmap",
    "figures",
    "image_bytes",
    "join_elevations",
    "layer_types",
    "load_recipe",
    "map_type",
    "map_types",
    "mask_type",
    "mask_types",
    "measured_land",
    "modifier_type",
    "modifier_types",
    "noise_type",
    "noise_types",
    "outlines_of",
    "plan_of",
    "preset",
    "preset_names",
    "probe_elevation",
    "read_curves",
    "read_elevation",
    "read_image",
    "read_maps",
    "read_pixels",
    "recipe_schema",
    "save_image",
    "save_recipe",
    "surface",
    "surface_names",
]

_HOMES = {
    "Brush": ".erosion.brushes.brush",
    "Coloring": ".materials.colorings.bases.coloring",
    "Control": ".base.control",
    "CurvePoint": ".curves.land_curve",
    "Elevation": ".io.elevation_reading.elevation",
    "ElevationInfo": ".io.elevation_reading.elevation",
    "ExportOptions": ".io.heightmaps.options",
    "ExportReport": ".io.heightmaps.export",
    "Figures": ".pictures.relief_figures.measuring",
    "Group": ".recipes.layers",
    "LandCurve": ".curves.land_curve",
    "Layer": ".modifiers.bases.layer",
    "LoadedHeights": ".io.elevation_reading",
    "Map": ".maps.bases.map",
    "Mask": ".masks.bases.mask",
    "MeasuredLand": ".io.elevation_reading.land",
    "Modifier": ".modifiers.bases.modifier",
    "NoiseLayer": ".recipes.layers",
    "Outline": ".curves.outlines",
    "Placement": ".erosion.earthworks.placement",
    "Preset": ".landscapes.preset_library",
    "ReadCurves": ".io.curve_files",
    "Recipe": ".recipes.recipe",
    "Relief": ".modifiers.bases.modifier",
    "StrokePoint": ".erosion.brushes.strokes",
    "Surface": ".materials.surfaces",
    "TextureSet": ".materials.surfaces",
    "__version__": ".base.version",
    "apply_stroke": ".erosion.brushes.strokes",
    "coloring_type": ".materials.colorings.bases.coloring",
    "coloring_types": ".materials.colorings.bases.coloring",
    "elevation_from_samples": ".io.elevation_reading",
    "export_heightmap": ".io.heightmaps.export",
    "figures": ".pictures.relief_figures.measuring",
    "image_bytes": ".codecs.image_writing",
    "join_elevations": ".io.elevation_reading",
    "layer_types": ".recipes.layers",
    "load_recipe": ".recipes.recipe_files",
    "map_type": ".maps.bases.map",
    "map_types": ".maps.bases.map",
    "mask_type": ".masks.bases.mask",
    "mask_types": ".masks.bases.mask",
    "measured_land": ".io.elevation_reading.land",
    "modifier_type": ".modifiers.bases.modifier",
    "modifier_types": ".modifiers.bases.modifier",
    "outlines_of": ".curves.outlines",
    "plan_of": ".pictures.thumbnail",
    "preset": ".landscapes.preset_library",
    "preset_names": ".landscapes.preset_library",
    "probe_elevation": ".io.elevation_reading",
    "read_curves": ".io.curve_files",
    "read_elevation": ".io.elevation_reading.reading",
    "read_image": ".codecs.image_files",
    "read_maps": ".maps.bases.map",
    "read_pixels": ".codecs.image_files",
    "recipe_schema": ".recipes.recipe_schema",
    "save_image": ".io.saved_images",
    "save_recipe": ".recipes.recipe_files",
    "surface": ".materials.surfaces",
    "surface_names": ".materials.surfaces",
}
"""Names that are imported on first use, and the modules that define them."""

if not TYPE_CHECKING:  # a checker sees the imports above
    __getattr__ = late_modules(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
