# SPDX-License-Identifier: GPL-3.0-or-later
"""The colors in which each preset is drawn in the documentation."""

from __future__ import annotations

from landscapes import Look
from shading import GRAY, Ramp

CLAY: Ramp = [
    (0.0, (128, 104, 84)),
    (0.3, (176, 140, 104)),
    (0.5, (198, 170, 136)),
    (0.7, (170, 128, 100)),
    (1.0, (214, 190, 160)),
]
DOWNS: Ramp = [
    (0.0, (84, 112, 62)),
    (0.4, (118, 138, 78)),
    (0.7, (150, 152, 98)),
    (1.0, (176, 168, 124)),
]
DUST: Ramp = [(0.0, (88, 88, 92)), (0.5, (136, 134, 132)), (1.0, (196, 192, 186))]
LAVA: Ramp = [
    (0.0, (96, 112, 74)),
    (0.3, (122, 118, 88)),
    (0.45, (112, 98, 86)),
    (0.7, (92, 80, 76)),
    (1.0, (74, 66, 66)),
]
SAND: Ramp = [(0.0, (150, 110, 70)), (0.4, (196, 152, 98)), (1.0, (236, 204, 150))]
SANDSTONE: Ramp = [
    (0.0, (120, 70, 48)),
    (0.2, (168, 104, 70)),
    (0.5, (190, 120, 80)),
    (0.8, (206, 150, 104)),
    (1.0, (214, 178, 132)),
]
MEADOW: Ramp = [
    (0.0, (92, 112, 68)),
    (0.35, (122, 130, 84)),
    (0.6, (140, 134, 104)),
    (0.8, (150, 144, 130)),
    (1.0, (170, 166, 160)),
]
STEPPE: Ramp = [(0.0, (104, 112, 70)), (0.6, (150, 140, 96)), (1.0, (176, 164, 122))]
STRAND: Ramp = [
    (0.0, (180, 170, 120)),
    (0.06, (104, 122, 70)),
    (0.5, (128, 134, 84)),
    (1.0, (146, 142, 100)),
]
REEDS: Ramp = [(0.0, (150, 150, 96)), (0.2, (112, 128, 72)), (1.0, (140, 136, 100))]

LOOKS: dict[str, Look] = {
    "alps": Look(MEADOW, snow=0.6),
    "badlands": Look(CLAY, rock=(176, 150, 122), rock_slope=(20.0, 34.0), plants=None, bands=14.0),
    "canyon": Look(SANDSTONE, rock=(158, 96, 66), plants=(120, 112, 70), bands=75.0),
    "coast": Look(STRAND, rock=(150, 138, 120), sea=0.0),
    "crater_field": Look(DUST, rock=(120, 118, 116), plants=None, has_lakes=False),
    "dunes": Look(SAND, rock=(206, 164, 108), plants=None),
    "fjords": Look(MEADOW, snow=0.68, sea=0.0),
    "glacial_valley": Look(MEADOW, snow=0.5),
    "high_plateau": Look(STEPPE, rock=(140, 116, 92)),
    "island": Look(MEADOW, snow=0.86, sea=0.0),
    "mesa": Look(SANDSTONE, rock=(160, 92, 62), plants=(132, 118, 76), bands=60.0),
    "moon": Look(DUST, rock=(120, 118, 116), plants=None),
    "mountain_range": Look(MEADOW, snow=0.56),
    "river_delta": Look(REEDS, sea=0.0),
    "rolling_hills": Look(DOWNS),
    "volcano": Look(LAVA, rock=(84, 76, 72)),
}
"""Looks of the landforms."""

GROUND = Look(DUST, rock=(120, 118, 116), plants=None, has_lakes=False)
"""Look of all ground for robots."""

FLAT: dict[str, Ramp] = {
    "cells": GRAY,
    "clouds": [(0.0, (66, 116, 184)), (0.45, (150, 184, 222)), (1.0, (255, 255, 255))],
    "marble": [(0.0, (44, 48, 56)), (0.35, (140, 144, 152)), (0.7, (226, 224, 220)), (1.0, (250, 248, 244))],
}  # fmt: skip
"""Colors of the textures, which are drawn flat."""
