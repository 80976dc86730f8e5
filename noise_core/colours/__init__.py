# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours as numbers: linear RGB, its way to sRGB and to Oklab, ramps, and named palettes."""

from __future__ import annotations

from .palettes import PALETTES
from .ramp import Ramp
from .spaces import hexadecimal, linear_of, linear_to_srgb, srgb_to_linear

__all__ = ["PALETTES", "Ramp", "hexadecimal", "linear_of", "linear_to_srgb", "srgb_to_linear"]
