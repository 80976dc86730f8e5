# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion that has done a share of its work."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Recipe
from noise_core.base.errors import ParameterError
from noise_core.modifiers.blur import Blur
from noise_core.modifiers.stream_erosion import StreamErosion
from noise_core.modifiers.thermal_erosion import ThermalErosion
from noise_core.noises import Perlin
from noise_core.recipes.erosion_over_time import at_share


def test_counts_and_strengths_grow():
    layers = (Perlin(), StreamErosion(strength=0.8), ThermalErosion(passes=40), Blur())
    recipe = Recipe(layers=layers, seed=3, height=200.0, size=1000.0)
    half = at_share(recipe, 0.5).layers
    assert (half[1].strength, half[2].passes, half[3]) == (0.4, 20, recipe.layers[3])
    none = at_share(recipe, 0.0).layers
    assert [one.muted for one in none[1:]] == [True, True, False]
    assert at_share(recipe, 1.0) is recipe
    with pytest.raises(ParameterError, match="share must be in"):
        at_share(recipe, 1.5)


def test_the_land_wears_steadily():
    recipe = Recipe(layers=(Perlin(frequency=3.0), StreamErosion()), height=300.0, size=2000.0)
    first, *rest = (
        at_share(recipe, value).evaluate(recipe.grid(65)).height for value in (0, 0.5, 1)
    )
    half, whole = (float(np.abs(one - first).mean()) for one in rest)
    assert 0.0 < half < whole
