# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of planets to begin with: measures that differ from the usual ones, and the recipe of the ground."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ...noises.fractal import Fractal
from ...noises.perlin import Perlin
from ...noises.warp import Warp
from ...recipes.layers import NoiseLayer
from ...recipes.recipe import Recipe
from ..scene import Planet
from .planet import standard_recipe

_DRY = {"sea_cover": 0.0, "city_lights": 0.0}
_BARE = {**_DRY, "atmosphere": False, "ice_latitude": 90.0}
_GAS = {**_BARE, "relief": 0.0, "resolution": 128}


@dataclass(frozen=True)
class PlanetKind:
    """A kind of planet.

    Attributes
    ----------
    label, help : str
        Texts of menus and tooltips.
    values : mapping of str to object
        Measures that differ from the defaults of `Planet`.
    recipe : callable
        Returns the recipe of the ground.
    """

    label: str
    help: str
    values: Mapping[str, object]
    recipe: Callable[[], Recipe] = standard_recipe

    @property
    def planet(self) -> Planet:
        """The measures."""
        return Planet(**self.values)  # type: ignore[arg-type]


@functools.cache
def rough_recipe() -> Recipe:
    """Return the recipe of ground without continents: heights and plains, for impacts to mark."""
    ground = Fractal(source=Perlin(frequency=2.4), octaves=10.0, persistence=0.5)
    layer = NoiseLayer(name="Heights", noise=Warp(source=ground, strength=0.08), opacity=0.7)
    return Recipe(layers=(layer,), seed=5)


KINDS: Mapping[str, PlanetKind] = MappingProxyType(
    {
        "terrestrial": PlanetKind("Terrestrial", "Continents, a sea, clouds and ice, as Earth's", {}),
        "desert": PlanetKind(
            "Desert", "Red sand and rock under thin air, as on Mars",
            {**_DRY, "palette": "mars", "ice_latitude": 76.0, "air_depth": 0.03, "clouds": 0.12,
             "craters": 0.04},
        ),
        "moon": PlanetKind(
            "Moon", "Gray dust with craters of all sizes and rays of young ones",
            {**_BARE, "palette": "moon", "relief": 0.025, "craters": 0.9,
             "resolution": 384},
            rough_recipe,
        ),
        "ice": PlanetKind(
            "Ice", "A frozen sea and snow nearly to the equator",
            {"ice_latitude": 22.0, "sea_cover": 0.72, "clouds": 0.35},
        ),
        "jovian": PlanetKind(
            "Gas Giant", "Brown and white bands of clouds with a red spot, as Jupiter's",
            {**_GAS, "gas": "jovian"},
        ),
        "saturnian": PlanetKind(
            "Ringed Giant", "Pale bands of clouds within rings of ice, as Saturn's",
            {**_GAS, "gas": "saturnian", "rings": 2.27},
        ),
        "neptunian": PlanetKind(
            "Ice Giant", "Deep blue bands with streaks of white clouds, as Neptune's",
            {**_GAS, "gas": "neptunian", "atmosphere": True, "clouds": 0.1, "air_depth": 0.03},
        ),
    }
)  # fmt: skip
"""Kinds by the names that scripts give."""
