# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths of degrees on WGS 84, by a series that shares nothing with the core's formulas.

References
----------
National Imagery and Mapping Agency (1984 and later). Length of a degree of latitude and longitude calculator.
"""

from __future__ import annotations

import math


def meters_per_degree(latitude: float) -> tuple[float, float]:
    """Return meters in a degree of longitude and of latitude, within a centimeter, at degrees north."""
    angle = math.radians(latitude)
    across = 111_412.84 * math.cos(angle) - 93.5 * math.cos(3 * angle) + 0.118 * math.cos(5 * angle)
    along = 111_132.92 - 559.82 * math.cos(2 * angle) + 1.175 * math.cos(4 * angle)
    return across, along - 0.0023 * math.cos(6 * angle)
