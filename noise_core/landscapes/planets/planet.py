# SPDX-License-Identifier: GPL-3.0-or-later
"""Planets: the heights of a recipe's noise on a sphere, the level of the sea, and the recipe that ships."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import Cancel, Progress
from ...base.errors import ParameterError
from ...masks.noise_mask import NoiseMask
from ...noises.fractal import Fractal
from ...noises.perlin import Perlin
from ...noises.remap import Remap
from ...noises.warp import Warp
from ...recipes.layers import NoiseLayer, flatten
from ...recipes.recipe import Recipe
from ..scene import Planet
from .cube_sphere import CubeSphere
from .impacts import impacts, smallest_crater, strike

_POINTS = 1 << 17
"""Vertices between two checks for cancellation: about 50 ms of the slowest noises."""

_BINS = 1 << 16
"""Of the heights that the level of the sea is sought in: one is a 65 536th of the relief."""

_SEED = 34


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
    rays : ndarray of shape (vertices,), float32, or None
        Rays of young craters, from 0 to 1; None without craters.
    """

    sphere: CubeSphere
    directions: Field
    height: Field
    sea: float | None
    rays: Field | None = None

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
                "Mute or remove the layer {}: a planet needs noise in space, and this one is flat",
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
        rays = None
        if planet.craters > 0.0:
            craters = impacts(planet.craters, smallest_crater(sphere.cells), recipe.seed)
            height *= np.float32(1.0 / planet.radius)
            height, rays = strike(height, sphere, directions, planet.relief, craters)
            height *= np.float32(planet.radius)
        sea = sea_level(height, sphere.areas(), planet.sea_cover)
    return PlanetHeights(sphere, directions, height, sea, rays)


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
    histogram = np.bincount(np.minimum(place.astype(np.intp), _BINS - 1), areas, _BINS)
    below = np.cumsum(histogram, dtype=np.float64)
    target = cover * float(below[-1])
    at = int(np.searchsorted(below, target))
    if at >= _BINS:
        return high
    lower = float(below[at - 1]) if at else 0.0
    part = (target - lower) / float(histogram[at]) if histogram[at] > 0.0 else 0.0
    return low + (high - low) * (at + part) / _BINS


def standard_recipe() -> Recipe:
    """Return the recipe.

    Continents are a fractal that a warp bends, so that coasts have bays and islands. Ridges lie in belts of
    half the surface, most of them where the belt's noise is highest, as plates meet along lines.

    Examples
    --------
    >>> from noise_core.landscapes.planets.planet import standard_recipe
    >>> standard_recipe().needs_grid
    False
    """
    continents = Warp(
        source=Fractal(source=Perlin(frequency=2.1), octaves=13.0, persistence=0.55), strength=0.14
    )
    ridges = Fractal(source=Perlin(frequency=7.0), kind="ridged", octaves=9.0, persistence=0.52)
    mountains = NoiseLayer(
        name="Mountains",
        noise=Remap(source=Warp(source=ridges, strength=0.03), from_minimum=-0.6, from_maximum=0.9),
        opacity=0.5,
        seed_offset=1,
        mask=NoiseMask(
            noise=Remap(
                source=Fractal(source=Perlin(frequency=2.0), octaves=4.0, kind="ridged"),
                from_minimum=0.1, from_maximum=0.9,
            ),
            span="positive",
            seed_offset=2,
        ),
    )  # fmt: skip
    layers = (NoiseLayer(name="Continents", noise=continents), mountains)
    return Recipe(layers=layers, seed=_SEED)


def rough_recipe() -> Recipe:
    """Return the recipe of ground without continents: heights and plains, for impacts to mark."""
    ground = Fractal(source=Perlin(frequency=2.4), octaves=10.0, persistence=0.5)
    layer = NoiseLayer(name="Heights", noise=Warp(source=ground, strength=0.08), opacity=0.7)
    return Recipe(layers=(layer,), seed=5)


RECIPES: Mapping[str, Callable[[], Recipe]] = MappingProxyType(
    {"standard": standard_recipe, "rough": rough_recipe}
)
"""Functions that return the recipes of the ground of kinds of planets, by name."""
