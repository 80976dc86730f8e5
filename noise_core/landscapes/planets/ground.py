# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground of a planet: layers of a landscape by height, latitude and drought.

The material of a planet has the same sums as nodes: the group *Terrane Planet Masks* and this module change
together.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ...base.arrays import Field
from ...materials.colors import Landscape
from ...materials.ground.measures import GroundMeasures

COLD_FROM = 48.0
"""Degrees before the ice begins at which it gets colder than at the equator."""

COLD_MORE = 0.55
"""By how much of the relief it gets colder within the ice, over `COLD_OVER` degrees."""

COLD_OVER = 14.0

WOBBLE = 11.0
"""Degrees by which noise moves climates to north and south, at most."""

DRY_AT, DRY_WIDTH = 25.0, 17.0
"""Degrees from the equator at which deserts lie, where air sinks that has risen at the equator (Hadley, 1735:
Concerning the cause of the general trade-winds); and how many to each side."""

CLIMATE = (2.6, 4.0, 0.55)
"""Noise of climates: cells along the diameter, detail and roughness of the shader's noise."""

_PLANTS = ("grass", "woods")

_SNOW_LINE = 0.8
"""Height above which snow lies at the equator at the latest: else there would be none at the poles either."""

_FRESH, _BRIGHTEST = 1.9, 0.8
"""How many times brighter than scree the ground is that impacts have just thrown out, and its brightest."""

_NO_ICE = 90.0


@dataclass(frozen=True)
class PlanetGround:
    """A planet as its material reads it.

    Attributes
    ----------
    radius : float
        In meters: where heights are 0.
    sea : float or None
        Level in meters above the radius.
    ice_latitude : float
        Degrees from the equator at which half of the lowland is white; 90 for none.
    """

    radius: float
    sea: float | None
    ice_latitude: float

    @property
    def has_ice(self) -> bool:
        """Return whether there is ice at the poles."""
        return self.ice_latitude < _NO_ICE

    def measures(self, height: Field) -> GroundMeasures:
        """Return the measures of land that has some heights in meters above the radius."""
        return GroundMeasures.of(height, 2.0 * self.radius, {}, self.sea)


def planet_landscape(landscape: Landscape) -> Landscape:
    """Return a landscape as it is on a planet.

    Its sand lies in deserts, not on beaches, which are too narrow to be seen; drought takes woods and meadows away.
    The trace *wear* stands for drought. Woods have no crowns. Ice lies on steep ground where it is cold.
    """
    changes: dict[str, dict[str, object]] = {
        name: {"wear": -1.3, "bump": 0.06, "flow": 0.0} for name in _PLANTS
    }
    sand = landscape.layers.get("sand")
    if sand is not None and sand.is_shore:
        changes["sand"] = {
            "is_shore": False, "amount": -0.45, "wear": 1.25, "highest": 0.6, "fade": 0.4,
            "steepest": 16.0, "softness": 0.7, "ragged": 1.4, "tint": 1.0, "bump": 0.07,
        }  # fmt: skip
    snow = landscape.layers.get("snow")
    if snow is not None:
        lowest = min(snow.lowest, _SNOW_LINE)
        changes["snow"] = {"lowest": lowest, "steeper": 34.0, "steepest": 26.0, "curvature": -0.2}
    changes["rock"] = {
        "flattest": 10.0,
        "slope_fade": 10.0,
        "softness": 0.6,
        "broken": 0.2,
        "bump": 0.16,
    }
    scree = landscape.layers.get("scree")
    if scree is not None:  # rays of young craters, which are bright until dust has aged
        bright = tuple(min(_BRIGHTEST, _FRESH * channel) for channel in scree.color)
        changes["scree"] = {"deposit": 1.6, "color": bright, "second": bright}
    present = {name: change for name, change in changes.items() if name in landscape.layers}
    return dataclasses.replace(landscape.with_layers(**present), strata=landscape.strata)


def snow_line(landscape: Landscape) -> float:
    """Return the height, from 0 to 1 and beyond, above which snow lies at the equator."""
    snow = landscape.layers.get("snow")
    return 0.6 if snow is None else snow.lowest
