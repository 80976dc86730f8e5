# SPDX-License-Identifier: GPL-3.0-or-later
"""What the landscapes of the presets look like when the examples render them."""

from __future__ import annotations

from dataclasses import dataclass

from _nodes import Colour

AIR = 0.9
"""How bright the haze and the horizon are."""


@dataclass(frozen=True)
class Look:
    """Colours of a landscape, linear: what lies low, in between, high, and on steep ground.

    Attributes
    ----------
    low, middle, high, steep : Colour
        Of the ground.
    flat_above : float
        Slopes flatter than this cosine keep their own colour; steeper ones show rock.
    bands : float
        How strongly rock strata show, from 0 to 1.
    water : Colour or None
        Of the sea at height 0, if there is one.
    back : float
        How far from the middle the camera stands, in depths of the terrain.
    lift : float
        How high above the ground it stands, in widths of the terrain.
    aside : float
        How far to the right of the middle it stands, in widths of the terrain.
    haze : Colour
        Of the air far away.
    reach : float
        How far one sees, in widths of the terrain.
    sun : tuple of two floats
        Its height above the horizon, and where it stands as on a compass (the camera looks
        north), in degrees.
    """

    low: Colour
    middle: Colour
    high: Colour
    steep: Colour
    flat_above: float = 0.75
    bands: float = 0.0
    water: Colour | None = None
    back: float = 0.47
    lift: float = 0.07
    aside: float = -0.10
    haze: Colour = (0.46, 0.62, 0.86)
    reach: float = 5.0
    sun: tuple[float, float] = (24.0, 285.0)


LOOKS = {
    "": Look((0.08, 0.11, 0.03), (0.16, 0.14, 0.08), (0.75, 0.77, 0.80), (0.14, 0.12, 0.105)),
    "alps": Look((0.035, 0.06, 0.018), (0.10, 0.10, 0.045), (0.82, 0.86, 0.92), (0.11, 0.10, 0.095),
                 flat_above=0.78),
    "rolling_hills": Look((0.07, 0.13, 0.02), (0.12, 0.17, 0.03), (0.22, 0.21, 0.07), (0.14, 0.11, 0.06),
                          flat_above=0.6),
    "dunes": Look((0.50, 0.26, 0.11), (0.62, 0.35, 0.16), (0.72, 0.44, 0.22), (0.46, 0.23, 0.09),
                  flat_above=0.70, haze=(0.78, 0.66, 0.52), sun=(17.0, 300.0)),
    "mesa": Look((0.34, 0.15, 0.07), (0.42, 0.17, 0.075), (0.46, 0.27, 0.13), (0.36, 0.11, 0.045),
                 flat_above=0.80, bands=0.6, haze=(0.66, 0.62, 0.62)),
    "canyon": Look((0.30, 0.14, 0.07), (0.42, 0.19, 0.09), (0.47, 0.29, 0.15), (0.38, 0.13, 0.055),
                   flat_above=0.80, bands=0.7, lift=0.16, aside=-0.34, haze=(0.66, 0.62, 0.62)),
    "badlands": Look((0.36, 0.24, 0.15), (0.48, 0.30, 0.19), (0.55, 0.42, 0.30), (0.40, 0.21, 0.13),
                     flat_above=0.75, bands=0.8, haze=(0.70, 0.66, 0.62)),
    "island": Look((0.62, 0.50, 0.31), (0.045, 0.10, 0.02), (0.15, 0.14, 0.10), (0.13, 0.11, 0.09),
                   flat_above=0.62, water=(0.004, 0.035, 0.055), back=0.8),
    "volcano": Look((0.06, 0.075, 0.03), (0.055, 0.05, 0.045), (0.16, 0.13, 0.12), (0.04, 0.034, 0.032),
                    flat_above=0.7, back=0.5, lift=0.2, haze=(0.62, 0.58, 0.60), sun=(16.0, 300.0)),
    "moon": Look((0.14, 0.14, 0.14), (0.22, 0.22, 0.215), (0.34, 0.34, 0.33), (0.26, 0.26, 0.255),
                 flat_above=0.6, haze=(0.0, 0.0, 0.0), reach=1e6, sun=(24.0, 290.0), lift=0.12),
}  # fmt: skip
