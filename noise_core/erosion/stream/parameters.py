# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters of stream erosion, declared once."""

from __future__ import annotations

import dataclasses

from ...base.params import Declared, choice, integer, number
from . import rain
from .rain import OrographicRain

COARSEST = 128
"""Samples along the shorter side of the coarsest level: fewer lose the valleys."""


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class StreamErosionParameters(Declared):
    """Parameters of `StreamErosion`, of which `StreamLaw` makes the numbers of the process."""

    mode: str = choice(
        "erode",
        help="What the height is",
        options={
            "erode": "Ground that rivers wear down",
            "grow": "A picture of how fast the ground rises: mountains grow out of a plain",
        },
    )
    strength: float = number(
        0.4,
        help="How far rivers cut: 0.1 scratches the ground, 1 leaves little of it",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=1.5,
    )
    talus_angle: float = number(
        47.0,
        help="The steepest slope that stands, in degrees",
        minimum=1.0,
        maximum=85.0,
        soft_minimum=20.0,
        soft_maximum=70.0,
        unit="angle",
    )
    exponent: float = number(
        0.5,
        help="How much large rivers cut deeper than small ones",
        minimum=0.1,
        maximum=1.0,
        soft_minimum=0.35,
        soft_maximum=0.6,
        advanced=True,
    )
    sediment: float = number(
        0.0,
        help="How much of what is worn off settles again downstream: softer, flatter valley floors",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    valley_fill: float = number(
        0.06,
        help="How steep rivers keep their valleys, which fill up to an even fall, with fans at their sides; 0 leaves floors level",
        minimum=0.0,
        maximum=1.0,
        soft_maximum=0.3,
    )
    fan_angle: float = number(
        6.0,
        help="The steepest slope of these fills, in degrees",
        minimum=0.0,
        maximum=45.0,
        soft_maximum=12.0,
        unit="angle",
        visible_when=("valley_fill", 0.0),
        advanced=True,
    )
    orographic_rain: float = number(
        0.0,
        help="How much more rain falls where wind climbs and on heights than in their lee: it cuts deeper there; 0 is even rain",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=1.0,
        unit="factor",
    )
    wind_direction: float = rain.wind_direction(visible_when=("orographic_rain", 0.0))
    rain_distance: float = rain.rain_distance(visible_when=("orographic_rain", 0.0))
    smoothing: float = number(
        0.1,
        help="How much creeping soil rounds ridges and gullies",
        minimum=0.0,
        maximum=0.5,
        unit="factor",
    )
    lakes: str = choice(
        "keep",
        help="What becomes of closed basins",
        options={
            "keep": "Deep ones keep their lake",
            "fill": "All fill up to plains that rivers cross",
        },
    )
    lake_depth: float = number(
        0.04,
        help="Basins deeper than this share of the relief keep their lake",
        minimum=0.0,
        maximum=1.0,
        soft_maximum=0.3,
        unit="factor",
        visible_when=("lakes", ("keep",)),
        advanced=True,
    )
    outlets: str = choice(
        "open",
        help="Where rivers end; a seamless terrain has no border, there it is the lowest ground or the sea",
        options={
            "open": "Beyond the border, which wears down like the rest",
            "fixed": "At the border, which keeps its height",
            "sea": "In everything below the sea level, and beyond the border",
            "lowest": "In the lowest ground, wherever it is",
        },
    )
    sea_level: float = number(
        0.0,
        help="Everything below stays as it is, in meters",
        minimum=-1e6,
        maximum=1e6,
        soft_minimum=-1000.0,
        soft_maximum=1000.0,
        unit="length",
        visible_when=("outlets", ("sea",)),
    )
    lowest_share: float = number(
        0.04,
        help="How much of the ground counts as the lowest",
        minimum=0.0,
        maximum=1.0,
        soft_maximum=0.5,
        unit="factor",
        visible_when=("outlets", ("lowest",)),
        advanced=True,
    )
    layer_thickness: float = number(
        0.0,
        help="Thickness of the layers of hard and soft rock, in meters; 0 is all one rock",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=500.0,
        unit="length",
    )
    layer_contrast: float = number(
        0.8,
        help="How much harder hard rock is than soft rock",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("layer_thickness", 0.0),
    )
    layer_bend: float = number(
        0.7,
        help="How far the layers rise and fall, in layers",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=3.0,
        visible_when=("layer_thickness", 0.0),
    )
    randomness: float = number(
        0.7,
        help="How much chance has a say in where water flows and how steep rock stands; 0 shows the grid",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        advanced=True,
    )
    quality: str = choice(
        "final",
        help="How many steps it takes",
        options={
            "preview": "None on the finest level and one on the next ones: for trying out",
            "final": "Enough for any look at it",
            "thorough": "Many more: for large strengths",
        },
        visible_when=("mode", ("erode",)),
    )
    finest: int = integer(
        8192,
        label="Finest Samples",
        help="Samples along the shorter side up to which rivers are followed; finer ground keeps its own detail",
        minimum=COARSEST,
        maximum=65536,
        soft_minimum=COARSEST,
        soft_maximum=8192,
        advanced=True,
    )

    def rain(self, span: float, width: float) -> OrographicRain | None:
        """Return the rain on a relief of so many meters, on land so wide; None if it is even."""
        if self.orographic_rain == 0.0:
            return None
        distance = self.rain_distance or rain.AUTOMATIC * width
        return rain.OrographicRain(self.orographic_rain, self.wind_direction, distance, span)
