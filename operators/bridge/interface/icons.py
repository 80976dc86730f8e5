# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's icons of noises, modifiers and masks. Each type has a default icon."""

from __future__ import annotations

from collections.abc import Mapping

MODIFIERS: Mapping[str, str] = {
    "amplify": "MOD_MULTIRES",
    "blur": "MOD_SMOOTH",
    "coastal_erosion": "FORCE_HARMONIC",
    "debris_flow": "MOD_PARTICLES",
    "fill_lakes": "MOD_OCEAN",
    "glacial_erosion": "FREEZE",
    "gully_erosion": "PARTICLE_PATH",
    "noise_layer": "RENDERLAYERS",
    "meanders": "FORCE_CURVE",
    "normalize": "DRIVER_DISTANCE",
    "sediment_erosion": "PARTICLES",
    "snow": "FREEZE",
    "strata": "ALIGN_JUSTIFY",
    "stream_erosion": "MOD_FLUIDSIM",
    "tectonics": "MOD_EXPLODE",
    "terraces": "IPO_CONSTANT",
    "thermal_erosion": "IPO_LINEAR",
    "wind_erosion": "FORCE_WIND",
}
"""Icons by the key of a modifier type."""

MASKS: Mapping[str, str] = {
    "GROUP": "GROUP_VERTEX",
    "ATTRIBUTE": "SPREADSHEET",
    "IMAGE": "IMAGE_DATA",
}
"""Icons by the kind of a painted mask; see `masks.names`."""

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
    "elevation": "WORLD",
    "gradient": "NODE_TEXTURE",
    "hexagons": "SEQ_CHROMA_SCOPE",
    "perlin": "RNDCURVE",
    "raster": "IMAGE_DATA",
    "simplex": "FORCE_TURBULENCE",
    "value": "TEXTURE",
    "white": "PARTICLES",
}
"""Icons by the key of a noise type."""

SOURCES: Mapping[str, str] = {
    "aspect": "ORIENTATION_GIMBAL",
    "height": "FULLSCREEN_ENTER",
    "layer": "RENDERLAYERS",
    "river": "MOD_FLUIDSIM",
    "slope": "IPO_LINEAR",
}
"""Icons by the key of a source; see `mask_settings.sources`."""


def noise_icon(key: str) -> str:
    """Return the icon of a noise type."""
    return NOISES.get(key, "TEXTURE")


def mask_icon(key: str) -> str:
    """Return the icon of a mask's source."""
    return SOURCES.get(key, "MOD_MASK")


def modifier_icon(key: str) -> str:
    """Return the icon of a modifier type."""
    return MODIFIERS.get(key, "MODIFIER")
