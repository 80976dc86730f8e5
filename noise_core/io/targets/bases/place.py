# SPDX-License-Identifier: GPL-3.0-or-later
"""Place of a land on Earth: the latitude and longitude of its middle, or its own, declared once."""

from __future__ import annotations

from ....base import georeference
from ....base.params import Condition, choice, number

GIVEN: Condition = ("system", ("degrees",))
"""When latitude and longitude are asked for."""


def system_of_place(**more: str) -> str:
    """Declare how the place of a land is given, with more ways by their keys."""
    return choice(
        "degrees",
        help="Coordinates that give the place",
        options={
            "degrees": "Latitude and longitude (WGS 84)",
            **more,
            "land": "System of the measured land, from its layer Elevation",
        },
    )


def latitude_of_middle() -> float:
    """Declare the latitude of the middle of a land, for a type with `system_of_place`."""
    return number(
        0.0,
        help="Latitude of the center, in degrees north",
        minimum=-85.0,
        maximum=85.0,
        visible_when=GIVEN,
    )


def longitude_of_middle() -> float:
    """Declare the longitude of the middle of a land, for a type with `system_of_place`."""
    return number(
        0.0,
        help="Longitude of the center, in degrees east",
        minimum=-180.0,
        maximum=180.0,
        visible_when=GIVEN,
    )


def meters_per_degree(latitude: float) -> tuple[float, float]:
    """Return the length of a degree along x and along y, in meters, for a land whose middle lies there."""
    return georeference.SpatialSystem(georeference.GEOGRAPHIC).unit_lengths(latitude)
