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
    "noise_layer": "RENDERLAYERS",
    "normalize": "DRIVER_DISTANCE",
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


NOISE = "TEXTURE"
"""For a type of noise that has no icon of its own."""

NOISES: Mapping[str, str] = {
    "abs": "MOD_MIRROR",
    "clamp": "FULLSCREEN_EXIT",
    "curve": "FCURVE",
    "evolution": "TIME",
    "fractal": "MOD_NOISE",
    "gullies": "MOD_OCEAN",
    "invert": "ARROW_LEFTRIGHT",
    "power": "SHARPCURVE",
    "remap": "DRIVER_DISTANCE",
    "terrace": "ALIGN_JUSTIFY",
    "transform": "ORIENTATION_LOCAL",
    "warp": "MOD_WARP",
    "bricks": "MOD_BUILD",
    "cellular": "LIGHTPROBE_VOLUME",
    "constant": "REMOVE",
    "gradient": "NODE_TEXTURE",
    "hexagons": "SEQ_CHROMA_SCOPE",
    "perlin": "RNDCURVE",
    "raster": "IMAGE_DATA",
    "simplex": "FORCE_TURBULENCE",
    "value": "TEXTURE",
    "white": "PARTICLES",
}
"""By the key of a type of noise."""

SOURCE = "MOD_MASK"
"""For what a mask looks at that has no icon of its own."""

SOURCES: Mapping[str, str] = {
    "aspect": "ORIENTATION_GIMBAL",
    "height": "FULLSCREEN_ENTER",
    "layer": "RENDERLAYERS",
    "river": "MOD_FLUIDSIM",
    "slope": "IPO_LINEAR",
}
"""By the key of a source; see `mask_settings.sources`."""


def noise_icon(key: str) -> str:
    """Return the icon of a type of noise."""
    return NOISES.get(key, NOISE)


def mask_icon(key: str) -> str:
    """Return the icon of what a mask looks at."""
    return SOURCES.get(key, SOURCE)


def modifier_icon(key: str) -> str:
    """Return the icon of a modifier type."""
    return MODIFIERS.get(key, MODIFIER)
