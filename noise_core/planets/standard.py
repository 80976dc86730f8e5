# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe of a planet that nothing else is said of: continents, and belts of mountains on them."""

from __future__ import annotations

from ..masks.noise_mask import NoiseMask
from ..noises.fractal import Fractal
from ..noises.perlin import Perlin
from ..noises.remap import Remap
from ..noises.warp import Warp
from ..recipes.layers import NoiseLayer
from ..recipes.recipe import Recipe

_SEED = 3


def standard_recipe() -> Recipe:
    """Return the recipe.

    Continents are a fractal that a warp bends, so that coasts have bays and islands. Ridges lie in belts of
    half the surface, most of them where the belt's noise is highest, as plates meet along lines.
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
