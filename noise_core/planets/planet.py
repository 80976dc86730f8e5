# SPDX-License-Identifier: GPL-3.0-or-later
"""Planets: the heights of a recipe's noise on a sphere, and the level of the sea."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Cancel, Progress
from ..base.errors import ParameterError
from ..landscapes.scene import Planet
from ..recipes.layers import NoiseLayer, flatten
from ..recipes.recipe import Recipe
from .cube_sphere import CubeSphere

_POINTS = 1 << 17
"""Vertices between two checks for cancellation: about 50 ms of the slowest noises."""

_BINS = 1 << 16
"""Of the heights that the level of the sea is sought in: one is a 65 536th of the relief."""


@dataclass(frozen=True)
class PlanetHeights:
    """The ground of a planet.

    Attributes
    ----------
    sphere : CubeSphere
    directions : ndarray of shape (vertices, 3), float32
        Unit vectors.
    height : ndarray of shape (vertices,), float32
        In meters above the radius.
    sea : float or None
        Its level in meters above the radius; None without a sea.
    """

    sphere: CubeSphere
    directions: Field
    height: Field
    sea: float | None

    @property
    def depth(self) -> Field:
        """Depth of the sea in meters at each vertex; negative on land, and everywhere without a sea."""
        if self.sea is None:
            return np.full_like(self.height, np.float32(-1.0))
        return np.float32(self.sea) - self.height


def check_recipe(recipe: Recipe) -> None:
    """Make sure that a recipe can be evaluated on a sphere.

    Raises
    ------
    ParameterError
        If a layer needs a grid of heights, or its noise is flat: its name is in the message.
    """
    for _, layer in flatten(recipe.layers):
        is_seen = isinstance(layer, NoiseLayer) and not layer.muted
        if is_seen and 3 not in cast(NoiseLayer, layer).noise.dimensions:
            raise ParameterError(
                "a planet is made of noise in space: mute or remove the layer {}, whose noise is flat",
                layer.name or layer.label,
            )
    if on_grid := recipe.layers_on_grid:
        name = on_grid[0].name or on_grid[0].label
        raise ParameterError(
            "a planet is made of noise alone: mute or remove the layer {}, which needs a grid", name
        )


def planet_heights(
    recipe: Recipe,
    planet: Planet,
    *,
    progress: Progress = blocks.unheard,
    cancel: Cancel | None = None,
) -> PlanetHeights:
    """Return the heights of a recipe's noise in space on a sphere.

    The diameter is `planet.scale` tiles of the noise. The same place has the same height at every resolution.

    Parameters
    ----------
    recipe : Recipe
        Of noise alone; see `check_recipe`.
    planet : Planet
    progress, cancel : callable, optional
        See `blocks.Progress` and `blocks.Cancel`.

    Raises
    ------
    ParameterError
        If the recipe needs a grid.
    Cancelled
        If `cancel` returned True.
    """
    check_recipe(recipe)
    sphere = CubeSphere(planet.resolution)
    directions, noise = sphere.directions(), recipe.noise
    height = np.empty(sphere.vertices, np.float32)
    tiles, meters = np.float32(0.5 * planet.scale), np.float32(planet.relief * planet.radius)

    def fill(start: int, stop: int) -> None:
        blocks.checkpoint()
        height[start:stop] = noise.sample(directions[start:stop] * tiles, recipe.seed)

    with blocks.cancellable(cancel):
        blocks.run(fill, sphere.vertices, _POINTS, progress=progress)
        height *= meters
        sea = sea_level(height, sphere.areas(), planet.sea_cover)
    return PlanetHeights(sphere, directions, height, sea)


def sea_level(height: Field, areas: Field, cover: float) -> float | None:
    """Return the level below which a share of the surface lies; None for a share of 0.

    Parameters
    ----------
    height, areas : ndarray of shape (vertices,), float32
        Meters, and shares of the surface.
    cover : float
        From 0 to 1.
    """
    if cover <= 0.0:
        return None
    low, high = float(height.min()), float(height.max())
    if not high > low:
        return high
    place = (height - np.float32(low)) * np.float32(_BINS / (high - low))
    found = np.bincount(np.minimum(place.astype(np.intp), _BINS - 1), areas, _BINS)
    below = np.cumsum(found, dtype=np.float64)
    wanted = cover * float(below[-1])
    at = int(np.searchsorted(below, wanted))
    if at >= _BINS:
        return high
    before = float(below[at - 1]) if at else 0.0
    part = (wanted - before) / float(found[at]) if found[at] > 0.0 else 0.0
    return low + (high - low) * (at + part) / _BINS
