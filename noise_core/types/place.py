# SPDX-License-Identifier: GPL-3.0-or-later
"""Place of an invented land on Earth: the latitude and longitude of its middle, declared once."""

from __future__ import annotations

import math

from ..base.georeference import METERS_PER_DEGREE
from ..base.params import Condition, number


def latitude_of_middle(visible_when: Condition | None = None) -> float:
    """Declare the latitude of the middle of a land."""
    return number(
        0.0,
        help="Latitude of the middle of the land, in degrees north",
        minimum=-85.0,
        maximum=85.0,
        visible_when=visible_when,
    )


def longitude_of_middle(visible_when: Condition | None = None) -> float:
    """Declare the longitude of the middle of a land."""
    return number(
        0.0,
        help="Longitude of the middle of the land, in degrees east",
        minimum=-180.0,
        maximum=180.0,
        visible_when=visible_when,
    )


def meters_per_degree(latitude: float) -> tuple[float, float]:
    """Return the length of a degree along x and along y, in meters, for a land whose middle lies there."""
    return METERS_PER_DEGREE * math.cos(math.radians(latitude)), METERS_PER_DEGREE
