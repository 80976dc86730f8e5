# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of planets to begin with: measures that differ from the usual ones, and the recipe of the ground."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .scene import Planet

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
    recipe : str
        Name of the recipe of the ground: see `planets.planet.RECIPES`.
    """

    label: str
    help: str
    values: Mapping[str, object]
    recipe: str = "standard"

    @property
    def planet(self) -> Planet:
        """The measures."""
        return Planet(**self.values)  # type: ignore[arg-type]


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
            "rough",
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
