# SPDX-License-Identifier: GPL-3.0-or-later
"""The colours in which each preset is drawn in the documentation."""

from __future__ import annotations

from shading import GREY, Ramp

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
SHORE: Ramp = [
    (0.0, (18, 44, 84)),
    (0.22, (34, 84, 128)),
    (0.29, (70, 140, 160)),
    (0.302, (214, 200, 150)),
    (0.33, (120, 140, 80)),
    (0.5, (96, 112, 64)),
    (0.7, (128, 118, 98)),
    (0.9, (190, 186, 180)),
    (1.0, (246, 248, 252)),
]

GROUND: dict[str, Ramp] = {
    "badlands": CLAY,
    "canyon": SANDSTONE,
    "dunes": SAND,
    "island": SHORE,
    "mesa": SANDSTONE,
    "moon": DUST,
    "rolling_hills": DOWNS,
    "volcano": LAVA,
}
"""Ground colours of the terrains; those not named here are alpine."""

FLAT: dict[str, Ramp] = {
    "cells": GREY,
    "clouds": [(0.0, (66, 116, 184)), (0.45, (150, 184, 222)), (1.0, (255, 255, 255))],
    "marble": [(0.0, (44, 48, 56)), (0.35, (140, 144, 152)), (0.7, (226, 224, 220)), (1.0, (250, 248, 244))],
}  # fmt: skip
"""Colours of the textures, which are drawn flat."""
