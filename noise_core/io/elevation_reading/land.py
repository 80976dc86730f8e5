# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured heights as a recipe: one layer, to which noise and erosion can be added."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from ...base.arguments import check_kind
from ...base.arrays import Field, to_float
from ...base.errors import Message, ParameterError, format_value
from ...base.grid import Grid
from ...noises.elevation import ElevationRaster
from ...recipes.layers import NoiseLayer
from ...recipes.recipe import Recipe
from .elevation import Elevation

LAYER = "Elevation"
"""Name of the layer."""

HIGHEST = 1e6
"""Meters above or below 0 that a layer can hold."""


@dataclasses.dataclass(frozen=True)
class MeasuredLand:
    """A recipe with measured heights.

    Attributes
    ----------
    recipe : Recipe
        As wide and as deep as the measured land. Its height is that of the layer.
    noise : ElevationRaster
        The noise of its only layer.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.io.elevation_reading import (
    ...     LoadedHeights, elevation_from_samples, measured_land
    ... )
    >>> loaded = LoadedHeights(np.zeros((33, 65), np.float32), "survey", "array")
    >>> survey = elevation_from_samples(loaded)
    >>> land = measured_land(survey, size=6400.0)
    >>> land.depth, land.grid().shape, land.grid(33).shape
    (0.5, (33, 65), (17, 33))
    """

    recipe: Recipe
    noise: ElevationRaster

    @property
    def depth(self) -> float:
        """Extent along y, in widths: `Recipe.depth_ratio`."""
        return self.recipe.depth_ratio

    def grid(self, samples: int | None = None) -> Grid:
        """Return the recipe's grid, of the samples measured or of so many along the longer side.

        Parameters
        ----------
        samples : int, optional
            Samples along the longer side, at least 2; those of the measurement if not given.
        """
        return self.recipe.grid(max(self.noise.pixels.shape) if samples is None else samples)


def measured_land(elevation: Elevation, *, size: float | None = None) -> MeasuredLand:
    """Return measured heights as a recipe.

    Parameters
    ----------
    elevation : Elevation
    size : float, optional
        Width in meters. By default that of the measured land, or one meter per sample if it does not
        say.

    Returns
    -------
    MeasuredLand
        On a grid of the same samples its recipe gives the heights back, within the rounding of float32.

    Raises
    ------
    ParameterError
        If there are fewer than 2 x 2 samples, heights that no layer can hold, or an extent that no recipe
        can have.

    Examples
    --------
    >>> import dataclasses
    >>> import numpy as np
    >>> from noise_core.io.elevation_reading import (
    ...     LoadedHeights, elevation_from_samples, measured_land
    ... )
    >>> from noise_core.modifiers import Amplify
    >>> heights = np.add.outer(np.arange(33.0), np.arange(33.0)).astype(np.float32)
    >>> loaded = LoadedHeights(heights, "survey", "array")
    >>> land = measured_land(elevation_from_samples(loaded), size=960.0)

    The recipe gives the heights back, and takes modifiers such as finer detail:

    >>> again = land.recipe.evaluate(land.grid()).height
    >>> bool(np.abs(again - heights).max() < 1e-3)
    True
    >>> finer = dataclasses.replace(land.recipe, layers=(*land.recipe.layers, Amplify(cell_size=30.0)))
    >>> finer.evaluate(land.grid(129)).height.shape
    (129, 129)
    """
    check_kind(elevation, Elevation, "measured_land: elevation", "an Elevation")
    name, heights = elevation.info.name, elevation.heights
    rows, columns = heights.shape
    if rows < 2 or columns < 2:
        raise ParameterError(
            "{}: rows and columns must be at least 2", name, got=f"{rows} x {columns}"
        )
    x, y = elevation.spacing or (1.0, 1.0)
    if size is not None and not 0.0 < to_float(size) < math.inf:
        raise ParameterError("size must be a positive number", got=format_value(size))
    aspect, scale = y / x, height_scale(heights, name)
    noise = ElevationRaster(pixels=heights / np.float32(scale), aspect=aspect, **_place(elevation))
    layer = NoiseLayer(name=LAYER, noise=noise, height=scale)
    width = (columns - 1) * x if size is None else float(size)
    depth = width * ((rows - 1) * aspect / (columns - 1))
    return MeasuredLand(Recipe(layers=(layer,), height=scale, size=width, depth=depth), noise)


def height_scale(heights: Field, name: str) -> float:
    """Return meters that a noise of 1 stands for: a power of two, by which float32 divides exactly.

    Raises
    ------
    ParameterError
        If the heights are beyond the range of a layer.
    """
    low, high = float(heights.min()), float(heights.max())
    largest = max(-low, high)
    if largest > HIGHEST:
        raise ParameterError(
            "{}: heights must be in [{:g}, {:g}] m",
            name,
            -HIGHEST,
            HIGHEST,
            got=Message("{:g} to {:g}", low, high),
        )
    return min(2.0 ** math.ceil(math.log2(max(largest, 1.0))), HIGHEST)


def _place(elevation: Elevation) -> dict[str, Any]:
    """Return the parameters that hold the georeference."""
    place = elevation.georeference
    if place is None:
        return {}
    system, cylinder = place.system, place.system.cylinder
    body = system.ellipsoid
    held: dict[str, Any] = {
        "epsg": system.epsg,
        "origin": place.origin,
        "step": place.step,
        "unit": system.unit,
        "ellipsoid": (body.radius, body.flattening),
    }
    if cylinder is None:
        return {**held, "system": system.kind, "meridian": system.meridian}
    numbers = (cylinder.scale, cylinder.easting, cylinder.northing, cylinder.radius)
    return {
        **held,
        "system": cylinder.method,
        "meridian": cylinder.meridian,
        "projection": numbers,
    }
