# SPDX-License-Identifier: GPL-3.0-or-later
"""Water as an OpenPBR material."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...materials.colors import Landscape
from ...materials.colors.spaces import Color
from .shader_graph import LookMaterial, ShaderGraph, Value

INDEX = 1.333
"""Of refraction of water at 20 degrees, yellow light."""

_ROUGHNESS = 0.06
"""Of a surface with small waves."""

_HALVINGS = 40
"""Of an interval, until its ends are the same number."""


@dataclass(frozen=True)
class LandWater:
    """Water of a land: its material, and the level of its sea in meters; None if its ground shows it."""

    look: LookMaterial
    sea: float | None = None


def water_look(landscape: Landscape) -> LookMaterial:
    """Return the water of a landscape: its colors and clearness as light that is lost, and sent back, on the way.

    Of each color the share that comes through once, over the depth `clear`, is what the water of a terrain's material
    lets through (Bouguer, Lambert and Beer). What deep water sends back is the part of that loss that is scattered.

    References
    ----------
    van de Hulst (1980). Multiple Light Scattering, volume 2: the albedo of a half space; its approximation for light
    that is scattered to all sides.

    Examples
    --------
    >>> from noise_core.io.looks.water_look import water_look
    >>> from noise_core.materials.colors import LANDSCAPES
    >>> water = water_look(LANDSCAPES["alpine"])
    >>> water.inputs["specular_ior"], water.inputs["transmission_depth"] == LANDSCAPES["alpine"].clear
    (1.333, True)
    """
    lost = extinction(landscape)
    shares = [_scattered(one) for one in landscape.deep]
    red, green, blue = (math.exp(-one) for one in lost)
    scatter_red, scatter_green, scatter_blue = (one * share for one, share in zip(lost, shares))
    inputs: dict[str, Value] = {
        "base_weight": 0.0,
        "specular_ior": INDEX,
        "specular_roughness": _ROUGHNESS,
        "transmission_weight": 1.0,
        "transmission_color": (red, green, blue),
        "transmission_depth": landscape.clear,
        "transmission_scatter": (scatter_red, scatter_green, scatter_blue),
    }
    return LookMaterial("Water", ShaderGraph(), inputs)


def extinction(landscape: Landscape) -> Color:
    """Return how much of each color is lost over the depth `clear`, as the exponent of a power of e.

    The same as the group *Terrane Water* of Blender's materials has it, and as `ground.colors` has it.
    """
    brightest = max(landscape.shallow)
    red, green, blue = (0.5 * math.sqrt(brightest / max(one, 1e-3)) for one in landscape.shallow)
    return red, green, blue


def _scattered(albedo: float) -> float:
    """Return which part of the loss is scattered in water that is so bright when it is deep."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        root = math.sqrt(1.0 - middle)
        bright = (1.0 - root) * (1.0 - 0.139 * root) / (1.0 + 1.17 * root)
        low, high = (low, middle) if bright > albedo else (middle, high)
    return 0.5 * (low + high)
