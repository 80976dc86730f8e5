# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors as numbers: linear RGB, its way to sRGB and to Oklab, ramps, palettes, landscapes."""

from __future__ import annotations

from .landscapes import ASPHALT, LAYER_LIMITS, LAYERS, GroundLayer, Landscape, RockBands
from .ramp import PALETTES, Ramp
from .shipped_landscapes import COVERS, LANDSCAPES
from .spaces import hexadecimal, linear_to_srgb, srgb_to_linear, to_linear

__all__ = [
    "ASPHALT",
    "COVERS",
    "LANDSCAPES",
    "LAYERS",
    "LAYER_LIMITS",
    "PALETTES",
    "Landscape",
    "GroundLayer",
    "Ramp",
    "RockBands",
    "hexadecimal",
    "to_linear",
    "linear_to_srgb",
    "srgb_to_linear",
]
