# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of Blender's icons stands for what. Decoration only: nothing depends on an entry here."""

from __future__ import annotations

from collections.abc import Mapping

MODIFIER = "MODIFIER"
"""For a type of modifier that has no icon of its own."""

MODIFIERS: Mapping[str, str] = {
    "blur": "MOD_SMOOTH",
    "fill_lakes": "MOD_OCEAN",
    "gully_erosion": "PARTICLE_PATH",
    "normalise": "DRIVER_DISTANCE",
    "sediment_erosion": "PARTICLES",
    "strata": "ALIGN_JUSTIFY",
    "stream_erosion": "MOD_FLUIDSIM",
    "terraces": "IPO_CONSTANT",
    "thermal_erosion": "IPO_LINEAR",
}
"""By a modifier type's key."""

MASKS: Mapping[str, str] = {
    "GROUP": "GROUP_VERTEX",
    "ATTRIBUTE": "SPREADSHEET",
    "IMAGE": "IMAGE_DATA",
}
"""By the kind of a mask; see `masks.names`."""


def modifier_icon(key: str) -> str:
    """Return the icon of a modifier type."""
    return MODIFIERS.get(key, MODIFIER)
