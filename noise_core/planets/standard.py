# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe of a planet that nothing else is said of: continents, and belts of mountains on them."""

from __future__ import annotations

from ..masks.noise_mask import NoiseMask
from ..noises.fractal import Fractal
from ..noises.perlin import Perlin
from ..noises.warp import Warp
from ..recipes.layers import NoiseLayer
from ..recipes.recipe import Recipe

_SEED = 22


def standard_recipe() -> Recipe:
    """Return the recipe.

    Continents are a fractal that a warp bends, so that coasts have bays and islands. Ridges lie in belts of
    half the surface, most of them where the belt's noise is highest, as plates meet along lines.
    """
    continents = Warp(
        source=Fractal(source=Perlin(frequency=1.7), octaves=12.0, persistence=0.53), strength=0.12
    )
    ridges = Warp(
        source=Fractal(
            source=Perlin(frequency=6.0), kind="ridged", octaves=8.0, persistence=0.5
        ),
        strength=0.03,
    )
    belts = Fractal(source=Perlin(frequency=1.6), octaves=3.0, persistence=0.5)
    mountains = NoiseLayer(
        name="Mountains",
        noise=ridges,
        opacity=0.55,
        seed_offset=1,
        mask=NoiseMask(noise=belts, span="positive", seed_offset=2),
    )
    layers = (NoiseLayer(name="Continents", noise=continents), mountains)
    return Recipe(layers=layers, seed=_SEED)
