# SPDX-License-Identifier: GPL-3.0-or-later
"""The land that exported files hold in these tests."""

from __future__ import annotations

from noise_core import Recipe
from noise_core.noises import Fractal, Gradient, Perlin


def lopsided_land(
    height: float = 120.0, size: float = 1000.0, frequency: float = 3.0, octaves: int = 6
) -> Recipe:
    """Return land that is high in one corner: whatever is flipped or turned is another land."""
    noise = Fractal(source=Perlin(frequency=frequency), octaves=octaves)
    layers = (Gradient(shape="linear", angle=30.0), noise)
    return Recipe(layers=layers, seed=5, height=height, size=size)
