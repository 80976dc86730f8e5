# SPDX-License-Identifier: GPL-3.0-or-later
"""Land that exported files hold in these tests, and the libraries that read them."""

from __future__ import annotations

import pytest

from noise_core import Recipe
from noise_core.noises import Fractal, Gradient, Perlin


def lopsided_land(
    height: float = 120.0, size: float = 1000.0, frequency: float = 3.0, octaves: int = 6
) -> Recipe:
    """Return land that is high in one corner: flipped or turned it is another land."""
    noise = Fractal(source=Perlin(frequency=frequency), octaves=octaves)
    layers = (Gradient(shape="linear", angle=30.0), noise)
    return Recipe(layers=layers, seed=5, height=height, size=size)


def import_client(name: str):
    """Import a library that reads exported files; skip the test where it is not installed."""
    reason = f"NOT TESTED: {name} is not installed"
    return pytest.importorskip(name, reason=reason, exc_type=ImportError)
