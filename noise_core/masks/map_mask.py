# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by a map of the ground: on slopes, above a height, along rivers."""

from __future__ import annotations

from ..base.arrays import Field
from ..base.grid import Grid
from ..base.params import relief_map
from ..maps.bases.map import Map
from ..maps.slope_map import Slope
from .bases.mask import Mask, MaskContext, mask_type


@mask_type("map", "Map of the Ground")
class MapMask(Mask):
    """Lets a layer act where a map of the ground is within limits: on slopes, above a height.

    The map is read off the height as it is when the layer's turn comes, so that snow finds the
    slopes that erosion has left. Limits are in the map's unit: degrees, meters.

    Examples
    --------
    >>> from noise_core import Recipe
    >>> from noise_core.maps import Slope
    >>> from noise_core.masks import MapMask
    >>> from noise_core.modifiers import Terraces
    >>> from noise_core.noises import Perlin

    Terraces on ground less steep than 25 degrees alone:

    >>> gentle = MapMask(map=Slope(), limits="below", high=25.0, falloff=5.0)
    >>> recipe = Recipe(
    ...     layers=(Perlin(frequency=3.0), Terraces(spacing=10.0, mask=gentle)), height=80.0, size=500.0
    ... )
    >>> recipe.evaluate(recipe.grid(33)).height.shape
    (33, 33)
    """

    map: Map = relief_map(Slope, help="What is read off the ground")

    @property
    def reads_ground(self) -> bool:
        """See `Mask.reads_ground`."""
        return True

    def values(self, height: Field, grid: Grid, context: MaskContext) -> Field:
        """See `Mask.values`."""
        return self.map.values(height, grid)

    def apply_ramp(self, values: Field, low: float, high: float, falloff: float) -> Field:
        """See `Map.mask`: aspects go round."""
        return self.map.mask_values(values, low, high, falloff)
