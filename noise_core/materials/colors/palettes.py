# SPDX-License-Identifier: GPL-3.0-or-later
"""Named ramps: by height for terrain, and plain ones for numbers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .ramp import Ramp


def _even(*colors: str) -> Ramp:
    """Return a ramp with stops at equal distances from 0 to 1."""
    last = len(colors) - 1
    return Ramp(tuple((place / last, color) for place, color in enumerate(colors)))  # type: ignore[misc]


PALETTES: Mapping[str, Ramp] = MappingProxyType(
    {
        "gray": Ramp(((0.0, (0.0, 0.0, 0.0)), (1.0, (1.0, 1.0, 1.0))), space="linear"),
        "alpine": _even("#4f6b3a", "#76804a", "#8d8466", "#8e8a84", "#c9cbce", "#f6f8fb"),
        "desert": _even("#7a4a2b", "#a8693c", "#c98d55", "#dcb27a", "#ecd3a4"),
        "volcanic": _even("#14110f", "#2b2523", "#4a3f3a", "#6d5a4e", "#8f7a66"),
        "arctic": _even("#1d3b4f", "#5d8196", "#a9c3cf", "#dde8ed", "#ffffff"),
        "tropical": _even("#d8c58d", "#4d7a34", "#2c5a2b", "#5b6f3f", "#8a8467"),
        "mars": _even("#3a1d14", "#73351f", "#a4522d", "#c67c4b", "#dda679"),
        "moon": _even("#2a2a2c", "#565656", "#7d7b79", "#a5a29d", "#cfccc6"),
        "temperate": _even("#55752f", "#7d8a44", "#99925f", "#a89a78", "#c3b8a0"),
        "badlands": _even("#8f7357", "#b58a67", "#cba585", "#b98563", "#dcc6aa"),
        "sea": _even("#04182f", "#0a3a5c", "#14668a", "#43a0ac", "#a6d8c9"),
        "heat": _even("#000004", "#57106e", "#bc3754", "#f98e09", "#fcffa4"),
    }
)
"""By name."""
