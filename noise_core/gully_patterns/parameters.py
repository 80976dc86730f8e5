# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters that gullies on a noise and gullies on a finished terrain share, declared once."""

from __future__ import annotations

from ..base.params import number


def octaves() -> float:
    """Declare the number of sizes."""
    return number(
        5.0,
        help="Number of gully sizes, each on flanks of the last; a fraction fades the last",
        minimum=1.0,
        maximum=12.0,
        soft_maximum=8.0,
        visible_when=("depth", 0.0),
    )


def persistence() -> float:
    """Declare the depth of each size."""
    return number(
        0.45,
        help="Depth of each size relative to the size before",
        minimum=0.0,
        maximum=1.0,
        soft_minimum=0.3,
        soft_maximum=0.7,
        unit="factor",
        visible_when=("octaves", 1.0),
    )


def lacunarity() -> float:
    """Declare the width of each size."""
    return number(
        2.0,
        help="Number of gullies of each size relative to the size before",
        minimum=1.0,
        maximum=8.0,
        soft_minimum=1.5,
        soft_maximum=3.0,
        advanced=True,
        visible_when=("octaves", 1.0),
    )


def branching() -> float:
    """Declare the angle at which gullies meet."""
    return number(
        40.0,
        help="Angle between the first two sizes of gullies in degrees; 0 is straight down",
        minimum=0.0,
        maximum=85.0,
        soft_maximum=70.0,
        unit="angle",
        visible_when=("octaves", 1.0),
    )


def balance() -> float:
    """Declare the balance of carving and raising."""
    return number(
        -0.65,
        help="-1 only carves, 1 only raises crests, 0 does both",
        minimum=-1.0,
        maximum=1.0,
        visible_when=("depth", 0.0),
    )


def crests() -> float:
    """Declare the treatment of the crests and valleys in which gullies end."""
    return number(
        0.8,
        help="Amount that gullies sharpen crests and deepen valleys",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("depth", 0.0),
    )
