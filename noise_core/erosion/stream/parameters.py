# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters of stream erosion, declared once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.declared import declared_type
from ...base.params import Declared, bearing, choice, integer, land_curves, number
from . import rain

if TYPE_CHECKING:
    from ...curves.land_curve import LandCurve
    from .rain import OrographicRain

COARSEST = 128
"""Samples along the shorter side of the coarsest level: fewer lose the valleys."""


@declared_type
class StreamErosionParameters(Declared):
    """Parameters of `StreamErosion`, of which `StreamLaw` makes the numbers of the process."""

    mode: str = choice(
        "erode",
        help="Meaning of the input height",
        options={
            "erode": "Ground that rivers erode",
            "grow": "Uplift: mountains grow out of a plain",
        },
    )
    strength: float = number(
        0.4,
        help="Amount of erosion: 0.1 scratches the ground, 1 leaves little of it",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=1.5,
    )
    talus_angle: float = number(
        47.0,
        help="Steepest stable slope, in degrees",
        minimum=1.0,
        maximum=85.0,
        soft_minimum=20.0,
        soft_maximum=70.0,
        unit="angle",
    )
    exponent: float = number(
        0.5,
        help="Extra depth of large rivers relative to small ones",
        minimum=0.1,
        maximum=1.0,
        soft_minimum=0.35,
        soft_maximum=0.6,
        advanced=True,
    )
    sediment: float = number(
        0.0,
        help="Fraction of the eroded ground deposited downstream; flattens valley floors",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    valley_fill: float = number(
        0.06,
        help="Gradient that rivers fill valleys to; 0 keeps floors level",
        minimum=0.0,
        maximum=1.0,
        soft_maximum=0.3,
    )
    fan_angle: float = number(
        6.0,
        help="Steepest slope of the fans, in degrees",
        minimum=0.0,
        maximum=45.0,
        soft_maximum=12.0,
        unit="angle",
        visible_when=("valley_fill", 0.0),
        advanced=True,
    )
    orographic_rain: float = number(
        0.0,
        help="Extra rain on windward slopes and heights; 0 is even rain",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=1.0,
        unit="factor",
    )
    wind_direction: float = bearing(
        20.0,
        help="Direction of the rain wind",
        visible_when=("orographic_rain", 0.0),
    )
    rain_distance: float = number(
        0.0,
        help="Distance that wind carries rain in meters",
        automatic=(1.0 / 12.0, "terrain"),
        minimum=0.0,
        maximum=1e9,
        soft_maximum=20000.0,
        unit="length",
        visible_when=("orographic_rain", 0.0),
        advanced=True,
    )
    smoothing: float = number(
        0.1,
        help="Soil creep that rounds ridges and gullies",
        minimum=0.0,
        maximum=0.5,
        unit="factor",
    )
    lakes: str = choice(
        "keep",
        help="Treatment of closed basins",
        options={
            "keep": "Deep basins keep their lake",
            "fill": "Basins fill up to plains that rivers cross",
        },
    )
    lake_depth: float = number(
        0.04,
        help="Minimum depth of basins that keep their lake, relative to the relief",
        minimum=0.0,
        maximum=1.0,
        soft_maximum=0.3,
        unit="factor",
        visible_when=("lakes", ("keep",)),
        advanced=True,
    )
    outlets: str = choice(
        "open",
        help="Places where rivers end; a seamless terrain has no border",
        options={
            "open": "Border, which erodes like the ground inside",
            "fixed": "Border, which keeps its height",
            "sea": "Everything below sea level, and the border",
            "lowest": "The lowest ground",
        },
    )
    sea_level: float = number(
        0.0,
        help="Sea level in meters; ground below it is kept",
        minimum=-1e6,
        maximum=1e6,
        soft_minimum=-1000.0,
        soft_maximum=1000.0,
        unit="length",
        visible_when=("outlets", ("sea",)),
    )
    lowest_share: float = number(
        0.04,
        help="Fraction of the ground that counts as the lowest",
        minimum=0.0,
        maximum=1.0,
        soft_maximum=0.5,
        unit="factor",
        visible_when=("outlets", ("lowest",)),
        advanced=True,
    )
    layer_thickness: float = number(
        0.0,
        help="Thickness of the rock layers in meters; 0 is uniform rock",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=500.0,
        unit="length",
    )
    layer_contrast: float = number(
        0.8,
        help="Hardness of hard rock relative to soft rock",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("layer_thickness", 0.0),
    )
    layer_bend: float = number(
        0.7,
        help="Amplitude of the folded layers, in layer thicknesses",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=3.0,
        visible_when=("layer_thickness", 0.0),
    )
    randomness: float = number(
        0.7,
        help="Randomizes flow directions and slope angles; 0 shows grid artifacts",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        advanced=True,
    )
    quality: str = choice(
        "final",
        help="Number of erosion steps",
        options={
            "preview": "Few steps, for tests",
            "final": "Default number of steps",
            "thorough": "More steps, for large strengths",
        },
        visible_when=("mode", ("erode",)),
    )
    finest: int = integer(
        8192,
        label="Finest Samples",
        help="Maximum samples along the shorter side for river routing",
        minimum=COARSEST,
        maximum=65536,
        soft_minimum=COARSEST,
        soft_maximum=8192,
        advanced=True,
    )

    rivers: tuple[LandCurve | str, ...] = land_curves(
        tuple, help="Curves along which rivers run, to an end at a border or to the lower end"
    )

    ridges: tuple[LandCurve | str, ...] = land_curves(
        tuple, help="Curves along which ridges stand, and over which no water runs"
    )
    ridge_rise: float = number(
        0.3,
        help="Height that the ground rises toward ridges before it erodes, relative to the relief",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=1.0,
        unit="factor",
        advanced=True,
    )

    def rain(self, span: float, width: float) -> OrographicRain | None:
        """Return the rain on a relief of so many meters, on land so wide; None if it is even."""
        if self.orographic_rain == 0.0:
            return None
        distance = self.rain_distance or rain.AUTOMATIC * width
        return rain.OrographicRain(self.orographic_rain, self.wind_direction, distance, span)
